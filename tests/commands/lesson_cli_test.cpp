#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace lesson_cli_test {

// The command finds every lesson of the list by its name, with or without its number.
TEST_F(CommandLine, LessonChecksShippedLessonsByName) {
  const json all = run_json("upsweep lesson list --json");
  ASSERT_GT(all.size(), 20u);
  for (const std::size_t i : {std::size_t{0}, all.size() / 2, all.size() - 1}) {
    const std::string name = all[i]["name"];
    for (const std::string& typed : {name, name.substr(name.find('-') + 1)}) {
      const Ran ran = run("upsweep lesson check " + typed);
      EXPECT_EQ(ran.exit_code, 0) << typed << ran.err;
      EXPECT_NE(ran.out.find("1 lesson, "), std::string::npos) << ran.out;
    }
  }
  expect_refusal("upsweep lesson check 01-what-a-scam-is", "did you mean");
  // If a file and a lesson have the same name, the command reads the file.
  write("padding", "Only text.\n");
  EXPECT_NE(run("upsweep lesson check padding").out.find("padding:1: "), std::string::npos);
}

TEST_F(CommandLine, LessonListTakesNoName) {
  for (const char* more : {"foo", "01-what-a-scan-is", "foo --json", "."})
    expect_refusal(std::string("upsweep lesson list ") + more, "leave ");
}

// Questions of the kinds "compare" and "barrier" need several runs. If a run would take long, the command
// must refuse these questions, and must ask only questions of other kinds.
TEST_F(CommandLine, AskRefusesSeveralLargeRuns) {
  for (const char* kind : {"compare", "barrier"})
    for (const char* algorithm : {"radix_sort", "reduce_two_pass"})
      expect_refusal(std::string("upsweep ask ") + algorithm + " --n 1000000 --kind " + kind,
                     "takes too long");
  for (const json& question :
       run_json("upsweep ask radix_sort --n 100000 --machine emulated --count 30 --json")) {
    EXPECT_NE(question["kind"], "barrier");
    EXPECT_NE(question["kind"], "compare");
  }
}

}  // namespace lesson_cli_test
}  // namespace upsweep
