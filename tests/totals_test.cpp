// Records every kernel of the catalogue on the emulator. The analysis of the events must give the totals that
// were counted during the run, and trees must have the properties of a tree.
#include <gtest/gtest.h>

#include <set>

#include "analysis/facts.hpp"
#include "analysis/memory.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/emulated_runs.hpp"

namespace upsweep {
namespace totals_test {

class EveryAlgorithm : public testing::TestWithParam<std::string> {
 protected:
  // Calls f(trace) for recordings of two sizes. If the kernel allows several blocks, the run has several
  // blocks. All blocks are recorded in full.
  template <class F>
  void for_each_trace(F f) {
    const Algorithm& a = algorithm(GetParam());
    for (const int n : {64, 333}) {
      Settings s;
      s.algorithm = a.name;
      s.n = n;
      s.grid = 3;
      s.type = Scalar::uint32;
      fit_kind(a, s);
      s.block = std::max(a.least_threads, a.many_blocks ? 32 : smallest_block(a, s));
      SCOPED_TRACE(n);
      f(emulator_.record(s, seeded_data(s, 5), {.blocks = UINT32_MAX}));
    }
  }
  Emulator emulator_;
};

void expect_equal(const Totals& a, const Totals& b) {
  for (auto kind : {&Totals::shared_load, &Totals::shared_store}) {
    EXPECT_EQ((a.*kind).requests, (b.*kind).requests);
    EXPECT_EQ((a.*kind).wavefronts, (b.*kind).wavefronts);
    EXPECT_EQ((a.*kind).excess, (b.*kind).excess);
  }
  for (auto kind : {&Totals::global_load, &Totals::global_store}) {
    EXPECT_EQ((a.*kind).requests, (b.*kind).requests);
    EXPECT_EQ((a.*kind).sectors, (b.*kind).sectors);
    EXPECT_EQ((a.*kind).ideal_sectors, (b.*kind).ideal_sectors);
  }
  for (auto kind : {&Totals::shared_atomic, &Totals::global_atomic, &Totals::shuffle, &Totals::vote,
                    &Totals::launch, &Totals::issued_requests, &Totals::issued_operations}) {
    EXPECT_EQ((a.*kind).requests, (b.*kind).requests);
    EXPECT_EQ((a.*kind).lanes, (b.*kind).lanes);
  }
  for (auto number : {&Totals::operations, &Totals::barriers, &Totals::warp_barriers, &Totals::fences})
    EXPECT_EQ(a.*number, b.*number);
}

TEST_P(EveryAlgorithm, CountsWhatItsEventsSay) {
  for_each_trace([](const Trace& trace) {
    ASSERT_FALSE(trace.counts.empty());
    Trace uncounted = trace;
    uncounted.counts.clear();
    const Facts counted = facts(trace), derived = facts(uncounted);
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
      SCOPED_TRACE(s);
      expect_equal(counted.steps[s].totals, derived.steps[s].totals);
      if (testing::Test::HasFailure()) return;
    }
    ASSERT_EQ(counted.lines.size(), derived.lines.size());
    for (std::size_t l = 0; l < counted.lines.size(); ++l) {
      EXPECT_EQ(counted.lines[l].line, derived.lines[l].line);
      expect_equal(counted.lines[l].totals, derived.lines[l].totals);
      EXPECT_EQ(counted.lines[l].active_lanes, derived.lines[l].active_lanes);
      EXPECT_EQ(counted.lines[l].max_degree, derived.lines[l].max_degree);
    }
    EXPECT_EQ(work(trace).operations, counted.totals.operations);
    EXPECT_EQ(work(uncounted).operations, counted.totals.operations);
    EXPECT_EQ(work(uncounted).peak, work(trace).peak);
  });
}

// With sums of integers, the value of a node must be the sum of the node's sources. If a node has an
// operation but only one source, the node is not checked: the operation may have added this source to itself.
TEST_P(EveryAlgorithm, NodesHoldTheSumOfTheirSources) {
  if (algorithm(GetParam()).is_broken()) GTEST_SKIP() << "its values may be wrong";
  if (!algorithm(GetParam()).allows(Operator::sum)) GTEST_SKIP() << "its values are no sums";
  std::size_t checked = 0;
  for_each_trace([&](const Trace& trace) {
    for (int g = 0; g < static_cast<int>(trace.grids.size()); ++g)
      for (int b = 0; b < trace.grids[static_cast<std::size_t>(g)].blocks; ++b) {
        const Tree t = tree(trace, g, b);
        EXPECT_FALSE(t.some_sources);
        for (std::size_t r = 0; r < t.rows.size(); ++r)
          for (const TreeNode& node : t.rows[r].nodes) {
            EXPECT_LT(node.element, t.columns);
            EXPECT_GE(node.element, 0);
            if (is_atomic(trace.events[node.event].kind)) continue;  // an atomic adds values of other blocks
            std::uint32_t sum = 0;
            for (const auto& source : node.sources) {
              ASSERT_LE(source.row, static_cast<int>(r));
              sum += t.rows[static_cast<std::size_t>(source.row)]
                         .nodes[static_cast<std::size_t>(source.node)]
                         .value[0];
            }
            if (node.sources.size() < (node.operation ? 2u : 1u)) continue;
            ASSERT_EQ(node.value[0], sum)
                << "grid " << g << " block " << b << " row " << r << " column " << node.element;
            ++checked;
          }
      }
  });
  if (algorithm(GetParam()).gives != "copy") { EXPECT_GT(checked, 0u); }
}

TEST_P(EveryAlgorithm, IsCoherent) {
  if (algorithm(GetParam()).is_broken()) GTEST_SKIP() << "races are in order here";
  for_each_trace([](const Trace& trace) { EXPECT_EQ(incoherence(trace), std::nullopt); });
}

// The counts must contain the operations of all blocks, even if atomics on shared memory apply the operator.
TEST(Totals, ContainTheAtomicsOfBlocksOutOfFocus) {
  const Algorithm a = test_kernel("shared_sums");
  const Settings s{.algorithm = a.name, .n = 1000, .block = 64, .type = Scalar::int32, .grid = 8};
  for (const std::uint32_t blocks : {1u, 3u, UINT32_MAX}) {
    const Trace trace = Emulator().record(a, *test_kernels(a.name), s, seeded_data(s, 1), {.blocks = blocks});
    EXPECT_EQ(work(trace).operations, 1000 + 8) << blocks;
    const Facts f = facts(trace);
    EXPECT_EQ(f.totals.operations, 1000 + 8) << blocks;
    std::int64_t of_lines = 0, of_steps = 0;
    for (const LineFacts& line : f.lines) of_lines += line.totals.operations;
    for (std::size_t step = 0; step < trace.steps.size(); ++step)
      for (const LineFacts& line : line_facts(trace, static_cast<int>(step)))
        of_steps += line.totals.operations;
    EXPECT_EQ(of_lines, 1000 + 8) << blocks;
    EXPECT_EQ(of_steps, 1000 + 8) << blocks;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Algorithm& a : cuda_algorithms()) all.push_back(a.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace totals_test
}  // namespace upsweep
