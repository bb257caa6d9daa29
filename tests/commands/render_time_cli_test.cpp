// Tests `upsweep render --time`, which draws a run at one time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace render_time_cli_test {

TEST_F(CommandLine, ATimeOfARecordedRunIsInNanoseconds) {
  const std::string render = "upsweep render --trace scan_decoupled_lookback --view blocks --at-block 18 ";
  EXPECT_EQ(run(render + "--time 0 -o begin.svg").exit_code, 0);
  EXPECT_EQ(run(render + "--time 1000000 -o later.svg").exit_code, 0);
  const std::string begin = content(folder_ / "begin.svg"), later = content(folder_ / "later.svg");
  EXPECT_NE(begin.find("No tile knows its prefix, 105 have published nothing"), begin.npos);
  EXPECT_NE(later.find("now 1.00 of "), later.npos);
  EXPECT_NE(begin, later);
  expect_refusal(render + "--time 5000000000 -o x.svg",
                 "There is no time 5,000,000,000 ns: this run ends at ");
  expect_refusal(render + "--time 5 --step 2 -o x.svg", "--time draws one view at one time of one run");
}

TEST_F(CommandLine, OnTheEmulatorATimeIsTheNumberOfAnEvent) {
  const std::string render =
      "upsweep render scan_decoupled_lookback --n 512 --block 32 --machine emulated --view blocks ";
  EXPECT_EQ(run(render + "--time 200 -o one.svg").exit_code, 0);
  EXPECT_NE(content(folder_ / "one.svg").find("now event 200 of "), std::string::npos);
  expect_refusal(render + "--time 100000000 -o x.svg",
                 "This recording has no clock, so a time is the number of");
  expect_refusal(render + "--time soon -o x.svg", "--time");
}

}  // namespace render_time_cli_test
}  // namespace upsweep
