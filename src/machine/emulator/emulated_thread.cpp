#include "machine/emulator/emulated_thread.hpp"

#include <algorithm>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace upsweep {

constinit thread_local Thread* Thread::current = nullptr;

void Thread::run() {
  Thread& self = *current;
  try {
    self.launch->body();
  } catch (...) { self.run_of->thrown = std::current_exception(); }
  if (self.run_of->thrown) self.fiber.switch_to(self.run_of->scheduler->fiber);
  self.warp->live &= ~(1u << self.lane);
  self.leave();
}

void ThreadLog::grow() {
  Thread::current->check_wanted();
  const std::size_t used = size();
  if (used == capacity_) {
    static_assert(std::is_trivially_copyable_v<Record>);
    const std::size_t wanted = std::max<std::size_t>(256, 2 * capacity_);
    void* const moved = std::realloc(records_.get(), wanted * sizeof(Record));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(records_.release());
    records_.reset(static_cast<Record*>(moved));
    capacity_ = wanted;
  }
  end_ = records_.get() + used;
  limit_ = records_.get() + std::min(capacity_, used + piece);
}

std::vector<Count> Counts::sorted() const {
  std::size_t size = 0;
  for (const std::vector<Count>& in_step : steps_) size += in_step.size();
  std::vector<Count> all;
  all.reserve(size);
  for (const std::vector<Count>& in_step : steps_) {
    all.insert(all.end(), in_step.begin(), in_step.end());
    std::ranges::sort(all.end() - static_cast<std::ptrdiff_t>(in_step.size()), all.end(), {},
                      [](const Count& c) { return std::tuple(c.line, c.kind, c.detail); });
  }
  return all;
}

void Thread::meet(What what, TextPlace place, std::uint32_t mask) {
  meeting = what;
  meeting_place = place;
  meeting_mask = mask;
  node = here();
  warp->met |= 1u << lane;
  // A thread can wait for other threads only at timed actions (What::timed). So every other action counts as
  // progress.
  if (what.timed()) ++meetings;
  else ++run_of->progress;
  leave();
}

void Thread::pause() {
  warp->paused |= 1u << lane;
  ++meetings;
  leave();
}

void Thread::label_step(const Phase& phase, int stride) {
  std::vector<Step>& steps = launch->steps;
  while (steps.size() <= step) steps.push_back(steps.empty() ? Step{} : steps.back());
  steps[step] = {phase, stride};
  launch->labelled = static_cast<std::uint32_t>(steps.size());
}

void Thread::begin_to_operate() {
  operated = step;
  std::vector<std::uint32_t>& operating = launch->operating;
  if (operating.size() <= step) operating.resize(step + 1);
  ++operating[step];
}

std::uint8_t Thread::region_at(std::int64_t first_byte) const {
  const auto& more = launch->grid.shared.more;
  std::size_t region = 0;
  while (region < more.size() && more[region].first <= first_byte) ++region;
  return static_cast<std::uint8_t>(region);
}

void Thread::start_child(TextPlace place, ChildLaunch how, std::string_view kernel, int blocks, int threads,
                         std::function<void()> body) {
  if (run_of->children_started >= run_of->most_children) {
    run_of->stopped = {.kind = Stop::launch_limit, .rounds = run_of->children_started};
    run_of->stopped.places.push_back(found(Wait::none, place.line));
    stop();
  }
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

std::uint32_t Thread::look_at_loop(std::uint32_t trips, std::uint64_t& began) {
  check_wanted();
  const Run& run = *run_of;
  // The work is the number of records plus the number of turns of all warps. If nothing is recorded, each
  // turn counts as 32 records.
  const std::uint64_t work = run.recording ? run.clock + run.log.size() : std::uint64_t{32} * run.clock;
  const std::uint32_t most = run.trips;
  const bool waits = arrived != std::exchange(arrived_then, arrived);
  const bool meets = meetings != std::exchange(meetings_then, meetings);
  if (began == 0) began = work + 1;
  // The loop calls look_at_loop() again after two iterations. The second call finds out whether the thread
  // reaches a barrier.
  if (trips == run.barrier_trips) return trips + 2;
  if (!waits && trips < most) return most;
  if (!waits && meets && trips < 16 * most) return 16 * most;
  const auto line = static_cast<std::uint32_t>(open->key >> 48);
  const bool never_ends = run.text != nullptr && run.text->never_ends(static_cast<int>(line));
  // If blocks run at the same time in several threads of the CPU (see apart.hpp), a long loop always stops
  // the run here. The emulator then runs the blocks again, in turns.
  if (!never_ends && !run.apart && trips < run.rounds && work + 1 - began < run.rounds / 2) {
    const std::uint32_t more = std::clamp<std::uint32_t>(trips / 8, 2, 1 << 14);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{trips} + more, run.rounds));
  }
  run_of->stopped = {.kind = never_ends ? Stop::endless_loop : Stop::round_limit, .rounds = trips};
  run_of->stopped.places.push_back(found(Wait::none, line));
  stop();
  return UINT32_MAX;
}

bool Thread::only_waits() const {
  const auto waits = [&](const ControlFlow::Open* o) {
    return run_of->text != nullptr && run_of->text->only_waits(static_cast<int>(o->key >> 48));
  };
  for (const ControlFlow::Open* o = open; o->around != nullptr; o = o->around)
    if (waits(o)) return true;
  return false;
}

void Thread::check_wanted() {
  if (run_of->wanted.is()) return;
  run_of->unwanted = true;
  fiber.switch_to(run_of->scheduler->fiber);
}

void Thread::stop_misaligned(TextPlace place, std::int64_t index, int cells) {
  Stopped& why = run_of->stopped = {
      .kind = Stop::misaligned, .elements = static_cast<std::uint32_t>(cells), .first_element = index};
  why.places.push_back(found(Wait::none, place.line));
  stop();
}

StoppedThreads Thread::found(Wait wait, std::uint32_t line) const {
  return {wait, line, static_cast<std::uint32_t>(launch->number), block, {number}};
}

void Thread::stop() { fiber.switch_to(run_of->scheduler->fiber); }

}  // namespace upsweep
