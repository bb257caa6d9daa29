// Tests that every option of every choice can be selected, recorded, and stored in files and in JSON.
#include <gtest/gtest.h>

#include <set>

#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "machine/machine.hpp"
#include "study/session.hpp"
#include "support/session_start.hpp"
#include "trace/file.hpp"
#include "trace/settings_json.hpp"

namespace upsweep {
namespace choices_test {

// Returns `s` with a type and an operator that the option allows.
Settings suited(Settings s, const Option& o) {
  if (!o.types.empty()) s.type = o.types.front();
  if (!o.operators.empty()) s.op = o.operators.front();
  return s;
}

// Calls f(algorithm, choice, option, settings) for every option. The settings select this option.
template <class F>
void for_each_option(F f) {
  for (const Algorithm& a : algorithms())
    for (const Choice& c : a.choices)
      for (const Option& o : c.options) {
        Settings s{.algorithm = a.name, .n = 40};
        fit_kind(a, s);
        s = suited(s, o);
        s.choose(c.name, o.name);
        resolve(s);
        s.block = smallest_block(algorithm(s.algorithm), s);
        f(a, c, o, s);
      }
}

TEST(Choices, AreDeclaredWhole) {
  for (const Algorithm& a : algorithms()) {
    std::set<std::string> names;
    for (const Choice& c : a.choices) {
      EXPECT_TRUE(names.insert(c.name).second) << a.name << " " << c.name;
      EXPECT_GE(c.options.size(), 2u) << a.name << " " << c.name;
      EXPECT_FALSE(c.label.empty()) << c.name;
      EXPECT_FALSE(c.about.empty()) << c.name;
      EXPECT_TRUE(c.options.front().types.empty() && c.options.front().operators.empty()) << c.name;
      EXPECT_EQ(chosen(a, {}, c.name), c.usual_option());
      if (const ChoiceWithField* field = with_field(c.name)) {
        EXPECT_EQ(field->usual, c.options.front().name);
      }
    }
  }
}

TEST(Choices, OptionsAreTakenInTheWindow) {
  for_each_option([](const Algorithm& a, const Choice& c, const Option& o, const Settings& wanted) {
    if (a.is_broken()) return;
    Session s(start(16, a.name));
    s.set_type(wanted.type);
    s.set_operator(wanted.op);
    if (c.options.back().allows(wanted)) s.set_choice(c.name, c.options.back().name);
    s.set_choice(c.name, o.name);
    EXPECT_EQ(s.error(), "") << a.name << " " << c.name << " " << o.name;
    const Settings& shown = s.recording().trace.settings;
    EXPECT_EQ(chosen(algorithm(shown.algorithm), shown, c.name), o.name) << a.name << " " << c.name;
  });
}

TEST(Choices, SurviveAFileAndStandInJson) {
  for_each_option([](const Algorithm& a, const Choice& c, const Option& o, const Settings& s) {
    if (a.is_broken() || algorithm(s.algorithm).waits_for_blocks()) return;
    validate(s);
    const MachineChoice machine = machine_for(a, MachineChoice::emulated);
    const Trace trace = open_machine(machine)->record(s, seeded_data(s, 1));
    const Settings read = unpack(pack(trace), "a test").settings;
    EXPECT_EQ(read, s) << a.name << " " << c.name;
    const auto json = settings_json(as_shown(read));
    EXPECT_EQ(with_field(c.name) ? json.at(c.name) : json.at("variants").at(c.name), o.name) << a.name;
  });
}

TEST(Choices, TheUsualOptionOfAFieldLeavesNoTrace) {
  Settings s;
  s.choose("layout", "pad32");
  s.choose("load_pattern", "neighbours");
  EXPECT_EQ(s.choices.size(), 2u);
  EXPECT_TRUE(s.variants().empty());
  s.choose("layout", "none");
  s.choose("load_pattern", "halves");
  EXPECT_EQ(s, Settings{});
  EXPECT_EQ(s.choice("layout"), "none");
  EXPECT_EQ(s.choice("fold"), "");
}

// If the user selects an algorithm that lacks a choice, the session must remember the chosen option for the
// next algorithm that has the choice.
TEST(Choices, StayWantedWhileAnAlgorithmHasNone) {
  Session s(start(64, "scan_blelloch"));
  s.set_choice("layout", "i + (i >> 3)");
  s.set_choice("load_pattern", "neighbours");
  s.set_algorithm("scan_sequential");
  EXPECT_EQ(s.settings().choice("layout"), "none");
  s.set_algorithm("scan_blelloch");
  EXPECT_EQ(s.settings().choice("layout"), "i + (i >> 3)");
  EXPECT_EQ(s.settings().choice("load_pattern"), "neighbours");
  s.set_choice("fold", "2");
  EXPECT_NE(s.error().find("has no fold to choose"), std::string::npos);
}

}  // namespace choices_test
}  // namespace upsweep
