// Tests that a kernel that divides an integer by zero ends only its run, not the program.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/emulated_runs.hpp"
#include "support/sanitizers.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace division_test {

TEST(Division, ByZeroEndsOnlyTheRun) {
  if (sanitized) GTEST_SKIP() << "Kernels are compiled without this check.";
  const Algorithm a = test_kernel("divides_by_zero");
  const Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
  Emulator emulator;
  for (int i = 0; i < 2; ++i) {
    std::string why;
    try {
      emulator.record(a, *test_kernels(a.name), s, seeded_data(s, 1));
    } catch (const WorkError& e) { why = in_words(e); }
    EXPECT_EQ(why,
              "Line 15: thread 3 of block 0 divides an integer by zero. On a GPU, the quotient would be "
              "undefined.");
  }
  // The emulator still runs other kernels.
  const Settings right{.algorithm = "scan_blelloch", .n = 64};
  EXPECT_FALSE(emulator.record(right, seeded_data(right, 1)).stopped);
}

}  // namespace division_test
}  // namespace upsweep
