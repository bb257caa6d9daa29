// Tests the output and the exit code of `upsweep hazards`.
#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace hazards_cli_test {

class HazardsCommandLine : public CommandLine {};

TEST_F(HazardsCommandLine, FindsNothingInACorrectKernel) {
  const Ran ran = run("upsweep hazards scan_blelloch --n 100 --schedules 5 --machine emulated");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, "5 random schedules: the result was right every time.\n\nNo hazards found.\n");
  const json j = run_json("upsweep hazards scan_blelloch --schedules 3 --machine emulated --json");
  EXPECT_EQ(j["findings"], json::array());
  EXPECT_EQ(j["wrong_elements"], (json{0, 0, 0}));
  EXPECT_EQ(j["mistake"], nullptr);
  EXPECT_EQ(j["wrong"], nullptr);
}

TEST_F(HazardsCommandLine, SaysWhichBlocksItLookedAt) {
  const std::string line = "upsweep hazards scan_large --n 8000 --block 32 --machine emulated";
  EXPECT_EQ(run(line).out.find("blocks checked"), std::string::npos) << "all blocks were checked";
  const Ran some = run(line + " --focus 2:3");
  EXPECT_NE(some.out.find("3 of 125 blocks checked"), std::string::npos) << some.out;
}

TEST_F(HazardsCommandLine, SaysWhereTheRaceIsAndThatItChangesTheAnswer) {
  const std::string line = "upsweep hazards bug_two_barriers_needed --schedules 64 --machine emulated";
  const Ran ran = run(line);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("Shared race: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("put a __syncthreads() between line "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("had a wrong result; in the worst run, "), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("found in bug_two_barriers_needed."), std::string::npos) << ran.err;

  const Ran with_json = run(line + " --json");
  EXPECT_EQ(with_json.exit_code, 1);
  const json j = json::parse(with_json.out);
  ASSERT_EQ(j["wrong_elements"].size(), 64u);
  int wrong = 0;
  for (const json& elements : j["wrong_elements"]) wrong += elements.get<int>() > 0;
  EXPECT_GT(wrong, 0) << "a race that never changes the answer";
  const json& f = j["findings"][0];
  EXPECT_EQ(f["kind"], "shared race");
  EXPECT_EQ(f["models"], (json{"lockstep", "independent"}));
  EXPECT_NE(f["thread"]["thread"], f["other_thread"]["thread"]);
  EXPECT_EQ(f["line"], f["thread"]["line"]);
  const json& fix = f["fix"];  // the fix is a barrier between the lines that read and write
  EXPECT_EQ(fix["barrier"], "block");
  EXPECT_EQ(fix["before_line"].get<int>(), fix["after_line"].get<int>() + 2);
  EXPECT_EQ(fix["next_round"], false);
  EXPECT_EQ(f["address"].get<std::string>().substr(0, 5), "temp[");

  // Records the run again with schedule 7.
  const Ran again = run("upsweep trace bug_two_barriers_needed --schedule 7 --machine emulated --json");
  const json repeated = json::parse(again.out);
  EXPECT_EQ(repeated["mistake"].is_null(), j["wrong_elements"][6] == 0);
}

TEST_F(HazardsCommandLine, FindsWhatABarrierTakenOutWasFor) {
  const Ran lines =
      run("upsweep list --json | python3 -c \"import json,sys; print(next(a['file'] for a in "
          "json.load(sys.stdin) if a['name'] == 'scan_hillis_steele'))\"");
  ASSERT_EQ(lines.exit_code, 0) << lines.err;
  const std::string file = lines.out.substr(0, lines.out.find('\n'));
  std::istringstream text(content(fs::path(UPSWEEP_SOURCE_DIR) / file));
  int number = 0, barriers = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.find("__syncthreads();") == line.npos) continue;
    ++barriers;
    const Ran ran = run("upsweep hazards scan_hillis_steele --machine emulated --without-barrier " +
                        std::to_string(number));
    EXPECT_EQ(ran.exit_code, 1) << number;
    EXPECT_NE(ran.out.find("Shared race"), std::string::npos) << number << ran.out;
  }
  EXPECT_GE(barriers, 2);
}

TEST_F(HazardsCommandLine, SaysThatARunHadToBeStopped) {
  const Ran ran = run("upsweep hazards bug_missing_shift_assign --schedules 2 --machine emulated");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("Endless loop: line "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("2 runs had a wrong result, because every run had to be stopped."),
            std::string::npos)
      << ran.out;
}

// Some bugs cause no hazard, but a wrong result. The command then names the line at which the run first
// differs from the run of the correct kernel. `upsweep list` must name the same line.
TEST_F(HazardsCommandLine, SaysWhereAWrongResultComesFrom) {
  const json list = run_json("upsweep list --json");
  int bugs = 0, wrong = 0;
  for (const json& a : list) {
    if (a["family"] != "bug") continue;
    ++bugs;
    const json& flaw = a["flaws"][0];
    if (flaw["kind"] != "wrong result") continue;
    ++wrong;
    const std::string name = a["name"];
    const Ran ran = run("upsweep hazards " + name + " --machine emulated --json");
    EXPECT_EQ(ran.exit_code, 1) << name;
    const json j = json::parse(ran.out);
    ASSERT_TRUE(j["wrong"].is_object()) << name;
    EXPECT_EQ(j["wrong"]["line"], flaw["line"]) << name << j["wrong"];
    EXPECT_EQ(j["findings"], json::array()) << name;
    const json traced = json::parse(
        run("upsweep trace " + name + " --machine emulated --json --n " + std::to_string(j["n"].get<int>()))
            .out);
    EXPECT_EQ(traced["wrong"], j["wrong"]) << name;
    const json& step = traced["steps"][j["wrong"]["step"].get<std::size_t>()];
    const Ran text = run("upsweep hazards " + name + " --machine emulated");
    const std::string place = "in step " + std::to_string(step["index"].get<int>() + 1) + ", line " +
                              std::to_string(flaw["line"].get<int>()) + ": ";
    EXPECT_NE(text.out.find(place), std::string::npos) << name << text.out;
    EXPECT_NE(text.out.find("Wrong result: "), std::string::npos) << text.out;
  }
  EXPECT_EQ(bugs, 18);
  EXPECT_EQ(wrong, 9);
  EXPECT_EQ(run_json("upsweep trace scan_blelloch --machine emulated --json")["wrong"], nullptr);
}

TEST_F(HazardsCommandLine, LooksIntoARecording) {
  ASSERT_EQ(run("upsweep trace bug_two_barriers_needed --machine emulated -o race.upsweep").exit_code, 0);
  const Ran ran = run("upsweep hazards --trace race.upsweep");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("Shared race: "), std::string::npos) << ran.out;
  expect_refusal("upsweep hazards --trace race.upsweep --schedules 3", "--schedules");
}

TEST_F(HazardsCommandLine, RefusesWhatMakesNoSense) {
  expect_refusal("upsweep hazards scan_blelloch --schedules many", "--schedules");
  expect_refusal("upsweep hazards scan_blelloch --schedules -1", "--schedules");
  expect_refusal("upsweep hazards scan_blelloh", "scan_blelloch");
  expect_refusal("upsweep hazards bug_missing_shift_assign --machine emulated --focus 9", "1 block");
  expect_refusal("upsweep trace bug_missing_shift_assign --machine emulated --focus 9", "1 block");
  expect_refusal("upsweep hazards scan_blelloch --rounds -1", "--rounds");
}

}  // namespace hazards_cli_test
}  // namespace upsweep
