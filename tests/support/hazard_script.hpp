// Builds recordings for the hazard analysis, one request after another.
#pragma once
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

using ByLane = std::function<int(int lane)>;

inline constexpr std::uint32_t all = ~0u;
inline constexpr std::uint32_t one(int lane) { return 1u << lane; }
inline int own(int lane) { return lane; }
inline ByLane at(int cell) {
  return [=](int) { return cell; };
}

// Builds a recording from warp requests. A test must add the requests of all blocks and warps in the order of
// issue. Elements are int32.
class Script {
 public:
  // Global memory: in (64 elements), out (64 elements), flags (16 words), sums (64 elements).
  explicit Script(int blocks = 1, int threads = 64, int cells = 128) {
    t.settings.type = Scalar::int32;
    t.settings.block = threads;
    t.grids[0].kernel = "test";
    t.grids[0].blocks = blocks;
    t.grids[0].threads = threads;
    SharedShape& shape = t.grids[0].shared;
    shape.name = "temp";
    shape.elements = shape.cells_per_buffer = cells;
    for (int i = 0; i < cells; ++i) shape.cell.push_back(static_cast<std::uint32_t>(i));
    shape.more = {{"flag", Cells::words, static_cast<std::uint32_t>(cells) * 4, 4}};
    shape.bytes = static_cast<std::uint32_t>(cells) * 4 + 16;
    t.buffers = {{"in", Cells::elements, 64},
                 {"out", Cells::elements, 64},
                 {"flags", Cells::words, 16},
                 {"sums", Cells::elements, 64}};
    t.steps = {{Phase::load, 0}};
    t.grids[0].steps = 1;
  }
  int child(int parent, std::uint32_t block, int warp, int lane, ChildLaunch how, int line) {
    Grid g = t.grids[0];
    g.parent = parent;
    g.depth = t.grids[static_cast<std::size_t>(parent)].depth + 1;
    g.first_step = static_cast<std::uint32_t>(t.steps.size());
    t.steps.push_back({Phase::reduce, 0});
    const int index = static_cast<int>(t.grids.size());
    grid(parent);
    push(Kind::launch, block, warp, one(lane), line, at(index), {}, 0, 0, static_cast<int>(how));
    t.grids.push_back(g);
    launches.emplace_back(t.events.size() - 1, index);
    grid(index);
    return index;
  }
  int launch() {
    t.grids.push_back(t.grids[0]);
    t.grids.back().first_step = static_cast<std::uint32_t>(t.steps.size());
    t.steps.push_back({Phase::reduce, 0});
    grid(static_cast<int>(t.grids.size()) - 1);
    return static_cast<int>(t.grids.size()) - 1;
  }
  void grid(int g) { grid_ = g; }

  void write(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell,
             const ByLane& value = own) {
    push(Kind::shared_store, block, warp, mask, line, cell, value);
  }
  void read(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell) {
    push(Kind::shared_load, block, warp, mask, line, cell, {});
  }
  enum Buffer { in, out, flags, sums };
  void store(Buffer b, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell,
             const ByLane& value = own, int how = 0) {
    push(Kind::global_store, block, warp, mask, line, cell, value, b, how);
  }
  void load(Buffer b, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& cell,
            int value = 0, int how = 0) {
    push(Kind::global_load, block, warp, mask, line, cell, at(value), b, how);
  }
  void atomic(Buffer b, std::uint32_t block, int warp, int lane, int line, int cell, int before, int after) {
    push(Kind::global_atomic, block, warp, one(lane), line, at(cell), at(before), b, 0,
         static_cast<int>(Atomic::add), after);
  }
  void barrier(std::uint32_t block, int warp, int line, std::uint32_t mask = all) {
    push(Kind::barrier, block, warp, mask, line, {}, {});
  }
  void barriers(std::uint32_t block, int line) {
    for (int w = 0; w < t.grids[static_cast<std::size_t>(grid_)].warps(); ++w) barrier(block, w, line);
  }
  void syncwarp(std::uint32_t block, int warp, std::uint32_t mask, int line) {
    push(Kind::warp_barrier, block, warp, mask, line, {}, {});
  }
  void fence(std::uint32_t block, int warp, std::uint32_t mask, int line, Scope scope = Scope::device) {
    push(Kind::fence, block, warp, mask, line, {}, {}, 0, 0, static_cast<int>(scope));
  }
  void shuffle(std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& from) {
    push(Kind::shuffle, block, warp, mask, line, [&](int l) { return from(l); }, {});
    for (std::size_t i = 0; i < t.lanes.size(); ++i)
      if (i >= t.events.back().first) t.lanes[i].address /= 4;
  }
  // Returns the trace in canonical order: by grid, block, step and warp.
  Trace trace() {
    std::vector<std::uint32_t> order(t.events.size()), place(t.events.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
      const Event &x = t.events[a], &y = t.events[b];
      return std::tuple(x.grid, x.block, x.step, x.warp) < std::tuple(y.grid, y.block, y.step, y.warp);
    });
    Trace sorted = t;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.events[i] = t.events[order[i]];
      place[order[i]] = static_cast<std::uint32_t>(i);
    }
    for (const auto& [event, g] : launches)
      sorted.grids[static_cast<std::size_t>(g)].parent_event = place[event];
    return sorted;
  }
  Trace t;

 private:
  void push(Kind kind, std::uint32_t block, int warp, std::uint32_t mask, int line, const ByLane& address,
            const ByLane& value, int buffer = 0, int flags = 0, int detail = 0, int after = 0) {
    Event e{};
    e.kind = kind;
    e.width = 4;
    e.buffer = static_cast<std::uint8_t>(buffer);
    e.detail = static_cast<std::uint8_t>(detail);
    e.flags = static_cast<std::uint8_t>(flags);
    e.parts = is_atomic(kind) ? 2 : 1;
    e.warp = static_cast<std::uint16_t>(warp);
    e.line = static_cast<std::uint16_t>(line);
    e.grid = static_cast<std::uint16_t>(grid_);
    e.block = block;
    e.step = t.grids[static_cast<std::size_t>(grid_)].first_step;
    e.mask = mask;
    e.first = static_cast<std::uint32_t>(t.lanes.size());
    e.time = static_cast<std::uint32_t>(t.events.size()) * 3;
    if (has_lanes(kind))
      for (int lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::int64_t a = kind == Kind::launch ? address(lane) : address ? address(lane) * 4 : 0;
        t.lanes.push_back({a, 0, 0});
        t.values.push_back({value ? static_cast<std::uint32_t>(value(lane)) : 0, 0, 0, 0});
        if (is_atomic(kind)) {
          t.lanes.push_back({a, 0, 0});
          t.values.push_back({static_cast<std::uint32_t>(after), 0, 0, 0});
        }
      }
    t.events.push_back(e);
  }
  int grid_ = 0;
  std::vector<std::pair<std::size_t, int>> launches;  // the launching event, and the child grid
};

}  // namespace upsweep
