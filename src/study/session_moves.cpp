// Moves the shown place through the recording.
#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"
#include "analysis/time_line.hpp"
#include "study/intention.hpp"

namespace upsweep {
namespace {

constexpr double speeds[] = {0.25, 0.5, 1, 2, 4, 8, 16};  // steps per second

// If no event of the cursor's block is recorded in the cursor's step, the views would be empty. In this case,
// returns a cursor at the nearest recorded block that has events in this step. If there is no such block,
// returns `cursor`.
Cursor at_working_block(const Trace& trace, Cursor cursor) {
  const auto works = [&](int block) { return !step_events(trace, block, cursor.step).empty(); };
  if (works(cursor.block)) return cursor;
  const int from = cursor.block;
  int least = INT_MAX;
  for (const int block : focus_of(trace, grid_index(trace, cursor.step)))
    if (const int distance = std::abs(block - from); distance < least && works(block))
      least = distance, cursor.block = block;
  return cursor;
}

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
  // Does not go to the steps that an open question hides, because these steps are empty.
  if (questioning_.is_open())
    next.step = std::min(next.step, std::max(0, questioning_.question().first_hidden() - 1));
  if (next.step != cursor_.step) next.first_line = 0;  // the source view follows the step again
  next.block = block_in(recording().trace, next.step);
  if (grid_index(recording().trace, next.step) != grid_index(recording().trace, cursor_.step))
    next.first_element = next.element_count = 0;
  next.request = -1;
  next.time = -1;
  played_ = 0;
  beside_ = 0;
  return place(next);
}

int Session::block_in(const Trace& trace, int step) const {
  return std::clamp(wanted_block_, 0, trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
}

bool Session::step_block(int direction) {
  return moves_in_time() ? step_row(direction) : go_to_block(cursor_.block + direction);
}

bool Session::go_to_block(int block) {
  const Intention one(*this);
  const Trace& trace = recording().trace;
  const int grid = grid_index(trace, cursor_.step);
  wanted_block_ = std::clamp(block, 0, trace.grids[static_cast<std::size_t>(grid)].blocks - 1);
  Cursor next = cursor_;
  next.block = wanted_block_;
  next.request = -1;
  if (!place(next)) return false;
  if (cursor_.time >= 0) place(at_time(cursor_.time));
  // While a smaller recording is shown, moving to another block begins no recording, because the wanted
  // recording is still running.
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
  if (moves_in_time()) return go_to_time(INT64_MAX);
  if (compares()) return go_to_pair(static_cast<int>(pairs_.size()) - 1);
  const Intention one(*this);
  const Cursor before = cursor_;
  go_to(step_count() - 1);
  place(at_working_block(recording().trace, cursor_));
  return cursor_ != before;
}

bool Session::first() {
  if (moves_in_time()) return go_to_time(0);
  return compares() ? go_to_pair(0) : go_to(0);
}

bool Session::at_the_end() const {
  if (moves_in_time()) return static_cast<std::uint64_t>(time()) >= recording().time_line().end;
  return compares() ? pair() + 1 >= std::ssize(pairs_) : cursor_.step + 1 >= step_count();
}

bool Session::step_phase(int direction) {
  const Trace& trace = recording().trace;
  // A new launch begins a new phase, even if the phase has the same name.
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
  return recording().step(cursor_.block, step).requests;
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
    const EventRange events = step_events(recording().trace, cursor_.block, step);
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

bool Session::moves_in_time() const {
  if (compares() || looks.chosen < 0) return false;
  const View& view = views()[static_cast<std::size_t>(looks.chosen)];
  return view.shows_time && view.name == time_view && has_something(looks.chosen, recording()) &&
         recording().has_time_line();
}

std::int64_t Session::time() const {
  if (cursor_.time >= 0) return cursor_.time;
  return static_cast<std::int64_t>(time_of_step(recording().time_line(), recording().trace, cursor_));
}

double Session::time_rate() const {
  // At `usual_speed` (in steps per second), the whole run plays in at most `whole_run` seconds.
  constexpr double usual_speed = 2, whole_run = 20;
  const TimeLine& line = recording().time_line();
  const double span = static_cast<double>(std::max<std::uint64_t>(1, line.end));
  if (!line.is_clocked) return span / whole_run * speed_ / usual_speed;
  // Slows the run down by a round factor, which is 1, 2 or 5 times a power of ten.
  const double slower = whole_run * 1e9 / span;
  const double power = std::pow(10.0, std::floor(std::log10(slower)));
  const double factor = power * (slower < 2 * power ? 1 : slower < 5 * power ? 2 : 5);
  return 1e9 / factor * speed_ / usual_speed;
}

// Returns the cursor at a time, in the step that the cursor's block executes at this time. If the cursor's
// launch does not run at this time, the cursor goes to the latest launch that the host had begun by this
// time.
Cursor Session::at_time(std::int64_t time) const {
  const TimeLine& line = recording().time_line();
  const Trace& trace = recording().trace;
  const auto end = static_cast<std::int64_t>(std::min<std::uint64_t>(line.end, INT64_MAX));
  Cursor next = cursor_;
  next.time = std::clamp<std::int64_t>(time, 0, end);
  const auto now = static_cast<std::uint64_t>(next.time);
  int grid = grid_index(trace, cursor_.step), begun = grid;
  bool runs = trace.grids.size() == 1;
  for (const TimeLine::Row& row : line.rows) {
    if (row.grid == grid) runs = runs || (row.begin <= now && now <= row.end);
    if (trace.grids[static_cast<std::size_t>(row.grid)].parent < 0 && row.begin <= now) begun = row.grid;
  }
  if (!runs && begun != grid) {
    grid = begun;
    next.first_element = next.element_count = 0;
  }
  const Grid& there = trace.grids[static_cast<std::size_t>(grid)];
  if (grid != grid_index(trace, cursor_.step)) next.block = std::clamp(wanted_block_, 0, there.blocks - 1);
  const int step = step_at(line, trace, grid, next.block, now);
  next.step = step >= 0 ? step : static_cast<int>(there.first_step);
  if (next.step != cursor_.step || next.block != cursor_.block) next.first_line = 0, next.request = -1;
  return next;
}

bool Session::go_to_time(std::int64_t time) {
  const Intention one(*this);
  played_ = 0;
  return place(at_time(time));
}

bool Session::step_time(int direction) {
  const auto now = static_cast<std::uint64_t>(time());
  return go_to_time(static_cast<std::int64_t>(next_time(recording().time_line(), now, direction)));
}

// Goes to the block in the next or previous row of the time line. The time does not change.
bool Session::step_row(int direction) {
  const TimeLine& line = recording().time_line();
  const std::uint32_t row = row_of(line, grid_index(recording().trace, cursor_.step), cursor_.block);
  const std::int64_t next = row == TimeLine::none ? 0 : std::int64_t{row} + direction;
  if (next < 0 || next >= std::ssize(line.rows)) return false;
  const TimeLine::Row& there = line.rows[static_cast<std::size_t>(next)];
  const Cursor before = cursor_;
  carry_out(GoToMoment{there.grid, there.block, time()});
  return cursor_ != before;
}

void Session::carry_out(const GoToMoment& to) {
  const Intention one(*this);
  const Trace& trace = recording().trace;
  if (to.grid >= static_cast<int>(trace.grids.size())) return;  // the id belongs to another recording
  if (to.grid >= 0) {
    const Grid& grid = trace.grids[static_cast<std::size_t>(to.grid)];
    if (to.block < 0 || to.block >= grid.blocks) return;
    if (grid_index(trace, cursor_.step) != to.grid) cursor_.step = static_cast<int>(grid.first_step);
    cursor_.block = wanted_block_ = to.block;
    cursor_.request = -1;
  }
  go_to_time(to.time);
}

// Moves the shown time forward while the run plays.
void Session::play_time(double seconds) {
  const double rate = time_rate(), reached = (played_ + seconds) * rate;
  const auto whole = static_cast<std::int64_t>(reached);
  played_ = (reached - static_cast<double>(whole)) / rate;
  if (whole > 0) place(at_time(time() + whole));
  playing_ = !at_the_end();
}

}  // namespace upsweep
