// Tests `upsweep compare`. The JSON must agree with two traces. Also tests options that change a run, and
// refusals.
#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace compare_cli_test {

TEST_F(CommandLine, CompareGivesBothRunsAsTraceDoes) {
  const std::string settings = "scan_blelloch --n 100 --block 64 --type int32 --machine emulated";
  const json both = run_json("upsweep compare " + settings + " --with layout=pad32 --json");
  const json plain = run_json("upsweep trace " + settings + " --json"),
             padded = run_json("upsweep trace " + settings + " --layout pad32 --json");
  ASSERT_EQ(both["steps"].size(), plain["steps"].size());
  for (std::size_t i = 0; i < both["steps"].size(); ++i) {
    EXPECT_EQ(both["steps"][i]["baseline"], plain["steps"][i]);
    EXPECT_EQ(both["steps"][i]["changed"], padded["steps"][i]);
  }
  EXPECT_EQ(both["totals"]["baseline"], plain["totals"]);
  EXPECT_EQ(both["totals"]["changed"], padded["totals"]);
  for (const auto& [key, value] : both["baseline"].items()) EXPECT_EQ(value, plain[key]) << key;
  for (const auto& [key, value] : both["changed"].items()) EXPECT_EQ(value, padded[key]) << key;
}

TEST_F(CommandLine, CompareChangesAnyOption) {
  const std::string run = "upsweep compare reduce_sequential --n 64 --machine emulated --json";
  EXPECT_EQ(run_json(run + " --with n=100")["changed"]["n"], 100);
  EXPECT_EQ(run_json(run + " --with algorithm=reduce_interleaved --with block=64")["changed"]["algorithm"],
            "reduce_interleaved");
  EXPECT_EQ(run_json(run + " --type int32 --with type=")["changed"]["type"], "float32");
  EXPECT_EQ(run_json("upsweep compare scan_hillis_steele --n 32 --inclusive --json --with exclusive=yes")
                ["changed"]["variants"]["gives"],
            run_json("upsweep trace scan_hillis_steele --n 32 --exclusive --json")["variants"]["gives"]);
  const json shape =
      run_json("upsweep compare summed_area_table --n 12 --shape 4x3 --type int32 --json --with shape=5x2");
  EXPECT_EQ(shape["changed"]["n"], 10);
  // If the options do not set a value, this value is the same on both sides.
  const json open = run_json("upsweep compare scan_large --json --with layout=pad32");
  for (const char* key : {"n", "block", "type"}) EXPECT_EQ(open["baseline"][key], open["changed"][key]);
  EXPECT_EQ(
      run_json("upsweep compare scan_hillis_steele --json --with algorithm=scan_blelloch")["changed"]["n"],
      run_json("upsweep trace scan_hillis_steele --json")["n"]);
  const std::string text = this->run("upsweep compare scan_blelloch --n 1024 --with layout=pad32").out;
  EXPECT_NE(text.find("→"), text.npos);
  EXPECT_NE(text.find("lane utilisation"), text.npos);
}

TEST_F(CommandLine, CompareSaysWhatIsMissing) {
  expect_refusal("upsweep compare scan_blelloch", "--with KEY=VALUE");
  expect_refusal("upsweep compare scan_blelloch --with padding", "KEY=VALUE");
  expect_refusal("upsweep compare scan_blelloch --with =1", "KEY=VALUE");
  expect_refusal("upsweep compare scan_blelloch --with inclusive=1", "yes or no");
  expect_refusal("upsweep compare scan_blelloch --with colour=red", "colour");
  expect_refusal("upsweep compare scan_blelloch --with n=0", "n");
  expect_refusal("upsweep compare x.upsweep --with n=8", "a recording cannot run again");
}

}  // namespace compare_cli_test
}  // namespace upsweep
