// Tests the tree of values on hand-made recordings whose trees are obvious.
#include "analysis/tree.hpp"

#include <gtest/gtest.h>

#include <set>

#include "analysis/facts.hpp"
#include "analysis/memory.hpp"
#include "analysis/work.hpp"
#include "support/made_up_traces.hpp"

namespace upsweep {

// Prints a node in the messages of failed comparisons.
void PrintTo(const TreeNode::Source& s, std::ostream* out) { *out << '(' << s.row << ',' << s.node << ')'; }

namespace tree_test {

using Sources = std::vector<TreeNode::Source>;
const auto same = [](int lane) { return lane; };

TEST(Tree, UpSweepIsTheBooksFigure) {
  const Tree t = tree(up_sweep());
  EXPECT_EQ(t.columns, 8);
  ASSERT_EQ(t.rows.size(), 6u);
  EXPECT_EQ(t.rows[0].nodes.size(), 8u);
  EXPECT_TRUE(t.rows[0].nodes[3].sources.empty());
  EXPECT_FALSE(t.rows[0].nodes[3].operation);

  EXPECT_EQ(t.rows[1].label, (Step{Phase::up_sweep, 1}));
  ASSERT_EQ(t.rows[1].nodes.size(), 4u);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(t.rows[1].nodes[k].element, 2 * k + 1);
    EXPECT_TRUE(t.rows[1].nodes[k].operation);
    EXPECT_EQ(t.rows[1].nodes[k].lane, k);
    EXPECT_EQ(t.rows[1].nodes[k].sources, (Sources{{0, 2 * k}, {0, 2 * k + 1}}));
  }
  ASSERT_EQ(t.rows[2].nodes.size(), 2u);
  EXPECT_EQ(t.rows[2].nodes[1].element, 7);
  EXPECT_EQ(t.rows[2].nodes[1].sources, (Sources{{1, 2}, {1, 3}}));
  ASSERT_EQ(t.rows[3].nodes.size(), 1u);
  EXPECT_EQ(t.rows[3].nodes[0].sources, (Sources{{2, 0}, {2, 1}}));
  EXPECT_EQ(t.rows[3].nodes[0].value[0], 0xffu) << "all eight inputs";

  EXPECT_EQ(t.rows[4].label.phase, Phase::clear);
  EXPECT_TRUE(t.rows[4].nodes[0].sources.empty()) << "the identity is a constant";
  EXPECT_FALSE(t.rows[4].nodes[0].operation);

  EXPECT_TRUE(t.rows[5].output);
  ASSERT_EQ(t.rows[5].nodes.size(), 8u);
  EXPECT_EQ(t.rows[5].nodes[2].sources, (Sources{{0, 2}})) << "untouched since the load";
  EXPECT_EQ(t.rows[5].nodes[5].sources, (Sources{{1, 2}}));
  EXPECT_EQ(t.rows[5].nodes[7].sources, (Sources{{4, 0}}));
}

TEST(Tree, AncestorsAreEverythingThatWentIn) {
  const Tree t = tree(up_sweep());
  const auto of_root = ancestors(t, {3, 0});
  EXPECT_EQ(of_root.size(), 15u) << "8 leaves, 4 + 2 sums and the root itself";
  EXPECT_EQ(of_root[0], (TreeNode::Source{3, 0}));
  EXPECT_EQ(ancestors(t, {5, 7}), (Sources{{5, 7}, {4, 0}})) << "nothing but the cleared root";
  EXPECT_EQ(ancestors(t, {1, 3}), (Sources{{1, 3}, {0, 6}, {0, 7}}));
}

TEST(Tree, BothBuffersShareTheColumns) {
  const Trace trace = double_buffer();
  EXPECT_EQ(incoherence(trace), std::nullopt);
  const Tree t = tree(trace);
  EXPECT_EQ(t.columns, 4);
  ASSERT_EQ(t.rows.size(), 4u);
  for (const auto& row : t.rows) EXPECT_EQ(row.nodes.size(), 4u);
  EXPECT_FALSE(t.rows[1].nodes[0].operation) << "only copied";
  EXPECT_EQ(t.rows[1].nodes[0].sources, (Sources{{0, 0}}));
  EXPECT_EQ(t.rows[2].nodes[3].sources, (Sources{{1, 1}, {1, 3}}));
  EXPECT_EQ(t.rows[3].nodes[3].value[0], 0xfu);

  const auto end = memory_at(trace, 0, 0, trace.events.size());
  ASSERT_EQ(end.size(), 8u);
  EXPECT_EQ(end[6].element, 2);
  EXPECT_EQ(end[6].buffer, 1);
  EXPECT_EQ(end[6].value[0], 6u) << "the sums at stride 1 still lie there";
  EXPECT_EQ(facts(trace).totals.operations, 3 + 2);
  EXPECT_EQ(facts(trace).steps[1].lost_lanes, 0);
  EXPECT_EQ(facts(trace).steps[1].diverged_warps, 1);
}

TEST(Tree, ReadInOneStepAndAddInTheNext) {
  TraceBuilder b(4, 4);
  b.step(Phase::load);
  b.store(0xf, same, b.read_input(0xf, same, [](int lane) { return 1 << lane; }));
  b.barrier(0xf);
  b.step(Phase::scan, 1);
  const Origin left = b.load(0xe, [](int lane) { return lane - 1; });
  b.barrier(0xf);
  b.step(Phase::scan, 1);
  const Origin right = b.load(0xe, same);
  b.store(0xe, same, b.combine(0xe, left, right));
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.rows[1].step, 2);
  EXPECT_EQ(t.rows[1].nodes[0].sources, (Sources{{0, 0}, {0, 1}}));
  EXPECT_EQ(t.rows[1].nodes[2].sources, (Sources{{0, 2}, {0, 3}}));
  EXPECT_EQ(work(b.trace).steps, 1) << "the two halves of a stride are one step of work";
}

TEST(Tree, SeesThroughWhatItsOwnStepOverwritesAndThroughPadding) {
  TraceBuilder b(32, 4, 1, [](int i) { return 2 * i; });  // odd cells are padding
  b.step(Phase::load);
  b.store(0xf, same, b.read_input(0xf, same, [](int lane) { return 1 << lane; }));
  b.barrier(~0u);
  b.step(Phase::reduce, 1);
  const auto zero = [](int) { return 0; };
  b.store(1, zero, b.combine(1, b.load(1, zero), b.load(1, [](int) { return 1; })));
  const Origin partial = b.load(1, zero);
  b.store_cell(
      1, [](int) { return 1; }, partial);  // a padding cell stores the partial sum
  b.store(
      1, [](int) { return 3; }, partial);
  b.store(1, zero, b.combine(1, b.load_cell(1, [](int) { return 1; }), b.load(1, [](int) { return 2; })));
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 2u);
  ASSERT_EQ(t.rows[1].nodes.size(), 2u);
  EXPECT_EQ(t.rows[1].nodes[0].sources, (Sources{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(t.rows[1].nodes[1].sources, (Sources{{0, 0}, {0, 1}})) << "a copy of the overwritten sum";
  EXPECT_TRUE(t.rows[1].nodes[1].operation) << "computed in this step, although not by this store";
}

TEST(Tree, NamesASourceOnceHoweverManyWaysItWentIn) {
  TraceBuilder b(32, 2);
  b.step(Phase::load);
  b.store(3, same, b.read_input(3, same, [](int lane) { return 1 << lane; }));
  b.barrier(~0u);
  b.step(Phase::reduce, 1);
  const auto zero = [](int) { return 0; };
  Origin x = b.combine(1, b.load(1, zero), b.load(1, [](int) { return 1; }));
  for (int i = 0; i < 64; ++i) x = b.combine(1, x, x);  // there are 2^64 paths to the leaf
  b.store(1, zero, b.combine(1, b.load(1, zero), x));
  EXPECT_EQ(tree(b.trace).rows.at(1).nodes.at(0).sources, (Sources{{0, 0}, {0, 1}}));
}

TEST(Tree, ALoadDoesNotSeeWhatAnotherWarpStoresInItsStep) {
  TraceBuilder b(64, 64);
  b.step(Phase::load);
  for (const int w : {0, 1}) {
    b.warp(w);
    b.store(
        ~0u, [=](int lane) { return 32 * w + lane; }, 0, 1);
    b.barrier(~0u);
  }
  b.step(Phase::scan, 1);
  b.warp(0);
  b.store(
      1, [](int) { return 40; }, 0, 2);
  b.warp(1);
  b.store(
      1, [](int) { return 50; }, b.load(1, [](int) { return 40; }));
  const Tree t = tree(b.trace);
  EXPECT_EQ(t.rows.at(1).nodes.at(1).element, 50);
  EXPECT_EQ(t.rows[1].nodes[1].sources, (Sources{{0, 40}}));
}

// A butterfly reduction of a warp in registers: no partial result is stored in memory.
TEST(Tree, RegistersAndShufflesMakeRows) {
  TraceBuilder b(32, 32);
  b.step(Phase::load);
  Origin x = b.read_input(~0u, same, [](int lane) { return 1 << lane; });
  for (const int distance : {16, 8, 4, 2, 1}) {
    b.step(Phase::reduce, distance, false);
    const Origin other = b.shuffle(
        ~0u, Shuffle::exclusive_or, [=](int lane) { return lane ^ distance; }, x);
    x = b.combine(~0u, x, other);
  }
  b.step(Phase::store, 0, false);
  b.write_output(
      1, [](int) { return 0; }, x);
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 7u);
  EXPECT_EQ(t.rows[0].place, TreeRow::Place::loaded);
  EXPECT_EQ(t.rows[0].nodes.size(), 32u);
  for (int k = 1; k <= 5; ++k) {
    const TreeRow& row = t.rows[k];
    EXPECT_EQ(row.place, TreeRow::Place::registers);
    EXPECT_EQ(row.step, k);
    ASSERT_EQ(row.nodes.size(), 32u);
    const int distance = 32 >> k;
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_TRUE(row.nodes[lane].operation);
      EXPECT_EQ(row.nodes[lane].element, lane);
      EXPECT_EQ(row.nodes[lane].sources, (Sources{{k - 1, lane}, {k - 1, lane ^ distance}}));
    }
  }
  EXPECT_TRUE(t.rows[6].output);
  EXPECT_EQ(t.rows[6].nodes[0].sources, (Sources{{5, 0}}));
  EXPECT_EQ(ancestors(t, {6, 0}).size(), 1u + 1 + 2 + 4 + 8 + 16 + 32);
}

TEST(Tree, AScanInRegistersKeepsWhatALaneHad) {
  TraceBuilder b(32, 32);
  b.step(Phase::load);
  Origin x = b.read_input(0xf, same, [](int lane) { return 1 << lane; });
  b.step(Phase::scan, 1, false);
  Origin left = b.shuffle(
      0xf, Shuffle::up, [](int lane) { return std::max(lane - 1, 0); }, x);
  const Origin sum = b.combine(0xe, left, x);
  b.step(Phase::store, 0, false);
  b.write_output(0xe, same, sum);
  b.write_output(0x1, same, x);
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 3u);
  EXPECT_EQ(t.rows[1].nodes.size(), 3u) << "lane 0 keeps what it had";
  EXPECT_EQ(t.rows[1].nodes[2].sources, (Sources{{0, 2}, {0, 3}}));
  EXPECT_EQ(t.rows[2].nodes[3].sources, (Sources{{1, 2}}));
  EXPECT_TRUE(t.rows[2].nodes[0].sources.empty()) << "a copy of the input";
}

TEST(Tree, ReduceAddTakesEveryLane) {
  TraceBuilder b(32, 32);
  b.step(Phase::load);
  const Origin x = b.read_input(0xff, same, [](int lane) { return 1 << lane; });
  b.step(Phase::reduce, 0, false);
  const Origin all = b.shuffle(0xff, Shuffle::reduce_add, same, x);
  b.step(Phase::store, 0, false);
  b.write_output(
      1, [](int) { return 0; }, all);
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 3u);
  EXPECT_EQ(t.rows[1].nodes[0].sources.size(), 8u);
  EXPECT_TRUE(t.rows[1].nodes[0].operation);
}

// Each lane loads and folds four elements. Each partial result is drawn below the last element in the result.
TEST(Tree, PartsOfAVectorAreElementsOfTheirOwn) {
  TraceBuilder b(32, 32);
  const auto four = [](int lane) { return 4 * lane; };
  b.step(Phase::load);
  for (int k = 0; k < 16; ++k)
    b.store_global(
        1, 0, [=](int) { return k; }, 0, 1 << k);
  b.grid("fold", 1, 32);
  b.step(Phase::fold);
  const Origin q = b.load_global(0xf, 0, four, 4);
  const auto part = [&](int k) { return origin_of(origin_event(q), k); };
  const Origin xy = b.combine(0xf, q, part(1)), xyz = b.combine(0xf, xy, part(2)),
               all = b.combine(0xf, xyz, part(3));
  b.step(Phase::store, 0, false);
  b.write_output(
      0xf, [](int lane) { return 4 * lane + 1; }, xy);
  b.write_output(
      0xf, [](int lane) { return 4 * lane + 3; }, all);
  const Tree t = tree(b.trace, 1, 0);
  ASSERT_EQ(t.rows.size(), 3u);
  EXPECT_EQ(t.rows[0].place, TreeRow::Place::loaded);
  EXPECT_EQ(t.rows[0].nodes.size(), 16u);
  EXPECT_EQ(t.rows[1].pitch, 0) << "two values of each thread remain, each below its element";
  ASSERT_EQ(t.rows[1].nodes.size(), 8u);
  EXPECT_EQ(t.rows[1].nodes[2].element, 5);
  EXPECT_EQ(t.rows[1].nodes[2].sources, (Sources{{0, 4}, {0, 5}}));
  EXPECT_EQ(t.rows[1].nodes[3].sources.size(), 4u) << "within one step a thread's chain is seen through";
  EXPECT_EQ(t.rows[1].nodes[3].value[0], 0xf0u);
  EXPECT_EQ(t.rows[2].first, 1);
  EXPECT_EQ(t.rows[2].nodes[0].sources, (Sources{{1, 0}}));
}

TEST(Tree, GlobalMemoryIsFollowedLikeShared) {
  TraceBuilder b(4, 4);
  const int work = b.buffer("work", 16);
  b.step(Phase::load);
  b.store_global(
      0xf, work, [](int lane) { return 8 + lane; },
      b.read_input(0xf, same, [](int lane) { return 1 << lane; }));
  for (const int stride : {2, 1}) {
    b.barrier(0xf);
    b.step(Phase::reduce, stride);
    const std::uint32_t mask = (1u << stride) - 1;
    const Origin near = b.load_global(mask, work, [](int lane) { return 8 + lane; });
    const Origin far = b.load_global(mask, work, [=](int lane) { return 8 + lane + stride; });
    b.store_global(
        mask, work, [](int lane) { return 8 + lane; }, b.combine(mask, near, far));
  }
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 3u);
  EXPECT_EQ(t.columns, 4);
  for (const TreeRow& row : t.rows) {
    EXPECT_EQ(row.place, TreeRow::Place::global);
    EXPECT_EQ(row.index, work);
    EXPECT_EQ(row.first, 8);
    EXPECT_FALSE(row.output);
  }
  EXPECT_EQ(t.rows[1].nodes[1].sources, (Sources{{0, 1}, {0, 3}}));
  EXPECT_EQ(t.rows[2].nodes[0].sources, (Sources{{1, 0}, {1, 1}}));
  EXPECT_EQ(t.rows[2].nodes[0].value[0], 0xfu);
}

TEST(Tree, AnAtomicTakesInEveryLane) {
  TraceBuilder b(64, 64);
  b.step(Phase::load);
  std::vector<Origin> x;
  for (const int w : {0, 1}) {
    b.warp(w);
    x.push_back(b.read_input(
        0xff, [=](int lane) { return 32 * w + lane; }, [=](int lane) { return 1 << (8 * w + lane); }));
  }
  b.step(Phase::reduce, 0, false);
  for (const int w : {0, 1}) {
    b.warp(w);
    b.atomic(
        0xff, 1, [](int) { return 0; }, x[w]);
  }
  std::swap(b.trace.events[2].time, b.trace.events[3].time);  // warp 1 executed its atomic first
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 2u);
  ASSERT_EQ(t.rows[1].nodes.size(), 1u);
  EXPECT_TRUE(t.rows[1].output);
  EXPECT_TRUE(t.rows[1].nodes[0].operation);
  EXPECT_EQ(t.rows[1].nodes[0].sources.size(), 16u);
  EXPECT_EQ(t.rows[1].nodes[0].event, 2u) << "the last in time";
  const Facts f = facts(b.trace);
  EXPECT_EQ(f.totals.global_atomic.requests, 2);
  EXPECT_EQ(f.totals.global_atomic.lanes, 16);
  EXPECT_EQ(f.steps[1].max_contention, 8);
}

TEST(Tree, RegionsOfSharedMemoryHaveRowsOfTheirOwnAndWordsNone) {
  TraceBuilder b(4, 4);
  const int sums = b.region("sums", 2), flag = b.region("flag", 1, Cells::words);
  b.step(Phase::load);
  b.store(0xf, same, b.read_input(0xf, same, [](int lane) { return 1 << lane; }));
  b.barrier(0xf);
  b.step(Phase::reduce, 2);
  const auto cell = [=](int lane) { return sums + lane; };
  b.store_cell(3, cell, b.combine(3, b.load(3, same), b.load(3, [](int lane) { return lane + 2; })));
  b.store_cell(
      1, [=](int) { return flag; }, 0, 7);
  const Tree t = tree(b.trace);
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.rows[1].place, TreeRow::Place::shared);
  EXPECT_EQ(t.rows[1].index, 1);
  EXPECT_EQ(t.rows[1].nodes[1].element, 1);
  EXPECT_EQ(t.rows[1].nodes[1].sources, (Sources{{0, 1}, {0, 3}}));
  const auto cells = memory_at(b.trace, 0, 0, b.trace.events.size());
  ASSERT_EQ(cells.size(), 7u);
  EXPECT_EQ(cells[5].region, 1);
  EXPECT_EQ(cells[5].element, 1);
  EXPECT_EQ(cells[5].value[0], 0xau);
  EXPECT_EQ(cells[6].region, 2);
  EXPECT_EQ(cells[6].cells, Cells::words);
  EXPECT_EQ(cells[6].value[0], 7u);
  EXPECT_EQ(incoherence(b.trace), std::nullopt);
}

TEST(Tree, OfOneGridAmongSeveral) {
  TraceBuilder b(4, 4);
  const int sums = b.buffer("sums", 2);
  for (const int block : {0, 1}) {
    b.block(block);
    b.step(Phase::load);
    const auto own = [=](int) { return block; };
    b.store_global(1, sums, own, b.read_input(1, own, [=](int) { return 1 << block; }));
  }
  b.grid("second", 1, 4);
  b.step(Phase::reduce);
  const Origin left = b.load_global(1, sums, same), right = b.load_global(1, sums, [](int) { return 1; });
  b.write_output(1, same, b.combine(1, left, right));
  EXPECT_EQ(grid_index(b.trace, 0), 0);
  EXPECT_EQ(grid_index(b.trace, 1), 1);
  EXPECT_EQ(end_step(b.trace, 0), 1);
  const Tree t = tree(b.trace, 1, 0);
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.rows[0].place, TreeRow::Place::loaded);
  EXPECT_EQ(t.rows[0].index, sums);
  EXPECT_EQ(t.rows[1].nodes[0].sources, (Sources{{0, 0}, {0, 1}}));
  EXPECT_EQ(tree(b.trace, 0, 1).rows.at(0).first, 1);
  EXPECT_EQ(step_events(b.trace, 0, 1).first, 4u);
  EXPECT_EQ(facts(b.trace).steps[1].active_lanes, 1);
}

TEST(Tree, OfOneBlockAmongSeveral) {
  TraceBuilder b(4, 4);
  for (const int block : {0, 1}) {
    b.block(block);
    b.step(Phase::load);
    b.store(0xf, same, b.read_input(0xf, same, [=](int lane) { return 1 << (4 * block + lane); }));
    b.barrier(0xf);
    b.step(Phase::store);
    b.write_output(
        0xf, [=](int lane) { return 4 * block + lane; }, b.load(0xf, same));
  }
  const Tree t = tree(b.trace, 0, 1);
  EXPECT_EQ(t.columns, 4);
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.rows[0].nodes[1].value[0], 32u);
  EXPECT_EQ(t.rows[1].nodes[1].element, 1) << "columns count from the block's first element";
  EXPECT_EQ(t.rows[1].first, 4);
  EXPECT_EQ(facts(b.trace).steps[0].active_lanes, 8) << "threads of different blocks are different";
  EXPECT_FALSE(memory_at(b.trace, 0, 1, block_events(b.trace, 0, 1).first)[0].known);
}

}  // namespace tree_test
}  // namespace upsweep
