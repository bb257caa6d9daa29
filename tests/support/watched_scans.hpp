// Checks the claims in the Watch line of each scan and of each application, in the recording that the window
// opens first. See watch_test.cpp.
#pragma once
#include "support/watched.hpp"

namespace upsweep::watched {

inline void expect_look_back(const Recording& r) {
  const auto [tiles, farthest] = look_back(r);
  EXPECT_GE(tiles, 16);
  EXPECT_GE(farthest, 1);
}

inline std::vector<Watched> watched_in_scans() {
  return {
      {"scan_sequential",
       [](const Recording& r) {
         EXPECT_EQ(r.work.operations, r.trace.settings.n - 1);
         EXPECT_EQ(most(r, active), 1);
       }},
      {"scan_per_output",
       [](const Recording& r) {
         const std::int64_t n = r.trace.settings.n;
         EXPECT_EQ(r.work.operations, n * (n - 1) / 2);
         EXPECT_EQ(r.trace.steps.size(), 1u);
       }},
      {"scan_hillis_steele",
       [](const Recording& r) {
         EXPECT_LE(r.trace.settings.n, 32) << "every value is legible";
         EXPECT_GT(r.work.operations, 3 * r.trace.settings.n) << "much work";
         EXPECT_GE(barriers_per_warp(r), 2 * r.work.steps);
       }},
      {"scan_double_buffer",
       [](const Recording& r) {
         EXPECT_EQ(r.trace.grids[0].shared.buffers, 2);
         for_each_step(r, Phase::scan, [&](const StepFacts& f) {
           EXPECT_EQ(f.totals.shared_store.requests * 32, r.trace.settings.n) << "it copies, too";
         });
       }},
      {"scan_sklansky",
       [](const Recording& r) {
         EXPECT_TRUE(std::ranges::any_of(r.trace.events, [&](const Event& e) {
           if (e.kind != Kind::shared_load || std::popcount(e.mask) < r.trace.settings.n / 2) return false;
           bool same = true;
           for_each_lane(e, [&](int, std::uint32_t at) {
             same = same && r.trace.lanes[at].address == r.trace.lanes[e.first].address;
           });
           return same;
         })) << "n / 2 threads read one word";
       }},
      {"scan_brent_kung",
       [](const Recording& r) {
         EXPECT_GT(most(r, degree), 1) << "bank conflicts";
         EXPECT_LE(most(r, diverged), 1);
       }},
      {"scan_blelloch",
       [](const Recording& r) {
         EXPECT_GT(most(r, degree), 1) << "bank conflicts";
         const Numbers up = of_steps(r, Phase::up_sweep, active),
                       down = of_steps(r, Phase::down_sweep, active);
         for (std::size_t i = 1; i < up.size(); ++i) EXPECT_EQ(up[i - 1], 2 * up[i]);
         EXPECT_EQ(down, Numbers(up.rbegin(), up.rend())) << "they return";
       }},
      {"scan_blelloch_unrolled",
       [](const Recording& r) { EXPECT_GT(most(r, degree), 1) << "conflicts as in scan_blelloch"; }},
      {"scan_vector4",
       [](const Recording& r) {
         for (const Event& e : r.trace.events)
           if (is_global(e.kind)) { EXPECT_EQ(e.width, 16); }
         const auto strides = of_steps(r, Phase::up_sweep, active);
         EXPECT_EQ(1 << strides.size(), r.trace.settings.n / 4) << "a quarter of the leaves";
       }},
      {"scan_large",
       [](const Recording& r) {
         EXPECT_EQ(launches(r), 3);
         EXPECT_GT(accesses_per_element(r, "in", true) + accesses_per_element(r, "out", true) +
                       accesses_per_element(r, "out", false),
                   3);
       }},
      {"scan_opengl_hybrid",
       [](const Recording& r) {
         EXPECT_FALSE(r.facts.totals.any_shared());
         EXPECT_EQ(r.facts.totals.barriers, 0);
       }},
      {"scan_warp_shuffle",
       [](const Recording& r) {
         EXPECT_EQ(barriers_per_warp(r), 2);
         EXPECT_GE(r.work.operations, 129);
         EXPECT_EQ(excess(r), 0);
       }},
      {"scan_reduce_then_scan",
       [](const Recording& r) {
         EXPECT_EQ(accesses_per_element(r, "in", true), 2);
         EXPECT_EQ(accesses_per_element(r, "out", false), 1);
         EXPECT_GT(r.trace.grids[0].blocks, 1);
       }},
      {"scan_decoupled_lookback",
       [](const Recording& r) {
         expect_look_back(r);
         EXPECT_EQ(accesses_per_element(r, "in", true), 1);
         EXPECT_EQ(accesses_per_element(r, "out", false), 1);
       }},
      {"scan_lookback_vectorized",
       [](const Recording& r) {
         expect_look_back(r);
         EXPECT_TRUE(std::ranges::any_of(r.trace.events, [](const Event& e) {
           return e.kind == Kind::global_load && e.width == 16 && std::popcount(e.mask) == 32;
         })) << "a row of 512 bytes";
       }},
      {"stream_compaction_gather_search",
       [](const Recording& r) { EXPECT_GT(r.work.operations, 3 * r.trace.settings.n); }},
      {"stream_compaction",
       [](const Recording& r) {
         EXPECT_EQ(launches(r), 3);
         EXPECT_LE(r.trace.settings.n, 32) << "every arrow is legible";
       }},
      {"stream_compaction_fused",
       [](const Recording& r) {
         EXPECT_EQ(accesses_per_element(r, "in", true), 2);
         EXPECT_GT(r.facts.totals.vote.requests, 0);
       }},
      {"stream_compaction_look_back",
       [](const Recording& r) {
         expect_look_back(r);
         EXPECT_EQ(accesses_per_element(r, "in", true), 1);
         EXPECT_GT(r.facts.totals.shuffle.requests, 0);
       }},
      {"allocation_serial",
       [](const Recording& r) {
         EXPECT_EQ(most(r, active), 1);
         EXPECT_GE(r.work.operations, r.trace.settings.n - 1);
       }},
      {"allocation",
       [](const Recording& r) {
         EXPECT_EQ(r.trace.grids[0].blocks, 1);
         EXPECT_GE(std::ranges::count(r.trace.steps, Phase(Phase::load), &Step::phase), 2) << "two tiles";
       }},
      {"linear_recurrence_sequential", [](const Recording& r) { EXPECT_EQ(most(r, active), 1); }},
      {"linear_recurrence",
       [](const Recording& r) {
         ASSERT_EQ(launches(r), 3);
         EXPECT_EQ(r.trace.grids[1].kernel, r.trace.grids[2].kernel);
       }},
      {"linear_recurrence_look_back", expect_look_back},
      {"summed_area_table",
       [](const Recording& r) {
         EXPECT_EQ(std::ranges::count(r.trace.grids, "transpose", &Grid::kernel), 2);
       }},
      {"summed_area_table_single_pass",
       [](const Recording& r) {
         EXPECT_GE(r.trace.grids[0].blocks, 16);
         EXPECT_TRUE(r.time_line().has_talk()) << "blocks send messages";
       }},
      {"radix_sort",
       [](const Recording& r) {
         EXPECT_LE(r.trace.settings.n, 32) << "every key is legible";
         EXPECT_TRUE(std::ranges::any_of(r.trace.steps, [&](const Step& s) { return s.phase == "move"; }));
       }},
      {"radix_sort_digits",
       [](const Recording& r) {
         EXPECT_GT(r.facts.totals.vote.requests, 0);
         EXPECT_GT(r.trace.grids[0].blocks, 1);
       }},
      {"radix_sort_one_sweep",
       [](const Recording& r) {
         expect_look_back(r);
         EXPECT_GT(r.facts.totals.vote.requests, 0);
       }},
  };
}

}  // namespace upsweep::watched
