// Tests `upsweep counters` without a GPU: the command prints the prediction, and the reason why nothing was
// measured.
#include <gtest/gtest.h>

#include <map>

#include "support/command_line.hpp"

namespace upsweep {
namespace counters_cli_test {

class CountersCommandLine : public CommandLine {};

TEST_F(CountersCommandLine, PredictsWhatTheTraceCounts) {
  for (const char* request : {"scan_blelloch --n 1024", "scan_large --n 3000 --layout pad32 --block 64",
                              "reduce_atomic --n 500 --type int32", "scan_vector4 --n 77 --type float64",
                              "scan_vector4 --n 77 --type float16"}) {
    SCOPED_TRACE(request);
    const json counted = run_json(std::string("upsweep counters ") + request + " --machine emulated --json");
    const json totals =
        run_json(std::string("upsweep trace ") + request + " --machine emulated --json")["totals"];
    std::map<std::string, double> run;
    for (const json& r : counted["run"]) {
      run[r["what"]] = r["predicted"];
      EXPECT_EQ(r["measured"], nullptr);
      EXPECT_EQ(r["agreement"], "predicted only");
      EXPECT_NE(r["counter"], "");
    }
    EXPECT_EQ(run.at("wavefronts of shared loads"), totals["shared_load"]["wavefronts"]);
    EXPECT_EQ(run.at("excess wavefronts of shared loads"), totals["shared_load"]["excess"]);
    EXPECT_EQ(run.at("wavefronts of shared stores"), totals["shared_store"]["wavefronts"]);
    EXPECT_EQ(run.at("excess wavefronts of shared stores"), totals["shared_store"]["excess"]);
    EXPECT_EQ(run.at("sectors of global loads"), totals["global_load"]["sectors"]);
    EXPECT_EQ(run.at("sectors of global stores"), totals["global_store"]["sectors"]);
    std::map<std::string, double> lines;  // the sums over all lines
    for (const json& l : counted["lines"])
      for (const json& x : l["numbers"]) lines[x["what"]] += x["predicted"].get<double>();
    EXPECT_EQ(lines["wavefronts"], run["wavefronts of shared loads"] + run["wavefronts of shared stores"]);
    EXPECT_EQ(lines["sectors"], run["sectors of global loads"] + run["sectors of global stores"]);
  }
}

TEST_F(CountersCommandLine, SaysWhyThereIsNothingBesideThePrediction) {
  const Ran ran = run("upsweep counters reduce_sequential --n 100 --machine emulated");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("Predicted only. The emulator has no counters.\n\n")) << ran.out;
  EXPECT_EQ(ran.out.find("measured"), std::string::npos) << ran.out;
}

TEST_F(CountersCommandLine, RefusesWhatHasNoFixedCounts) {
  for (const char* request :
       {"bug_pointer_sum", "scan_blelloch --without-barrier 34", "--trace scan_large"}) {
    const Ran ran = run(std::string("upsweep counters ") + request);
    EXPECT_EQ(ran.exit_code, 2) << request;
    EXPECT_EQ(ran.out, "") << request;
    EXPECT_NE(ran.err.find("counts"), std::string::npos) << ran.err;
  }
}

TEST_F(CountersCommandLine, ImportsWhatNcuExported) {
  const std::string page = " --import " UPSWEEP_SOURCE_DIR "/tests/ncu/scan_blelloch-";
  const std::string start = "upsweep counters scan_blelloch --n 1024 --layout none --machine emulated";
  const json both = run_json(start + page + "raw.csv" + page + "source.csv --json");
  EXPECT_EQ(both["device"], "ncu, compute capability 9.0");
  for (const json& r : both["run"]) EXPECT_EQ(r["agreement"], "same") << r;
  for (const json& l : both["lines"]) EXPECT_EQ(l["agreement"], "same") << l;
  const Ran text = run(start + page + "sass.csv");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("the sums are compared"), std::string::npos) << text.out;
  expect_refusal("upsweep counters scan_blelloch --n 512 --machine emulated" + page + "raw.csv", "settings");
  expect_refusal(start + " --import missing.csv", "cannot be read");
  expect_refusal(start + page + "raw.csv --only-run", "--only-run");
  expect_refusal(start + " --only-run", "--machine gpu");
}

}  // namespace counters_cli_test
}  // namespace upsweep
