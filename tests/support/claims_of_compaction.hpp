// Proves the claims in the opening comments of the stream compaction kernels (see claims_test.cpp).
#pragma once
#include "support/claims.hpp"

namespace upsweep::claimed {

inline std::vector<Claim> claims_of_compaction() {
  return {
      {"stream_compaction_gather_search", "The distance doubles",
       [] {
         const Recording r = run({"stream_compaction_gather_search", 300});
         std::vector<int> distances;
         for (const Step& step : r.trace.steps)
           if (step.phase == Phase::scan) distances.push_back(step.stride);
         EXPECT_EQ(distances, (std::vector{1, 2, 4, 8, 16, 32, 64, 128, 256}));
       }},
      {"stream_compaction",
       "each flag is written once and read twice, and each place is written once and read once",
       [] {
         for (const int n : {100, 1024}) {
           const Recording r = run({"stream_compaction", n});
           EXPECT_EQ(accesses(r, "flags", false), n);
           EXPECT_EQ(accesses(r, "flags", true), 2 * n);
           EXPECT_EQ(accesses(r, "places", false), n);
           EXPECT_EQ(accesses(r, "places", true), n);
         }
       }},
      {"stream_compaction_fused", "Each element is read twice, and each kept element is written once",
       [] {
         const Recording r = run({"stream_compaction_fused", 1024, 64, 4, {{"predicate", "every"}}});
         EXPECT_EQ(accesses(r, "in", true), 2 * 1024);
         EXPECT_EQ(accesses(r, "out", false), 1024);
       }},
      {"stream_compaction_look_back", "Each element is read once, and each kept element is written once",
       [] {
         const Recording r = run({"stream_compaction_look_back", 5000});
         EXPECT_EQ(accesses(r, "in", true), 5000);
         EXPECT_EQ(accesses(r, "out", false), r.trace.more_outputs.at(0).at(0)[0]);
         EXPECT_GT(accesses(r, "out", false), 0);
       }},
  };
}

}  // namespace upsweep::claimed
