// Compares the totals of launches, the lane utilisation of a run, and the searches for the barriers around a
// step with models that examine every step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "analysis/barrier_use.hpp"
#include "analysis/memory.hpp"
#include "support/compile_cases.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace launch_totals_test {

bool has_barrier(const Trace& t, int block, int step) {
  const EventRange range = step_events(t, block, step);
  return std::any_of(t.events.begin() + static_cast<std::ptrdiff_t>(range.first),
                     t.events.begin() + static_cast<std::ptrdiff_t>(range.last),
                     [](const Event& e) { return e.kind == Kind::barrier; });
}

TEST(LaunchTotals, AreTheSumsOverTheStepsOfTheLaunch) {
  int several = 0, nested = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    SCOPED_TRACE(a->name);
    const Recording r = record(a->name, 300, first_settings(*a));
    const Trace& t = r.trace;
    const bool nests = std::ranges::any_of(t.grids, [](const Grid& g) { return g.parent >= 0; });
    several += t.grids.size() > 1;
    nested += nests;
    double active = 0, warps = 0;
    for (int step = 0; step < static_cast<int>(t.steps.size()); ++step) {
      const StepFacts& here = r.facts.steps[static_cast<std::size_t>(step)];
      active += here.active_lanes;
      warps += here.working_warps;
      std::int64_t shared = 0, shuffles = 0, barriers = 0;
      for (int other = 0; other < static_cast<int>(t.steps.size()); ++other) {
        if (!nests && grid_index(t, other) != grid_index(t, step)) continue;
        const Totals& totals = r.facts.steps[static_cast<std::size_t>(other)].totals;
        shared += totals.shared_load.requests;
        shuffles += totals.shuffle.requests;
        barriers += totals.barriers;
      }
      const Totals& launch = r.launch_totals(step);
      ASSERT_EQ(launch.shared_load.requests, shared) << "step " << step + 1;
      ASSERT_EQ(launch.shuffle.requests, shuffles) << "step " << step + 1;
      ASSERT_EQ(launch.barriers, barriers) << "step " << step + 1;
    }
    ASSERT_EQ(r.facts.lane_utilisation.has_value(), warps > 0);
    if (warps > 0) EXPECT_DOUBLE_EQ(*r.facts.lane_utilisation, active / (32 * warps));
  }
  EXPECT_GT(several, 3);
  EXPECT_GT(nested, 0);
}

TEST(Barriers, BeforeAndAfterAStepAreTheNearest) {
  int found = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 300, first_settings(*a));
    const Trace& t = r.trace;
    for (int step = 0; step < static_cast<int>(t.steps.size()); ++step) {
      const int grid = grid_index(t, step);
      const int first = static_cast<int>(t.grids[static_cast<std::size_t>(grid)].first_step);
      const int end = end_step(t, grid);
      int before = step - 1, after = step;
      while (before >= first && !has_barrier(t, 0, before)) --before;
      while (after < end && !has_barrier(t, 0, after)) ++after;
      found += before >= first;
      ASSERT_EQ(barrier_before(r, 0, step), before >= first ? before : -1) << a->name << " " << step + 1;
      ASSERT_EQ(barrier_after(r, 0, step), after < end ? after : -1) << a->name << " " << step + 1;
    }
  }
  EXPECT_GT(found, 20);
}

}  // namespace launch_totals_test
}  // namespace upsweep
