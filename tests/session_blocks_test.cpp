// Tests which block a session shows.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/memory.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace session_blocks_test {

TEST(SessionBlocks, AreStepped) {
  Session s(start());
  EXPECT_FALSE(s.step_block(+1)) << "there is only one block";
  s.set_algorithm("scan_large");
  const int blocks = s.recording().trace.grids.front().blocks;
  ASSERT_GE(blocks, 3);
  for (int k = 1; k < blocks; ++k) {
    EXPECT_TRUE(s.step_block(+1));
    EXPECT_EQ(s.cursor().block, k);
  }
  EXPECT_FALSE(s.step_block(+1));
  // In a grid with fewer blocks, the cursor moves to the last block. In the next grid, the cursor returns to
  // its former block.
  const auto& grids = s.recording().trace.grids;
  ASSERT_EQ(grids.size(), 3u);
  s.go_to(static_cast<int>(grids[1].first_step));
  EXPECT_EQ(s.cursor().block, 0);
  s.go_to(static_cast<int>(grids[2].first_step));
  EXPECT_EQ(s.cursor().block, blocks - 1);
  s.click(BlockId{.step = 0, .grid = 0, .block = 1});
  EXPECT_EQ(s.cursor().step, 0);
  EXPECT_EQ(s.cursor().block, 1);
}

TEST(SessionBlocks, AreRecordedWhenTheyAreLookedAt) {
  Session s(start());
  s.set_algorithm("scan_large");
  s.set_block(64);
  s.set_n(128 * 100);
  ASSERT_EQ(s.error(), "");
  EXPECT_EQ(s.recording().trace.grids.front().blocks, 100);
  EXPECT_FALSE(in_focus(s.recording().trace, 0, 90));
  s.go_to_block(90);
  EXPECT_EQ(s.cursor().block, 90);
  EXPECT_TRUE(in_focus(s.recording().trace, 0, 90));
  EXPECT_FALSE(s.recording().tree(0, 90).rows.empty());
}

// Some blocks end before the last step. The last step is shown in a block that still works, and the chosen
// block returns in other steps.
TEST(SessionBlocks, TheLastStepShowsABlockThatWorks) {
  int changed = 0;
  for (const Algorithm* a : correct_algorithms()) {
    if (!a->many_blocks) continue;
    Session s(start(256, a->name));
    s.go_to_block(0);
    s.last();
    const Trace& trace = s.recording().trace;
    const auto works = [&](int block) { return !step_events(trace, block, s.cursor().step).empty(); };
    const std::vector<int> blocks = focus_of(trace, grid_index(trace, s.cursor().step));
    EXPECT_EQ(works(s.cursor().block), std::ranges::any_of(blocks, works)) << a->name;
    changed += s.cursor().block != 0;
    s.first();
    EXPECT_EQ(s.cursor().block, 0) << a->name;
  }
  EXPECT_GT(changed, 0);
}

// The last step of this kernel begins at a barrier after the last store.
TEST(SessionBlocks, AnEmptyLastStepSaysThatTheThreadsEnd) {
  const Recording r = record("linear_recurrence", 200);
  const int last = static_cast<int>(r.trace.steps.size()) - 1;
  EXPECT_TRUE(says(draw("words", r, at_step(last), 1280, 80), "the threads only end"));
  EXPECT_FALSE(says(draw("words", r, at_step(last - 1), 1280, 80), "the threads only end"));
}

}  // namespace session_blocks_test
}  // namespace upsweep
