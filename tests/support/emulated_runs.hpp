// Records the kernels of tests/kernels, and checks properties that every recording of the emulator must have.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "machine/machine.hpp"
#include "support/source_file.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns a kernel of tests/kernels. In its text, `kernel` replaces the word KERNEL.
inline Algorithm test_kernel(const std::string& name, const std::string& kernel = "") {
  const std::string file = "tests/kernels/" + name + ".cuh";
  std::string text = source_file(file);
  if (const auto at = text.find("KERNEL"); at != text.npos) text.replace(at, 6, kernel);
  return parse_kernel(name, file, text);
}

// A name for test messages, and options that decide how threads take turns.
struct Way {
  RecordOptions options;
  const char* name;
};
inline const Way every_way[] = {
    {{}, "in turn"}, {{.schedule = 1}, "apart"}, {{.schedule = 12, .lockstep = true}, "in lockstep"}};

// Replays the events in the order of time. Fails the test if an event reads a value that differs from the
// value in memory.
class Replay {
 public:
  explicit Replay(const Trace& trace) : trace_(trace) {
    std::vector<std::size_t> order(trace.events.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return trace.events[i].time; });
    for (std::size_t i = 1; i < order.size(); ++i)
      EXPECT_NE(trace.events[order[i - 1]].time, trace.events[order[i]].time);
    for (const std::size_t i : order) event(trace.events[i]);
  }

  // For each byte address: the last value that was written there.
  using Memory = std::map<std::int64_t, Value>;
  Memory& of(const Event& e) { return is_global(e.kind) ? global_[e.buffer] : shared_[{e.grid, e.block}]; }
  const Memory& global(std::uint8_t buffer) { return global_[buffer]; }

 private:
  void event(const Event& e) {
    if (!is_access(e.kind) || testing::Test::HasFailure()) return;
    Memory& memory = of(e);
    std::uint32_t entry = e.first;
    for (std::uint32_t rest = e.mask; rest != 0; rest &= rest - 1) {
      if (is_atomic(e.kind)) {
        read(e, memory, entry);
        memory[trace_.lanes[entry].address] = trace_.values[entry + 1];
        entry += 2;
        continue;
      }
      for (int p = 0; p < e.parts; ++p, ++entry) {
        if (is_load(e.kind)) read(e, memory, entry);
        else memory[trace_.lanes[entry].address] = trace_.values[entry];
      }
    }
  }
  void read(const Event& e, Memory& memory, std::uint32_t entry) {
    const auto there = memory.find(trace_.lanes[entry].address);
    if (there == memory.end()) return;  // the cell holds input, or was never written
    EXPECT_EQ(there->second, trace_.values[entry])
        << "line " << e.line << ", block " << e.block << ", warp " << e.warp << ", byte " << there->first;
  }

  const Trace& trace_;
  std::map<std::uint8_t, Memory> global_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Memory> shared_;
};

// Expects that the events are sorted by grid, block, step, warp and time, and that no step belongs to two
// grids.
inline void expect_order(const Trace& trace) {
  for (std::size_t i = 1; i < trace.events.size(); ++i) {
    const Event &a = trace.events[i - 1], &b = trace.events[i];
    const auto key = [](const Event& e) { return std::tuple(e.grid, e.block, e.step, e.warp); };
    ASSERT_LE(key(a), key(b)) << i;
    if (key(a) == key(b)) { ASSERT_LT(a.time, b.time) << i; }
  }
  std::uint32_t step = 0;
  for (const Grid& g : trace.grids) {
    ASSERT_EQ(g.first_step, step);
    step += g.steps;
  }
  ASSERT_EQ(step, trace.steps.size());
  for (const Event& e : trace.events) {
    ASSERT_GE(e.step, trace.grids[e.grid].first_step);
    ASSERT_LT(e.step, trace.grids[e.grid].first_step + trace.grids[e.grid].steps);
  }
}

// Expects that the origin of every stored value names an event that has this value in the same lane. The
// origin of a shuffled value must name an event that has this value in the source lane of the shuffle.
inline void expect_origins(const Trace& trace) {
  for (const Event& e : trace.events) {
    if (!is_store(e.kind) && e.kind != Kind::shuffle) continue;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const Lane& l = trace.lanes[entry];
      if (l.left == 0) return;
      const Event& from = trace.events.at(origin_event(l.left));
      const bool took = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add;
      const int in = took ? static_cast<int>(l.address) : lane;
      ASSERT_NE(from.mask >> in & 1, 0u);
      ASSERT_EQ(from.warp, e.warp);
      ASSERT_EQ(from.block, e.block);
      const std::uint32_t source = entry_of(from, in, origin_part(l.left));
      if (e.kind == Kind::shuffle && !took) return;
      for (int w = 0; w < trace.element_bytes() / 4; ++w)  // leaves out the flag of a look-back message
        ASSERT_EQ(trace.values[source][static_cast<std::size_t>(w)],
                  trace.values[entry][static_cast<std::size_t>(w)]);
    });
  }
}

}  // namespace upsweep
