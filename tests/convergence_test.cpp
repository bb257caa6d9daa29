// Tests where the emulator lets lanes of different branches act together again (convergence). Below, each
// kernel tests/kernels/convergence_*.cuh is written a second time, for a warp in lockstep: each statement has
// a mask of lanes. The emulator must record the same requests.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"

namespace upsweep {
namespace convergence_test {

// A warp request that the emulator must record.
struct Expected {
  Kind kind;
  std::uint32_t mask;
  bool operator==(const Expected&) const = default;
};
void PrintTo(const Expected& e, std::ostream* out) {
  *out << static_cast<int>(e.kind) << " by " << std::hex << e.mask;
}

Algorithm test_kernel(const std::string& name) {
  const std::string file = "tests/kernels/" + name + ".cuh";
  std::ifstream in(std::string(UPSWEEP_SOURCE_DIR "/") + file);
  std::stringstream text;
  text << in.rdbuf();
  return parse_kernel(name, file, text.str());
}

// Records a test kernel and returns the requests of one warp.
std::vector<Expected> requests(const std::string& name, int warp, int block = 64) {
  Settings s{.algorithm = name, .n = block, .block = block, .type = Scalar::int32};
  const std::vector<Value> input = seeded_data(s, 5);
  const Trace trace = Emulator().record(test_kernel(name), *test_kernels(name), s, input);
  std::vector<Expected> all;
  for (const Event& e : trace.events)
    if (e.warp == warp) all.push_back({e.kind, e.mask});
  return all;
}

// A warp that runs in lockstep. does(mask, kinds) appends one request of each kind to `out`. The lanes in the
// mask make these requests. If the mask is empty, does() appends nothing.
struct Lockstep {
  int warp;
  std::vector<Expected> out;
  std::uint32_t lanes(const std::function<bool(int)>& of_thread, std::uint32_t among = ~0u) const {
    std::uint32_t mask = 0;
    for (int l = 0; l < 32; ++l)
      if ((among >> l & 1) && of_thread(warp * 32 + l)) mask |= 1u << l;
    return mask;
  }
  void does(std::uint32_t mask, std::initializer_list<Kind> kinds) {
    for (const Kind k : kinds)
      if (mask != 0) out.push_back({k, mask});
  }
};

constexpr Kind ld = Kind::shared_load, st = Kind::shared_store, gld = Kind::global_load,
               gst = Kind::global_store, operation = Kind::operation;

TEST(Convergence, LoopsWithDifferentTripCounts) {
  for (int warp = 0; warp < 2; ++warp) {
    Lockstep w{warp, {}};
    w.does(~0u, {gld, st});
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t in_i = w.lanes([&](int t) { return i < t % 3 + 1; });
      for (int j = 0; j < 4; ++j)
        w.does(w.lanes([&](int t) { return j < (t + i) % 4; }, in_i), {ld, operation, st});
      w.does(in_i, {ld, st});
    }
    for (int k = 0; k < 5; ++k) w.does(w.lanes([&](int t) { return t % 5 > k; }), {ld, st});
    w.does(~0u, {ld, gst});
    EXPECT_EQ(requests("convergence_loops", warp), w.out);
  }
}

TEST(Convergence, ContinueBreakAndReturn) {
  for (int warp = 0; warp < 2; ++warp) {
    Lockstep w{warp, {}};
    w.does(~0u, {gld, st});
    std::uint32_t alive = w.lanes([](int t) { return t % 11 != 7; }), in_loop = alive;
    for (int i = 0; i < 6; ++i) {
      std::uint32_t body = w.lanes([&](int t) { return (t + i) % 4 != 0; }, in_loop);
      w.does(body, {ld});
      const std::uint32_t breaks = w.lanes([&](int t) { return i == t % 5; }, body);
      in_loop &= ~breaks;
      body &= ~breaks;
      const std::uint32_t returns = i == 3 ? w.lanes([](int t) { return t % 13 == 5; }, body) : 0;
      alive &= ~returns;
      in_loop &= ~returns;
      body &= ~returns;
      w.does(body, {operation, st});
    }
    w.does(alive, {Kind::barrier});
    w.does(alive, {ld, gst});
    EXPECT_EQ(requests("convergence_exits", warp), w.out);
  }
}

TEST(Convergence, NestedBranches) {
  for (int warp = 0; warp < 2; ++warp) {
    Lockstep w{warp, {}};
    w.does(~0u, {gld});
    const std::uint32_t even = w.lanes([](int t) { return t % 2 == 0; });
    const std::uint32_t threes = w.lanes([](int t) { return t % 3 == 0; });
    const std::uint32_t fives = w.lanes([](int t) { return t % 5 == 0; });
    w.does(even, {st});
    w.does(even & threes, {operation, st});
    w.does(even & ~threes & fives, {st});
    w.does(even & ~threes & ~fives, {ld, operation});
    w.does(even, {st});
    w.does(~even, {st});
    w.does(~even & threes, {operation, st});
    w.does(~0u, {ld, gst});
    EXPECT_EQ(requests("convergence_branches", warp), w.out);
  }
}

TEST(Blocks, RunInterleavedSoThatTheyCanWaitForEachOther) {
  const Settings s{.algorithm = "hand_over", .n = 160, .block = 32, .type = Scalar::int32};
  const std::vector<Value> input = seeded_data(s, 3);
  const Trace trace = Emulator().record(test_kernel("hand_over"), *test_kernels("hand_over"), s, input);
  EXPECT_FALSE(trace.stopped);
  EXPECT_EQ(trace.output, input);
  for (std::size_t i = 1; i < trace.events.size(); ++i)
    EXPECT_LE(trace.events[i - 1].block, trace.events[i].block);
}

}  // namespace convergence_test
}  // namespace upsweep
