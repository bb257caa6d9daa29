// Tests the sides of a branch: which lanes of a warp take each side, and the condition that decides the side
// of each lane.
#include "analysis/branch_sides.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/memory.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "support/drawn_views.hpp"
#include "support/emulated_runs.hpp"
#include "support/pictures.hpp"
#include "support/trace_builder.hpp"

namespace upsweep {
namespace branch_sides_test {

Trace run_branches(int threads) {
  const Settings s{
      .algorithm = "convergence_branches", .n = threads, .block = threads, .type = Scalar::int32};
  return Emulator().record(test_kernel("convergence_branches"), *test_kernels("convergence_branches"), s,
                           seeded_data(s, 5));
}

// Returns the lanes of a warp for which the condition holds. The condition gets the thread's index.
template <class F>
std::uint32_t lanes_where(int warp, F holds) {
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < 32; ++lane) lanes |= std::uint32_t{holds(warp * 32 + lane)} << lane;
  return lanes;
}

int line_of(const std::string& text, const std::string& part) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<int>(text.find(part)), '\n'));
}

TEST(BranchSides, AreTheLanesThatTheConditionsOfTheTextSelect) {
  const Trace trace = run_branches(128);
  const KernelText text(trace.text);
  const auto sides = branch_sides(trace, 0, 0);
  ASSERT_EQ(sides.size(), 4u);
  for (int warp = 0; warp < 4; ++warp) {
    std::map<std::uint32_t, BranchCondition> found;
    const auto& own = sides[static_cast<std::size_t>(warp)];
    for (std::size_t i = 0; i < own.size(); ++i) found[own[i].lanes] = condition_of(text, own, i);
    const auto expect = [&](std::uint32_t lanes, const char* condition, bool is_else) {
      ASSERT_TRUE(found.contains(lanes)) << warp << " " << condition;
      EXPECT_EQ(found[lanes].line, line_of(trace.text, condition)) << warp;
      EXPECT_EQ(found[lanes].is_else, is_else) << warp;
    };
    EXPECT_EQ(found.size(), 4u);
    expect(lanes_where(warp, [](int t) { return t % 6 == 0; }), "if (t % 3 == 0) {", false);
    expect(lanes_where(warp, [](int t) { return t % 2 == 0 && t % 3 != 0 && t % 5 == 0; }),
           "if (t % 5 == 0) {", false);
    expect(lanes_where(warp, [](int t) { return t % 2 == 0 && t % 3 != 0 && t % 5 != 0; }),
           "if (t % 5 == 0) {", true);
    expect(lanes_where(warp, [](int t) { return t % 2 != 0; }), "if (t % 2 == 0) {", true);
  }
}

// The events of a warp have random masks. No lane may be in two sides of a branch. If an event has lanes of
// several sides, the event must have all lanes of these sides.
TEST(BranchSides, DivideTheWorkOfAnyWarp) {
  std::mt19937 random(8);
  for (int round = 0; round < 400; ++round) {
    Trace trace = run_branches(32);
    std::erase_if(trace.events, [](const Event& e) { return !has_lanes(e.kind); });
    std::uint32_t all = 0;
    for (Event& e : trace.events) {
      e.mask = random() % 4 == 0 ? ~0u : 1u << random() % 32 | 1u << random() % 32;
      all |= e.mask;
    }
    const auto sides = branch_sides(trace, 0, 0)[0];
    ASSERT_NE(sides.size(), 1u);
    std::uint32_t seen = 0;
    for (const BranchSide& side : sides) {
      ASSERT_EQ(seen & side.lanes, 0u);
      seen |= side.lanes;
      ASSERT_NE(side.lanes, 0u);
      for (const Event& e : trace.events)
        if ((e.mask & side.lanes) != 0 && (e.mask & ~side.lanes) != 0)
          for (const BranchSide& other : sides)
            ASSERT_TRUE((e.mask & other.lanes) == 0 || (e.mask & other.lanes) == other.lanes);
    }
    ASSERT_EQ(seen & ~all, 0u);
  }
}

TEST(BranchSides, ABranchWithoutElseHasOne) {
  for (const char* name : {"scan_blelloch", "reduce_interleaved", "reduce_sequential", "scan_brent_kung"}) {
    const Recording r = record(name, 256);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
      for (const auto& sides : branch_sides(r.trace, 0, step)) EXPECT_TRUE(sides.empty()) << name << step;
  }
}

TEST(BranchSides, WarpsShowsARowForEachSide) {
  const Recording r = make_recording(run_branches(64));
  for (const float height : {110.0f, 420.0f}) {
    const Scene scene = draw("warps", r, at_step(0), 1272, height);
    expect_words_fit(scene, {1272, height});
    std::map<int, std::set<float>> rows;  // the tops of the rows of each warp
    for (const Scene::Target& t : scene.targets)
      if (const auto* lane = as<LaneId>(t.id)) rows[lane->by.warp].insert(t.box.y);
    EXPECT_EQ(rows[0].size(), 4u);
    EXPECT_EQ(rows[1].size(), 4u);
  }
  EXPECT_TRUE(says(draw("warps", r, at_step(0), 1272, 420), "warp 0 issues 4 sides"));
  EXPECT_TRUE(says(draw("warps", r, at_step(0), 1272, 420), "else"));
  const Lines tip = tip_of({r, at_step(0)}, LaneId{0, {-1, 0, 6, 0}});
  EXPECT_NE(std::ranges::find(tip, "takes the if of line " +
                                       std::to_string(line_of(r.trace.text, "if (t % 3 == 0) {")) +
                                       ": if (t % 3 == 0)"),
            tip.end());
}

}  // namespace branch_sides_test
}  // namespace upsweep
