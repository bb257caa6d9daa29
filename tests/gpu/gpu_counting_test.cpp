// Tests the window's sentences about hardware counters, on a GPU with CUPTI.
#include <gtest/gtest.h>

#include "study/line_counting.hpp"
#include "support/drawn_views.hpp"

namespace upsweep {
namespace {

TEST(GpuLineCounting, EveryLineIsAsPredicted) {
  for (const char* algorithm : {"scan_blelloch", "scan_large", "reduce_shuffle"}) {
    Job job;
    const LineCounters c = line_counters(count_here(record(algorithm, 1024).trace, job));
    EXPECT_EQ(c.predicted_only, "") << algorithm;
    EXPECT_NE(c.device, "") << algorithm;
    EXPECT_FALSE(c.entries.empty()) << algorithm;
    for (const LineCounters::Entry& e : c.entries)
      EXPECT_EQ(e.agreement, Agreement::same) << algorithm << ": " << difference_text(e);
  }
}

}  // namespace
}  // namespace upsweep
