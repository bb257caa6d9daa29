#include "analysis/span.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "analysis/cancellable.hpp"

namespace upsweep {
namespace {

// Returns the lanes that apply the operator in an event.
std::uint32_t operating_lanes(const Event& e) {
  if (e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) == Shuffle::reduce_add) {
    // The instruction adds the values in a tree. In the first level of this tree, half of the lanes apply the
    // operator. Each later level needs only some of these lanes.
    std::uint32_t lanes = 0;
    for (std::uint32_t rest = e.mask; std::popcount(rest) > 1; rest &= rest - 1) {
      lanes |= rest & -rest;
      rest &= rest - 1;
    }
    return lanes;
  }
  const bool combines = is_atomic(e.kind) && static_cast<Atomic>(e.detail) == Atomic::combine;
  return e.kind == Kind::operation || combines ? e.mask : 0;
}

// Follows the values through the events, in the order of time. The depth of a value is the number of
// operations in the longest chain that computed the value.
class Depths {
 public:
  explicit Depths(const Trace& trace) : t_(trace), of_entry_(trace.lanes.size()) {}

  // Leaves `operating` empty in the result.
  Span follow(CancelCheck& check_cancelled) {
    std::vector<std::uint32_t> order(t_.events.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto time = [&](std::uint32_t i) { return t_.events[i].time; };
    if (!std::ranges::is_sorted(order, {}, time)) std::ranges::stable_sort(order, {}, time);
    for (const std::uint32_t i : order) {
      check_cancelled();
      take(t_.events[i]);
    }
    const auto most = std::ranges::max_element(at_depth_);
    return {static_cast<std::int64_t>(at_depth_.size()), {}, most == at_depth_.end() ? 0 : *most};
  }

 private:
  void take(const Event& e) {
    switch (e.kind) {
      case Kind::shared_load:
      case Kind::global_load: return load(e);
      case Kind::shared_store:
      case Kind::global_store: return store(e);
      case Kind::shared_atomic:
      case Kind::global_atomic:
        if (static_cast<Atomic>(e.detail) == Atomic::combine) combine(e);
        return;
      case Kind::operation: return operate(e);
      case Kind::shuffle:
        return static_cast<Shuffle>(e.detail) == Shuffle::reduce_add ? add_up(e) : exchange(e);
      default: return;
    }
  }

  void load(const Event& e) {
    if (t_.cells_of(e) == Cells::words) return;
    for_each_lane(e, [&](int, std::uint32_t entry) {
      if (const std::uint32_t* depth = cell(e, entry)) of_entry_[entry] = *depth;
    });
  }
  void store(const Event& e) {
    if (t_.cells_of(e) == Cells::words) return;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      if (std::uint32_t* depth = cell(e, entry)) *depth = depth_of(t_.lanes[entry].left, lane);
    });
  }
  void combine(const Event& e) {
    for (std::uint32_t rest = e.mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const std::uint32_t entry = entry_of(e, lane);
      if (std::uint32_t* depth = cell(e, entry))
        *depth = noted(std::max(*depth, depth_of(t_.lanes[entry].left, lane)) + 1);
    }
  }
  void operate(const Event& e) {
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const Lane& l = t_.lanes[entry];
      of_entry_[entry] = noted(std::max(depth_of(l.left, lane), depth_of(l.right, lane)) + 1);
    });
  }
  void exchange(const Event& e) {
    for_each_lane(e, [&](int, std::uint32_t entry) {
      const Lane& l = t_.lanes[entry];
      of_entry_[entry] = depth_of(l.left, static_cast<int>(l.address & 31));
    });
  }
  void add_up(const Event& e) {
    std::uint32_t depth = 0;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      depth = std::max(depth, depth_of(t_.lanes[entry].left, lane));
    });
    for (int lanes = std::popcount(e.mask); lanes > 1; lanes -= lanes / 2) noted(++depth, lanes / 2);
    for_each_lane(e, [&](int, std::uint32_t entry) { of_entry_[entry] = depth; });
  }

  // Adds `applications` to the number of operations whose results have this depth. Returns the depth.
  std::uint32_t noted(std::uint32_t depth, int applications = 1) {
    if (at_depth_.size() < depth) at_depth_.resize(depth);
    at_depth_[depth - 1] += applications;
    return depth;
  }

  // Returns the depth of the value with origin `o` in this lane.
  std::uint32_t depth_of(Origin o, int lane) const {
    if (o == 0 || origin_event(o) >= t_.events.size()) return 0;
    const Event& from = t_.events[origin_event(o)];
    if (!has_lanes(from.kind) || (from.mask >> lane & 1) == 0 || origin_part(o) >= from.parts) return 0;
    return of_entry_[entry_of(from, lane, origin_part(o))];
  }

  // Returns a pointer to the stored depth of the value in an accessed cell. Returns null if the access is
  // outside the memory.
  std::uint32_t* cell(const Event& e, std::uint32_t entry) {
    const bool global = is_global(e.kind);
    constexpr std::int64_t narrowest = 2;  // bytes of the smallest cell in shared memory
    const std::int64_t bytes = is_atomic(e.kind) ? e.width : e.width / e.parts,
                       size = global ? t_.buffers[e.buffer].count * bytes : t_.grids[e.grid].shared.bytes,
                       address = t_.lanes[entry].address;
    if (address < 0 || address >= size) return nullptr;
    const auto place = static_cast<std::uint64_t>(address / (global ? bytes : narrowest));
    return global ? &global_[std::uint64_t{e.buffer} << 48 | place]
                  : &shared_[std::uint64_t{e.grid} << 48 | std::uint64_t{e.block} << 17 | place];
  }

  const Trace& t_;
  std::vector<std::uint32_t> of_entry_;  // for each lane entry: the depth of its value
  // The depth of each accessed cell's value. Other cells have no entry, because a buffer may be very large. A
  // key of `global_` consists of buffer and cell. A key of `shared_` consists of grid, block (31 bits) and
  // address (17 bits, in units of two bytes).
  std::unordered_map<std::uint64_t, std::uint32_t> global_, shared_;
  std::vector<std::int64_t> at_depth_;  // [d - 1]: the number of operations whose results have depth d
};

// Returns the number of threads that apply the operator in each step. Requires that the events of one warp in
// one step are adjacent in the trace.
std::vector<std::uint32_t> operating_threads(const Trace& t) {
  std::vector<std::uint32_t> threads(t.steps.size());
  for (std::size_t i = 0; i < t.events.size();) {
    const Event& first = t.events[i];
    std::uint32_t lanes = 0;
    for (; i < t.events.size(); ++i) {
      const Event& e = t.events[i];
      if (e.step != first.step || e.block != first.block || e.warp != first.warp) break;
      lanes |= operating_lanes(e);
    }
    threads[first.step] += static_cast<std::uint32_t>(std::popcount(lanes));
  }
  return threads;
}

}  // namespace

std::optional<Span> span_of_events(const Trace& trace, Job* job) {
  if (trace.dropped > 0 || !std::ranges::all_of(trace.runs, &BlockRun::in_focus)) return {};
  CancelCheck check_cancelled(job);
  Span span = Depths(trace).follow(check_cancelled);
  span.operating = operating_threads(trace);
  return span;
}

std::optional<Span> span(const Trace& trace, Job* job) {
  if (trace.span < 0 || trace.operating.size() != trace.steps.size()) return span_of_events(trace, job);
  // The largest number of lane entries to follow. More entries would delay the first picture.
  constexpr std::size_t most_to_follow = 1 << 21;
  const auto followed = trace.lanes.size() <= most_to_follow ? span_of_events(trace, job) : std::nullopt;
  return Span{trace.span, trace.operating, followed ? followed->widest : -1};
}

}  // namespace upsweep
