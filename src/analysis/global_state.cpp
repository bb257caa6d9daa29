#include "analysis/global_state.hpp"

#include <algorithm>
#include <cstddef>

#include "analysis/memory.hpp"
#include "analysis/unrecorded_stores.hpp"

namespace upsweep {
namespace {

// Returns the contents of a buffer before the run.
std::vector<GlobalState::Cell> cells_before(const Trace& trace, int buffer) {
  const GlobalBuffer& of = trace.buffers[static_cast<std::size_t>(buffer)];
  const BufferRole role = trace.roles().of(buffer);
  std::vector<GlobalState::Cell> cells(static_cast<std::size_t>(of.count));
  for (GlobalState::Cell& c : cells) c.known = is_initialised(role, of.cells);
  if (role == BufferRole::input) {
    const std::vector<Value>& contents = trace.contents_before(buffer);
    for (std::size_t i = 0; i < std::min(cells.size(), contents.size()); ++i) cells[i].value = contents[i];
  }
  return cells;
}

// Returns the number of launches that have ended by the end of a step.
int ended_launches(const Trace& trace, int step) {
  int count = 0;
  while (count < static_cast<int>(trace.grids.size()) && end_step(trace, count) <= step + 1) ++count;
  return count;
}

bool is_in_focus(const BlockRun& run) { return run.in_focus; }

// Returns whether the trace has all stores of the run.
bool has_all_stores(const Trace& trace) {
  return trace.dropped == 0 && std::all_of(trace.runs.begin(), trace.runs.end(), is_in_focus);
}

}  // namespace

GlobalState global_state(const Trace& trace, int buffer, int step, const Job* job) {
  GlobalState state{cells_before(trace, buffer)};
  std::vector<std::uint32_t> times(state.cells.size());  // the time of the store that wrote each cell
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    if (job && i % (1 << 14) == 0) job->check();
    if (e.kind != Kind::global_store && e.kind != Kind::global_atomic) continue;
    if (e.buffer != buffer || static_cast<std::int64_t>(e.step) > step) continue;
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      const std::int64_t address = trace.lanes[at].address;
      const std::size_t index = static_cast<std::size_t>(address) / static_cast<std::size_t>(cell_bytes(e));
      if (address < 0 || index >= state.cells.size()) return;
      GlobalState::Cell& cell = state.cells[index];
      if (cell.writer != 0 && e.time < times[index]) return;
      times[index] = e.time;
      cell = {trace.values[value], true, static_cast<std::uint32_t>(i + 1), lane};
    });
  }
  const int unrecorded = UnrecordedStores(trace).last_before(buffer, ended_launches(trace, step));
  for (GlobalState::Cell& cell : state.cells)
    if (const int grid = cell.writer == 0 ? -1 : trace.events[cell.writer - 1].grid; grid < unrecorded)
      cell = {};
  const bool ended = step + 1 >= static_cast<int>(trace.steps.size()) && !trace.stopped;
  if (ended && trace.roles().of(buffer) == BufferRole::output && !has_all_stores(trace)) {
    const std::vector<Value>& contents = trace.contents_after(buffer);
    for (std::size_t i = 0; i < std::min(state.cells.size(), contents.size()); ++i)
      if (GlobalState::Cell& cell = state.cells[i]; !cell.known || cell.value != contents[i])
        cell = {contents[i], true, 0, -1};
  }
  return state;
}

}  // namespace upsweep
