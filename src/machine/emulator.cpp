#include "machine/emulator.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "catalogue/plan.hpp"
#include "emulated/emulated_kernels.hpp"
#include "machine/emulated_thread.hpp"
#include "machine/merge.hpp"

namespace upsweep {

constinit thread_local Thread* Thread::current = nullptr;

namespace {

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
  explicit Stacks(std::size_t count) : bytes_(allocate(count)) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy((*this)[i], &canary, sizeof canary);
  }
  char* operator[](std::size_t i) const { return bytes_.get() + i * size; }
  // Whether that stack was ever used up to its end.
  bool overflown(std::size_t i) const { return std::memcmp((*this)[i], &canary, sizeof canary) != 0; }

 private:
  static constexpr std::uint64_t canary =
      0x5bd1e995c0de5afe;  // lowest on each stack, in place of a guard page
  static char* allocate(std::size_t count) {
    constexpr std::size_t huge_page = 2 * 1024 * 1024;
    const std::size_t bytes = (count * size + huge_page - 1) / huge_page * huge_page;
    void* stacks = std::aligned_alloc(huge_page, bytes);
    if (stacks == nullptr) throw std::bad_alloc();
    madvise(stacks, bytes, MADV_HUGEPAGE);
    return static_cast<char*>(stacks);
  }
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
};

// Thrown where a run cannot go on: a thread stopped it, or nobody can run (Run::stopped says why).
struct Stopped {};

// Who takes over from whom: drawn from a seed, the same on every machine.
class Schedule {
 public:
  Schedule(const RecordOptions& options) : lockstep(options.lockstep), state_(options.schedule) {
    take_over_ = 2 << 2 * below(4);
  }
  const bool lockstep;

  std::uint32_t bits() {  // SplitMix64 (Steele, Lea, Flood 2014)
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }
  int below(int n) {
    return static_cast<int>(static_cast<std::uint64_t>(bits()) * static_cast<std::uint64_t>(n) >> 32);
  }
  // Whether whoever ran last gives way now: on some schedules often, on others seldom.
  bool takes_over() { return below(take_over_) == 0; }

 private:
  std::uint64_t state_;
  int take_over_ = 2;
};

// Brings events that were made as warps took turns into the order of steps, then warps; origins follow.
void sort(BlockRecording& r) {
  const auto key = [&](std::uint32_t i) { return std::pair(r.events[i].step, r.events[i].warp); };
  std::vector<std::uint32_t> order(r.events.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, key);
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  BlockRecording sorted{.launch = r.launch, .block = r.block, .in_focus = r.in_focus};
  sorted.snapshots = std::move(r.snapshots);
  for (const std::uint32_t from : order) {
    Event e = r.events[from];
    e.first = static_cast<std::uint32_t>(sorted.lanes.size());
    if (has_lanes(e.kind))
      for_each_lane(r.events[from], [&](int, std::uint32_t entry) {
        Lane lane = r.lanes[entry];
        for (Origin* o : {&lane.left, &lane.right})
          if (*o != 0) *o = origin_of(position[origin_event(*o)], origin_part(*o));
        sorted.lanes.push_back(lane);
        sorted.values.push_back(r.values[entry]);
      });
    sorted.events.push_back(e);
  }
  r = std::move(sorted);
}

// A block on the machine: its threads, their stacks, its shared memory.
class Block {
 public:
  explicit Block(std::size_t capacity)
      : threads_(capacity), warps_((capacity + 31) / 32), kept_(warps_.size()), stacks_(capacity) {}
  std::size_t capacity() const { return threads_.size(); }

  void start(Launch& launch, BlockRecording& recording) {
    launch_ = &launch;
    recording_ = &recording;
    given_up_ = false;
    used_ = static_cast<std::size_t>(launch.grid.threads);
    used_warps_ = (used_ + 31) / 32;
    shared_.assign(launch.grid.shared.bytes, std::byte{});
    for (std::size_t w = 0; w < used_warps_; ++w) {
      Warp& warp = warps_[w];
      warp.flow.clear();
      warp.waiting = warp.paused = warp.met = warp.linked = warp.went = 0;
      warp.stuck = warp.spinning = false;
      warp.live = warp.ready = ~0u >> (32 - lanes_of(w).size());
      warp.last_time = 0;
      warp.merged.fill(0);
      for (auto& records : kept_[w]) records.clear();
    }
    Run& run = *launch.run;
    for (std::size_t t = 0; t < used_; ++t) {
      Thread& thread = threads_[t];
      thread.thread_index.x = static_cast<unsigned>(t);
      thread.block_index.x = recording.block;
      thread.run_of = &run;
      thread.launch = &launch;
      thread.shared = shared_;
      thread.warp = &warps_[t / 32];
      thread.lane = t % 32;
      thread.node = thread.warp->flow.root();
      thread.step = 0;
      thread.fresh = true;
      thread.recording = run.recording;
      thread.stepped = run.stepped;
      thread.careful = run.stepped || !run.recording;
      thread.recorded = 0;
      thread.arrived = thread.meetings = 0;
      thread.last_went = 0;
      thread.fiber.start<Thread::run>(stacks_[t], Stacks::size);
    }
    begin_period(0);
  }

  std::size_t warps() const { return used_warps_; }
  bool can_run(std::size_t w) const {
    const Warp& warp = warps_[w];
    return warp.ready != 0 || warp.paused != 0 || (warp.met != 0 && !warp.stuck);
  }

  // Lets every thread run until it waits, pauses or ends, and settles once none can. False when all have
  // ended.
  bool advance() {
    bool runs = false;
    for (std::size_t w = 0; w < used_warps_; ++w) {
      if (!can_run(w)) continue;
      turn(w);
      runs = runs || can_run(w);
    }
    return runs || settle();
  }

  // With no thread that can run: releases the barrier that all live threads wait at. False when all have
  // ended.
  bool settle() {
    Run& run = *launch_->run;
    for (std::size_t w = 0; w < used_warps_; ++w) note_meetings(w);
    if (run.stepped) end_period();
    else merge_kept();
    std::uint32_t next_step = UINT32_MAX, last_arrival = 0;
    bool waiting = false;
    for (std::size_t w = 0; w < used_warps_; ++w) {
      if (warps_[w].met != 0) deadlock();
      for_each_arrival(w, [&](std::uint32_t step) {
        waiting = true;
        next_step = std::min(next_step, step + 1);
        last_arrival = step;
      });
    }
    ++run.progress;
    for (std::size_t w = 0; w < used_warps_; ++w) warps_[w].ready = std::exchange(warps_[w].waiting, 0);
    if (!waiting) {
      check_stacks();
      if (run.stepped) sort(*recording_);
      return false;
    }
    launch_->last_step = std::max(launch_->last_step, last_arrival + 1);
    if (recording_->in_focus && run.recording && !shared_.empty()) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(shared_.data());
      recording_->snapshots.push_back(
          {recording_->block, last_arrival + 1, std::vector<std::uint8_t>(bytes, bytes + shared_.size())});
    }
    begin_period(next_step);
    return true;
  }

  // One group of lanes of the warp goes on to its next access. False if none can.
  bool step_one(std::size_t w, Schedule& schedule) {
    Warp& warp = warps_[w];
    if (warp.ready == 0) {
      warp.ready = schedule.lockstep ? next_in_lockstep(w, schedule) : next_apart(w, schedule);
      warp.stuck = warp.ready == 0;
      if (warp.stuck) return false;
    }
    Run& run = *launch_->run;
    run.log.clear();
    const std::uint32_t went = warp.ready;
    go_on(w);
    warp.stuck = false;
    if (!run.recording) return true;
    Lanes lanes(lanes_of(w), went, run.log);
    const auto [first, last] = lanes.steps();
    for (std::uint32_t step = first; step <= last; ++step) lanes.merge_records(step, *recording_);
    last_step_ = std::max(last_step_, last);
    run.log.clear();
    return true;
  }

  // Where the run was stopped: what was recorded of a block that does not go on.
  void give_up() {
    if (given_up_ || !launch_->run->recording) return;
    for (std::size_t w = 0; w < used_warps_; ++w) {
      if (Thread::current->warp == &warps_[w] && launch_->run->log.size() > 0) {
        collect(w);
        first_kept_warp_ = std::min(first_kept_warp_, w);
      }
      note_meetings(w);
    }
    if (launch_->run->stepped) {
      end_period();
      sort(*recording_);
    } else {
      merge_kept();
    }
  }

  // Thread and line of the first that waits for what others should write, if any does.
  std::string first_that_spins() {
    for (std::size_t w = 0; w < used_warps_; ++w) {
      const std::uint32_t spinning = warps_[w].paused | warps_[w].met;
      if (spinning == 0) continue;
      const Thread& t = thread(w, spinning);
      return fmt::format("in line {}, thread {} of block {}", t.meeting_place.line, t.thread_index.x,
                         t.block_index.x);
    }
    return {};
  }

  Launch& launch() const { return *launch_; }

 private:
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

  // Lets a warp's lanes run until all of them wait or have ended, or only some that paused could go on.
  void turn(std::size_t w) {
    Warp& warp = warps_[w];
    Run& run = *launch_->run;
    run.log.clear();
    warp.ready |= std::exchange(warp.paused, 0);
    warp.stuck = false;
    bool in_pieces = false;
    const std::uint32_t went = warp.ready;
    if (warp.ready != 0) go_on(w);
    for (int groups = 0; warp.met != 0; ++groups) {
      // A long turn may be one that only waits for others.
      if (groups == groups_in_a_turn) {
        warp.spinning = true;
        break;
      }
      warp.ready = next_group(w, std::exchange(warp.spinning, false));
      warp.stuck = warp.ready == 0;
      if (warp.stuck) break;
      in_pieces = true;
      go_on(w);
    }
    if (!run.recording) return;

    if (warp.paused != 0 || warp.met != 0) first_kept_warp_ = std::min(first_kept_warp_, w);
    if (in_pieces) {
      collect(w);
      if (w < first_kept_warp_) {
        LaneRecords records;
        std::swap(records, kept_[w]);
        Lanes lanes(lanes_of(w), records);
        lanes.merge(first_step_, *recording_);
        last_step_ = std::max(last_step_, lanes.keep(kept_[w]));
      }
    } else {
      Lanes lanes(lanes_of(w), went, run.log);
      if (w < first_kept_warp_) lanes.merge(first_step_, *recording_);
      last_step_ = std::max(last_step_, lanes.keep(kept_[w]));
      run.log.clear();
    }
    for_each_arrival(w, [&](std::uint32_t step) { last_step_ = std::max(last_step_, step); });
  }
  static constexpr int groups_in_a_turn = 64;

  // Lets the lanes that are ready run until each of them waits, pauses or ends.
  void go_on(std::size_t w) {
    Warp& warp = warps_[w];
    Run& run = *launch_->run;
    if (warp.linked != warp.ready) link(w);
    Thread::current = &thread(w, warp.ready);
    warp.ready = 0;
    const std::size_t before = run.log.size();
    run.scheduler->fiber.switch_to(Thread::current->fiber);
    run.clock += static_cast<std::uint32_t>(run.log.size() - before) + 1;
    if (run.thrown) std::rethrow_exception(run.thrown);
    if (!run.stopped.empty()) throw Stopped();
  }

  // Chains the lanes that can run.
  void link(std::size_t w) {
    Thread* next = launch_->run->scheduler;
    const std::uint32_t ready = warps_[w].linked = warps_[w].ready;
    for (std::size_t lane = lanes_of(w).size(); lane-- > 0;) {
      if ((ready >> lane & 1) == 0) continue;
      Thread& thread = lanes_of(w)[lane];
      thread.next = next;
      next = &thread;
    }
  }

  // Of the lanes that met, those that go on together: the first in the text's order that need not wait for
  // others, or, where a warp spins, those that have stood longest. Gives none if all wait for others. What
  // they give each other is exchanged.
  std::uint32_t next_group(std::size_t w, bool longest_first) {
    Warp& warp = warps_[w];
    std::uint32_t candidates = warp.met;
    while (candidates != 0) {
      const Thread* first = &thread(w, candidates);
      std::uint32_t group = 0;
      for (std::uint32_t rest = candidates; rest != 0; rest &= rest - 1) {
        const Thread& t = thread(w, rest);
        auto order = t.meeting == first->meeting
                         ? ControlFlow::compare(t.node, t.meeting_place, first->node, first->meeting_place)
                         : t.meeting_place <=> first->meeting_place;
        if (order == std::strong_ordering::equal && t.meeting != first->meeting)
          order = std::strong_ordering::greater;  // different accesses at one place
        if (longest_first && order != std::strong_ordering::equal)
          order = t.last_went < first->last_went ? std::strong_ordering::less : std::strong_ordering::greater;
        if (order == std::strong_ordering::less) first = &t, group = 0;
        if (order != std::strong_ordering::greater) group |= rest & -rest;
      }
      if (first->meeting.is_collective()) {
        const std::uint32_t all = all_that_meet(w, *first);
        if (all == 0) {
          candidates &= ~group;
          continue;
        }
        group = all;
        exchange(w, group);
      }
      warp.met &= ~group;
      for (std::uint32_t rest = group; rest != 0; rest &= rest - 1)
        thread(w, rest).last_went = launch_->run->clock;
      return group;
    }
    return 0;
  }

  // The same by a schedule, for a warp in lockstep: lanes that paused may go on before all others.
  std::uint32_t next_in_lockstep(std::size_t w, Schedule& schedule) {
    Warp& warp = warps_[w];
    if (warp.paused != 0 && schedule.below(4) == 0) return std::exchange(warp.paused, 0);
    const std::uint32_t group = next_group(w, false);
    return group != 0 ? group : std::exchange(warp.paused, 0);
  }

  // The same for lanes on their own: any of them, with some or all that stand at the same place.
  std::uint32_t next_apart(std::size_t w, Schedule& schedule) {
    Warp& warp = warps_[w];
    std::uint32_t candidates = warp.met | warp.paused;
    std::uint32_t preferred = schedule.takes_over() ? candidates : warp.went & candidates;
    while (candidates != 0) {
      if ((preferred & candidates) == 0) preferred = candidates;
      std::uint32_t from = preferred & candidates;
      for (int skip = schedule.below(std::popcount(from)); skip > 0; --skip) from &= from - 1;
      const Thread& chosen = thread(w, from);
      const std::uint32_t lane = from & -from;
      std::uint32_t group = lane;
      if ((warp.paused & lane) != 0) {
        warp.paused &= ~lane;
      } else if (chosen.meeting.is_collective()) {
        group = all_that_meet(w, chosen);
        if (group == 0) {
          candidates &= ~lane;
          continue;
        }
        exchange(w, group);
      } else if (schedule.below(4) != 0) {
        for (std::uint32_t rest = warp.met; rest != 0; rest &= rest - 1) {
          const Thread& t = thread(w, rest);
          if (t.meeting == chosen.meeting &&
              ControlFlow::compare(t.node, t.meeting_place, chosen.node, chosen.meeting_place) == 0)
            group |= rest & -rest;
        }
        if (schedule.below(4) == 0) group = (group & schedule.bits()) | lane;
      }
      warp.met &= ~group;
      return warp.went = group;
    }
    return 0;
  }

  // The live lanes of a collective's mask, if all of them have come to the same thing, and with the same
  // mask; as on hardware not necessarily at the same place. Else none.
  std::uint32_t all_that_meet(std::size_t w, const Thread& one) {
    const Warp& warp = warps_[w];
    const std::uint32_t needed = (one.meeting_mask | 1u << one.lane) & warp.live;
    for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1) {
      const Thread& t = thread(w, rest);
      if ((warp.met & rest & -rest) == 0 || t.meeting != one.meeting || t.meeting_mask != one.meeting_mask)
        return 0;
    }
    return needed;
  }

  // What each lane of a group that meets takes from the others.
  void exchange(std::size_t w, std::uint32_t group) {
    const Thread& first = thread(w, group);
    const auto lanes = lanes_of(w);
    const auto for_each = [&](auto f) {
      for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) f(thread(w, rest));
    };
    std::uint32_t together = 0;
    if (first.meeting.kind() == Kind::vote) {
      for_each([&](const Thread& t) { together |= t.given[0] << t.lane; });
      const auto how = static_cast<Vote>(first.meeting.detail());
      if (how == Vote::any) together = together != 0;
      if (how == Vote::all) together = together == group;
    } else if (first.meeting.kind() == Kind::warp_barrier) {
      return;
    } else if (static_cast<Shuffle>(first.meeting.detail()) == Shuffle::reduce_add) {
      for_each([&](const Thread& t) { together += t.given[0]; });
    } else {
      for_each([&](Thread& t) {
        const int lane = t.lane;
        int from = lane;
        switch (static_cast<Shuffle>(t.meeting.detail())) {
          case Shuffle::index: from = t.parameter & 31; break;
          case Shuffle::up: from = lane - t.parameter; break;
          case Shuffle::down: from = lane + t.parameter; break;
          default: from = lane ^ t.parameter; break;
        }
        if (from < 0 || from > 31) from = lane;  // beyond the warp: its own value
        t.taken_from = from;
        // What a lane gives that is not there, hardware leaves open.
        t.taken = (group >> from & 1) != 0 ? lanes[static_cast<std::size_t>(from)].given : Value{};
      });
      return;
    }
    for_each([&](Thread& t) { t.taken = {together}, t.taken_from = t.lane; });
  }

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
  void collect(std::size_t w) {
    for (const Record& r : std::span<const Record>(launch_->run->log)) {
      if (is_store(r.access.what.kind()) && !r.access.what.volatile_access()) ++launch_->run->progress;
      kept_[w][r.access.lane].push_back(r);
      last_step_ = std::max(last_step_, r.step);
    }
    launch_->run->log.clear();
  }

  // Lanes that wait for others of their warp, as if they had met: where the run was stopped.
  void note_meetings(std::size_t w) {
    if (!launch_->run->recording) return;
    for (std::uint32_t rest = warps_[w].met; rest != 0; rest &= rest - 1) {
      const Thread& t = thread(w, rest);
      if (!t.meeting.is_collective()) continue;
      kept_[w][t.lane].push_back(
          {t.given, t.lane, 0, t.step, launch_->run->clock, t.node, {t.meeting_place, t.meeting, 0, t.lane}});
      last_step_ = std::max(last_step_, t.step);
      first_kept_warp_ = std::min(first_kept_warp_, w);
    }
  }

  // By a schedule: the barriers that lanes wait at, and what lanes wait for that will not come.
  void end_period() {
    for (std::size_t w = 0; w < used_warps_; ++w) {
      for_each_arrival(w, [&](std::uint32_t step) { last_step_ = std::max(last_step_, step); });
      Lanes lanes(lanes_of(w), kept_[w]);
      for (std::uint32_t step = first_step_; step <= last_step_; ++step) lanes.merge(step, *recording_);
      for (auto& records : kept_[w]) records.clear();
    }
    launch_->last_step = std::max(launch_->last_step, last_step_);
  }

  void merge_kept() {
    launch_->last_step = std::max(launch_->last_step, last_step_);
    if (!launch_->run->recording) return;
    if (last_step_ == first_step_ && first_kept_warp_ == used_warps_) return;
    std::vector<Lanes> lanes;
    for (std::size_t w = 0; w < used_warps_; ++w) lanes.emplace_back(lanes_of(w), kept_[w]);
    for (std::uint32_t step = first_step_; step <= last_step_; ++step)
      for (std::size_t w = step == first_step_ ? first_kept_warp_ : 0; w < used_warps_; ++w)
        lanes[w].merge(step, *recording_);
    for (std::size_t w = 0; w < used_warps_; ++w)
      for (auto& records : kept_[w]) records.clear();
  }

  [[noreturn]] void deadlock() {
    given_up_ = true;
    std::string why;
    for (std::size_t w = 0; w < used_warps_ && why.empty(); ++w) {
      if (warps_[w].met == 0) continue;
      const Thread& t = thread(w, warps_[w].met);
      const std::uint32_t missing = t.meeting_mask & warps_[w].live & ~warps_[w].met;
      why = fmt::format("Deadlock: in line {}, thread {} of block {} waits for lanes of its warp",
                        t.meeting_place.line, t.thread_index.x, t.block_index.x);
      if (missing != 0) {
        const Thread& other = thread(w, missing);
        why += fmt::format(", but thread {} waits at the block's barrier in line {}.", other.thread_index.x,
                           other.barrier_place.line);
      } else {
        why += " that wait elsewhere.";
      }
    }
    launch_->run->stopped = why;
    throw Stopped();
  }

  void check_stacks() const {
    for (std::size_t t = 0; t < used_; ++t)
      if (stacks_.overflown(t))
        throw WorkError(fmt::format("The kernel needs more stack than an emulated thread has: {} KiB.",
                                    Stacks::size / 1024));
  }

  Launch* launch_ = nullptr;
  BlockRecording* recording_ = nullptr;
  std::size_t used_ = 0, used_warps_ = 0;  // of the threads and warps
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<LaneRecords> kept_;                 // by warp
  std::uint32_t first_step_ = 0, last_step_ = 0;  // of the period
  std::size_t first_kept_warp_ = 0;
  bool given_up_ = false;  // all that was recorded is merged
  Stacks stacks_;
};

std::vector<std::byte> bytes_of(const std::vector<Value>& values, std::size_t width) {
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes.data() + i * width, values[i].data(), width);
  return bytes;
}

std::vector<Value> values_of(const std::vector<std::byte>& bytes, std::size_t width) {
  std::vector<Value> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(values[i].data(), bytes.data() + i * width, width);
  return values;
}

// Blocks kept from launch to launch: their stacks are costly to make.
class BlockPool {
 public:
  std::unique_ptr<Block> take(std::size_t threads) {
    const auto fits = [&](const auto& b) { return b->capacity() >= threads; };
    auto found = std::ranges::find_if(free_, fits);
    if (found == free_.end()) return std::make_unique<Block>((threads + 31) / 32 * 32);
    std::unique_ptr<Block> block = std::move(*found);
    free_.erase(found);
    return block;
  }
  void give_back(std::unique_ptr<Block> block) {
    free_.push_back(std::move(block));
    std::ranges::stable_sort(free_, {}, &Block::capacity);
    std::size_t threads = 0;
    for (const auto& b : free_) threads += b->capacity();
    while (threads > most_threads) {
      threads -= free_.front()->capacity();
      free_.erase(free_.begin());
    }
  }

 private:
  static constexpr std::size_t most_threads = 16 * 1024;
  std::vector<std::unique_ptr<Block>> free_;  // smallest first
};

// Runs launches, each with all its children, and keeps what their blocks did.
class Machinery {
 public:
  Machinery(Run& run, BlockPool& pool, const RecordOptions& options)
      : run_(run), pool_(pool), options_(options), schedule_(options) {
    scheduler_.next = run.scheduler = &scheduler_;
  }

  // Runs a launch of the host to its end. False if the run was stopped.
  bool run(std::unique_ptr<Launch> launch) {
    begin(std::move(launch));
    try {
      while (fill()) {
        const std::uint64_t progress = run_.progress;
        if (run_.stepped) one_step();
        else round();
        take_children();
        idle_ = run_.progress == progress ? idle_ + 1 : 0;
        if (idle_ > most_idle()) hopeless();
      }
    } catch (const Stopped&) {
      for (const Resident& r : resident_) r.block->give_up();
      return false;
    }
    return true;
  }

  void fill_in(Trace& trace);

  std::size_t likely_events = 0, likely_lanes = 0;  // of the first block

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    std::size_t run;  // index into runs_
  };
  struct Ran {
    BlockRun run;
    BlockRecording* recording;
  };

  void begin(std::unique_ptr<Launch> launch) {
    launch->number = static_cast<int>(launches_.size());
    if (launch->grid.blocks > 0) {
      waiting_.push_back(launch.get());
      launches_.push_back(std::move(launch));
    } else {
      launches_.push_back(std::move(launch));
      end_if_done(launches_.back().get());
    }
  }

  // Starts blocks of the launches that have begun, as many as there is room for. False if there is none left.
  bool fill() {
    std::size_t threads = 0;
    for (const Resident& r : resident_) threads += static_cast<std::size_t>(r.block->launch().grid.threads);
    while (!waiting_.empty() && resident_.size() < most_blocks) {
      Launch& launch = *waiting_.front();
      threads += static_cast<std::size_t>(launch.grid.threads);
      if (resident_.size() >= least_blocks && threads > most_threads) break;
      start(launch);
      if (launch.started == launch.grid.blocks) waiting_.pop_front();
    }
    return !resident_.empty();
  }
  static constexpr std::size_t most_blocks = 16, least_blocks = 4, most_threads = 8 * 1024;

  void start(Launch& launch) {
    const auto index = static_cast<std::uint32_t>(launch.started++);
    ++launch.running;
    const bool in_focus = index >= options_.first_block && index - options_.first_block < options_.blocks;
    recordings_.push_back({.launch = &launch, .block = index, .in_focus = in_focus});
    if (runs_.empty() && run_.recording) {
      recordings_.back().events.reserve(likely_events);
      recordings_.back().lanes.reserve(likely_lanes);
      recordings_.back().values.reserve(likely_lanes);
    }
    std::uint16_t place = 0;
    while (std::ranges::any_of(resident_, [&](const Resident& r) { return runs_[r.run].run.sm == place; }))
      ++place;
    runs_.push_back(
        {{.sm = place, .block = index, .in_focus = in_focus, .begin = run_.clock}, &recordings_.back()});
    resident_.push_back({pool_.take(static_cast<std::size_t>(launch.grid.threads)), runs_.size() - 1});
    resident_.back().block->start(launch, recordings_.back());
    ++run_.progress;
  }

  // Every resident block's turn.
  void round() {
    for (std::size_t i = 0; i < resident_.size();) {
      Block& block = *resident_[i].block;
      bool goes_on = block.advance();
      // With nothing recorded nobody sees who ran when, and a block alone stays in the cache.
      while (goes_on && !run_.recording) {
        const std::uint64_t progress = run_.progress;
        goes_on = block.advance();
        if (run_.progress == progress) break;
      }
      if (goes_on) ++i;
      else end(i);
    }
  }

  // By a schedule: one access of one warp, most often of the one that ran last.
  void one_step() {
    std::size_t warps = 0;
    for (const Resident& r : resident_) warps += r.block->warps();
    if (last_ >= warps || schedule_.takes_over())
      last_ = static_cast<std::size_t>(schedule_.below(static_cast<int>(warps)));
    // The warp at that place, or the next that can run.
    std::size_t before = 0, i = 0;
    while (last_ - before >= resident_[i].block->warps()) before += resident_[i++].block->warps();
    std::size_t w = last_ - before;
    for (std::size_t tried = 0; tried < warps; ++tried) {
      Block& block = *resident_[i].block;
      if (block.can_run(w) && block.step_one(w, schedule_)) {
        last_ = before + w;
        if (!block.can_run(w)) settle(i);
        return;
      }
      last_ = SIZE_MAX;
      if (++w == block.warps()) {
        before += block.warps();
        w = 0;
        if (++i == resident_.size()) i = before = 0;
      }
    }
    for (i = 0; i < resident_.size(); ++i) settle(i);
  }
  void settle(std::size_t i) {
    Block& block = *resident_[i].block;
    for (std::size_t w = 0; w < block.warps(); ++w)
      if (block.can_run(w)) return;
    if (!block.settle()) end(i);
  }

  void end(std::size_t i) {
    runs_[resident_[i].run].run.end = run_.clock;
    Launch* const launch = &resident_[i].block->launch();
    pool_.give_back(std::move(resident_[i].block));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
    --launch->running;
    take_children();
    end_if_done(launch);
  }

  // Child grids that threads have started.
  void take_children() {
    for (auto& child : std::exchange(run_.children, {})) {
      Launch& parent = *child->parent;
      if (child->how == ChildLaunch::tail) {
        parent.tails.push_back(std::move(child));
      } else {
        ++parent.children;
        begin(std::move(child));
      }
    }
  }

  // A grid ends when its blocks and the grids they started have; then those begin that wait for its end, one
  // after another.
  void end_if_done(Launch* launch) {
    for (; launch != nullptr; launch = launch->parent) {
      if (launch->started < launch->grid.blocks || launch->running > 0 || launch->children > 0) return;
      ++run_.progress;
      if (!launch->tails.empty()) {
        std::unique_ptr<Launch> tail = std::move(launch->tails.front());
        launch->tails.pop_front();
        ++launch->children;
        begin(std::move(tail));
        return;
      }
      if (launch->parent != nullptr) --launch->parent->children;
    }
  }

  // Rounds, or steps of a schedule, without anything that a waiting thread could wait for.
  int most_idle() const {
    if (!run_.stepped) return 300;
    std::size_t threads = 0;
    for (const Resident& r : resident_) threads += static_cast<std::size_t>(r.block->launch().grid.threads);
    return static_cast<int>(10000 + 50 * threads);
  }
  [[noreturn]] void hopeless() {
    std::string who;
    for (std::size_t i = 0; i < resident_.size() && who.empty(); ++i)
      who = resident_[i].block->first_that_spins();
    run_.stopped = fmt::format(
        "Deadlock: {} waits for what nobody will write: every other thread waits too, or has ended.", who);
    throw Stopped();
  }

  Run& run_;
  BlockPool& pool_;
  RecordOptions options_;
  Schedule schedule_;
  Thread scheduler_;
  std::deque<Launch*> waiting_;  // with blocks that have not started
  std::vector<Resident> resident_;
  std::vector<std::unique_ptr<Launch>> launches_;  // in the order in which they began
  std::deque<BlockRecording> recordings_;
  std::vector<Ran> runs_;
  std::size_t last_ = SIZE_MAX;  // by a schedule: the warp that ran last, counted over the resident blocks
  int idle_ = 0;
};

// The trace's part that comes from the blocks: everything in the order of grids, blocks, steps, warps.
void Machinery::fill_in(Trace& trace) {
  trace.grids.clear();
  constexpr std::size_t most_grids = UINT16_MAX;  // that Event::grid can name
  for (std::size_t g = 0; g < std::min(launches_.size(), most_grids); ++g) {
    Launch& launch = *launches_[g];
    if (launch.steps.size() <= launch.last_step)
      launch.steps.resize(launch.last_step + 1, launch.steps.empty() ? Step{} : launch.steps.back());
    Grid grid = launch.grid;
    grid.first_step = static_cast<std::uint32_t>(trace.steps.size());
    grid.steps = static_cast<std::uint32_t>(launch.steps.size());
    if (launch.parent != nullptr) grid.parent = launch.parent->number;
    trace.steps.insert(trace.steps.end(), launch.steps.begin(), launch.steps.end());
    for (Count c : launch.counts.sorted()) {
      c.step += grid.first_step;
      trace.counts.push_back(c);
    }
    trace.grids.push_back(std::move(grid));
  }
  std::ranges::stable_sort(runs_, {},
                           [](const Ran& r) { return std::pair(r.recording->launch->number, r.run.block); });

  for (Ran& ran : runs_) {
    BlockRecording& from = *ran.recording;
    if (static_cast<std::size_t>(from.launch->number) >= most_grids) {
      trace.dropped += from.events.size();
      continue;
    }
    ran.run.grid = static_cast<std::uint16_t>(from.launch->number);
    trace.runs.push_back(ran.run);
    const Grid& grid = trace.grids[ran.run.grid];
    const auto first_event = static_cast<std::uint32_t>(trace.events.size());
    const auto first_lane = static_cast<std::uint32_t>(trace.lanes.size());
    if (&ran == &runs_.front()) {
      likely_events = from.events.size();
      likely_lanes = from.lanes.size();
      trace.events = std::move(from.events);
      trace.lanes = std::move(from.lanes);
      trace.values = std::move(from.values);
      trace.snapshots = std::move(from.snapshots);
      continue;
    }
    for (Event& e : from.events) {
      e.grid = ran.run.grid;
      e.step += grid.first_step;
      e.first += first_lane;
    }
    for (Lane& lane : from.lanes)
      for (Origin* o : {&lane.left, &lane.right})
        if (*o != 0) *o += first_event;
    for (Snapshot& s : from.snapshots) s.step += grid.first_step;
    trace.events.insert(trace.events.end(), from.events.begin(), from.events.end());
    trace.lanes.insert(trace.lanes.end(), from.lanes.begin(), from.lanes.end());
    trace.values.insert(trace.values.end(), from.values.begin(), from.values.end());
    std::ranges::move(from.snapshots, std::back_inserter(trace.snapshots));
    from = {};
  }

  if (run_.children_started == 0) return;
  std::vector<int> grid_of_child(run_.children_started + std::size_t{1}, -1);
  for (std::size_t g = 0; g < trace.grids.size(); ++g)
    if (launches_[g]->parent != nullptr) grid_of_child[launches_[g]->index] = static_cast<int>(g);
  for (std::uint32_t e = 0; e < trace.events.size(); ++e) {
    if (trace.events[e].kind != Kind::launch) continue;
    for_each_lane(trace.events[e], [&](int, std::uint32_t entry) {
      std::int64_t& address = trace.lanes[entry].address;
      address = grid_of_child[static_cast<std::size_t>(address)];
      if (address >= 0) trace.grids[static_cast<std::size_t>(address)].parent_event = e;
    });
  }
}

}  // namespace

void Thread::run() {
  Thread& self = *current;
  try {
    self.launch->body();
  } catch (...) { self.run_of->thrown = std::current_exception(); }
  if (self.run_of->thrown) self.fiber.switch_to(self.run_of->scheduler->fiber);
  self.warp->live &= ~(1u << self.lane);
  self.leave();
}

void Log::grow() {
  const auto used = static_cast<std::size_t>(end_ - records_.data());
  records_.resize(std::max<std::size_t>(256, 2 * used));
  end_ = records_.data() + used;
  limit_ = records_.data() + records_.size();
}

std::vector<Count> Counts::sorted() const {
  std::vector<Count> all;
  for (const std::vector<Count>& in_step : steps_) all.insert(all.end(), in_step.begin(), in_step.end());
  std::ranges::sort(all, {}, [](const Count& c) { return std::tuple(c.step, c.line, c.kind); });
  return all;
}

void Thread::meet(What what, Place place, std::uint32_t mask) {
  meeting = what;
  meeting_place = place;
  meeting_mask = mask;
  warp->met |= 1u << lane;
  if (!what.timed()) ++run_of->progress;
  ++meetings;
  leave();
}

void Thread::enter(ControlFlow::Statement& statement, Place place) {
  statement.key = ControlFlow::key(place, 0);
  statement.depth = node->depth + 1;
  node = &statement;
}

void Thread::pause() {
  warp->paused |= 1u << lane;
  ++meetings;
  leave();
}

void Thread::label_step(Phase phase, int stride) {
  std::vector<Step>& steps = launch->steps;
  while (steps.size() <= step) steps.push_back(steps.empty() ? Step{} : steps.back());
  steps[step] = {phase, stride};
  launch->labelled = static_cast<std::uint32_t>(steps.size());
}

std::uint8_t Thread::region_at(std::int64_t first_byte) const {
  const auto& more = launch->grid.shared.more;
  std::size_t region = 0;
  while (region < more.size() && more[region].first <= first_byte) ++region;
  return static_cast<std::uint8_t>(region);
}

void Thread::start_child(Place place, ChildLaunch how, std::string_view kernel, int blocks, int threads,
                         std::function<void()> body) {
  auto child = std::make_unique<Launch>();
  child->run = run_of;
  child->grid = {.kernel = std::string(kernel.substr(0, kernel.find('<'))),
                 .blocks = blocks,
                 .threads = threads,
                 .shared = {},
                 .depth = launch->grid.depth + 1};
  child->body = std::move(body);
  child->how = how;
  child->parent = launch;
  child->index = ++run_of->children_started;
  note(What(Kind::launch, 0, 1, static_cast<int>(how)), place, static_cast<std::int32_t>(child->index), 0,
       {});
  run_of->children.push_back(std::move(child));
}

std::uint32_t Thread::look_at_loop(std::uint32_t trips) {
  const std::uint32_t most = run_of->trips;
  const bool waits = arrived != std::exchange(arrived_then, arrived);
  const bool meets = meetings != std::exchange(meetings_then, meetings);
  // Twice here, to see whether it waits in between.
  if (trips == run_of->barrier_trips) return trips + 2;
  if (!waits && trips < most) return most;
  if (!waits && meets && trips < 16 * most) return 16 * most;
  stop(
      fmt::format("Line {}: thread {} of block {} has gone round this loop {} times without an end in sight.",
                  node->key >> 48, thread_index.x, block_index.x, trips));
  return UINT32_MAX;
}

void Thread::stop(std::string why) {
  run_of->stopped = std::move(why);
  fiber.switch_to(run_of->scheduler->fiber);
}

struct Emulator::State {
  BlockPool blocks;
  std::size_t events = 0, lanes = 0;  // of the last recording's first block: what the next most likely needs
};

// Traces come and go with every launch. By default their memory goes back to the system, and the next one's
// page faults would take 0.1 ms of its time.
Emulator::Emulator() : state_(std::make_unique<State>()) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}
Emulator::~Emulator() = default;

namespace {

void set_constants(KernelConstants& to, const Algorithm& algorithm, const Settings& s) {
  for (const Constant& c : constants(algorithm, s)) {
#define UPSWEEP_CONSTANT(type, constant) \
  if (c.name == #constant) to.constant = static_cast<type>(c.value);
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT
  }
}

// Global memory of a run.
struct GlobalMemory {
  std::vector<std::vector<std::byte>> buffers;

  GlobalMemory(const Plan& plan, const Settings& s, const std::vector<Value>& input) {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    for (const GlobalBuffer& b : plan.buffers) {
      const bool words = b.cells == Cells::words;
      // What is not initialised holds anything but zeros.
      buffers.emplace_back(static_cast<std::size_t>(b.count) * (words ? 4 : width),
                           words ? std::byte{} : std::byte{0xA5});
    }
    buffers[0] = bytes_of(input, width);
  }
};

std::unique_ptr<Launch> prepared(const PlannedLaunch& planned, const EmulatedKernel& kernel, Run& run,
                                 GlobalMemory& memory) {
  auto launch = std::make_unique<Launch>();
  launch->run = &run;
  launch->grid = {.kernel = planned.kernel,
                  .blocks = planned.blocks,
                  .threads = planned.threads,
                  .shared = planned.shared};
  std::vector<GivenArgument> given;
  for (const Argument& a : planned.arguments) {
    GivenArgument g{.memory = {}, .number = static_cast<int>(a.number)};
    if (a.buffer >= 0) {
      auto& bytes = memory.buffers[static_cast<std::size_t>(a.buffer)];
      g.memory = {bytes.data(), static_cast<std::int64_t>(bytes.size()), static_cast<std::uint8_t>(a.buffer)};
    }
    given.push_back(g);
  }
  const auto body = kernel.bodies[static_cast<int>(run.settings.type)][run.settings.op == Operator::affine];
  launch->body = [body, given] { body(given); };
  return launch;
}

const EmulatedKernel& kernel_of(const Emulated& file, const std::string& name) {
  for (const EmulatedKernel& k : file.kernels)
    if (k.name == name) return k;
  throw WorkError(fmt::format("There is no kernel {} to launch.", name));
}

void set_limits(Run& run, const Plan& plan) {
  const auto n = static_cast<std::int64_t>(run.settings.n);
  std::int64_t threads = 1024;
  for (const PlannedLaunch& l : plan.launches)
    threads = std::min<std::int64_t>(threads, std::max(1, l.threads));
  const auto limited = [](std::int64_t x) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(x, 1 << 27));
  };
  run.barrier_trips = limited(std::min(n, std::max<std::int64_t>(4096, 4 * n / threads)) + 64);
  run.trips = limited(4 * n + 1024);
}

const Emulated& registered(const Settings& s) { return *emulated_kernels(s.algorithm); }

}  // namespace

std::vector<Value> Emulator::run(const Settings& s, const std::vector<Value>& input) {
  return run(algorithm(s.algorithm), registered(s), s, input);
}
Trace Emulator::record(const Settings& s, const std::vector<Value>& input, const RecordOptions& options) {
  return record(algorithm(s.algorithm), registered(s), s, input, options);
}

std::vector<Value> Emulator::run(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                                 const std::vector<Value>& input) {
  Trace trace;
  execute(algorithm, kernels, s, input, {}, false, trace);
  if (!trace.stopped.empty()) throw WorkError(trace.stopped);
  return std::move(trace.output);
}

Trace Emulator::record(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const std::vector<Value>& input, const RecordOptions& options) {
  Trace trace;
  trace.settings = s;
  trace.machine = name();
  trace.device = device();
  trace.file = algorithm.file;
  trace.text = text_to_compile(algorithm, s);
  trace.input = input;
  execute(algorithm, kernels, s, input, options, true, trace);
  return trace;
}

void Emulator::execute(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const std::vector<Value>& input, const RecordOptions& options, bool recording,
                       Trace& trace) {
  const Plan planned = plan(algorithm, s);
  GlobalMemory memory(planned, s, input);
  Run run{.settings = s,
          .layout = Formula(layout_formula(s.layout), 'i'),
          .recording = recording,
          .stepped = options.schedule != 0};
  set_constants(run.constants, algorithm, s);
  set_limits(run, planned);

  Machinery machinery(run, state_->blocks, options);
  machinery.likely_events = state_->events;
  machinery.likely_lanes = state_->lanes;
  for (const PlannedLaunch& l : planned.launches)
    if (!machinery.run(prepared(l, kernel_of(kernels, l.kernel), run, memory))) break;

  trace.stopped = run.stopped;
  trace.output = values_of(memory.buffers[1], static_cast<std::size_t>(element_bytes(s)));
  if (!recording) return;
  trace.buffers = planned.buffers;
  machinery.fill_in(trace);
  state_->events = machinery.likely_events;
  state_->lanes = machinery.likely_lanes;
}

}  // namespace upsweep
