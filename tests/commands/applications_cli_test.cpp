// Tests the JSON of recordings of applications: the rows of the output, and the fields that each application
// adds.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/command_line.hpp"
#include "support/emulated_runs.hpp"
#include "trace/file.hpp"

namespace upsweep {
namespace applications_cli_test {

class Applications : public CommandLine {
 protected:
  // Records a test kernel on these numbers, and returns the recording in JSON.
  json recorded(const std::string& name, Settings s, const std::string& numbers, const Contents& more = {}) {
    const Algorithm a = test_kernel(name);
    s.algorithm = name;
    s.block = 32;
    const std::vector<Value> input = parse_data(numbers, {.type = s.type}, "the test");
    const Trace trace = Emulator().record(a, *test_kernels(name), s, Inputs(input, more));
    const std::string file = (folder_ / (name + ".upsweep")).string();
    write_trace(file, trace);
    const json all = run_json("upsweep trace " + file + " --json");
    EXPECT_TRUE(all["mistake"].is_null()) << all["mistake"];
    return all;
  }
};

TEST_F(Applications, ASelectionPrintsOnlyWhatItKept) {
  Settings s{.n = 6, .type = Scalar::int32};
  s.choices["predicate"] = "x > 3 && x % 2 == 0";
  const json all = recorded("serial_selection", s, "8 3 -2 4 5 6");
  EXPECT_EQ(all["output"], (json{8, 4, 6}));
  EXPECT_EQ(all["kept"], 3);
  EXPECT_EQ(all["variants"]["predicate"], "x > 3 && x % 2 == 0");
  EXPECT_TRUE(all["shape"].is_null());
  s.choices["predicate"] = "never";
  const json none = recorded("serial_selection", s, "8 3 -2 4 5 6");
  EXPECT_EQ(none["output"], json::array());
  EXPECT_EQ(none["kept"], 0);
}

TEST_F(Applications, ASortPrintsKeysOrPairs) {
  Settings s{.n = 4, .type = Scalar::float32};
  EXPECT_EQ(recorded("rank_sorting", s, "2.5 -1 0 -0")["output"], (json{-1.0, -0.0, 0.0, 2.5}));
  s.choices["keys"] = "pairs";
  EXPECT_EQ(recorded("rank_sorting", s, "2.5 -1 -1 -3")["output"],
            (json{{-3.0, 3}, {-1.0, 1}, {-1.0, 2}, {2.5, 0}}));
  EXPECT_EQ(recorded("rank_sorting", s, "2.5 -1 -1 -3", {{{7}, {9}, {8}, {4294967295u}}})["output"],
            (json{{-3.0, 4294967295u}, {-1.0, 9}, {-1.0, 8}, {2.5, 7}}));
}

// A kernel may choose any name for the number of a step. If the name equals the name of a JSON field, the
// number must not replace the value of this field.
TEST_F(Applications, ANumberDoesNotReplaceAField) {
  const Settings s{.algorithm = "radix_sort", .n = 20, .block = 32, .type = Scalar::uint32};
  const Trace trace = Emulator().record(s, random_data(s, 1), {});
  const std::string file = (folder_ / "numbers.upsweep").string(), call = "step(\"split\", bit)";
  write_trace(file, trace);
  const json due = run_json("upsweep trace " + file + " --json")["steps"];
  EXPECT_TRUE(std::any_of(due.begin(), due.end(), [](const json& step) { return step.contains("bit"); }));
  for (const std::string name : {"index", "grid", "phase", "active_lanes", "operations"}) {
    Trace other = trace;
    other.text.replace(other.text.find(call), call.size(), "step(\"split\", " + name + ")");
    write_trace(file, other);
    const json steps = run_json("upsweep trace " + file + " --json")["steps"];
    ASSERT_EQ(steps.size(), due.size());
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i][name], due[i][name]) << name << i;
  }
}

TEST_F(Applications, ATableHasAShapeAndPixels) {
  Settings s{.n = 6, .type = Scalar::int32};
  s.columns = 3;
  json all = recorded("serial_areas", s, "1 2 3 4 5 6");
  EXPECT_EQ(all["output"], (json{1, 3, 6, 5, 12, 21}));
  EXPECT_EQ(all["shape"], (json{2, 3}));
  s.n = 2;
  s.columns = 2;
  s.choices["channels"] = "3";
  all = recorded("serial_areas", s, "1 2 3 10 20 30");
  EXPECT_EQ(all["output"], (json{{1, 2, 3}, {11, 22, 33}}));
  EXPECT_EQ(all["shape"], (json{1, 2}));
}

TEST_F(Applications, AnAllocationSaysWhatFits) {
  Settings s{.n = 4, .type = Scalar::uint32};
  s.choices["capacity"] = "10";
  const json all = recorded("serial_allocation", s, "3 5 4 0");
  EXPECT_EQ(all["output"], (json{0, 3, 8, 12}));
  EXPECT_EQ(all["fits"], (json{1, 1, 0, 0}));
  EXPECT_EQ(all["left"], 2);
}

TEST_F(Applications, OptionsAreRefusedWhereTheyMeanNothing) {
  expect_refusal("upsweep trace scan_blelloch --predicate 'x > 3'", "no choice \"predicate\"");
  expect_refusal("upsweep trace scan_blelloch --capacity 7", "no choice \"capacity\"");
  expect_refusal("upsweep trace scan_blelloch --values /dev/null", "leave --values out");
  expect_refusal("upsweep trace scan_blelloch --variant method=fused", "no choice \"method\"");
  for (const Algorithm& a : algorithms()) {
    if (!a.choice("predicate")) continue;
    expect_refusal("upsweep trace " + a.name + " --predicate 'y > 3'", "character 1 ('y')");
    expect_refusal("upsweep trace " + a.name + " --predicate most", "nor a formula in x");
    expect_refusal("upsweep trace " + a.name + " --predicate 'x >' --variant predicate=odd", "same choice");
  }
}

}  // namespace applications_cli_test
}  // namespace upsweep
