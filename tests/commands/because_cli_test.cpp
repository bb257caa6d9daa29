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
  // Without --step, the costliest request of the run is chosen.
  const std::string text = run("upsweep because scan_blelloch --n 1024 --machine emulated").out;
  EXPECT_NE(text.find(": 32 wavefronts."), text.npos) << text;
  EXPECT_NE(text.find("Neighbouring active lanes"), text.npos) << text;
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
