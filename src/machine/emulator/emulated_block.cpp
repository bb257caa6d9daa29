#include "machine/emulator/emulated_block.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {
namespace {

// The value of the lowest word of each stack. If this word has changed, the stack was too small.
constexpr std::uint64_t canary = 0x5bd1e995c0de5afe;

char* allocate(std::size_t bytes) {
  constexpr std::size_t huge_page = 2 * 1024 * 1024;
  bytes = (bytes + huge_page - 1) / huge_page * huge_page;
  void* stacks = std::aligned_alloc(huge_page, bytes);
  if (stacks == nullptr) throw std::bad_alloc();
#if !defined(__SANITIZE_ADDRESS__)
  madvise(stacks, bytes, MADV_HUGEPAGE);
#endif
  return static_cast<char*>(stacks);
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(UPSWEEP_DEEP_STACKS)  // these builds need larger stacks
const std::size_t Stacks::size = 256 * 1024;
#else
const std::size_t Stacks::size = 16 * 1024 + 5 * 64;
#endif

char* Stacks::operator[](std::size_t i) const { return bytes_.get() + i * size; }

Stacks::Stacks(std::size_t count) : bytes_(allocate(count * size)) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy((*this)[i], &canary, sizeof canary);
}

bool Stacks::overflown(std::size_t i) const { return std::memcmp((*this)[i], &canary, sizeof canary) != 0; }

void Block::check_stacks() const {
  for (std::size_t t = 0; t < used_; ++t)
    if (stacks_.overflown(t)) throw WorkError(say::stack_too_large(Stacks::size / 1024));
}

Block::Block(std::size_t capacity)
    : threads_(capacity),
      warps_((capacity + 31) / 32),
      kept_(warps_.size()),
      kept_lanes_(warps_.size()),
      stacks_(capacity) {
  for (std::size_t t = 0; t < capacity; ++t) {
    threads_[t].number = static_cast<std::uint32_t>(t);
    threads_[t].warp = &warps_[t / 32];
    threads_[t].lane = t % 32;
  }
}

void Block::place_threads(const Launch& launch) {
  const bool in_a_row = launch.grid.threads_across.flat();
  if (in_a_row && in_a_row_) return;
  const Dim3 row{UINT32_MAX, 1, 1};
  for (Thread& thread : threads_)
    thread.thread_index = (in_a_row ? row : launch.block_dim).place(thread.number);
  in_a_row_ = in_a_row;
}

void Block::start(Launch& launch, BlockRecording& recording) {
  launch_ = &launch;
  recording_ = &recording;
  given_up_ = false;
  turn_ = {};
  used_ = static_cast<std::size_t>(launch.grid.threads);
  used_warps_ = (used_ + 31) / 32;
  shared_.assign(launch.grid.shared.bytes, std::byte{});
  if (launch.run->recording) shared_depths_.assign(shared_.size() / Thread::bytes_per_depth, 0);
  for (std::size_t w = 0; w < used_warps_; ++w) {
    Warp& warp = warps_[w];
    if (warp.flow.kept() > much_flow / 16) warp.flow.clear();
    warp.waiting = warp.paused = warp.met = warp.linked = warp.went = 0;
    warp.stuck = warp.spinning = false;
    warp.live = warp.ready = ~0u >> (32 - lanes_of(w).size());
    warp.last_time = 0;
    warp.merged.fill(0);
    for (auto& records : kept_[w]) records.clear();
    kept_lanes_[w] = 0;
  }
  place_threads(launch);
  const Dim3 block_index = launch.grid_dim.place(recording.block);
  Run& run = *launch.run;
  for (std::size_t t = 0; t < used_; ++t) {
    Thread& thread = threads_[t];
    thread.block = recording.block;
    thread.block_index = block_index;
    thread.run_of = &run;
    thread.launch = &launch;
    thread.shared = shared_;
    thread.shared_depths = run.recording ? shared_depths_.data() : nullptr;
    thread.open = thread.warp->flow.root();
    thread.node = thread.open->node;
    thread.acted = 0;
    thread.step = 0;
    thread.operated = Thread::none;
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

Block::Advance Block::advance(bool may_talk, const std::atomic<bool>* hurry) {
  for (; turn_.warp < used_warps_; ++turn_.warp) {
    if (!turn_.begun && !can_run(turn_.warp)) continue;
    if (hurry != nullptr && *hurry) return Advance::gives_way;
    if (!turn(turn_.warp, may_talk)) return Advance::talks;
    turn_.runs = turn_.runs || can_run(turn_.warp);
  }
  const bool runs = turn_.runs;
  turn_ = {};
  return runs || settle() ? Advance::goes_on : Advance::ended;
}

bool Block::settle() {
  Run& run = *launch_->run;
  for (std::size_t w = 0; w < used_warps_; ++w) note_meetings(w);
  if (run.stepped) end_period();
  else merge_kept();
  std::uint32_t next_step = UINT32_MAX, last_arrival = 0;
  bool waiting = false;
  for (std::size_t w = 0; w < used_warps_; ++w) {
    if (warps_[w].met != 0) {
      sort_by_step();
      deadlock();
    }
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
    sort_by_step();
    return false;
  }
  launch_->last_step = std::max(launch_->last_step, last_arrival + 1);
  const std::uint64_t entries = shared_.size() / (sizeof(Lane) + sizeof(Value));
  if (recording_->in_focus && run.recording && !shared_.empty() && run.room >= entries) {
    run.room -= entries;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(shared_.data());
    recording_->snapshots.push_back(
        {recording_->block, last_arrival + 1, std::vector<std::uint8_t>(bytes, bytes + shared_.size())});
  }
  begin_period(next_step);
  return true;
}

bool Block::step_one(std::size_t w, Schedule& schedule) {
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

void Block::give_up() {
  if (given_up_ || !launch_->run->recording) return;
  for (std::size_t w = 0; w < used_warps_; ++w) {
    if (Thread::current->warp == &warps_[w] && launch_->run->log.size() > 0) {
      // A very long loop may have made too many records. To save memory, only the first records are kept.
      constexpr std::size_t most = 1 << 18;
      const std::size_t size = launch_->run->log.size();
      launch_->run->dropped += size - std::min(size, most);
      collect(w, most);
      first_kept_warp_ = std::min(first_kept_warp_, w);
    }
    note_meetings(w);
  }
  if (launch_->run->stepped) end_period();
  else merge_kept();
  sort_by_step();
}

std::optional<StoppedThreads> Block::first_that_spins() {
  for (std::size_t w = 0; w < used_warps_; ++w) {
    const std::uint32_t spinning = warps_[w].paused | warps_[w].met;
    if (spinning == 0) continue;
    const Thread& t = thread(w, spinning);
    return t.found(Wait::value, t.meeting_place.line);
  }
  return {};
}

bool Block::only_waits() {
  for (std::size_t w = 0; w < used_warps_; ++w)
    for (std::uint32_t rest = warps_[w].paused | warps_[w].met; rest != 0; rest &= rest - 1)
      if (const Thread& t = thread(w, rest);
          !t.only_waits() && !((warps_[w].met & rest & -rest) != 0 && t.meeting.is_collective()))
        return false;
  return true;
}

bool Block::turn(std::size_t w, bool may_talk) {
  Warp& warp = warps_[w];
  Run& run = *launch_->run;
  if (!turn_.begun) {
    run.log.clear();
    warp.ready |= std::exchange(warp.paused, 0);
    warp.stuck = false;
    turn_.begun = true;
    turn_.went = warp.ready;
    if (warp.ready != 0) go_on(w);
  }
  for (; warp.met != 0; ++turn_.groups) {
    // After this many groups of lanes in one turn, the warp may be in a loop that waits for other threads. So
    // the other threads run first.
    if (turn_.groups == groups_in_a_turn) {
      warp.spinning = true;
      break;
    }
    if (!may_talk && wants_to_talk(w)) return false;
    if (counts_alone()) turn_.stored = absorb(w, turn_.went) || turn_.stored;
    warp.ready = next_group(w, std::exchange(warp.spinning, false));
    warp.stuck = warp.ready == 0;
    if (warp.stuck) break;
    turn_.in_pieces = true;
    turn_.went = warp.ready;
    go_on(w);
  }
  const bool in_pieces = turn_.in_pieces;
  const std::uint32_t went = turn_.went;
  bool stored = turn_.stored;
  turn_ = {.warp = turn_.warp, .runs = turn_.runs};
  if (!run.recording) return true;

  if (counts_alone()) {
    stored = absorb(w, went) || stored;
    if (in_pieces) run.several_turns = true;
    if (in_pieces && stored) ++run.progress;
  } else {
    if (warp.paused != 0 || warp.met != 0) first_kept_warp_ = std::min(first_kept_warp_, w);
    if (in_pieces) {
      collect(w);
      if (w < first_kept_warp_) {
        Lanes lanes(lanes_of(w), kept_[w]);
        lanes.merge(first_step_, *recording_);
        last_step_ = std::max(last_step_, lanes.forget_merged(kept_[w]));
      }
    } else {
      Lanes lanes(lanes_of(w), went, run.log);
      if (w < first_kept_warp_) lanes.merge(first_step_, *recording_);
      last_step_ = std::max(last_step_, lanes.keep(kept_[w]));
      run.log.clear();
    }
  }
  for_each_arrival(w, [&](std::uint32_t step) { last_step_ = std::max(last_step_, step); });
  // Records of an ended warp may belong to a step that is not merged yet. These records point to nodes of the
  // warp's control flow, so the nodes are kept until the step is merged.
  const bool waits = std::ranges::any_of(kept_[w], [](const auto& lane) { return !lane.empty(); });
  if (warp.live == 0 && !waits && warp.flow.kept() > much_flow) warp.flow.clear();
  return true;
}

bool Block::wants_to_talk(std::size_t w) {
  for (std::uint32_t rest = warps_[w].met; rest != 0; rest &= rest - 1) {
    const What what = thread(w, rest).meeting;
    if (is_global(what.kind()) && what.timed()) return true;
  }
  return false;
}

void Block::go_on(std::size_t w) {
  Warp& warp = warps_[w];
  Run& run = *launch_->run;
  if (warp.linked != warp.ready) link(w);
  Thread::current = &thread(w, warp.ready);
  warp.ready = 0;
  const std::size_t before = run.log.size();
  run.scheduler->fiber.switch_to(Thread::current->fiber);
  run.clock += static_cast<std::uint32_t>(run.log.size() - before) + 1;
  if (run.thrown) std::rethrow_exception(run.thrown);
  if (run.stopped) throw RunStopped();
  if (run.unwanted) throw Unwanted();
}

void Block::link(std::size_t w) {
  Thread* next = launch_->run->scheduler;
  const std::uint32_t ready = warps_[w].linked = warps_[w].ready;
  for (std::size_t lane = lanes_of(w).size(); lane-- > 0;) {
    if ((ready >> lane & 1) == 0) continue;
    Thread& thread = lanes_of(w)[lane];
    thread.next = next;
    next = &thread;
  }
}

}  // namespace upsweep
