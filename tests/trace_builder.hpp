// Recordings made by hand: a small machine that plays what a test tells it, request by request, and writes it
// down.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

class TraceBuilder {
 public:
  using ByLane = std::function<int(int lane)>;

  // int32 elements; pad(i) is the cell of element i.
  TraceBuilder(
      int block, int elements, int buffers = 1, ByLane pad = [](int i) { return i; }) {
    trace.settings.block = block;
    trace.grids = {{.kernel = "test", .threads = block}};
    trace.settings.n = elements;
    trace.settings.type = Scalar::int32;
    trace.grids.front().shared.elements = elements;
    trace.grids.front().shared.buffers = buffers;
    for (int i = 0; i < elements; ++i) trace.grids.front().shared.cell.push_back(pad(i));
    trace.grids.front().shared.cells_per_buffer = pad(elements - 1) + 1;
    memory_.resize(buffers * trace.grids.front().shared.cells_per_buffer);
  }

  // Requests must come in canonical order: by block, step, warp.
  void block(std::uint32_t index) {
    block_ = index;
    trace.grids.front().blocks = static_cast<int>(index) + 1;
    std::fill(memory_.begin(), memory_.end(), 0);
    next_step_ = 0;
  }
  void step(Phase phase, int stride = 0, bool after_barrier = true) {
    step_ = next_step_++;
    if (step_ == trace.steps.size()) trace.steps.push_back({phase, stride});
    if (step_ == 0 || !after_barrier) return;
    Snapshot s{block_, step_, std::vector<std::uint8_t>(memory_.size() * 4)};
    std::memcpy(s.bytes.data(), memory_.data(), s.bytes.size());
    trace.snapshots.push_back(s);
  }
  void warp(int w) { warp_ = w; }
  void line(int l) { line_ = l; }
  void barrier(std::uint32_t mask) { event(Kind::barrier, mask); }

  // Each gives the origin of what it produced. Cells count from the beginning of shared memory.
  Origin load_cell(std::uint32_t mask, const ByLane& cell) {
    return event(Kind::shared_load, mask, [&](int lane, Lane& l) {
      l.address = cell(lane) * 4;
      return memory_[cell(lane)];
    });
  }
  void store_cell(std::uint32_t mask, const ByLane& cell, Origin value, int constant = 0) {
    event(Kind::shared_store, mask, [&](int lane, Lane& l) {
      l.address = cell(lane) * 4;
      l.left = value;
      return memory_[cell(lane)] = value ? value_of(value, lane) : constant;
    });
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
  void write_output(std::uint32_t mask, const ByLane& element, Origin value) {
    event(Kind::global_store, mask, [&](int lane, Lane& l) {
      l.address = element(lane) * 4;
      l.left = value;
      return value_of(value, lane);
    });
    trace.events.back().buffer = 1;
  }
  // The operator is `or`, so that inputs of one bit each show in a value which of them went into it.
  Origin combine(std::uint32_t mask, Origin left, Origin right) {
    return event(Kind::operation, mask, [&](int lane, Lane& l) {
      l.left = left;
      l.right = right;
      return (left ? value_of(left, lane) : 0) | (right ? value_of(right, lane) : 0);
    });
  }

  Trace trace;

 private:
  using Play = std::function<int(int lane, Lane&)>;

  int cell(int element, int buffer) const {
    return buffer * trace.grids.front().shared.cells_per_buffer + static_cast<int>(trace.grids.front().shared.cell[element]);
  }
  int value_of(Origin origin, int lane) const {
    return static_cast<int>(trace.values[entry_of(trace.events[origin - 1], lane)][0]);
  }
  Origin event(Kind kind, std::uint32_t mask, const Play& play = {}) {
    Event e{};
    e.kind = kind;
    e.width = 4;
    e.warp = static_cast<std::uint16_t>(warp_);
    e.line = static_cast<std::uint16_t>(line_);
    e.block = block_;
    e.step = step_;
    e.mask = mask;
    e.first = static_cast<std::uint32_t>(trace.lanes.size());
    if (kind != Kind::barrier)
      for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        Lane l;
        const int value = play(lane, l);
        trace.lanes.push_back(l);
        trace.values.push_back({static_cast<std::uint32_t>(value), 0, 0, 0});
      }
    trace.events.push_back(e);
    return static_cast<Origin>(trace.events.size());
  }

  std::vector<int> memory_;
  std::uint32_t block_ = 0, step_ = 0, next_step_ = 0;
  int warp_ = 0, line_ = 1;
};

}  // namespace upsweep
