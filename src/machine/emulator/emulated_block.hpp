// A block on the emulator: its threads, and who of them runs when.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/merge.hpp"
#include "machine/emulator/stopped.hpp"
#include "machine/machine.hpp"

namespace upsweep {

// The stacks of a block's threads. They lie in huge pages (every step touches all of them, more small pages
// than the TLB holds), and not a power of two apart, or their tops would share a few sets of the cache: a
// block of 512 threads takes 0.36 ms on stacks 16 KiB apart, 0.25 ms so.
class Stacks {
 public:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t size = 256 * 1024;
#else
  static constexpr std::size_t size = 16 * 1024 + 5 * 64;
#endif
  explicit Stacks(std::size_t count);
  char* operator[](std::size_t i) const { return bytes_.get() + i * size; }
  // Whether that stack was ever used up to its end.
  bool overflown(std::size_t i) const;

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
};

// Who takes over from whom: drawn from a seed, the same on every machine.
class Schedule {
 public:
  explicit Schedule(const RecordOptions& options) : lockstep(options.lockstep), state_(options.schedule) {
    take_over_ = 2 << 2 * below(4);
  }
  const bool lockstep;  // lanes of a warp issue together

  // The next random bits: SplitMix64 (Steele, Lea, Flood 2014).
  std::uint32_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }
  // One of 0 ... n - 1.
  int below(int n) {
    return static_cast<int>(static_cast<std::uint64_t>(bits()) * static_cast<std::uint64_t>(n) >> 32);
  }
  // Whether whoever ran last gives way now: on some schedules often, on others seldom.
  bool takes_over() { return below(take_over_) == 0; }

 private:
  std::uint64_t state_;
  int take_over_ = 2;
};

// A block on the emulator: its threads, their stacks, its shared memory.
class Block {
 public:
  explicit Block(std::size_t capacity);
  std::size_t capacity() const { return threads_.size(); }

  // Begins a block of a launch, on as many of its threads as the launch asks for; both outlive the run.
  void start(Launch& launch, BlockRecording& recording);

  std::size_t warps() const { return used_warps_; }
  // Whether any lane of the warp does not wait.
  bool can_run(std::size_t w) const {
    const Warp& warp = warps_[w];
    return warp.ready != 0 || warp.paused != 0 || (warp.met != 0 && !warp.stuck);
  }

  enum class Advance { goes_on, ended, talks, gives_way };
  // A turn: lets every thread run until it waits, pauses or ends, and settles once none can. If it may not
  // talk to other blocks, the turn stops before it does (`talks`); while `hurry` says so, it stops between
  // two warps
  // (`gives_way`). The next call continues the turn.
  Advance advance(bool may_talk = true, const std::atomic<bool>* hurry = nullptr);

  // With no thread that can run: releases the barrier that all live threads wait at. False when all have
  // ended.
  bool settle();

  // One group of lanes of the warp goes on to its next access. False if none can.
  bool step_one(std::size_t w, Schedule& schedule);

  // Where the run was stopped: what was recorded of a block that does not go on.
  void give_up();

  // Thread and line of the first that waits for what others should write, if any does.
  std::optional<StoppedThreads> first_that_spins();

  Launch& launch() const { return *launch_; }

  // Whether a long run has left it with so much memory that it is better given back than kept for the next.
  bool has_grown() const {
    return std::ranges::any_of(warps_, [](const Warp& w) {
      const auto many = [](const auto& of_lane) { return of_lane.capacity() > much_flow; };
      return w.flow.kept() > much_flow || std::ranges::any_of(w.origins, many);
    });
  }

 private:
  static constexpr std::size_t much_flow = 1 << 15;  // nodes
  std::span<Thread> lanes_of(std::size_t w) {
    return std::span(threads_).subspan(w * 32, std::min<std::size_t>(32, used_ - w * 32));
  }
  Thread& thread(std::size_t w, std::uint32_t mask) {
    return threads_[w * 32 + static_cast<std::size_t>(std::countr_zero(mask))];
  }

  // A period is what lies between two barriers. Most often all of it belongs to one step, and a warp is
  // merged as soon as it has run, while its records are in the nearest cache. Records of later steps, and
  // those of warps from the first on that pauses, are kept until all threads have come to the period's end:
  // the trace is in order of steps, then warps.
  void begin_period(std::uint32_t step) {
    first_step_ = last_step_ = step;
    first_kept_warp_ = used_warps_;
  }

  // Gives each thread its place in a block of the launch.
  void place_threads(const Launch& launch);

  // Lets a warp's lanes run until all of them wait or have ended, or only some that paused could go on. False
  // if it stopped before an access that other blocks may see at once.
  bool turn(std::size_t w, bool may_talk);
  bool wants_to_talk(std::size_t w);
  static constexpr int groups_in_a_turn = 64;

  // Lets the lanes that are ready run until each of them waits, pauses or ends.
  void go_on(std::size_t w);

  // Chains the lanes that can run.
  void link(std::size_t w);

  // Of the lanes that met, those that go on together: the first in the text's order that need not wait for
  // others, or, where a warp spins, those that have stood longest. Gives none if all wait for others. What
  // they give each other is exchanged.
  std::uint32_t next_group(std::size_t w, bool longest_first);

  // The same by a schedule, for a warp in lockstep: lanes that paused may go on before all others.
  std::uint32_t next_in_lockstep(std::size_t w, Schedule& schedule) {
    Warp& warp = warps_[w];
    if (warp.paused != 0 && schedule.below(4) == 0) return std::exchange(warp.paused, 0);
    const std::uint32_t group = next_group(w, false);
    return group != 0 ? group : std::exchange(warp.paused, 0);
  }

  // The same for lanes on their own: any of them, with some or all that stand at the same place.
  std::uint32_t next_apart(std::size_t w, Schedule& schedule);

  // The live lanes of a collective's mask, if all of them have come to the same thing, and with the same
  // mask; as on hardware not necessarily at the same place. Else none.
  std::uint32_t all_that_meet(std::size_t w, const Thread& one);

  // What each lane of a group that meets takes from the others.
  void exchange(std::size_t w, std::uint32_t group);

  // Calls f(step) for the step of each barrier that lanes of the warp wait at.
  template <class F>
  void for_each_arrival(std::size_t w, F f) {
    const Warp& warp = warps_[w];
    for (std::uint32_t rest = warp.waiting; rest != 0; rest &= rest - 1) {
      f(thread(w, rest).step);
      if (!warp.apart) break;
    }
  }

  // Takes over what the warp that runs has recorded.
  void collect(std::size_t w);

  // A block out of focus leaves hardly more than counts, so that its warps are merged whenever all their
  // lanes stand at one place, whatever the step. What little it leaves is sorted in the end.
  bool counts_alone() const {
    return launch_->run->recording && !launch_->run->stepped && !recording_->in_focus;
  }
  bool comes_by_turns() const { return launch_->run->stepped || !recording_->in_focus; }
  // Merges what the lanes that went have recorded, or keeps it. Says whether there was a store.
  bool absorb(std::size_t w, std::uint32_t went);
  void merge_alone(std::size_t w);
  // Whether lanes that met stand at the same place for the same thing.
  bool stand_together(std::size_t w, std::uint32_t mask);

  // Lanes that wait for others of their warp, as if they had met: where the run was stopped.
  void note_meetings(std::size_t w);

  // By a schedule: the barriers that lanes wait at, and what lanes wait for that will not come.
  void end_period();

  // What was kept of the period, as events.
  void merge_kept();

  // Stops the run: live lanes wait for lanes of their warp that wait elsewhere.
  [[noreturn]] void deadlock();

  // Throws WorkError if a stack was too small.
  void check_stacks() const;

  Launch* launch_ = nullptr;
  BlockRecording* recording_ = nullptr;
  std::size_t used_ = 0, used_warps_ = 0;  // of the threads and warps
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  bool in_a_row_ = false;  // the threads' places: x is the thread's number
  std::vector<Warp> warps_;
  std::vector<LaneRecords> kept_;                 // by warp
  std::vector<std::uint32_t> kept_lanes_;         // by warp, of blocks that count alone
  std::uint32_t first_step_ = 0, last_step_ = 0;  // of the period
  std::size_t first_kept_warp_ = 0;
  // The turn under way.
  struct Turn {
    std::size_t warp = 0;
    bool runs = false;  // a warp before could go on
    // Of the warp's:
    bool begun = false, in_pieces = false, stored = false;
    int groups = 0;
    std::uint32_t went = 0;  // lanes that went on last
  } turn_;
  bool given_up_ = false;  // all that was recorded is merged
  Stacks stacks_;
};

}  // namespace upsweep
