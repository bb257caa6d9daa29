// Runs a block on the emulator: keeps the block's threads, and decides in which order they run.
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

// The stacks of a block's threads. The stacks are in huge pages, because every step uses all stacks, and the
// TLB (the cache of page addresses) has too few entries for small pages. The size of a stack is not a power
// of two. Otherwise, the tops of all stacks would be in the same few sets of the cache. Then a block of 512
// threads would take 0.36 ms instead of 0.25 ms.
class Stacks {
 public:
  static const std::size_t size;  // in bytes; depends on the options with which this library is compiled
  explicit Stacks(std::size_t count);
  char* operator[](std::size_t i) const;
  // Returns whether stack i has ever been full.
  bool overflown(std::size_t i) const;

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
};

// Decides randomly which warps and lanes run next. The decisions depend only on the seed
// (RecordOptions::schedule), so every computer makes the same decisions.
class Schedule {
 public:
  explicit Schedule(const RecordOptions& options) : lockstep(options.lockstep), state_(options.schedule) {
    take_over_ = 2 << 2 * below(4);
  }
  const bool lockstep;  // whether the lanes of a warp issue each request together

  // Returns the next random bits by SplitMix64 (Steele, Lea, Flood 2014).
  std::uint32_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }
  // Returns a random number from 0 to n - 1.
  int below(int n) {
    return static_cast<int>(static_cast<std::uint64_t>(bits()) * static_cast<std::uint64_t>(n) >> 32);
  }
  // Decides randomly whether another warp runs next. The seed also decides how often this happens.
  bool takes_over() { return below(take_over_) == 0; }

 private:
  std::uint64_t state_;
  int take_over_ = 2;
};

// A block on the emulator, with the block's threads, stacks and shared memory.
class Block {
 public:
  explicit Block(std::size_t capacity);
  std::size_t capacity() const { return threads_.size(); }

  // Starts a block of a launch. Both arguments must outlive the run.
  void start(Launch& launch, BlockRecording& recording);

  std::size_t warps() const { return used_warps_; }
  // Returns whether any lane of the warp can run.
  bool can_run(std::size_t w) const {
    const Warp& warp = warps_[w];
    return warp.ready != 0 || warp.paused != 0 || (warp.met != 0 && !warp.stuck);
  }

  enum class Advance { goes_on, ended, talks, gives_way };
  // Runs a turn: every thread runs until it waits, pauses or ends. If no thread can run any more, calls
  // settle(). A turn may stop early:
  // - If `may_talk` is false, the turn stops before an access by which the block communicates with other
  //   blocks (see apart.hpp), and the result is `talks`.
  // - If `hurry` becomes true, the turn stops between two warps, and the result is `gives_way`.
  // The next call continues a turn that has stopped.
  Advance advance(bool may_talk = true, const std::atomic<bool>* hurry = nullptr);

  // Called when no thread can run. Releases the threads that wait at a barrier, or calls deadlock() if lanes
  // wait for other lanes of their warp. Returns false if all threads have ended.
  bool settle();

  // Runs one group of lanes of the warp up to the group's next access. Returns false if no group can run.
  bool step_one(std::size_t w, Schedule& schedule);

  // Called when the run is stopped. Turns all remaining records of the block into events.
  void give_up();

  // Called in a deadlock. Finds a thread that polls for a value: the first thread that paused or waits for
  // its turn. Returns nullopt if there is no such thread.
  std::optional<StoppedThreads> first_that_spins();
  // Returns true if every live thread waits for other threads: at a barrier, a shuffle or a vote, or in a
  // loop that only other threads can end.
  bool only_waits();

  Launch& launch() const { return *launch_; }

  // Returns true if the run was so long that this object holds much memory. Free such an object instead of
  // keeping it for the next run.
  bool has_grown() const {
    return std::ranges::any_of(warps_, [](const Warp& w) {
      const auto many = [](const auto& of_lane) { return of_lane.capacity() > much_flow; };
      return w.flow.kept() > much_flow || std::ranges::any_of(w.origins, many);
    });
  }

 private:
  static constexpr std::size_t much_flow = 1 << 15;  // if a warp has more nodes, their memory is freed
  std::span<Thread> lanes_of(std::size_t w) {
    return std::span(threads_).subspan(w * 32, std::min<std::size_t>(32, used_ - w * 32));
  }
  Thread& thread(std::size_t w, std::uint32_t mask) {
    return threads_[w * 32 + static_cast<std::size_t>(std::countr_zero(mask))];
  }

  // A period is the time between two barriers. Usually all records of a period belong to one step. In this
  // case, the records of a warp are merged as soon as the warp has run, because these records are still in
  // the cache.
  //
  // The trace is sorted by steps, then warps. So the records of later steps are kept until the period ends.
  // If a warp pauses, its records and the records of all later warps are kept, too.
  void begin_period(std::uint32_t step) {
    first_step_ = last_step_ = step;
    first_kept_warp_ = used_warps_;
  }

  // Sets the place of each thread in the block and in the grid.
  void place_threads(const Launch& launch);

  // Runs the lanes of a warp until each lane waits, has paused or has ended. Returns false if `may_talk` is
  // false and the warp has stopped before an access by which the block communicates with other blocks.
  bool turn(std::size_t w, bool may_talk);
  bool wants_to_talk(std::size_t w);
  static constexpr int groups_in_a_turn = 64;

  // Runs the ready lanes until each lane waits, pauses or ends.
  void go_on(std::size_t w);

  // Makes a chain (Thread::next) of the lanes that can run.
  void link(std::size_t w);

  // Returns lanes of a warp that go on together from one place (see meetings.cpp). If `longest_first` is
  // true, chooses the place at which a lane has waited longest. Otherwise chooses the place that comes first
  // in the kernel's text.
  //
  // At a collective (a shuffle, a vote or a __syncwarp()), exchanges the lanes' values. Returns 0 if every
  // lane waits at a collective for other lanes.
  std::uint32_t next_group(std::size_t w, bool longest_first);

  // Chooses by a schedule which lanes of a warp in lockstep go on next. Sometimes chooses the lanes that
  // paused.
  std::uint32_t next_in_lockstep(std::size_t w, Schedule& schedule) {
    Warp& warp = warps_[w];
    if (warp.paused != 0 && schedule.below(4) == 0) return std::exchange(warp.paused, 0);
    const std::uint32_t group = next_group(w, false);
    return group != 0 ? group : std::exchange(warp.paused, 0);
  }

  // Chooses by a schedule which lanes go on next if lanes run independently. Chooses any lane, and then none,
  // some or all of the other lanes at the same place.
  std::uint32_t next_apart(std::size_t w, Schedule& schedule);

  // A collective is a shuffle, a vote or a __syncwarp(). If all live lanes of the mask have reached the same
  // kind of collective with the same mask, returns these lanes. Otherwise returns 0. As on a GPU, the lanes
  // may be at different places in the text.
  std::uint32_t all_that_meet(std::size_t w, const Thread& one);

  // Returns true if a lane in the mask of a shuffle, a vote or a __syncwarp() has ended, and has executed
  // later lines but not this instruction.
  bool was_passed(std::size_t w, const Thread& one);
  // Executes a shuffle, a vote or a __syncwarp() for a group of lanes: gives each lane the value that it
  // takes from the other lanes.
  void exchange(std::size_t w, std::uint32_t group);

  // Calls f(step) for the step of each barrier at which lanes of the warp wait.
  template <class F>
  void for_each_arrival(std::size_t w, F f) {
    const Warp& warp = warps_[w];
    for (std::uint32_t rest = warp.waiting; rest != 0; rest &= rest - 1) {
      f(thread(w, rest).step);
      if (!warp.apart) break;
    }
  }

  // Moves the first `most` records of the running warp from the log to kept_, where each lane has its own
  // list. Drops the other records.
  void collect(std::size_t w, std::size_t most = SIZE_MAX);

  // Returns true if the block is recorded without a schedule and out of focus (not recorded in full). Such a
  // block needs only counts and a few events.
  //
  // In such a block, the records of a warp are merged as soon as all lanes of the warp are at one place, even
  // if the records belong to different steps. The events are sorted by step at the end.
  bool counts_alone() const {
    return launch_->run->recording && !launch_->run->stepped && !recording_->in_focus;
  }
  bool comes_by_turns() const { return launch_->run->stepped || !recording_->in_focus; }
  // Merges or keeps the new records of the lanes in `went`. Returns whether one of these records is a store
  // that is not volatile.
  bool absorb(std::size_t w, std::uint32_t went);
  void merge_alone(std::size_t w);
  // Returns whether all lanes of the mask wait at the same place for the same action.
  bool stand_together(std::size_t w, std::uint32_t mask);

  // Called when no thread can run, or when the run is stopped. If lanes wait for other lanes at a shuffle, a
  // vote or a __syncwarp(), records this instruction as if all lanes had reached it.
  void note_meetings(std::size_t w);

  // Turns all records of the period (the time since the last barrier) into events, and adds events for the
  // barriers at which lanes wait. Used only with a schedule.
  void end_period();

  // Turns the kept records of the period (the time since the last barrier) into events.
  void merge_kept();

  // Sorts events by steps, then warps. Before this call, events are in the order in which warps took turns.
  void sort_by_step();

  // Stops the run, because the lanes of a warp wait for each other at different places.
  [[noreturn]] void deadlock();

  // Throws WorkError if a stack was too small.
  void check_stacks() const;

  Launch* launch_ = nullptr;
  BlockRecording* recording_ = nullptr;
  std::size_t used_ = 0, used_warps_ = 0;  // the numbers of threads and warps that this launch needs
  std::vector<std::byte> shared_;
  std::vector<std::uint32_t> shared_depths_;  // see Memory::depths
  std::vector<Thread> threads_;
  bool in_a_row_ = false;  // true if thread i of the block has the threadIdx (i, 0, 0)
  std::vector<Warp> warps_;
  std::vector<LaneRecords> kept_;                 // for each warp: the kept records
  std::vector<std::uint32_t> kept_lanes_;         // for each warp: the lanes in kept_, if counts_alone()
  std::uint32_t first_step_ = 0, last_step_ = 0;  // the first and the last step since the last barrier
  std::size_t first_kept_warp_ = 0;
  // The current turn.
  struct Turn {
    std::size_t warp = 0;
    bool runs = false;  // whether an earlier warp of this turn can go on
    // The members from here on describe what the current warp has done in this turn.
    bool begun = false, in_pieces = false, stored = false;
    int groups = 0;
    std::uint32_t went = 0;  // the lanes that went on last
  } turn_;
  bool given_up_ = false;  // whether give_up() was called
  Stacks stacks_;
};

}  // namespace upsweep
