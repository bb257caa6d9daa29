// Tests recordings on the command line: `upsweep trace` writes them, and other commands read them instead of
// running an algorithm.
#include <gtest/gtest.h>

#include "support/command_line.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace recordings_cli_test {

class Recordings : public CommandLine {
 protected:
  Recordings() {
    const Ran ran = run("upsweep trace scan_blelloch --n 100 --layout pad32 --machine emulated -o a.upsweep");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ran.out.find("Blelloch scan"), std::string::npos) << "the counts are printed, too";
  }
};

TEST_F(Recordings, SayWhatTheRunSaid) {
  const std::string settings = "scan_blelloch --n 100 --layout pad32 --machine emulated";
  for (const std::string command : {"trace", "trace --json", "explain", "explain --step 3"}) {
    const Ran live = run("upsweep " + command + " " + settings);
    EXPECT_EQ(live.exit_code, 0) << live.err;
    for (const std::string name : {"--trace a.upsweep", "a.upsweep", "--trace ./a.upsweep"})
      EXPECT_EQ(run("upsweep " + command + " " + name).out, live.out) << command << " " << name;
  }
  EXPECT_EQ(run("upsweep render " + settings + " --view tree -o live.svg").exit_code, 0);
  EXPECT_EQ(run("upsweep render --trace a.upsweep --view tree -o kept.svg").exit_code, 0);
  EXPECT_EQ(content(folder_ / "live.svg"), content(folder_ / "kept.svg"));
  EXPECT_EQ(run("upsweep trace --trace a.upsweep -o b.upsweep").exit_code, 0);
  EXPECT_EQ(content(folder_ / "a.upsweep"), content(folder_ / "b.upsweep"));
}

TEST_F(Recordings, AreReadFromPipes) {
  EXPECT_EQ(run("cat a.upsweep | upsweep trace --trace /dev/stdin --json").out,
            run("upsweep trace a.upsweep --json").out);
  expect_refusal("head -c 500 a.upsweep | upsweep trace --trace /dev/stdin", "cut off");
}

TEST_F(Recordings, WhatCannotBeReadIsASentence) {
  expect_refusal("upsweep trace no.upsweep", "No such file");
  expect_refusal("upsweep explain --trace no", "No such file");
  expect_refusal("upsweep trace --trace .", "Is a directory");
  expect_refusal("upsweep trace --trace ''", "empty");
  expect_refusal("upsweep no.upsweep", "No such file");
  expect_refusal("upsweep --trace no.upsweep", "No such file");
  write("text.upsweep", "3 1 7 0");
  expect_refusal("upsweep render text.upsweep --view tree -o t.svg", "is not a recording");
  expect_refusal("upsweep text.upsweep", "is not a recording");
  expect_refusal("head -c 300 a.upsweep > cut.upsweep; upsweep trace cut.upsweep", "cut off");
}

TEST_F(Recordings, AreRunsThatAreOver) {
  expect_refusal("upsweep trace a.upsweep --n 4", "leave --n out");
  expect_refusal("upsweep trace --trace a.upsweep --machine gpu", "leave --machine out");
  expect_refusal("upsweep trace --trace a.upsweep --variant a=b", "leave --variant out");
  expect_refusal("upsweep trace scan_blelloch --trace a.upsweep", "leave scan_blelloch out");
  expect_refusal("upsweep a.upsweep --seed 4", "leave --seed out");
  expect_refusal("upsweep explain a.upsweep --step 99", "There is no step 99");
}

TEST_F(Recordings, AreWrittenWholeOrNotAtAll) {
  const std::string command = "upsweep trace scan_blelloch --n 64 --machine emulated -o ";
  expect_refusal(command + "picture.svg", ".upsweep");
  expect_refusal(command + "/dev/full", "No space left", 1);
  expect_refusal(command + "no/such/a.upsweep", "No such file", 1);
  const std::string before = content(folder_ / "a.upsweep");
  expect_refusal("(ulimit -f 1; " + command + "a.upsweep)", "could not be written", 1);
  EXPECT_EQ(content(folder_ / "a.upsweep"), before) << "the old file is unchanged";
  EXPECT_EQ(run("ls").out, run("ls | grep -v part").out) << "nothing is left behind";
  EXPECT_EQ(run(command + "/dev/null").exit_code, 0);
}

TEST_F(Recordings, ThatComeWithTheProgramAreListed) {
  const json list = run_json("upsweep list --traces --json");
  ASSERT_TRUE(list.is_array());
  const Ran words = run("upsweep list --traces");
  EXPECT_EQ(words.exit_code, 0);
  int index = 0;
  for (const json& each : list) {
    const auto name = each["name"].get<std::string>();
    EXPECT_NE(words.out.find(name), std::string::npos);
    if (index++ % 3 == 0 || tries_everything()) {  // because reading a recording takes long
      EXPECT_EQ(run_json("upsweep trace " + name + ".upsweep --json")["device"], each["device"]);
      EXPECT_EQ(run_json("upsweep trace --trace " + name + " --json")["n"], each["n"]);
    }
    expect_refusal("upsweep trace " + name + "s.upsweep", "Upsweep comes with " + name + ".");
  }
}

}  // namespace recordings_cli_test
}  // namespace upsweep
