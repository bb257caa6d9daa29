// Moves the shown place through the recording.
#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"
#include "study/intention.hpp"

namespace upsweep {
namespace {

constexpr double speeds[] = {0.25, 0.5, 1, 2, 4, 8, 16};  // steps per second

}  // namespace

bool Session::place(const Cursor& next) {
  if (next == cursor_) return false;
  cursor_ = next;
  return true;
}

bool Session::go_to(int step) {
  const Intention one(*this);
  Cursor next = cursor_;
  next.step = std::clamp(step, 0, step_count() - 1);
  if (next.step != cursor_.step) next.first_line = 0;  // the source view follows the step again
  next.block = block_in(recording_->trace, next.step);
  if (grid_index(recording_->trace, next.step) != grid_index(recording_->trace, cursor_.step))
    next.first_element = next.element_count = 0;
  next.request = -1;
  played_ = 0;
  beside_ = 0;
  return place(next);
}

int Session::block_in(const Trace& trace, int step) const {
  return std::clamp(wanted_block_, 0, trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
}

bool Session::step_block(int direction) { return go_to_block(cursor_.block + direction); }

bool Session::go_to_block(int block) {
  const Intention one(*this);
  const Trace& trace = recording_->trace;
  const int grid = grid_index(trace, cursor_.step);
  wanted_block_ = std::clamp(block, 0, trace.grids[static_cast<std::size_t>(grid)].blocks - 1);
  Cursor next = cursor_;
  next.block = wanted_block_;
  next.request = -1;
  if (!place(next)) return false;
  // If a smaller recording is shown until the wanted one arrives, moving to another block begins no
  // recording.
  if (!in_focus(trace, grid, cursor_.block) && !shows_opened() && trace.settings == settings()) {
    const auto around = static_cast<std::uint32_t>(cursor_.block);
    const std::uint32_t half = RecordOptions{}.blocks / 2;
    WantedRun next = wanted_;
    next.first_block = around > half ? around - half : 0;
    ask(std::move(next));
  }
  return true;
}

bool Session::step_by(int steps) {
  return compares() ? go_to_pair(pair() + steps) : go_to(cursor_.step + steps);
}

bool Session::last() {
  return compares() ? go_to_pair(static_cast<int>(pairs_.size()) - 1) : go_to(step_count() - 1);
}

bool Session::first() { return compares() ? go_to_pair(0) : go_to(0); }

bool Session::at_the_end() const {
  return compares() ? pair() + 1 >= std::ssize(pairs_) : cursor_.step + 1 >= step_count();
}

bool Session::step_phase(int direction) {
  const Trace& trace = recording_->trace;
  // A new launch begins a new phase, even if the phase's name stays.
  const auto phase = [&](int i) {
    return std::pair(grid_index(trace, i), trace.steps[static_cast<std::size_t>(i)].phase);
  };
  int to = cursor_.step;
  if (direction > 0) {
    while (to < step_count() && phase(to) == phase(cursor_.step)) ++to;
    return to < step_count() && go_to(to);
  }
  if (to > 0) --to;
  while (to > 0 && phase(to - 1) == phase(to)) --to;
  return go_to(to);
}

const std::vector<int>& Session::requests_of(int step) const {
  return recording_->step(cursor_.block, step).requests;
}

bool Session::step_request(int direction) {
  const Intention one(*this);
  const int count = static_cast<int>(requests_of(cursor_.step).size());
  const int request = cursor_.request + direction;
  if (direction > 0 ? request < count : request >= 0) {
    Cursor next = cursor_;
    next.request = request;
    return place(next);
  }
  for (int step = cursor_.step + direction; step >= 0 && step < step_count(); step += direction) {
    const EventRange events = step_events(recording_->trace, cursor_.block, step);
    if (events.empty() || requests_of(step).empty()) continue;
    const int there = static_cast<int>(requests_of(step).size());
    go_to(step);
    cursor_.request = direction > 0 ? 0 : there - 1;
    return true;
  }
  return false;
}

void Session::toggle_playing() {
  const Intention one(*this);
  if (!playing_ && at_the_end()) first();
  playing_ = !playing_;
  played_ = 0;
}

void Session::change_speed(int direction) {
  const Intention one(*this);
  const auto at = std::find(std::begin(speeds), std::end(speeds), speed_) - std::begin(speeds);
  speed_ = speeds[std::clamp<std::ptrdiff_t>(at + direction, 0, std::size(speeds) - 1)];
}

}  // namespace upsweep
