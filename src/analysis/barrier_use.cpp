#include "analysis/barrier_use.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

struct Touch {
  std::uint32_t event = 0, value = 0;
  int lane = 0, thread = -1;
  bool atomic = false;
};

// The accesses to one cell before and after the barrier.
struct CellUse {
  Touch stored;               // the last store before the barrier
  Touch read, read_by_other;  // two reads before the barrier, by different threads
  int stored_after = -1;      // the last thread that stored after the barrier
};

class TouchReader {
 public:
  TouchReader(const Trace& trace, int block) : trace_(trace), block_(block) {}

  // Calls f(cell, address, touch, loads, stores) for each access to a cell by a thread of the block, in the
  // steps first_step to end_step - 1. The calls for each warp are in program order.
  template <class F>
  void for_each_touch(int first_step, int end_step, F f) {
    for (int step = first_step; step < end_step; ++step) {
      const EventRange range = step_events(trace_, block_, step);
      for (std::size_t i = range.first; i < range.last; ++i) {
        const Event& e = trace_.events[i];
        if (!is_access(e.kind)) continue;
        const std::uint64_t memory = is_shared(e.kind) ? 0 : 1u + e.buffer;
        for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
          const std::int64_t address = trace_.lanes[at].address;
          f(cells_[memory << 48 | (static_cast<std::uint64_t>(address) & 0xFFFFFFFFFFFFu)], address,
            Touch{static_cast<std::uint32_t>(i), value, lane, thread_of(e, lane), is_atomic(e.kind)},
            !is_store(e.kind), !is_load(e.kind));
        });
      }
    }
  }

 private:
  const Trace& trace_;
  const int block_;
  std::unordered_map<std::uint64_t, CellUse> cells_;
};

bool has_barrier(const Recording& r, int block, int step) {
  const EventRange range = step_events(r.trace, block, step);
  const auto begin = r.trace.events.begin();
  return std::any_of(begin + static_cast<std::ptrdiff_t>(range.first),
                     begin + static_cast<std::ptrdiff_t>(range.last),
                     [](const Event& e) { return e.kind == Kind::barrier; });
}

}  // namespace

int barrier_before(const Recording& recording, int block, int step) {
  const Trace& trace = recording.trace;
  if (recording.launch_totals(step).barriers == 0)
    return -1;  // otherwise, all earlier events would be examined
  const std::size_t first = block_events(trace, grid_index(trace, step), block).first;
  for (std::size_t i = step_events(trace, block, step).first; i-- > first;)
    if (trace.events[i].kind == Kind::barrier) return static_cast<int>(trace.events[i].step);
  return -1;
}

int barrier_after(const Recording& recording, int block, int step) {
  const Trace& trace = recording.trace;
  if (recording.launch_totals(step).barriers == 0) return -1;
  const std::size_t end = block_events(trace, grid_index(trace, step), block).last;
  for (std::size_t i = step_events(trace, block, step).first; i < end; ++i)
    if (trace.events[i].kind == Kind::barrier) return static_cast<int>(trace.events[i].step);
  return -1;
}

std::optional<BarrierUse> barrier_use(const Recording& recording, int block, int step, std::size_t most) {
  const Trace& trace = recording.trace;
  if (!has_barrier(recording, block, step)) return {};
  BarrierUse use{.step = step};
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last && use.line == 0; ++i)
    if (trace.events[i].kind == Kind::barrier) use.line = trace.events[i].line;

  const int before = barrier_before(recording, block, step);
  const int first =
      before < 0 ? static_cast<int>(trace.grid_of(static_cast<std::uint32_t>(step)).first_step) : before + 1;
  const int end = end_step(trace, grid_index(trace, step));
  const int after = step + 1 < end ? barrier_after(recording, block, step + 1) : -1;

  const EventRange all{step_events(trace, block, first).first,
                       step_events(trace, block, after < 0 ? end - 1 : after).last};
  if (lane_entries(trace, all).count > most) return {};
  TouchReader touches(trace, block);
  touches.for_each_touch(first, step + 1,
                         [](CellUse& cell, std::int64_t, const Touch& touch, bool loads, bool stores) {
                           if (stores) cell.stored = touch;
                           if (!loads) return;
                           if (cell.read.thread < 0) cell.read = touch;
                           else if (cell.read.thread != touch.thread) cell.read_by_other = touch;
                         });
  const auto cross = [&](std::int64_t& count, std::optional<Crossing>& shown, const Touch& then,
                         const Touch& now, std::int64_t address) {
    ++count;
    use.within_warps = use.within_warps && then.thread / 32 == now.thread / 32;
    if (!shown) shown = {then.event, now.event, then.lane, now.lane, then.value, now.value, address};
  };
  touches.for_each_touch(
      step + 1, after < 0 ? end : after + 1,
      [&](CellUse& cell, std::int64_t address, const Touch& touch, bool loads, bool stores) {
        const bool follows_other = cell.stored.thread >= 0 && cell.stored.thread != touch.thread &&
                                   !(cell.stored.atomic && touch.atomic);
        // A load counts only if no store to the cell comes between the barrier and the load. After such a
        // store, the load reads a newer value. An atomic always counts, because an atomic also changes the
        // cell.
        if (loads && follows_other && (touch.atomic || cell.stored_after < 0))
          cross(use.reads, use.read, cell.stored, touch, address);
        if (!stores) return;
        if (follows_other) cross(use.rewrites, use.rewrite, cell.stored, touch, address);
        const Touch& other =
            cell.read.thread >= 0 && cell.read.thread != touch.thread ? cell.read : cell.read_by_other;
        if (other.thread >= 0 && other.thread != touch.thread && !(other.atomic && touch.atomic))
          cross(use.overwrites, use.overwrite, other, touch, address);
        cell.stored_after = touch.thread;
      });
  return use;
}

}  // namespace upsweep
