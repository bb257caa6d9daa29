// Tests kernels that were copied from published sources. Each kernel must give the correct result and have
// the properties of the published kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "analysis/banks.hpp"
#include "analysis/facts.hpp"
#include "base/error.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace source_kernels_test {

RecordOptions all_blocks(std::uint64_t schedule = 0, bool lockstep = false) {
  RecordOptions options;
  options.blocks = UINT32_MAX;
  options.schedule = schedule;
  options.lockstep = lockstep;
  return options;
}

Settings settings(const char* name, int n, int block, std::map<std::string, std::string> choices = {}) {
  Settings s{.algorithm = name, .n = n, .block = block, .type = Scalar::uint32};
  s.choices = std::move(choices);
  return s;
}

Trace run(const Settings& s, std::uint64_t seed = 1) {
  validate(s);
  const std::vector<Value> data = random_data(s, seed);
  Trace trace = Emulator().record(s, data, all_blocks());
  EXPECT_FALSE(check(s, data, trace.output)) << s.algorithm << " n=" << s.n << " block=" << s.block;
  return trace;
}

std::int64_t lanes_of(const Trace& trace, Kind kind, int buffer = -1) {
  std::int64_t lanes = 0;
  for (const Event& e : trace.events)
    if (e.kind == kind && (buffer < 0 || e.buffer == buffer)) lanes += std::popcount(e.mask) * e.parts;
  return lanes;
}

// In iteration i, a thread adds element i only if the index of the thread is at least i.
TEST(ScanPerOutput, EveryRoundLeavesOneThreadFewer) {
  for (const auto& [n, block] : {std::pair(1, 32), {64, 64}, {100, 32}, {257, 96}})
    for (const char* gives : {"inclusive", "exclusive"}) {
      const Trace trace = run(settings("scan_per_output", n, block, {{"gives", gives}}));
      EXPECT_EQ(trace.steps.size(), 1u);
      std::map<int, int> rounds;  // the key is the first thread of a warp
      for (const Event& e : trace.events) {
        if (e.kind != Kind::operation) continue;
        const int first = static_cast<int>(e.block) * block + e.warp * 32, round = ++rounds[first];
        EXPECT_EQ(std::popcount(e.mask), std::min(first + 32, n) - std::max(first, round));
      }
      for (const auto& [first, count] : rounds) EXPECT_EQ(count, std::min(first + 32, n) - 1);
    }
}

// The kernel adds in place: each addition of the tree loads two elements and stores one element. If fold > 1,
// each element is loaded once before the tree.
TEST(GlobalInPlace, FoldsTheInputItself) {
  for (const int fold : {1, 2, 4, 8})
    for (const char* last_warp : {"barriers", "unrolled"})
      for (const int block : {32, 64, 256}) {
        const int tiles = 3, n = fold * block * tiles;
        const Trace trace = run(settings("reduce_global_in_place", n, block,
                                         {{"fold", std::to_string(fold)}, {"last_warp", last_warp}}));
        const std::int64_t tree = std::int64_t{tiles} * (block - 1);
        const std::int64_t folding = fold > 1 ? n : 0, folded = fold > 1 ? tiles * block : 0;
        std::int64_t loads = 0, stores = 0;
        for (const Event& e : trace.events) {
          if (e.grid != 0 || e.buffer != 0) continue;
          if (e.kind == Kind::global_load) loads += std::popcount(e.mask);
          if (e.kind == Kind::global_store) stores += std::popcount(e.mask);
        }
        EXPECT_EQ(loads, folding + 2 * tree + tiles);
        EXPECT_EQ(stores, folded + tree);
        EXPECT_EQ(lanes_of(trace, Kind::shared_load), 0);
        EXPECT_EQ(lanes_of(trace, Kind::operation), n - 1);
      }
}

// If the last warp is unrolled, the kernel has the same operations and accesses, but fewer barriers.
TEST(GlobalInPlace, TheUnrolledWarpDiffersInBarriersAlone) {
  const auto totals = [](const char* last_warp, int n) {
    const Trace trace =
        run(settings("reduce_global_in_place", n, 128, {{"fold", "8"}, {"last_warp", last_warp}}));
    return facts(trace).totals;
  };
  for (const int n : {1, 1024, 5000}) {
    const Totals with = totals("barriers", n), without = totals("unrolled", n);
    EXPECT_EQ(with.operations, without.operations);
    EXPECT_EQ(with.global_load.sectors, without.global_load.sectors);
    EXPECT_EQ(with.global_store.sectors, without.global_store.sectors);
    EXPECT_GT(with.barriers, without.barriers);
  }
}

TEST(GlobalInPlace, IsRightForAnySize) {
  std::mt19937 random(3);
  for (int round = 0; round < 120; ++round) {
    const int block = 32 << random() % 4, n = 1 + static_cast<int>(random() % 6000);
    run(settings("reduce_global_in_place", n, block,
                 {{"fold", std::to_string(1 << random() % 4)},
                  {"last_warp", random() % 2 ? "unrolled" : "barriers"}}),
        random());
  }
}

// The kernel resets its counter, so that the next launch can use the counter again.
TEST(SinglePass, SetsItsCounterBack) {
  for (const int grid : {1, 3, 16}) {
    Settings s = settings("reduce_single_pass", 5000, 64);
    s.grid = grid;
    const Trace trace = run(s);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> written;  // the time and the value of each write
    for (const Event& e : trace.events)
      if (is_global(e.kind) && !is_load(e.kind) && trace.buffers[e.buffer].name == "counter")
        written.emplace_back(e.time, trace.values[e.first + (is_atomic(e.kind) ? 1 : 0)][0]);
    std::sort(written.begin(), written.end());
    ASSERT_EQ(written.size(), static_cast<std::size_t>(grid) + 1);
    EXPECT_EQ(written[static_cast<std::size_t>(grid) - 1].second, static_cast<std::uint32_t>(grid));
    EXPECT_EQ(written.back().second, 0u);
  }
}

TEST(NestedHello, StartsFromAnyPowerOfTwo) {
  for (int block = 1; block <= 64; block *= 2)
    for (int n = 1; n <= 2 * block; n += 1 + n / 3) {
      const Trace trace = run(settings("nested_hello", n, block));
      EXPECT_EQ(trace.grids.size(), static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(block))));
    }
  EXPECT_THROW(validate(settings("nested_hello", 4, 6)), RequestError);
  EXPECT_THROW(validate(settings("nested_hello", 4, 0)), RequestError);
  EXPECT_THROW(validate(settings("reduce_sequential", 4, 8)), RequestError);
}

// The option volatile_only of the choice `tail` gives the correct result in lockstep, which GPUs before Volta
// guarantee. Without lockstep, the result must be wrong on some schedules.
TEST(VolatileTail, IsRightOnlyInLockstep) {
  const Settings s = settings("reduce_unrolled_warp", 1000, 256, {{"tail", "volatile_only"}});
  const std::vector<Value> data = random_data(s, 4);
  int wrong = 0;
  for (std::uint64_t schedule = 0; schedule < 12; ++schedule) {
    EXPECT_FALSE(check(s, data, Emulator().record(s, data, all_blocks(schedule, true)).output));
    wrong += static_cast<bool>(check(s, data, Emulator().record(s, data, all_blocks(schedule)).output));
  }
  EXPECT_GT(wrong, 0);
}

// A tile of scan_large must cost the same as the kernel for one block, plus one load.
TEST(ScanLarge, ATileIsTheScanOfOneBlock) {
  const auto cost = [](const Settings& s) {
    const Totals t = facts(run(s)).totals;
    return std::tuple(t.operations, t.shared_load.wavefronts, t.shared_store.wavefronts, t.shared_load.excess,
                      t.shared_store.excess);
  };
  for (const char* layout : {"none", "pad32", "pad16"}) {
    const auto large = [&](int n, const char* scan) {
      return cost(
          settings("scan_large", n, 64, {{"gives", "exclusive"}, {"block_scan", scan}, {"layout", layout}}));
    };
    // scan_large loads the root once more, because the root is the tile's sum.
    auto expected = cost(settings("scan_vector4", 512, 64, {{"layout", layout}}));
    std::get<1>(expected) += 1;
    EXPECT_EQ(large(512, "vectorized"), expected) << layout;
    expected = cost(settings("scan_blelloch_unrolled", 128, 64, {{"layout", layout}}));
    std::get<1>(expected) += 1;
    EXPECT_EQ(large(128, "blelloch_unrolled"), expected) << layout;
    EXPECT_EQ(large(128, "blelloch"), expected) << layout;
  }
}

TEST(ScanLarge, EveryBlockScanIsRightWithEveryLoadPattern) {
  std::mt19937 random(8);
  for (const char* scan :
       {"blelloch", "brent_kung", "hillis_steele", "double_buffer", "blelloch_unrolled", "vectorized"})
    for (const char* pattern : {"halves", "neighbours"})
      for (const char* gives : {"inclusive", "exclusive"})
        for (const int n : {1, 3, 63, 64, 65, 500, 513, 4097, 1 + static_cast<int>(random() % 9000)}) {
          Settings s =
              settings("scan_large", n, 32 << random() % 3, {{"gives", gives}, {"block_scan", scan}});
          s.choose("load_pattern", pattern);
          s.choose("layout", layout_names[random() % std::size(layout_names)]);
          s.op = random() % 2 ? Operator::affine : Operator::max;
          run(s, random());
        }
}

// In a two-pass reduction, thread 0 adds up the sums of all threads. Its first sum comes from a register, and
// all other sums come from shared memory. Nevertheless, one sentence must describe all these additions.
TEST(SerialTail, IsOneSentence) {
  for (const char* kernel : {"reduce_two_pass", "reduce_two_pass_blocked"}) {
    Settings s;
    const Recording r = record(kernel, 256, s, 3, 32);
    int told = 0;
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
      if (r.trace.steps[static_cast<std::size_t>(step)].phase == Phase::reduce) {
        const std::string text = words(r, at_step(step));
        EXPECT_NE(text.find("hread 0 adds "), std::string::npos) << text;
        EXPECT_NE(text.find("[1] … "), std::string::npos) << text;
        EXPECT_NE(text.find("[31] to "), std::string::npos) << text;
        EXPECT_NE(text.find(", one after the other"), std::string::npos) << text;
        EXPECT_EQ(text.find("a value from a register +"), std::string::npos) << text;
        EXPECT_EQ(text.find("more statement"), std::string::npos) << text;
        ++told;
      }
    EXPECT_EQ(told, 2) << kernel;
  }
}

// The sentences say that there are 16 banks and which layouts cause conflicts.
TEST(SixteenBanks, AreInWords) {
  Settings s;
  s.choose("layout", "pad16");
  const Recording r = record("scan_blelloch", 256, s, 3);
  Cursor c = at_step(2);
  EXPECT_NE(words(r, c).find("16 banks of compute capability 1.x"), std::string::npos) << words(r, c);
  c.half_warps = true;
  EXPECT_NE(words(r, c).find("With 16 banks, half-warps (compute capability 1.x)"), std::string::npos);
  EXPECT_NE(words(r, c).find("there is no bank conflict, but the parts of a request are served one after the "
                             "other."),
            std::string::npos)
      << words(r, c);
  EXPECT_TRUE(says(draw("source", r, c, 1280, 600), "32 banks: "))
      << "the view \"Source\" shows the costs of 32 banks";
  EXPECT_TRUE(says(draw("profile", r, c, 1280, 160), "32 banks:"));
  EXPECT_TRUE(says(draw("work", r, c, 600, 400), "Shared, 32 banks"));
  EXPECT_FALSE(says(draw("source", r, at_step(2), 1280, 600), "32 banks: "));
  s.choose("layout", "pad_macro");
  const Recording macro = record("scan_blelloch", 256, s, 3);
  EXPECT_NE(words(macro, at_step(2)).find("the offset is always 0"), std::string::npos);
  EXPECT_TRUE(says(draw("memory", r, c, 1280, 300), "16 banks, half-warps"));
  EXPECT_TRUE(says(draw("banks", r, c, 1280, 300), "16 banks, half-warps"));
}

// The tree must underline the elements that are final. After the reduction, elements 0, 1, 3, 7 and 15 are
// final. After the phase `reverse`, all elements are final.
TEST(TreeView, UnderlinesWhatIsFinal) {
  const Recording r = record("scan_brent_kung", 16, {}, 3, 32);
  const Tree& t = r.tree();
  std::map<int, Step> final_in;
  for (const TreeRow& row : t.rows)
    for (const TreeNode& n : row.nodes)
      if (n.final) EXPECT_TRUE(final_in.emplace(n.element, row.label).second) << n.element;
  ASSERT_EQ(final_in.size(), 16u);
  EXPECT_EQ(final_in[0].phase, Phase::load);
  for (const int element : {1, 3, 7, 15}) {
    EXPECT_EQ(final_in[element], (Step{Phase::reduce, (element + 1) / 2}));
  }
  for (const int element : {2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14})
    EXPECT_EQ(final_in[element].phase, Phase::reverse) << element;
  EXPECT_TRUE(says(draw("tree", r, at_end(r), 1280, 720), "underlined: final"));
}

}  // namespace source_kernels_test
}  // namespace upsweep
