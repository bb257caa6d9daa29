// Records every algorithm on the emulator and runs every analysis on the recording. Checks published numbers,
// the trees in books, and properties that every recording must have.
#include "study/recording.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <thread>
#include <vector>

#include "analysis/actions.hpp"
#include "analysis/facts.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/formula.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/sanitizers.hpp"

namespace upsweep {
namespace recording_test {

Settings settings(const std::string& name, int n, const std::string& layout = "none",
                  const std::string& pattern = "halves") {
  Settings s;
  s.algorithm = name;
  s.n = n;
  s.block = smallest_block(algorithm(name), n);
  s.choose("layout", layout);
  s.choose("load_pattern", pattern);
  return s;
}

Trace record(const Settings& s) {
  validate(s);
  return Emulator().record(s, seeded_data(s, 1));
}

// Returns true for correct algorithms that use one block and shared memory. totals_test and every_kernel_test
// test all other algorithms.
bool works_in_one_block(const Algorithm& a) {
  return !a.is_broken() && a.gives != "copy" && !a.many_blocks && a.elements_per_thread && !a.shared.empty();
}

// Returns settings with n elements: for each algorithm that works in one block, for each layout, and for each
// load pattern.
std::vector<Settings> variants(int n) {
  std::vector<Settings> all;
  for (const Algorithm& a : cuda_algorithms()) {
    if (!works_in_one_block(a)) continue;
    for (const auto layout : layout_names)
      for (const auto pattern : load_pattern_names) {
        if ((layout != layout_names[0] && !a.choice("layout")) ||
            (pattern != load_pattern_names[0] && !a.choice("load_pattern")))
          continue;
        all.push_back(settings(a.name, n, std::string(layout), std::string(pattern)));
      }
  }
  return all;
}

std::string label(const Settings& s) {
  return s.algorithm + " n=" + std::to_string(s.n) + " " + s.choice("layout") + " " +
         s.choice("load_pattern");
}

std::vector<int> tree_degrees(const Trace& trace) {
  const Facts f = facts(trace);
  std::vector<int> degrees;
  for (std::size_t s = 0; s < trace.steps.size(); ++s)
    if (trace.steps[s].phase == Phase::up_sweep || trace.steps[s].phase == Phase::down_sweep)
      degrees.push_back(f.steps[s].max_degree);
  return degrees;
}

void expect_totals(const SharedTotals& t, int requests, int wavefronts, int excess) {
  EXPECT_EQ(t.requests, requests);
  EXPECT_EQ(t.wavefronts, wavefronts);
  EXPECT_EQ(t.excess, excess);
}

TEST(Recording, BlellochHasTheCountersFigures) {
  const Trace plain = record(settings("scan_blelloch", 1024));
  const Facts f = facts(plain);
  expect_totals(f.totals.shared_load, 212, 987, 775);
  expect_totals(f.totals.shared_store, 141, 606, 465);
  const std::vector<int> rise_and_fall = {2, 4, 8, 16, 32, 16, 8, 4, 2, 1, 1, 2, 4, 8, 16, 32, 16, 8, 4, 2};
  EXPECT_EQ(tree_degrees(plain), rise_and_fall);

  const Facts padded = facts(record(settings("scan_blelloch", 1024, "pad32")));
  expect_totals(padded.totals.shared_load, 212, 212, 0);
  expect_totals(padded.totals.shared_store, 141, 141, 0);
}

TEST(Recording, BlellochIsTheBooksTree) {
  for (const auto& [layout, n] : {std::pair{"none", 1024}, {"pad32", 1024}, {"pad16", 16}}) {
    const Tree t = tree(record(settings("scan_blelloch", n, layout)));
    EXPECT_EQ(t.columns, n);
    std::map<int, TreeNode::Source> newest;  // the newest node of each element
    for (int r = 0; r < static_cast<int>(t.rows.size()); ++r) {
      const TreeRow& row = t.rows[r];
      const int stride = row.label.stride;
      std::vector<int> elements, expected;
      for (const TreeNode& node : row.nodes) {
        elements.push_back(node.element);
        std::vector<TreeNode::Source> from;
        if (row.label.phase == Phase::up_sweep) from = {newest[node.element - stride], newest[node.element]};
        if (row.label.phase == Phase::down_sweep && node.operation)
          from = {newest[node.element], newest[node.element - stride]};
        if (row.label.phase == Phase::down_sweep && !node.operation) from = {newest[node.element + stride]};
        if (row.label.phase == Phase::store) from = {newest[node.element]};
        ASSERT_EQ(node.sources, from) << row.step << " " << node.element;
      }
      const bool down = row.label.phase == Phase::down_sweep;
      if (row.label.phase == Phase::up_sweep || down)
        for (int e = down ? stride - 1 : 2 * stride - 1; e < n; e += down ? stride : 2 * stride)
          expected.push_back(e);
      else if (row.label.phase == Phase::clear) expected = {n - 1};
      else {
        expected.resize(n);
        std::iota(expected.begin(), expected.end(), 0);
      }
      ASSERT_EQ(elements, expected) << row.step;
      for (int k = 0; k < static_cast<int>(row.nodes.size()); ++k) newest[row.nodes[k].element] = {r, k};
    }
    EXPECT_EQ(t.rows.size(), 2 * std::log2(n) + 3) << "load, both sweeps, clear, store";
  }
}

TEST(Recording, WorkIsTheFormulas) {
  EXPECT_EQ(work(record(settings("scan_blelloch", 1024))).operations, 2 * 1023);
  EXPECT_EQ(work(record(settings("scan_hillis_steele", 1024))).operations, 1024 * 10 - 1023);
  EXPECT_EQ(work(record(settings("scan_hillis_steele", 1024))).steps, 10);
}

TEST(Recording, EveryVariantIsCoherent) {
  const std::vector<int> sizes =
      sanitized ? std::vector{1, 33, 512} : std::vector{1, 2, 3, 31, 33, 100, 512, 1000};
  for (const int n : sizes)
    for (Settings s : variants(n))
      for (const Scalar type : {Scalar::int32, Scalar::float64, Scalar::float16})
        for (const Operator op : {Operator::sum, Operator::affine}) {
          if (op == Operator::affine && algorithm(s.algorithm).commutative) continue;
          s.type = type;
          s.op = op;
          EXPECT_EQ(incoherence(record(s)), std::nullopt) << label(s);
        }
}

// If an algorithm adds each element once, the value of a node in the tree must equal the sum of the leaves
// from which the node was computed.
TEST(Recording, AncestorsOfTheResultAreAllThatWasSummed) {
  for (Settings s : variants(100)) {
    s.type = Scalar::int32;
    const Trace trace = record(s);
    const Tree t = tree(trace);
    const int last = static_cast<int>(t.rows.size()) - 1;
    ASSERT_TRUE(t.rows[last].output) << label(s);
    for (int k = 0; k < static_cast<int>(t.rows[last].nodes.size()); ++k) {
      std::uint32_t sum = 0;
      for (const auto& at : ancestors(t, {last, k}))
        if (const TreeNode& node = t.rows[at.row].nodes[at.node]; node.sources.empty()) sum += node.value[0];
      const TreeNode& result = t.rows[last].nodes[k];
      EXPECT_EQ(result.value[0], sum) << label(s) << " element " << result.element;
    }
    EXPECT_EQ(t.rows[last].nodes.size(), trace.output.size()) << label(s);
    for (const TreeNode& node : t.rows[last].nodes) EXPECT_EQ(node.value, trace.output[node.element]);
  }
}

TEST(Recording, EveryLaneIsAccountedFor) {
  for (const int n : {5, 100, 700})
    for (const Settings& s : variants(n)) {
      const Trace trace = record(s);
      const Facts f = facts(trace);
      for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
        int working = 0, absent = 0, exited = 0;
        for (const WarpLanes& w : warp_lanes(trace, 0, step))
          for (const LaneState lane : w.lanes) {
            working += lane == LaneState::working;
            absent += lane == LaneState::absent;
            exited += lane == LaneState::exited;
          }
        EXPECT_EQ(working, f.steps[step].active_lanes) << label(s);
        EXPECT_EQ(absent, 32 * trace.grids.front().warps() - trace.grids.front().threads);
        const EventRange block = block_events(trace, 0, 0);
        const bool waits = std::any_of(trace.events.begin() + step_events(trace, 0, step).first,
                                       trace.events.begin() + block.last,
                                       [](const Event& e) { return e.kind == Kind::barrier; });
        if (waits) {
          EXPECT_EQ(exited, 0) << "no thread of these kernels returns before a barrier: " << label(s)
                               << " step " << step;
        }
      }
    }
}

TEST(Recording, InterleavedReductionDivergesWhereSequentialRetires) {
  const Trace interleaved = record(settings("reduce_interleaved", 1024));
  const Trace sequential = record(settings("reduce_sequential", 1024));
  const auto diverged = [](const Trace& trace) {
    std::vector<int> warps;
    const Facts f = facts(trace);
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
      if (trace.steps[s].phase == Phase::reduce) warps.push_back(f.steps[s].diverged_warps);
    return warps;
  };
  EXPECT_EQ(diverged(interleaved), (std::vector<int>{0, 16, 16, 16, 16, 16, 8, 4, 2, 1}));
  EXPECT_EQ(diverged(sequential), (std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

// While the window draws the data of some steps, an export in another thread may go through all steps. The
// export must not remove the data that the window draws.
TEST(Recording, AThreadDoesNotRemoveWhatAnotherThreadReads) {
  Settings s;
  s.algorithm = "radix_sort";
  s.n = 20;
  s.block = smallest_block(algorithm(s.algorithm), s.n);
  const Recording r = make_recording(record(s));
  const int steps = static_cast<int>(r.trace.steps.size());
  ASSERT_GT(steps, 200);
  std::vector<const std::vector<StepAction>*> seen;
  for (int step = 0; step < 60; ++step) seen.push_back(&r.actions(0, step));
  std::thread([&] {
    for (int step = 0; step < steps; ++step) r.actions(0, step);
  }).join();
  for (int step = 0; step < 60; ++step) EXPECT_EQ(&r.actions(0, step), seen[static_cast<std::size_t>(step)]);
}

}  // namespace recording_test
}  // namespace upsweep
