// Tests the command that the window copies to the clipboard: it must record the shown run again.
#include <gtest/gtest.h>

#include "study/command_text.hpp"
#include "support/command_line.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace command_text_cli_test {

class CommandText : public CommandLine {
 protected:
  void expect_same_run(const Session& s) const {
    const std::string arguments = run_arguments(s.state());
    SCOPED_TRACE(arguments);
    const json run = run_json("upsweep trace " + arguments + " --json");
    const Trace& trace = s.recording().trace;
    EXPECT_EQ(run["algorithm"], trace.settings.algorithm);
    EXPECT_EQ(run["n"], trace.settings.n);
    EXPECT_EQ(run["block"], trace.settings.block);
    EXPECT_EQ(run["type"], std::string(name(trace.settings.type)));
    EXPECT_EQ(run["layout"], trace.settings.choice("layout"));
    EXPECT_EQ(run["load_pattern"], trace.settings.choice("load_pattern"));
    ASSERT_EQ(run["steps"].size(), trace.steps.size());
    EXPECT_EQ(run["totals"]["shared_load"]["wavefronts"], s.recording().facts.totals.shared_load.wavefronts);
    EXPECT_EQ(run["totals"]["operations"], s.recording().facts.totals.operations);
  }
};

TEST_F(CommandText, RecordsEveryAlgorithmAgain) {
  for (const Algorithm& a : algorithms()) {
    if (a.language == Language::glsl || !is_listed(a) || a.family == families[3]) continue;
    SCOPED_TRACE(a.name);
    Session s(start());
    ASSERT_NE(s.set_algorithm(a.name), Answer::refused) << s.error();
    expect_same_run(s);
  }
}

TEST_F(CommandText, QuotesWhatTheShellWouldRead) {
  Session s(start());
  s.set_choice("layout", "i + (i >> 4)");
  expect_same_run(s);
  s.set_own_operator("max(a, b)", "");
  expect_same_run(s);
  s.set_algorithm("stream_compaction");
  s.set_choice("predicate", "x > 2 && x != 5");
  expect_same_run(s);
  s.set_algorithm("summed_area_table");
  expect_same_run(s);
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a/b-1.png"), "a/b-1.png");
}

TEST_F(CommandText, RefusesNumbersThatNoCommandHas) {
  Session s(start());
  s.set_data({DataSource::Kind::typed, 3, "3 1 4 1"});
  EXPECT_THROW(run_arguments(s.state()), RequestError);
}

TEST_F(CommandText, NamesTheChangesOfAComparison) {
  EXPECT_EQ(
      compare_arguments({.algorithm = "reduce_sequential", .n = 128, .choices = {{"layout", "i + i/16"}}}),
      " --compare algorithm=reduce_sequential --compare n=128 --compare 'layout=i + i/16'");
  EXPECT_EQ(compare_arguments({.machine = MachineChoice::emulated}), " --compare machine=emulated");
}

}  // namespace command_text_cli_test
}  // namespace upsweep
