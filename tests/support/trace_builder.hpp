// Builds recordings by hand. A small machine executes the requests of a test and records them.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

class TraceBuilder {
 public:
  using ByLane = std::function<int(int lane)>;

  // Makes a recording with one grid and int32 elements. pad(i) is the cell of element i.
  TraceBuilder(
      int block, int elements, int buffers = 1, ByLane pad = [](int i) { return i; }) {
    trace.settings.block = block;
    trace.settings.n = elements;
    trace.settings.type = Scalar::int32;
    trace.buffers = {{"in", Cells::elements, elements}, {"out", Cells::elements, elements}};
    trace.grids = {{.kernel = "test", .threads = block, .shared = {}}};
    SharedShape& shape = trace.grids.front().shared;
    shape.elements = elements;
    shape.buffers = buffers;
    for (int i = 0; i < elements; ++i) shape.cell.push_back(static_cast<std::uint32_t>(pad(i)));
    shape.cells_per_buffer = elements > 0 ? pad(elements - 1) + 1 : 0;
    shape.bytes = static_cast<std::uint32_t>(buffers * shape.cells_per_buffer * 4);
    memory_.resize(shape.bytes / 4);
  }

  // Begins another launch. Its shared memory has the same regions and sizes as in the first launch.
  void grid(const std::string& kernel, int blocks, int threads, int parent = -1) {
    Grid g{.kernel = kernel, .blocks = blocks, .threads = threads, .shared = trace.grids.front().shared};
    g.first_step = static_cast<std::uint32_t>(trace.steps.size());
    g.parent = parent;
    if (parent >= 0) {
      g.depth = trace.grids[static_cast<std::size_t>(parent)].depth + 1;
      for (std::size_t i = 0; i < trace.events.size(); ++i)
        if (trace.events[i].kind == Kind::launch) g.parent_event = static_cast<std::uint32_t>(i);
    }
    trace.grids.push_back(g);
    block_ = 0;
    next_step_ = g.first_step;
    std::fill(memory_.begin(), memory_.end(), 0);
  }
  // Adds a buffer in global memory, filled with zeros. Returns the index of the buffer.
  int buffer(const std::string& name, int count, Cells cells = Cells::elements) {
    trace.buffers.push_back({name, cells, count});
    return static_cast<int>(trace.buffers.size()) - 1;
  }
  // Adds a region after the existing shared memory. Returns the index of its first cell.
  int region(const std::string& name, int count, Cells cells = Cells::elements) {
    SharedShape& shape = trace.grids.back().shared;
    shape.more.push_back({name, cells, shape.bytes, static_cast<std::uint32_t>(count)});
    const int first = static_cast<int>(shape.bytes / 4);
    shape.bytes += static_cast<std::uint32_t>(count) * 4;
    memory_.resize(shape.bytes / 4);
    return first;
  }

  // Begins block `index`. Requires that requests are added in canonical order: by grid, block, step and warp.
  void block(std::uint32_t index) {
    block_ = index;
    Grid& g = trace.grids.back();
    g.blocks = std::max(g.blocks, static_cast<int>(index) + 1);
    std::fill(memory_.begin(), memory_.end(), 0);
    next_step_ = g.first_step;
    warp_ = 0;
  }
  void step(Phase phase, int stride = 0, bool after_barrier = true) {
    Grid& g = trace.grids.back();
    step_ = next_step_++;
    if (step_ == trace.steps.size()) trace.steps.push_back({phase, stride});
    g.steps = std::max(g.steps, step_ + 1 - g.first_step);
    if (step_ == g.first_step || !after_barrier) return;
    Snapshot s{block_, step_, std::vector<std::uint8_t>(memory_.size() * 4)};
    std::memcpy(s.bytes.data(), memory_.data(), s.bytes.size());
    trace.snapshots.push_back(s);
  }
  void warp(int w) { warp_ = w; }
  void line(int l) { line_ = l; }
  void barrier(std::uint32_t mask) { event(Kind::barrier, mask); }
  void warp_barrier(std::uint32_t mask) { event(Kind::warp_barrier, mask); }
  void fence(std::uint32_t mask, Scope scope = Scope::device) {
    event(Kind::fence, mask);
    trace.events.back().detail = static_cast<std::uint8_t>(scope);
  }

  // Each of the following functions adds an event. If the event produces values, the function returns their
  // origin: a number that names the event. Cell 0 is at the beginning of shared memory.
  Origin load_cell(std::uint32_t mask, const ByLane& cell) {
    const Origin made = event(Kind::shared_load, mask, [&](int lane, Lane& l) {
      l.address = cell(lane) * 4;
      return memory_[cell(lane)];
    });
    name_region();
    return made;
  }
  void store_cell(std::uint32_t mask, const ByLane& cell, Origin value, int constant = 0) {
    event(Kind::shared_store, mask, [&](int lane, Lane& l) {
      l.address = cell(lane) * 4;
      l.left = value;
      return memory_[cell(lane)] = value ? value_of(value, lane) : constant;
    });
    name_region();
  }
  Origin load(std::uint32_t mask, const ByLane& element, int buffer = 0) {
    return load_cell(mask, [&](int lane) { return cell(element(lane), buffer); });
  }
  void store(std::uint32_t mask, const ByLane& element, Origin value, int constant = 0, int buffer = 0) {
    store_cell(
        mask, [&](int lane) { return cell(element(lane), buffer); }, value, constant);
  }
  Origin read_input(std::uint32_t mask, const ByLane& element, const ByLane& value) {
    return event(Kind::global_load, mask, [&](int lane, Lane& l) {
      l.address = element(lane) * 4;
      return value(lane);
    });
  }
  // Loads `parts` elements of a buffer, beginning at element(lane). An element that was never stored is 0.
  Origin load_global(std::uint32_t mask, int buffer, const ByLane& element, int parts = 1) {
    const Origin made = many(Kind::global_load, mask, parts, [&](int lane, int part, Lane& l) {
      l.address = (element(lane) + part) * 4;
      return global_[{buffer, element(lane) + part}];
    });
    trace.events.back().buffer = static_cast<std::uint8_t>(buffer);
    return made;
  }
  void store_global(std::uint32_t mask, int buffer, const ByLane& element, Origin value, int constant = 0) {
    event(Kind::global_store, mask, [&](int lane, Lane& l) {
      l.address = element(lane) * 4;
      l.left = value;
      return global_[{buffer, element(lane)}] = value ? value_of(value, lane) : constant;
    });
    trace.events.back().buffer = static_cast<std::uint8_t>(buffer);
  }
  void write_output(std::uint32_t mask, const ByLane& element, Origin value) {
    store_global(mask, 1, element, value);
  }
  // Combines two values with the operator `or`. If each input is a single bit, the bits of a value show from
  // which inputs the value was computed.
  Origin combine(std::uint32_t mask, Origin left, Origin right) {
    return event(Kind::operation, mask, [&](int lane, Lane& l) {
      l.left = left;
      l.right = right;
      return (left ? value_of(left, lane) : 0) | (right ? value_of(right, lane) : 0);
    });
  }
  Origin shuffle(std::uint32_t mask, Shuffle how, const ByLane& from, Origin value) {
    const Origin made = event(Kind::shuffle, mask, [&](int lane, Lane& l) {
      l.address = from(lane);
      l.left = value;
      return value_of(value, from(lane));
    });
    trace.events.back().detail = static_cast<std::uint8_t>(how);
    return made;
  }
  void ballot(std::uint32_t mask, const ByLane& condition) {
    std::uint32_t votes = 0;
    for (int lane = 0; lane < 32; ++lane)
      votes |= (mask >> lane & 1) != 0 && condition(lane) != 0 ? 1u << lane : 0;
    event(Kind::vote, mask, [&](int, Lane&) { return static_cast<int>(votes); });
  }
  // Applies an atomic `or` in one lane after another. Returns the origin of the values before this operation.
  Origin atomic(std::uint32_t mask, int buffer, const ByLane& element, Origin value, int constant = 0,
                Atomic how = Atomic::combine) {
    const Origin made = many(Kind::global_atomic, mask, 2, [&](int lane, int part, Lane& l) {
      l.address = element(lane) * 4;
      l.left = value;
      int& there = global_[{buffer, element(lane)}];
      if (part == 0) return there;
      return there = there | (value ? value_of(value, lane) : constant);
    });
    trace.events.back().buffer = static_cast<std::uint8_t>(buffer);
    trace.events.back().detail = static_cast<std::uint8_t>(how);
    return made;
  }
  // Lane 0 starts the next grid.
  void launch(ChildLaunch how = ChildLaunch::tail) {
    event(Kind::launch, 1, [&](int, Lane& l) {
      l.address = static_cast<std::int64_t>(trace.grids.size());
      return 0;
    });
    trace.events.back().detail = static_cast<std::uint8_t>(how);
  }
  void volatile_access() { trace.events.back().flags |= is_volatile; }

  Trace trace;

 private:
  using Play = std::function<int(int lane, Lane&)>;
  using PlayPart = std::function<int(int lane, int part, Lane&)>;

  int cell(int element, int buffer) const {
    const SharedShape& shape = trace.grids.back().shared;
    return buffer * shape.cells_per_buffer + static_cast<int>(shape.cell[element]);
  }
  int value_of(Origin origin, int lane) const {
    const Event& e = trace.events[origin_event(origin)];
    if ((e.mask >> lane & 1) == 0) return 0;
    return static_cast<int>(trace.values[entry_of(e, lane, origin_part(origin))][0]);
  }
  // Finds the region of shared memory that contains the address of the last event's first lane. Stores the
  // region in this event.
  void name_region() {
    Event& e = trace.events.back();
    if (e.mask == 0) return;
    const auto address = trace.lanes[e.first].address;
    const auto& more = trace.grids.back().shared.more;
    for (std::size_t r = 0; r < more.size(); ++r)
      if (address >= more[r].first) e.buffer = static_cast<std::uint8_t>(r + 1);
  }
  Origin event(Kind kind, std::uint32_t mask, const Play& play = {}) {
    return many(kind, mask, 1, [&](int lane, int, Lane& l) { return play(lane, l); });
  }
  Origin many(Kind kind, std::uint32_t mask, int parts, const PlayPart& play) {
    Event e{};
    e.kind = kind;
    e.parts = static_cast<std::uint8_t>(parts);
    e.width = static_cast<std::uint8_t>(is_atomic(kind) ? 4 : 4 * parts);
    e.warp = static_cast<std::uint16_t>(warp_);
    e.line = static_cast<std::uint16_t>(line_);
    e.grid = static_cast<std::uint16_t>(trace.grids.size() - 1);
    e.block = block_;
    e.step = step_;
    e.mask = mask;
    e.first = static_cast<std::uint32_t>(trace.lanes.size());
    e.time = static_cast<std::uint32_t>(trace.events.size());
    if (has_lanes(kind))
      for (int lane = 0; lane < 32; ++lane)
        for (int part = 0; part < parts && (mask >> lane & 1) != 0; ++part) {
          Lane l;
          const int value = play(lane, part, l);
          trace.lanes.push_back(l);
          trace.values.push_back({static_cast<std::uint32_t>(value), 0, 0, 0});
        }
    trace.events.push_back(e);
    return origin_of(static_cast<std::uint32_t>(trace.events.size() - 1));
  }

  std::vector<int> memory_;
  std::map<std::pair<int, int>, int> global_;  // the key is the buffer and the element
  std::uint32_t block_ = 0, step_ = 0, next_step_ = 0;
  int warp_ = 0, line_ = 1;
};

}  // namespace upsweep
