// Tests operators that the user types on the command line. Also tests the mean and the span that commands
// print. The span is the length of the longest chain of dependent operations.
#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace own_operator_cli_test {

TEST_F(CommandLine, TakesAnOperatorOfOnesOwn) {
  const json trace = run_json(
      "upsweep trace scan_hillis_steele --n 100 --type int64 --op 'a+b-a*b' --identity 0 --machine emulated "
      "--json");
  EXPECT_EQ(trace["op"], "a + b - a * b");
  EXPECT_EQ(trace["identity"], "0");
  EXPECT_EQ(trace["mistake"], nullptr);
  const json plain =
                 run_json("upsweep trace scan_large --n 300 --op 'a + b' --identity 0 --type int32 --json"),
             sum = run_json("upsweep trace scan_large --n 300 --type int32 --json");
  EXPECT_EQ(plain["output"], sum["output"]);
  EXPECT_EQ(sum.contains("identity"), false);
  const std::string mod = " --op 'a * b % 1000003' --identity 1 --type int64";
  EXPECT_EQ(run_json("upsweep trace scan_blelloch --n 500" + mod + " --json")["mistake"], nullptr);
  EXPECT_NE(run("upsweep explain reduce_interleaved" + mod).out.find(" op "), std::string::npos);
  EXPECT_EQ(run("upsweep hazards scan_blelloch" + mod).exit_code, 0);
  EXPECT_EQ(run("upsweep verify --algorithm scan_blelloch --n 33 --block 64" + mod + " --machine emulated")
                .exit_code,
            0);
  EXPECT_EQ(run("upsweep render scan_blelloch" + mod + " --view tree -o own.svg").exit_code, 0);
  EXPECT_EQ(run("upsweep trace scan_blelloch" + mod + " -o own.upsweep").exit_code, 0);
  EXPECT_EQ(run_json("upsweep trace own.upsweep --json")["op"], "a * b % 1000003");
  for (const auto& [line, says] :
       {std::pair("upsweep trace scan_blelloch --op 'a - b' --identity 0",
                  "a - b is not associative for float32"),
        {"upsweep trace scan_blelloch --op 'max(a - b, b - a)' --identity 0 --type int32",
         "is not associative"},
        {"upsweep trace scan_blelloch --op 'a - b'", "a - b is not associative for float32"},
        {"upsweep trace scan_blelloch --op 'a + b'", "give --identity V"},
        {"upsweep trace scan_blelloch --op sum --identity 0", "leave --identity out"},
        {"upsweep trace scan_blelloch --identity 0", "leave --identity out"},
        {"upsweep trace scan_blelloch --op 'a +' --identity 0", "its end"},
        {"upsweep trace scan_blelloch --op 'a; b' --identity 0", "';'"},
        {"upsweep trace reduce_sequential --op 'b == 0 ? a : b' --identity 0", "commutative"},
        {"upsweep trace scan_blelloch --op mean", "not an associative operator"},
        {"upsweep bench --algorithm scan_blelloch --op 'a + b' --identity 0", "only built-in operators"},
        {"upsweep trace own.upsweep --identity 0", "leave --identity out"}})
    expect_refusal(line, says);
}

TEST_F(CommandLine, SaysTheSpanAndTheMean) {
  const json tail = run_json("upsweep trace reduce_two_pass --n 4096 --block 256 --machine emulated --json"),
             tree = run_json(
                 "upsweep trace reduce_two_pass_tree --n 4096 --block 256 --machine emulated --json");
  EXPECT_EQ(tail["work"]["span"], 286);
  EXPECT_EQ(tail["work"]["expected_span"], 286);
  EXPECT_EQ(tree["work"]["span"], 13);
  EXPECT_DOUBLE_EQ(tree["work"]["average"].get<double>(), tree["work"]["operations"].get<double>() / 13);
  const std::string text = run("upsweep trace scan_per_output --n 1024 --machine emulated").out;
  EXPECT_NE(text.find("Span: 1,023 applications one after another (formula: 1,023). Parallelism: 512.0 "
                      "on average (work / span), at most 1,023 applications at the same time."),
            std::string::npos)
      << text;

  const std::string eight = "upsweep trace reduce_interleaved --n 8 --machine emulated --type int32 ";
  const json mean = run_json(eight + "--json");
  double sum = 0;
  for (const json& x : mean["output"]) sum += x.get<double>();
  EXPECT_EQ(mean["mean"], sum / 8);
  EXPECT_NE(run(eight).out.find("The mean is "), std::string::npos);
  EXPECT_EQ(run_json(eight + "--op max --json")["mean"], nullptr);
  EXPECT_EQ(run_json("upsweep trace scan_blelloch --n 8 --json")["mean"], nullptr);
}

TEST_F(CommandLine, SaysHowAScanBecomesTheOtherKind) {
  expect_refusal("upsweep trace scan_blelloch --inclusive", "drop the first element and append the total");
  EXPECT_NE(run("upsweep explain scan_blelloch --n 8 --step 9 --machine emulated")
                .out.find("For the inclusive scan"),
            std::string::npos);
}

}  // namespace own_operator_cli_test
}  // namespace upsweep
