// Checks the claims in the Watch line of each reduction, in the recording that the window opens first. See
// watch_test.cpp.
#pragma once
#include "support/watched.hpp"

namespace upsweep::watched {

inline std::vector<Watched> watched_in_reductions() {
  return {
      {"reduce_serial",
       [](const Recording& r) {
         EXPECT_EQ(most(r, active), 1);
         EXPECT_EQ(r.work.span, r.work.operations) << "each addition waits for the one before it";
       }},
      {"reduce_atomic",
       [](const Recording& r) {
         EXPECT_EQ(most(r, [](const StepFacts& f) { return f.max_contention; }), 32) << "one address";
         EXPECT_GT(r.facts.totals.global_atomic.requests, 1);
       }},
      {"reduce_global_in_place",
       [](const Recording& r) {
         EXPECT_FALSE(r.facts.totals.any_shared());
         for_each_step(r, Phase::reduce, [](const StepFacts& f) {
           if (f.totals.operations == 0) return;  // this stride exceeds the number of values
           EXPECT_GT(f.totals.global_load.requests, 0);
           EXPECT_GT(f.totals.global_store.requests, 0);
         });
       }},
      {"reduce_interleaved",
       [](const Recording& r) {
         EXPECT_EQ(most(r, degree), 2);
         EXPECT_GE(most(r, diverged), 2) << "several warps diverge at once";
         EXPECT_LE(least_utilisation(r), 0.25);
       }},
      {"reduce_strided",
       [](const Recording& r) {
         const Numbers conflicts = of_steps(r, Phase::reduce, degree);
         EXPECT_GE(*std::ranges::max_element(conflicts), 4) << "conflicts double";
         EXPECT_EQ(conflicts.back(), 1) << "then halve";
         expect_last_five_diverge(r);
       }},
      {"reduce_sequential",
       [](const Recording& r) {
         EXPECT_EQ(excess(r), 0);
         const Numbers warps = of_steps(r, Phase::reduce, [](const StepFacts& f) { return f.working_warps; });
         EXPECT_GT(warps.front(), warps.back()) << "whole warps drop out";
         expect_last_five_diverge(r);
       }},
      {"reduce_unrolled", [](const Recording& r) { EXPECT_GE(loads_of_a_thread(r), 2); }},
      {"reduce_unrolled_warp",
       [](const Recording& r) {
         EXPECT_GT(r.facts.totals.warp_barriers, 0);
         EXPECT_GT(r.trace.grids[0].warps(), 1) << "one warp goes on when the others have ended";
       }},
      {"reduce_fully_unrolled",
       [](const Recording& r) { EXPECT_GE(loads_of_a_thread(r), 8) << "the bytes from memory decide"; }},
      {"reduce_two_pass_blocked",
       [](const Recording& r) {
         const GlobalTotals& load = r.facts.steps[0].totals.global_load;
         EXPECT_EQ(load.sectors, 32 * load.requests);
         EXPECT_EQ(of_steps(r, Phase::reduce, active, 0), Numbers{r.trace.grids[0].blocks});
       }},
      {"reduce_two_pass",
       [](const Recording& r) {
         const GlobalTotals& load = r.facts.steps[0].totals.global_load;
         EXPECT_EQ(load.sectors, 4 * load.requests);
         EXPECT_GE(loads_of_a_thread(r), 2);
         EXPECT_EQ(of_steps(r, Phase::reduce, active, 0), Numbers{r.trace.grids[0].blocks});
       }},
      {"reduce_two_pass_tree",
       [](const Recording& r) {
         EXPECT_EQ(of_steps(r, Phase::reduce, active, 0).size(), 5u) << "log2(32) steps";
         EXPECT_GE(loads_of_a_thread(r), 2);
       }},
      {"reduce_shuffle",
       [](const Recording& r) {
         EXPECT_GT(r.facts.totals.shuffle.requests, 0);
         EXPECT_EQ(most(r, [](const StepFacts& f) { return f.totals.shuffle.lanes % 32; }), 0)
             << "all lanes get the sum";
       }},
      {"reduce_single_pass",
       [](const Recording& r) {
         EXPECT_GT(r.facts.totals.fences, 0);
         EXPECT_EQ(r.facts.totals.global_atomic.lanes, r.trace.grids[0].blocks + 1)
             << "each block counts, and the last one resets the counter";
       }},
      {"reduce_nested",
       [](const Recording& r) {
         EXPECT_GT(std::ranges::count_if(r.trace.grids, [](const Grid& g) { return g.parent >= 0; }), 4);
       }},
      {"nested_hello",
       [](const Recording& r) {
         EXPECT_GE(std::ranges::max_element(r.trace.grids, {}, &Grid::depth)->depth, 2);
       }},
      {"reduce_vectorized",
       [](const Recording& r) {
         EXPECT_TRUE(std::ranges::any_of(r.trace.events, [](const Event& e) {
           return e.kind == Kind::global_load && e.width == 16 && std::popcount(e.mask) == 32;
         })) << "512 bytes for a warp";
       }},
  };
}

}  // namespace upsweep::watched
