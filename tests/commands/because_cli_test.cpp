#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace because_cli_test {

TEST_F(CommandLine, BecauseGivesEveryLane) {
  const std::string command =
      "upsweep because scan_blelloch --n 64 --block 32 --type int32 --machine emulated --json";
  const json costliest = run_json(command + " --step 5");
  ASSERT_EQ(costliest["lanes"].size(), 32u);
  const int of = costliest["requests"];
  int wavefronts = 0, most = 0;
  for (int request = 1; request <= of; ++request) {
    const json one = run_json(command + " --step 5 --request " + std::to_string(request));
    EXPECT_EQ(one["request"], request);
    wavefronts += one["wavefronts"].get<int>();
    most = std::max(most, one["wavefronts"].get<int>());
    for (const json& lane : one["lanes"]) {
      EXPECT_EQ(lane["index"].is_null(), !lane["active"]);
      if (lane["active"]) EXPECT_EQ(lane["bank"], lane["word"].get<int>() % 32);
    }
  }
  EXPECT_EQ(costliest["wavefronts"], most);
  const json trace =
      run_json("upsweep trace scan_blelloch --n 64 --block 32 --type int32 --machine emulated --json");
  const json& totals = trace["steps"][4];
  EXPECT_EQ(wavefronts,
            totals["shared_load"]["wavefronts"].get<int>() + totals["shared_store"]["wavefronts"].get<int>());
  // Without --step, the command explains the most expensive request of the run.
  const std::string text = run("upsweep because scan_blelloch --n 1024 --machine emulated").out;
  EXPECT_NE(text.find(": 32 wavefronts."), text.npos) << text;
  EXPECT_NE(text.find("Neighbouring active lanes"), text.npos) << text;
}

TEST_F(CommandLine, BecauseExplainsOtherKinds) {
  const std::string blelloch =
      "upsweep because scan_blelloch --n 64 --block 32 --type int32 --machine emulated ";
  const json global = run_json(blelloch + "--step 1 --kind global --json");
  EXPECT_EQ(global["sectors"], global["fewest_sectors"]);
  for (const json& lane : global["lanes"]) {
    EXPECT_EQ(lane["first_byte"], 4 * lane["index"].get<int>());
    EXPECT_EQ(lane["sector"], lane["first_byte"].get<int>() / 32);
  }
  const json branch = run_json(blelloch + "--step 5 --kind branch --json");
  EXPECT_EQ(branch["active_lanes"], 4);
  ASSERT_EQ(branch["conditions"].size(), 1u);
  EXPECT_EQ(branch["conditions"][0]["condition"], "t < d");
  EXPECT_EQ(branch["lanes"][3]["active"], true);
  EXPECT_EQ(branch["lanes"][4]["active"], false);
  // At stride 4, each working thread reads at least one sum that another thread wrote at stride 2.
  const json barrier = run_json(blelloch + "--step 3 --kind barrier --json");
  EXPECT_EQ(barrier["text"], "__syncthreads();");
  EXPECT_GT(barrier["reads"], 0);
  EXPECT_EQ(barrier["within_warps"], true);
  EXPECT_NE(barrier["reason"].get<std::string>().find("could read temp["), std::string::npos);
  for (const char* kind : {"global --step 1", "branch --step 5", "barrier --step 3"})
    EXPECT_NE(run(blelloch + "--kind " + kind).out.find("line"), std::string::npos) << kind;
  expect_refusal(blelloch + "--kind sheared", "shared");
  expect_refusal(blelloch + "--step 4 --kind global", "no requests to global memory");
  expect_refusal("upsweep because reduce_serial --n 64 --kind barrier", "no barrier");
}

TEST_F(CommandLine, BecauseRefusesRequestsThatDoNotExist) {
  expect_refusal("upsweep because scan_blelloch --n 64 --step 99", "There is no step 99");
  expect_refusal("upsweep because scan_blelloch --n 64 --step 2 --request 999", "no shared request 999");
  expect_refusal("upsweep because scan_blelloch --n 64 --step 2 --request 0", "no shared request 0");
  expect_refusal("upsweep because reduce_serial --n 64 --step 1", "choose another step");
  expect_refusal("upsweep because reduce_serial --n 64", "choose another algorithm");
}

}  // namespace because_cli_test
}  // namespace upsweep
