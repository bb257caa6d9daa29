// The emulator's convergence rule, against warps run in lockstep by hand: each kernel of tests/kernels is
// written out below as a loop over statements with a mask.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulated_thread.hpp"
#include "machine/emulator.hpp"

#include "vocabulary/host.hpp"
// The kernels, with the emulator's keywords.
#include "kernels/convergence_branches.cuh"
#include "kernels/convergence_exits.cuh"
#include "kernels/convergence_loops.cuh"
#include "kernels/hand_over.cuh"
#include "vocabulary/host_end.hpp"

namespace upsweep {
namespace {

const Emulated branches = UPSWEEP_EMULATED(convergence_branches);
const Emulated exits = UPSWEEP_EMULATED(convergence_exits);
const Emulated loops = UPSWEEP_EMULATED(convergence_loops);
const Emulated hand_over_build = UPSWEEP_EMULATED(hand_over);

// A warp request as the rule must give it.
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

// What one warp of 32 issued.
std::vector<Expected> requests(const std::string& name, const Emulated& kernel, int warp, int block = 64) {
  Settings s{.algorithm = name, .n = block, .block = block, .type = Scalar::int32};
  const std::vector<Value> input = seeded_data(s, 5);
  const Trace trace = Emulator().record(test_kernel(name), kernel, s, input, block);
  std::vector<Expected> all;
  for (const Event& e : trace.events)
    if (e.warp == warp) all.push_back({e.kind, e.mask});
  return all;
}

// A warp in lockstep: `does` appends a request of the lanes in a mask, if there are any.
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
    EXPECT_EQ(requests("convergence_loops", loops, warp), w.out);
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
    EXPECT_EQ(requests("convergence_exits", exits, warp), w.out);
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
    EXPECT_EQ(requests("convergence_branches", branches, warp), w.out);
  }
}

TEST(Blocks, RunInterleavedSoThatTheyCanWaitForEachOther) {
  const int blocks = 5;
  Settings s{.algorithm = "hand_over", .n = 32, .block = 32, .type = Scalar::int32};
  std::vector<Value> input(32);
  for (std::size_t i = 0; i < input.size(); ++i) input[i][0] = static_cast<std::uint32_t>(i + 1);
  const Trace trace =
      Emulator().record(test_kernel("hand_over"), hand_over_build, s, input, blocks, blocks, blocks);
  for (std::size_t b = 0; b < blocks; ++b) EXPECT_EQ(trace.output[b][0], b + 1);
  for (std::size_t i = 1; i < trace.events.size(); ++i)
    EXPECT_LE(trace.events[i - 1].block, trace.events[i].block);
}

TEST(Emulator, NamesLineThreadAndElementOfAnAccessBeyondItsMemory) {
  Settings s{.algorithm = "convergence_branches", .n = 32, .block = 64, .type = Scalar::int32};
  Emulator emulator;
  try {
    emulator.record(test_kernel("convergence_branches"), branches, s, seeded_data(s, 1), 64);
    FAIL() << "64 threads wrote 32 cells";
  } catch (const WorkError& e) {
    EXPECT_EQ(std::string(e.what()),
              "Line 17: thread 32 of block 0 writes element 32 of shared memory, which holds 32.");
  }
  // The emulator goes on working.
  s.block = 32;
  EXPECT_EQ(
      emulator.record(test_kernel("convergence_branches"), branches, s, seeded_data(s, 1), 32).output.size(),
      32u);
}

}  // namespace
}  // namespace upsweep
