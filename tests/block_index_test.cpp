// Tests that a BlockIndex returns the same results as functions that read all events of the block, even if
// several threads use one recording at the same time.
#include "analysis/block_index.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "analysis/recording.hpp"
#include "analysis/time_line.hpp"
#include "support/compile_cases.hpp"
#include "support/drawn_views.hpp"
#include "support/random_trace.hpp"
#include "support/sanitizers.hpp"

namespace upsweep {
namespace block_index_test {

bool same(const Cell& a, const Cell& b) {
  return a.region == b.region && a.element == b.element && a.buffer == b.buffer && a.byte == b.byte &&
         a.bytes == b.bytes && a.cells == b.cells && a.value == b.value && a.known == b.known &&
         a.writer == b.writer && a.writer_thread == b.writer_thread;
}

void expect_same_answers(const Trace& trace, int grid, int block, int checks) {
  const BlockIndex index(trace, grid, block);
  const EventRange all = block_events(trace, grid, block);
  const std::size_t stride =
      std::max<std::size_t>(1, (all.last - all.first) / static_cast<std::size_t>(checks));
  for (std::size_t count = all.first > 0 ? all.first - 1 : 0; count <= all.last + 1; count += stride) {
    const std::vector<Cell> expected = memory_at(trace, grid, block, count),
                            found = index.memory_at(trace, count);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
      ASSERT_TRUE(same(found[c], expected[c])) << "cell " << c << " after " << count << " events";
      if (c % 7 == 0) { ASSERT_TRUE(same(index.cell_at(trace, c, count), expected[c])); }
    }
  }
  for (int step = static_cast<int>(trace.grids[static_cast<std::size_t>(grid)].first_step);
       step < end_step(trace, grid); ++step) {
    const auto expected = warp_lanes(trace, block, step), found = index.warp_lanes(trace, step);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t w = 0; w < found.size(); ++w) {
      EXPECT_EQ(found[w].lanes, expected[w].lanes);
      EXPECT_EQ(found[w].diverged, expected[w].diverged);
    }
  }
}

TEST(BlockIndex, AnswersAsTheEventsDoInRunsThatNeverWere) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Trace trace = RandomTrace(seed).make();
    for (std::size_t g = 0; g < trace.grids.size(); ++g)
      for (int b = 0; b < std::min(trace.grids[g].blocks, 4); ++b)
        expect_same_answers(trace, static_cast<int>(g), b, 12);
    if (HasFatalFailure()) return;
  }
}

TEST(BlockIndex, AnswersAsTheEventsDoForEveryKernel) {
  for (const Algorithm& a : cuda_algorithms()) {
    SCOPED_TRACE(a.name);
    if (!can_be_emulated(first_settings(a))) continue;
    const Recording r = record(a.name, 100);
    for (int b = 0; b < std::min(r.trace.grids[0].blocks, 2); ++b) expect_same_answers(r.trace, 0, b, 12);
    if (HasFatalFailure()) return;
  }
}

TEST(Recording, AnswersSeveralThreads) {
  const Recording r =
      make_recording(Emulator().record({.algorithm = "scan_decoupled_lookback", .n = 3000},
                                       seeded_data({.algorithm = "scan_decoupled_lookback", .n = 3000}, 3)));
  EXPECT_EQ(r.hazards(), nullptr);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int b = 0; b < 12; ++b) {
        EXPECT_FALSE(r.tree(0, b).rows.empty());
        EXPECT_FALSE(r.block(0, b).places().empty());
      }
      EXPECT_TRUE(r.time_line().has_talk());
      if (t % 2 == 0) { EXPECT_TRUE(r.find_hazards().findings.empty()); }
      if (const Hazards* h = r.hazards()) { EXPECT_TRUE(h->complete); }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(r.hazards(), &r.find_hazards());
}

TEST(Recording, StopsLookingForHazardsWhenTheJobIsCancelled) {
  const Recording r = record("scan_blelloch", 64);
  const Recording fresh = make_recording(Trace(r.trace));
  Job job;
  job.cancel();
  EXPECT_THROW(fresh.find_hazards(&job), Cancelled);
  EXPECT_EQ(fresh.hazards(), nullptr);
  Job wanted;
  EXPECT_TRUE(fresh.find_hazards(&wanted).findings.empty());
  EXPECT_EQ(wanted.progress(), 1);
}

}  // namespace block_index_test
}  // namespace upsweep
