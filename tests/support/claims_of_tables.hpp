// Proves the claims in the opening comments of recurrences and summed-area tables (see claims_test.cpp).
#pragma once
#include <algorithm>

#include "support/claims.hpp"

namespace upsweep::claimed {

// Returns the number of loads from (or stores to) global memory in all launches, divided by the number of
// elements of the input.
inline std::int64_t global_accesses(const Recording& r, bool load) {
  std::int64_t count = 0;
  for (const Event& e : r.trace.events)
    if (is_global(e.kind) && is_load(e.kind) == load) count += std::int64_t{std::popcount(e.mask)} * e.parts;
  EXPECT_EQ(count % static_cast<std::int64_t>(r.trace.input.size()), 0);
  return count / static_cast<std::int64_t>(r.trace.input.size());
}

// Returns the largest n of all n-way bank conflicts in a launch.
inline int worst_conflict(const Recording& r, int launch) {
  int worst = 0;
  for (std::size_t i = 0; i < r.trace.steps.size(); ++i)
    if (grid_index(r.trace, static_cast<int>(i)) == launch)
      worst = std::max<int>(worst, r.facts.steps[i].max_degree);
  return worst;
}

inline std::vector<Claim> claims_of_tables() {
  return {
      {"linear_recurrence_sequential", "One lane of one warp is active.",
       [] {
         const Recording r = run({.kernel = "linear_recurrence_sequential", .n = 64, .op = Operator::affine});
         for (const StepFacts& f : r.facts.steps) EXPECT_LE(f.active_lanes, 1);
       }},
      {"summed_area_table",
       "Every number is read and written four times, and six times in a picture with three channels.",
       [] {
         for (const char* channels : {"1", "3"}) {
           const Recording r = run({"summed_area_table", 1024, 64, 4, {{"channels", channels}}});
           EXPECT_EQ(global_accesses(r, true), *channels == '1' ? 4 : 6);
           EXPECT_EQ(global_accesses(r, false), *channels == '1' ? 4 : 6);
         }
       }},
      {"summed_area_table",
       "a warp reads a column of 32 cells from shared memory. With rows of 33 cells, 4 bytes "
       "each, these cells are in 32 different banks. With rows of 32 cells, all these cells are "
       "in one bank.",
       [] {
         const Recording padded = run({"summed_area_table", 1024}),
                         plain = run({"summed_area_table", 1024, 64, 4, {{"row_cells", "32"}}});
         for (const int transpose : {1, 3}) {
           EXPECT_EQ(worst_conflict(padded, transpose), 1);
           EXPECT_EQ(worst_conflict(plain, transpose), 32);
         }
       }},
      {"summed_area_table_single_pass",
       "Each tile publishes its bottom row, its right column, and the sum of all pixels to its "
       "left",
       [] {
         const Recording r = run({"summed_area_table_single_pass", 1 << 14, 64});
         EXPECT_EQ(accesses(r, "in", true), 1 << 14);
         EXPECT_EQ(accesses(r, "out", false), 1 << 14);
         EXPECT_EQ(accesses(r, "sums", false), 16 * (8 + 128 + 1));
       }},
  };
}

}  // namespace upsweep::claimed
