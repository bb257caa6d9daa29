#include "analysis/moves.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "analysis/cancellable.hpp"
#include "analysis/memory.hpp"
#include "analysis/unrecorded_stores.hpp"

namespace upsweep {
namespace {

constexpr std::uint32_t none = Moves::none;

// Replays all loads, stores and shuffles in the order of time. The replay moves indices of input elements
// instead of values.
class Follower {
 public:
  Follower(const Trace& trace, Moves& moves) : trace_(trace), moves_(moves), unrecorded_(trace) {
    moves_.element.assign(trace.lanes.size(), none);
    moves_.dropped_in.assign(trace.input.size(), -1);
    for (const GlobalBuffer& b : trace.buffers) {
      const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, b.count));
      global_.emplace_back(is_element(b.cells) ? count : 0);
      written_.emplace_back(b.cells == Cells::counts ? count : 0, -1);
    }
    if (!global_.empty())
      for (std::size_t i = 0; i < std::min(global_[0].size(), trace.input.size()); ++i)
        global_[0][i].from = static_cast<std::uint32_t>(i);
  }

  void carry_out(std::uint32_t event) {
    const Event& e = trace_.events[event];
    if (trace_.cells_of(e) == Cells::counts) return note_counts(event);
    if (!is_element(trace_.cells_of(e))) return;
    if (is_atomic(e.kind)) {
      for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t) { set(e, at, {none, event, lane}); });
    } else if (is_load(e.kind)) {
      for_each_lane(e, [&](int, std::uint32_t at) { moves_.element[at] = read(e, at); });
    } else if (is_store(e.kind)) {
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        moves_.element[at] = given(trace_.lanes[at].left, lane);
        set(e, at, {moves_.element[at], event, lane, known_from(e, lane, at)});
      });
    } else if (e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add) {
      for_each_lane(e, [&](int, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        moves_.element[at] = given(l.left, static_cast<int>(l.address & 31));
      });
    }
  }

  // Returns the contents of a buffer after the run.
  std::vector<Moves::Arrival> contents(int buffer) const {
    std::vector<Moves::Arrival> cells = global_[static_cast<std::size_t>(buffer)];
    for (Moves::Arrival& cell : cells)
      if (cell.known() && is_stale(cell, buffer, static_cast<int>(trace_.grids.size()))) cell = {};
    return cells;
  }

 private:
  // Remembers when counts in global memory are written, which events load counts, and which flags are 0.
  void note_counts(std::uint32_t event) {
    const Event& e = trace_.events[event];
    if (!is_global(e.kind) || e.buffer >= written_.size()) return;
    if (e.kind == Kind::global_load) count_loads_[warp_key(e)].push_back(event);
    if (!is_store(e.kind)) return;
    const bool is_flag = trace_.steps[e.step].phase == Phase::flag;
    for_each_lane(e, [&](int, std::uint32_t at) {
      int* written = find_written(e, at);
      if (!written) return;
      *written = static_cast<int>(e.step);
      if (!is_flag || written_[e.buffer].size() != trace_.input.size() || trace_.values[at][0] != 0) return;
      int& dropped = moves_.dropped_in[static_cast<std::size_t>(written - written_[e.buffer].data())];
      if (dropped < 0) dropped = *written;
    });
  }
  int* find_written(const Event& e, std::uint32_t at) {
    const std::int64_t index = trace_.lanes[at].address / std::max(1, cell_bytes(e));
    auto& steps = written_[e.buffer];
    return index >= 0 && index < std::ssize(steps) ? &steps[static_cast<std::size_t>(index)] : nullptr;
  }
  static std::uint64_t warp_key(const Event& e) {
    return std::uint64_t{e.grid} << 48 ^ std::uint64_t{e.block} << 8 ^ std::uint64_t{e.warp};
  }

  // Returns the first step after which the place of a stored element is known (Arrival::known_from).
  int known_from(const Event& store, int lane, std::uint32_t stored) {
    const auto step = static_cast<int>(store.step);
    const auto loads = count_loads_.find(warp_key(store));
    if (store.kind != Kind::global_store || loads == count_loads_.end()) return step;
    const std::int64_t place = trace_.lanes[stored].address / std::max(1, cell_bytes(store));
    constexpr std::size_t most_loads = 16;
    const std::vector<std::uint32_t>& all = loads->second;
    for (std::size_t i = all.size(); i-- > 0 && all.size() - i <= most_loads;) {
      const Event& load = trace_.events[all[i]];
      if ((load.mask >> lane & 1) == 0) continue;
      const std::uint32_t at = entry_of(load, lane);
      const int* written = find_written(load, at);
      if (written && *written >= 0 &&
          grid_index(trace_, *written) >= unrecorded_.last_before(load.buffer, load.grid) &&
          trace_.values[at][0] == place &&
          trace_.lanes[at].address / std::max(1, cell_bytes(load)) == std::int64_t{moves_.element[stored]})
        return std::min(step, *written);
    }
    return step;
  }

  // `o` is the origin of a value in a lane. If the value is an unchanged element of the input, returns the
  // index of this element. Otherwise, returns `none`.
  std::uint32_t given(Origin o, int lane) const {
    if (o == 0 || origin_event(o) >= trace_.events.size()) return none;
    const Event& e = trace_.events[origin_event(o)];
    if (!has_lanes(e.kind) || is_atomic(e.kind) || (e.mask >> lane & 1) == 0 || origin_part(o) >= e.parts)
      return none;
    return moves_.element[entry_of(e, lane, origin_part(o))];
  }

  std::uint32_t read(const Event& e, std::uint32_t at) {
    const Moves::Arrival* cell = find(e, at);
    if (!cell || !cell->known() || (is_global(e.kind) && is_stale(*cell, e.buffer, e.grid))) return none;
    return trace_.input[cell->from] == trace_.values[at] ? cell->from : none;
  }
  // Returns whether an unrecorded store of a launch before `grid` may have replaced the element in the cell.
  // Comparing values cannot show this, because two elements may have equal values.
  bool is_stale(const Moves::Arrival& cell, int buffer, int grid) const {
    const int stored = cell.event == none ? -1 : int{trace_.events[cell.event].grid};
    return stored < unrecorded_.last_before(buffer, grid);
  }
  void set(const Event& e, std::uint32_t at, const Moves::Arrival& arrival) {
    if (Moves::Arrival* cell = find(e, at)) *cell = arrival;
  }

  // Returns the cell that entry `at` of an event accesses, or null if the address is outside of the memory.
  Moves::Arrival* find(const Event& e, std::uint32_t at) {
    const std::int64_t address = trace_.lanes[at].address;
    const int bytes = std::max(1, cell_bytes(e));
    if (address < 0) return nullptr;
    const auto index = static_cast<std::size_t>(address / bytes);
    std::vector<Moves::Arrival>* memory = nullptr;
    if (is_shared(e.kind)) {
      memory = &shared_[std::uint64_t{e.grid} << 32 | e.block];
      if (memory->empty())
        memory->resize(trace_.grids[e.grid].shared.bytes / static_cast<unsigned>(bytes) + 1);
    } else if (e.buffer < global_.size()) {
      memory = &global_[e.buffer];
    }
    return memory && index < memory->size() ? &(*memory)[index] : nullptr;
  }

  const Trace& trace_;
  Moves& moves_;
  const UnrecordedStores unrecorded_;
  // For each buffer: its cells. Empty if the buffer's cells are not elements.
  std::vector<std::vector<Moves::Arrival>> global_;
  // For each buffer and cell: the step of the last store of a count, or -1.
  std::vector<std::vector<int>> written_;
  // For each warp: the events that loaded counts.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> count_loads_;
  // For each grid and block: shared memory, divided into cells of the size of one element. In shared memory,
  // regions of elements come first, so each element fills exactly one of these cells.
  std::unordered_map<std::uint64_t, std::vector<Moves::Arrival>> shared_;
};

// Returns the number of pairs that are in the wrong order. Counts these pairs during a merge sort of `all`.
std::int64_t inversions(std::vector<std::uint32_t>& all, CancelCheck& check_cancelled) {
  std::int64_t count = 0;
  std::vector<std::uint32_t> merged(all.size());
  for (std::size_t width = 1; width < all.size(); width *= 2) {
    for (std::size_t begin = 0; begin < all.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, all.size()),
                        end = std::min(middle + width, all.size());
      for (std::size_t to = begin, left = begin, right = middle; to < end; ++to) {
        check_cancelled();
        if (right == end || (left < middle && all[left] <= all[right])) {
          merged[to] = all[left++];
        } else {
          merged[to] = all[right++];
          count += static_cast<std::int64_t>(middle - left);
        }
      }
    }
    all.swap(merged);
  }
  return count;
}

}  // namespace

Moves moves(const Trace& trace, const Job* job) {
  Moves moves;
  CancelCheck check_cancelled(job);
  Follower follower(trace, moves);
  std::vector<std::uint32_t> order(trace.events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return trace.events[a].time < trace.events[b].time; });
  for (const std::uint32_t event : order) {
    check_cancelled();
    follower.carry_out(event);
  }
  moves.place.assign(trace.input.size(), none);
  moves.arrived_after.assign(trace.steps.size(), 0);
  const int output = trace.roles().first_output();
  if (output >= static_cast<int>(trace.buffers.size())) return moves;
  moves.output = follower.contents(output);
  moves.output.resize(trace.output.size());
  std::vector<std::uint32_t> sources;
  for (std::size_t i = 0; i < moves.output.size(); ++i) {
    Moves::Arrival& cell = moves.output[i];
    if (!cell.known()) continue;
    if (trace.input[cell.from] != trace.output[i]) {  // an unrecorded store has replaced the element
      cell = {};
      continue;
    }
    sources.push_back(cell.from);
    moves.from.include(cell.from);
    moves.to.include(static_cast<std::int64_t>(i));
    moves.arrived_after[trace.events[cell.event].step] += 1;
    if (moves.place[cell.from] == none) moves.place[cell.from] = static_cast<std::uint32_t>(i);
  }
  moves.arrived = std::ssize(sources);
  std::partial_sum(moves.arrived_after.begin(), moves.arrived_after.end(), moves.arrived_after.begin());
  moves.crossings = inversions(sources, check_cancelled);
  return moves;
}

std::uint32_t entry_at(const Trace& trace, const Event& event, int lane, std::int64_t byte) {
  if (lane < 0 || lane > 31 || !is_access(event.kind) || (event.mask >> lane & 1) == 0) return none;
  for (int part = 0; part < event.parts; ++part)
    if (const std::uint32_t entry = entry_of(event, lane, part); trace.lanes[entry].address == byte)
      return entry;
  return none;
}

}  // namespace upsweep
