#include "machine/emulator/emulated_launches.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace upsweep {

bool Launches::run(std::unique_ptr<Launch> launch) {
  std::vector<BlockApart> apart;
  if (may_run_apart(*launch)) apart = run_apart(*launch);
  apart_ = apart;
  begin(std::move(launch));
  try {
    while (fill()) {
      if (!run_.wanted.is()) throw Unwanted();
      const std::uint64_t progress = run_.progress;
      if (run_.stepped) one_step();
      else round();
      take_children();
      idle_ = run_.progress == progress ? idle_ + 1 : 0;
      if (idle_ > most_idle()) wait_longer();
    }
  } catch (const RunStopped&) {
    for (const Resident& r : resident_) {
      r.block->give_up();
      runs_[r.run].run.end = run_.clock;
      give_times(*runs_[r.run].recording);
    }
    return false;
  }
  return true;
}

bool Launches::may_run_apart(const Launch& launch) const {
  return run_.recording && !run_.stepped && blocks_apart && launch.grid.blocks > 1;
}

std::vector<BlockApart> Launches::run_apart(Launch& launch) {
  const std::size_t first = runs_.empty() ? 1 : 0;
  const ApartOptions options{.first_focus = options_.first_block,
                             .focus = options_.blocks,
                             .likely_events = first * likely_events,
                             .likely_lanes = first * likely_lanes,
                             .job = options_.job,
                             .blocks_before = blocks_ended_,
                             .blocks_in_all = blocks_in_all};
  Influence& influence = influences_[launch.grid.kernel];
  ApartResult result;
  if (influence == Influence::none) {
    result = upsweep::run_apart(launch, options, pools_, memory_);
    influence = result.influence;
  }
  if (influence == Influence::talk) {
    result = run_ahead(launch, options, pools_, memory_);
    influence = result.influence;
  }
  return std::move(result.blocks);
}

void Launches::begin(std::unique_ptr<Launch> launch) {
  launch->number = static_cast<int>(launches_.size());
  launch->grid_dim = launch->grid.grid_dim();
  launch->block_dim = launch->grid.block_dim();
  if (launch->grid.blocks > 0) {
    waiting_.push_back(launch.get());
    launches_.push_back(std::move(launch));
  } else {
    launches_.push_back(std::move(launch));
    end_if_done(launches_.back().get());
  }
}

bool Launches::fill() {
  std::size_t threads = 0;
  for (const Resident& r : resident_) threads += static_cast<std::size_t>(r.launch->grid.threads);
  while (!waiting_.empty()) {
    Launch& launch = *waiting_.front();
    threads += static_cast<std::size_t>(launch.grid.threads);
    if (!fits_beside(resident_.size(), threads) &&
        (resident_.size() >= allowed_ || threads > most_resident_threads))
      break;
    start(launch);
    if (launch.started == launch.grid.blocks) waiting_.pop_front();
  }
  return !resident_.empty();
}

void Launches::start(Launch& launch) {
  const auto index = static_cast<std::uint32_t>(launch.started++);
  ++launch.running;
  const bool in_focus = index >= options_.first_block && index - options_.first_block < options_.blocks;
  const bool replays = !apart_.empty();
  if (replays) recordings_.push_back(std::move(apart_[index].recording));
  else recordings_.push_back({.launch = &launch, .block = index, .in_focus = in_focus});
  if (runs_.empty() && run_.recording && !replays) {
    recordings_.back().events.reserve(likely_events);
    recordings_.back().lanes.reserve(likely_lanes);
    recordings_.back().values.reserve(likely_lanes);
  }
  std::uint16_t place = 0;
  while (std::ranges::any_of(resident_, [&](const Resident& r) { return runs_[r.run].run.sm == place; }))
    ++place;
  runs_.push_back(
      {{.sm = place, .block = index, .in_focus = in_focus, .begin = run_.clock}, &recordings_.back()});
  resident_.push_back({.launch = &launch, .run = runs_.size() - 1});
  if (!replays) {
    resident_.back().block = pools_.front().take(static_cast<std::size_t>(launch.grid.threads));
    resident_.back().block->start(launch, recordings_.back());
  }
  ++run_.progress;
}

void Launches::round() {
  for (std::size_t i = 0; i < resident_.size();) {
    if (!resident_[i].block) {
      if (replay(resident_[i])) ++i;
      else end(i);
      continue;
    }
    Block& block = *resident_[i].block;
    bool goes_on = block.advance() != Block::Advance::ended;
    // If nothing is recorded, nobody can see the order of blocks. Then a block takes as many turns in a row
    // as it can, so that its data stays in the cache.
    while (goes_on && !run_.recording) {
      const std::uint64_t progress = run_.progress;
      goes_on = block.advance() != Block::Advance::ended;
      if (run_.progress == progress) break;
    }
    if (goes_on) ++i;
    else end(i);
  }
}

bool Launches::replay(Resident& r) {
  const BlockApart& apart = apart_[runs_[r.run].run.block];
  const std::size_t turn = r.turns.size();
  r.turns.push_back(run_.clock);
  run_.clock += apart.turns[turn];
  ++run_.progress;
  return turn + 1 < apart.turns.size();
}

void Launches::one_step() {
  std::size_t warps = 0;
  for (const Resident& r : resident_) warps += r.block->warps();
  if (last_ >= warps || schedule_.takes_over())
    last_ = static_cast<std::size_t>(schedule_.below(static_cast<int>(warps)));
  // Finds the warp at the position `last_`, or the next warp that can run.
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

void Launches::settle(std::size_t i) {
  Block& block = *resident_[i].block;
  for (std::size_t w = 0; w < block.warps(); ++w)
    if (block.can_run(w)) return;
  if (!block.settle()) end(i);
}

void Launches::end(std::size_t i) {
  Resident& r = resident_[i];
  Ran& ran = runs_[r.run];
  ran.run.end = run_.clock;
  Launch* const launch = r.launch;
  const bool lives = r.block != nullptr;
  if (lives) {
    pools_.front().give_back(std::move(r.block));
  } else if (!ran.recording->events.empty()) {
    // The block has run apart, so its events have times of its own clock. Converts them to the run's times.
    const std::vector<std::uint32_t>& lengths = apart_[ran.run.block].turns;
    std::vector<std::uint32_t> begins{0};
    for (const std::uint32_t length : lengths) begins.push_back(begins.back() + length);
    for (Event& e : ran.recording->events) {
      const auto turn = std::ranges::upper_bound(begins, e.time) - begins.begin() - 1;
      e.time += r.turns[static_cast<std::size_t>(turn)] - begins[static_cast<std::size_t>(turn)];
    }
  }
  give_times(*ran.recording);
  ++blocks_ended_;
  if (lives && options_.job != nullptr && blocks_in_all > 0)  // blocks that ran apart were counted earlier
    options_.job->set_progress(
        std::min(1.0, static_cast<double>(blocks_ended_) / static_cast<double>(blocks_in_all)));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
  --launch->running;
  take_children();
  end_if_done(launch);
}

void Launches::give_times(BlockRecording& r) const {
  if (run_.stepped) return;
  std::array<std::uint32_t, 32> next{};  // by warp
  for (Event& e : r.events) {
    e.time = std::max(e.time, next[e.warp]);
    next[e.warp] = e.time + 1;
  }
}

void Launches::take_children() {
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

void Launches::end_if_done(Launch* launch) {
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

int Launches::most_idle() const {
  if (!run_.stepped) return 300;
  std::size_t threads = 0;
  for (const Resident& r : resident_) threads += static_cast<std::size_t>(r.launch->grid.threads);
  return static_cast<int>(10000 + 50 * threads);
}

// Called after a time without progress. Starts more blocks, because the resident blocks may wait for them. If
// no block is left to start, and no thread can end its loop by itself, the threads wait for each other in
// vain.
void Launches::wait_longer() {
  idle_ = 0;
  if (!waiting_.empty() && resident_.size() < most_resident_blocks) {
    const std::size_t before = resident_.size();
    allowed_ = std::min(2 * before, most_resident_blocks);
    fill();
    if (resident_.size() > before) return;
  }
  const bool only_wait = std::ranges::all_of(
      resident_, [](const Resident& r) { return r.block == nullptr || r.block->only_waits(); });
  if (only_wait) hopeless();
}

void Launches::hopeless() {
  run_.stopped = {.kind = Stop::deadlock};
  if (!waiting_.empty()) run_.stopped = {.kind = Stop::not_resident, .rounds = resident_.size()};
  for (std::size_t i = 0; i < resident_.size() && run_.stopped.places.empty(); ++i)
    if (auto who = resident_[i].block->first_that_spins()) run_.stopped.places.push_back(*std::move(who));
  throw RunStopped();
}

namespace {

// Replaces the time of each event by its rank in the order of time, so that no two events have equal times.
void number_in_time(Trace& trace, const StillWanted& wanted) {
  // A radix sort by time, lowest digit first, which is linear in the number of events.
  constexpr int digits = 3, bits = 11;
  std::vector<std::uint32_t> order(trace.events.size()), next(order.size()), times(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int digit = 0; digit < digits; ++digit) {
    if (!wanted.is()) throw Unwanted();
    const auto key = [&](std::uint32_t i) {
      return trace.events[i].time >> digit * bits & ((1u << bits) - 1);
    };
    std::array<std::uint32_t, (1u << bits) + 1> first{};
    for (const std::uint32_t i : order) ++first[key(i) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    for (const std::uint32_t i : order) next[first[key(i)]++] = i;
    order.swap(next);
  }
  for (std::uint32_t i = 0; i < order.size(); ++i) times[i] = std::exchange(trace.events[order[i]].time, i);
  for (BlockRun& run : trace.runs)
    for (std::uint64_t* time : {&run.begin, &run.end})
      *time = static_cast<std::uint64_t>(std::ranges::lower_bound(times, *time) - times.begin());
}

}  // namespace

void Launches::fill_in(Trace& trace) {
  trace.grids.clear();
  constexpr std::size_t most_grids = UINT16_MAX;  // the largest number that Event::grid can hold
  for (std::size_t g = 0; g < std::min(launches_.size(), most_grids); ++g) {
    Launch& launch = *launches_[g];
    if (launch.steps.size() <= launch.last_step)
      launch.steps.resize(launch.last_step + 1, launch.steps.empty() ? Step{} : launch.steps.back());
    Grid grid = launch.grid;
    grid.first_step = static_cast<std::uint32_t>(trace.steps.size());
    grid.steps = static_cast<std::uint32_t>(launch.steps.size());
    if (launch.parent != nullptr) grid.parent = launch.parent->number;
    trace.steps.insert(trace.steps.end(), launch.steps.begin(), launch.steps.end());
    trace.operating.insert(trace.operating.end(), launch.operating.begin(), launch.operating.end());
    trace.operating.resize(trace.steps.size());
    std::vector<Count> counts = launch.counts.sorted();
    for (Count& c : counts) c.step += grid.first_step;
    if (trace.counts.empty()) trace.counts = std::move(counts);
    else trace.counts.insert(trace.counts.end(), counts.begin(), counts.end());
    trace.grids.push_back(std::move(grid));
  }
  std::ranges::stable_sort(runs_, {},
                           [](const Ran& r) { return std::pair(r.recording->launch->number, r.run.block); });

  std::size_t events = 0, lanes = 0;
  for (const Ran& ran : runs_) {
    events += ran.recording->events.size();
    lanes += ran.recording->lanes.size();
  }
  for (Ran& ran : runs_) {
    if (!run_.wanted.is()) throw Unwanted();
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
      trace.events.reserve(events);
      trace.lanes.reserve(lanes);
      trace.values.reserve(lanes);
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

  trace.dropped += run_.dropped;
  if (run_.several_turns) number_in_time(trace, run_.wanted);
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

}  // namespace upsweep
