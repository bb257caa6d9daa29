// Makes random recordings of runs that never happened. The recordings are consistent (see
// trace/consistency.hpp) and use all features of a trace.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

class RandomTrace {
 public:
  explicit RandomTrace(unsigned seed) : random_(seed) {}

  Trace make() {
    t_ = {};
    describe();
    launches();
    for (std::size_t g = 0; g < t_.grids.size(); ++g) grid(g);
    children();
    snapshots();
    totals();
    clock();
    return std::move(t_);
  }

  int divisor(int number) {
    int d = 1 + any(number);
    while (number % d != 0) --d;
    return d;
  }
  int any(std::int64_t below) {
    return static_cast<int>(std::uniform_int_distribution<std::int64_t>(0, below - 1)(random_));
  }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

 private:
  void describe() {
    Settings& s = t_.settings;
    s.algorithm = any(4) == 0 ? "not_yet_invented" : "scan_blelloch";
    s.n = 1 + any(100);
    s.block = 32 * (1 + any(3));
    s.type = static_cast<Scalar>(any(std::size(scalar_names)));
    s.op = static_cast<Operator>(any(5));
    s.choose("layout", any(2) ? "none" : "i + (i >> 5)");
    s.grid = 1 + any(8);
    if (any(2)) s.choices = {{"tail", "syncwarp"}, {"fold", "4"}};
    if (any(3) == 0) s.columns = divisor(s.n);
    s.without_barrier = any(2) * 3;
    t_.machine = static_cast<MachineKind>(any(2));
    t_.device = "a device";
    if (any(2)) t_.driver = 13020, t_.nvrtc = 12090;
    t_.date = "2026-11-21T13:23:15Z";
    t_.state = "upsweep:1?step=1";
    t_.program = "0.1.0";
    t_.file = "kernels/not_yet_invented.cuh";
    for (int i = 0; i < 20; ++i) t_.text += fmt::format("line {}\n", i + 1);
    if (any(3) == 0) stop();
    t_.dropped = static_cast<std::uint64_t>(any(3));
    t_.input = values(static_cast<std::size_t>(s.n));
    t_.output = values(static_cast<std::size_t>(any(2) ? 1 : s.n));
    t_.buffers = {{"in", Cells::elements, s.n},
                  {"out", Cells::elements, static_cast<std::int64_t>(t_.output.size())},
                  {"flags", Cells::words, 1 + any(40)},
                  {"sums", Cells::elements, 1 + any(40)}};
    if (t_.element_bytes() <= most_message_element)
      t_.buffers.push_back({"messages", Cells::messages, 1 + any(40)});
    if (any(2)) t_.buffers.push_back({"counts", Cells::counts, 1 + any(40)});
    if (any(2)) t_.buffers.push_back({"totals", Cells::count_messages, 1 + any(40)});
    if (any(2)) t_.buffers.push_back({"pixels", Cells::pixels, 1 + any(40)});
    if (any(2) && has_pairs()) t_.buffers.push_back({"ys", Cells::numbers, 1 + any(40)});
    for (int more = any(3); more > 0; --more) {
      t_.buffers.insert(t_.buffers.begin() + 1, {"more", Cells::words, 5});
      t_.more_inputs.push_back(values(5));
    }
    for (int more = any(3); more > 0; --more) {
      t_.buffers.insert(t_.buffers.begin() + t_.roles().first_scratch(), {"extra", Cells::counts, 7});
      t_.more_outputs.push_back(values(7));
    }
  }

  void stop() {
    Stopped& s = t_.stopped;
    s.kind = static_cast<Stop>(1 + any(4));
    for (int i = any(4); i > 0; --i) {
      StoppedThreads p{static_cast<Wait>(any(7)),
                       static_cast<std::uint32_t>(any(20)),
                       0,
                       static_cast<std::uint32_t>(any(3)),
                       {}};
      for (std::uint32_t t = 0; t < 64; ++t)
        if (any(4) == 0) p.threads.push_back(t);
      s.places.push_back(std::move(p));
    }
    s.rounds = static_cast<std::uint64_t>(any(1 << 20));
    s.elements = static_cast<std::uint32_t>(any(5));
    s.first_element = any(100) - 50;
  }

  bool has_pairs() const { return scalars_per_element(t_.settings.op) == 2; }

  Value value() {
    Value v{};
    for (int w = 0; w < t_.element_bytes() / 4; ++w)
      v[static_cast<std::size_t>(w)] = any(3) ? bits() >> 20 : bits();
    if (t_.element_bytes() < 4) v[0] = bits() >> 16;
    return v;
  }
  std::vector<Value> values(std::size_t count) {
    std::vector<Value> all(count);
    for (Value& v : all) v = value();
    return all;
  }

  void launches() {
    t_.grids.clear();
    for (int i = 0, count = 1 + any(4); i < count; ++i) {
      Grid g;
      g.kernel = fmt::format("kernel_{}", i);
      g.blocks = 1 + any(3);
      g.threads = any(4) == 0 ? 1 + any(100) : t_.settings.block;
      if (any(2)) g.blocks_across.y = divisor(g.blocks);
      if (any(2)) g.threads_across.y = divisor(g.threads);
      if (any(2)) g.threads_across.z = divisor(g.threads / g.threads_across.y);
      g.first_step = static_cast<std::uint32_t>(t_.steps.size());
      g.steps = static_cast<std::uint32_t>(1 + any(4));
      for (std::uint32_t k = 0; k < g.steps; ++k)
        t_.steps.push_back(
            {any(9) == 0 ? Phase("of_its_own") : Phase(phase_names[static_cast<std::size_t>(any(13))]),
             any(3) * any(40)});
      if (i > 0 && any(2)) {
        g.parent = any(i);
        g.depth = t_.grids[static_cast<std::size_t>(g.parent)].depth + 1;
      }
      shape(g.shared);
      t_.grids.push_back(g);
    }
  }

  void shape(SharedShape& s) {
    if (any(5) == 0) {
      s.buffers = any(2);
      return;
    }
    s.elements = 1 + any(80);
    s.name = any(2) ? "temp" : "";
    if (any(3) == 0) {
      s.columns = divisor(s.elements);
      s.name = "tile";
    }
    s.buffers = 1 + any(2);
    const int pad = any(2) * 16;
    for (int i = 0; i < s.elements; ++i) s.cell.push_back(static_cast<std::uint32_t>(pad ? i + i / pad : i));
    s.cells_per_buffer = static_cast<int>(s.cell.back()) + 1;
    constexpr Cells kinds[] = {Cells::elements, Cells::counts, Cells::numbers};
    s.cells = kinds[any(has_pairs() ? 3 : 2)];
    s.bytes = static_cast<std::uint32_t>(s.bytes_of_buffers(t_.element_bytes()));
    for (int r = any(3); r > 0; --r) {
      s.bytes = (s.bytes + 15) & ~15u;
      SharedRegion region{fmt::format("region_{}", r), any(3) ? static_cast<Cells>(any(2)) : Cells::counts,
                          s.bytes, static_cast<std::uint32_t>(1 + any(32))};
      if (any(3) == 0) {
        region.pitch = static_cast<std::uint32_t>(divisor(static_cast<int>(region.count)));
        region.columns = 1 + static_cast<std::uint32_t>(any(region.pitch));
      }
      s.more.push_back(region);
      s.bytes += region.count * static_cast<unsigned>(cell_bytes(region.cells, t_.element_bytes()));
    }
  }

  void grid(std::size_t index) {
    const Grid& g = t_.grids[index];
    for (std::uint32_t block = 0; block < static_cast<std::uint32_t>(g.blocks); ++block) {
      std::vector<std::vector<std::uint32_t>> produced(static_cast<std::size_t>(g.warps()));
      for (std::uint32_t step = g.first_step; step < g.first_step + g.steps; ++step)
        for (int warp = 0; warp < g.warps(); ++warp)
          for (int k = any(5); k > 0; --k)
            event(index, block, step, warp, produced[static_cast<std::size_t>(warp)]);
      t_.runs.push_back({static_cast<std::uint16_t>(index), static_cast<std::uint16_t>(any(132)), block,
                         any(4) != 0, static_cast<std::uint64_t>(any(1000)),
                         1000u + static_cast<std::uint64_t>(any(1000))});
    }
  }

  void event(std::size_t index, std::uint32_t block, std::uint32_t step, int warp,
             std::vector<std::uint32_t>& produced) {
    const Grid& g = t_.grids[index];
    Event e{};
    e.kind = static_cast<Kind>(any(13));
    if (is_shared(e.kind) && g.shared.bytes == 0) e.kind = Kind::operation;
    e.grid = static_cast<std::uint16_t>(index);
    e.block = block;
    e.step = step;
    e.warp = static_cast<std::uint16_t>(warp);
    e.line = static_cast<std::uint16_t>(1 + any(20));
    const int present = std::min(32, g.threads - 32 * warp);
    const std::uint32_t all = ~0u >> (32 - present);
    e.mask = any(2) ? all : bits() & all;
    if (e.mask == 0) e.mask = 1;
    e.time = static_cast<std::uint32_t>(t_.events.size());
    constexpr int details[] = {1, 1, 1, 1, 1, 1, 7, 7, 5, 3, 1, 2, 2};
    e.detail = static_cast<std::uint8_t>(any(details[static_cast<int>(e.kind)]));
    e.first = static_cast<std::uint32_t>(t_.lanes.size());
    std::int64_t from = 0, cells = 1, size = t_.element_bytes();
    if (is_global(e.kind)) {
      e.buffer = static_cast<std::uint8_t>(any(static_cast<std::int64_t>(t_.buffers.size())));
      const GlobalBuffer& b = t_.buffers[e.buffer];
      cells = b.count;
      size = cell_bytes(b.cells, t_.element_bytes());
    } else if (is_shared(e.kind)) {
      const SharedShape& s = g.shared;
      e.buffer = static_cast<std::uint8_t>(any(static_cast<std::int64_t>(s.more.size()) + 1));
      cells = s.buffers * s.cells_per_buffer;
      size = cell_bytes(s.cells, t_.element_bytes());
      if (e.buffer > 0) {
        const SharedRegion& r = s.more[e.buffer - 1u];
        from = r.first;
        cells = r.count;
        size = cell_bytes(r.cells, t_.element_bytes());
      }
    }
    e.width = static_cast<std::uint8_t>(size);
    if (is_access(e.kind) && any(8) == 0) e.flags = is_outside;
    if (e.kind == Kind::operation || e.kind == Kind::shuffle)
      e.flags = any(3) ? 0 : has_pairs() && any(2) ? is_number : is_count;
    if (is_atomic(e.kind)) e.parts = 2;
    if ((is_load(e.kind) || is_store(e.kind)) && size <= 4 && cells >= 4 && from % 16 == 0 && any(6) == 0) {
      e.parts = 4;
      e.width = static_cast<std::uint8_t>(4 * size);
    }
    const auto own = static_cast<std::uint32_t>(t_.events.size());
    if (has_lanes(e.kind))
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
        const std::int64_t cell = e.parts == 4 ? 4 * any(cells / 4) : any(cells);
        for (int part = 0; part < e.parts; ++part) {
          Lane l;
          int source = std::countr_zero(m);
          if (is_access(e.kind)) l.address = from + (cell + (e.parts == 4 ? part : 0)) * size;
          if (e.flags & is_outside) l.address += (any(3) - 1) * 4096;
          if (e.kind == Kind::shuffle) l.address = source = any(32);
          if (e.kind == Kind::launch) l.address = -1;
          l.left = origin(produced, source);
          if (e.kind == Kind::operation) l.right = origin(produced, source);
          t_.lanes.push_back(l);
          t_.values.push_back(value());
        }
      }
    if (has_lanes(e.kind) && !is_store(e.kind) && e.kind != Kind::launch) produced.push_back(own);
    t_.events.push_back(e);
  }

  // Returns a random origin for a value in this lane. An origin is a number that names an earlier event of
  // the lane, or 0 if no event produced the value.
  Origin origin(const std::vector<std::uint32_t>& produced, int lane) {
    if (produced.empty() || any(4) == 0) return 0;
    const std::uint32_t index =
        produced[static_cast<std::size_t>(any(static_cast<std::int64_t>(produced.size())))];
    const Event& e = t_.events[index];
    return (e.mask >> lane & 1) == 0 ? 0 : origin_of(index, any(e.parts));
  }

  // Chooses the launching event for some of the child grids.
  void children() {
    for (std::size_t g = 1; g < t_.grids.size(); ++g)
      for (std::size_t i = 0; i < t_.events.size() && t_.grids[g].parent_event == Grid::none; ++i)
        if (t_.events[i].kind == Kind::launch && t_.events[i].grid == t_.grids[g].parent && any(2)) {
          t_.grids[g].parent_event = static_cast<std::uint32_t>(i);
          t_.lanes[t_.events[i].first].address = static_cast<std::int64_t>(g);
        }
  }

  void snapshots() {
    for (const Grid& g : t_.grids)
      for (std::uint32_t block = 0; block < static_cast<std::uint32_t>(g.blocks); ++block)
        for (std::uint32_t step = g.first_step + 1; step < g.first_step + g.steps; ++step) {
          Snapshot s{block, step, std::vector<std::uint8_t>(g.shared.bytes)};
          for (auto& b : s.bytes) b = static_cast<std::uint8_t>(any(3) ? 0 : bits());
          t_.snapshots.push_back(std::move(s));
        }
  }

  void totals() {
    std::map<std::tuple<std::uint32_t, std::uint16_t, Kind, std::uint8_t>, Count> all;
    for (const Event& e : t_.events) {
      Count& c = all[{e.step, e.line, e.kind, e.detail}];
      ++c.requests;
      c.lanes += static_cast<std::uint64_t>(std::popcount(e.mask));
      c.units += 2;
      ++c.ideal;
    }
    for (auto& [place, c] : all) {
      std::tie(c.step, c.line, c.kind, c.detail) = place;
      t_.counts.push_back(c);
    }
  }

  void clock() {
    if (any(2)) return;
    std::uint32_t now = 0;
    for (std::size_t i = 0; i < t_.events.size(); ++i)
      t_.clock.push_back(now += static_cast<std::uint32_t>(any(3) * any(500)));
  }

  std::mt19937 random_;
  Trace t_;
};

}  // namespace upsweep
