// Tests that every option of every choice can be selected on the command line. `upsweep list` and the JSON of
// a run must contain the option.
#include <set>

#include "catalogue/catalogue.hpp"
#include "support/command_line.hpp"
#include "support/long_tests.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace choices_cli_test {

std::string option_for(const Choice& c) {
  for (const char* name : {"layout", "predicate", "capacity"})
    if (c.name == name) return "--" + c.name + " ";
  return c.name == "load_pattern" ? "--load-pattern " : "--variant " + c.name + "=";
}

TEST_F(CommandLine, EveryChoiceCanBeTyped) {
  const std::string listed = run("upsweep list").out;
  std::set<std::string> tried;
  for (const Algorithm& a : algorithms())
    for (const Choice& c : a.choices) {
      EXPECT_NE(listed.find("  " + option_for(c) + c.options.front().name), std::string::npos) << c.name;
      const Option& o = c.options.back();
      if (a.is_broken() || !tried.insert(c.name + "=" + o.name).second) continue;
      std::string line = "upsweep trace " + a.name + " --n 40 --json --machine ";
      line += a.language == Language::glsl ? "opengl " : "emulated ";
      if (!o.types.empty()) line += "--type " + std::string(name(o.types.front())) + " ";
      if (!o.operators.empty()) line += "--op " + std::string(name(o.operators.front())) + " ";
      const json trace = run_json(line + option_for(c) + o.name);
      EXPECT_EQ(with_field(c.name) ? trace[c.name] : trace["variants"][c.name], o.name) << line;
      // Every choice can also be made with --variant. By default, only every third option is tried.
      if (tried.size() % 3 == 1 || tries_everything())
        EXPECT_EQ(run_json(line + "--variant " + c.name + "=" + o.name), trace) << line;
    }
  EXPECT_GE(tried.size(), 10u);
  expect_refusal("upsweep trace scan_blelloch --layout pad32 --variant layout=pad16", "same choice");
}

// The command line must open an algorithm with the same settings as the window. With these settings,
// scan_decoupled_lookback has so many blocks that several blocks look back.
TEST_F(CommandLine, OpensAnAlgorithmAsTheWindowDoes) {
  EXPECT_EQ(run_json("upsweep trace scan_decoupled_lookback --machine emulated --json")["block"], 32);
  EXPECT_GE(run_json("upsweep trace scan_decoupled_lookback --machine emulated --json")["n"], 16 * 32);
  EXPECT_EQ(run_json("upsweep trace radix_sort --machine emulated --json")["type"], "uint32");
  EXPECT_EQ(run_json("upsweep trace radix_sort --machine emulated --json --type int32")["type"], "int32");
  EXPECT_EQ(run_json("upsweep trace radix_sort --machine emulated --json --n 100")["type"], "float32");
  EXPECT_EQ(
      run_json("upsweep trace scan_decoupled_lookback --machine emulated --json --n 64 --block 64")["n"], 64);
}

TEST_F(CommandLine, OpensEveryAlgorithmAsTheListOfTheWindowDoes) {
  for (const Algorithm& a : cuda_algorithms()) {
    Session s(start(64, a.name == "scan_blelloch" ? "reduce_serial" : "scan_blelloch"));
    s.set_algorithm(a.name);
    s.settle(60);
    const json trace = run_json("upsweep trace " + a.name + " --machine emulated --json");
    EXPECT_EQ(trace["n"], s.settings().n) << a.name;
    EXPECT_EQ(trace["block"], s.settings().block) << a.name;
    EXPECT_EQ(trace["type"], name(s.settings().type)) << a.name;
    EXPECT_EQ(trace["steps"].size(), s.recording().trace.steps.size()) << a.name;
    if (a.uses_grid) { EXPECT_EQ(trace["grid"], s.settings().grid) << a.name; }
  }
}

}  // namespace choices_cli_test
}  // namespace upsweep
