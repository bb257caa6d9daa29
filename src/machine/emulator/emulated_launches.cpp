#include "machine/emulator/emulated_launches.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace upsweep {

bool Launches::run(std::unique_ptr<Launch> launch, const std::vector<std::size_t>& buffers) {
  ++host_launches_;
  std::vector<BlockApart> apart;
  if (may_run_apart(*launch)) apart = run_apart(*launch, buffers);
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

void Launches::choose_focus() {
  const std::uint64_t left = std::max<std::uint64_t>(1, launches_in_all + 1 - host_launches_);
  focuses_.emplace_back(options_.first_block, options_.blocks, room_for_focus / left);
}

std::vector<BlockApart> Launches::run_apart(Launch& launch, const std::vector<std::size_t>& buffers) {
  const std::size_t first = runs_.empty() ? 1 : 0;
  choose_focus();
  const ApartOptions options{.focus = focuses_.back(),
                             .buffers = buffers,
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
    focuses_.pop_back();
    choose_focus();
    result = run_ahead(launch, options, pools_, memory_);
    influence = result.influence;
  }
  if (result.blocks.empty()) focuses_.pop_back();
  return std::move(result.blocks);
}

void Launches::begin(std::unique_ptr<Launch> launch) {
  launch->number = static_cast<int>(launches_.size());
  if (focuses_.size() == launches_.size()) choose_focus();  // otherwise, run_apart() has chosen the focus
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
  const bool replays = !apart_.empty();
  if (replays) recordings_.push_back(std::move(apart_[index].recording));
  else recordings_.push_back({.launch = &launch, .block = index, .in_focus = focus_of(launch).has(index)});
  if (runs_.empty() && run_.recording && !replays) {
    recordings_.back().events.reserve(likely_events);
    recordings_.back().lanes.reserve(likely_lanes);
    recordings_.back().values.reserve(likely_lanes);
  }
  std::uint16_t place = 0;
  while (std::ranges::any_of(resident_, [&](const Resident& r) { return runs_[r.run].run.sm == place; }))
    ++place;
  runs_.push_back(
      {{.sm = place, .block = index, .in_focus = recordings_.back().in_focus, .begin = run_.clock},
       &recordings_.back()});
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
    // If nothing is recorded, the order of the blocks does not matter. So a block takes several turns in a
    // row, until it makes no progress. This keeps the block's data in the cache.
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
    // The block has run apart, so its events have the times of its own clock. This code converts these times
    // to the run's times.
    const std::vector<std::uint32_t>& lengths = apart_[ran.run.block].turns;
    std::vector<std::uint32_t> begins{0};
    for (const std::uint32_t length : lengths) begins.push_back(begins.back() + length);
    for (Event& e : ran.recording->events) {
      const auto turn = std::ranges::upper_bound(begins, e.time) - begins.begin() - 1;
      e.time += r.turns[static_cast<std::size_t>(turn)] - begins[static_cast<std::size_t>(turn)];
    }
  }
  give_times(*ran.recording);
  if (ran.run.in_focus) {
    const std::uint64_t size = size_of(*ran.recording);
    if (lives) focus_of(*launch).note_end(ran.run.block, size);
    if (focus_of(*launch).has(ran.run.block)) room_for_focus -= std::min(room_for_focus, size);
  }
  ++blocks_ended_;
  if (lives && options_.job != nullptr && blocks_in_all > 0)  // blocks that ran apart are counted already
    options_.job->set_progress(
        std::min(1.0, static_cast<double>(blocks_ended_) / static_cast<double>(blocks_in_all)));
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
  --launch->running;
  take_children();
  end_if_done(launch);
}

void Launches::give_times(BlockRecording& r) const {
  if (run_.stepped) return;
  std::array<std::uint32_t, 32> next{};  // for each warp: the earliest time of its next event
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

// Called after a time without progress. Starts more blocks, because the resident blocks may wait for these
// blocks.
//
// If no block can start, and no thread can end its loop by itself, stops the run. Otherwise the threads would
// wait for each other for ever.
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

}  // namespace upsweep
