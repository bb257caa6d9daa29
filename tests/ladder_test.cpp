// Tests ladders. A ladder is a list of algorithms (rungs) for one task. The choice `method` selects one of
// these algorithms, and the window shows the algorithm under the ladder's name.
//
// Also tests the types and operators that a kernel file allows.
#include "catalogue/ladder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalogue/validation.hpp"
#include "support/sentence.hpp"
#include "support/session_start.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace ladder_test {

// Returns an algorithm with these additional fields.
Algorithm rung(const std::string& name, const std::string& fields) {
  return parse_kernel(name, "kernels/" + name + ".cuh",
                      "// Title\n// Idea  x\n// Gives  inclusive scan\n// Elements  any\n// Blocks  any\n"
                      "// Variants  rows 4|8\n// Steps  0\n// Operations  0\n// Watch  x\n// Source  x\n" +
                          fields + "template <class T>\n__global__ void " + name +
                          "(Global<const T> in, Global<T> out, int n) {\n}\n");
}

std::vector<Algorithm> three() {
  std::vector<Algorithm> all;
  all.push_back(rung("alone", ""));
  all.push_back(rung("walk_on_foot", "// Ladder  walk: on_foot\n"));
  all.push_back(rung("walk", "// Ladder  walk: by_bike\n// Mends  Walking takes long.\n"));
  all.push_back(rung("walk_by_train", "// Ladder  walk: by_train\n// Mends  A bicycle makes you tired.\n"));
  return all;
}
std::vector<Algorithm> joined() {
  std::vector<Algorithm> all = three();
  join_ladders(all);
  return all;
}

TEST(Ladder, JoinsItsRungsByTheChoiceOfAMethod) {
  const std::vector<Algorithm> all = joined();
  EXPECT_EQ(all[0].choice("method"), nullptr);
  std::vector<std::string> names;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Choice* method = all[i].choice("method");
    ASSERT_NE(method, nullptr);
    ASSERT_EQ(method->options.size(), 3u);
    EXPECT_EQ(chosen(all[i], {}, "method"), all[i].rung);
    EXPECT_EQ(chosen(all[i], {}, "rows"), "4");
    names.push_back(method->options[i - 1].name);
    EXPECT_EQ(method->options[i - 1].note, all[i].mends);
    for (const Constant& c : constants(all[i], {})) EXPECT_EQ(method->option(c.name), nullptr) << c.name;
    EXPECT_EQ(is_listed(all[i]), all[i].name == "walk");
    EXPECT_TRUE(is_same_ladder(all[i], "walk_by_train", all));
    EXPECT_FALSE(is_same_ladder(all[i], "alone", all));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"on_foot", "by_bike", "by_train"}));
  EXPECT_TRUE(is_listed(all[0]));
  EXPECT_TRUE(is_same_ladder(all[0], "alone", all));
  EXPECT_EQ(rungs_of("walk", all).size(), 3u);
  EXPECT_TRUE(rungs_of("", all).empty());
}

TEST(Ladder, FindsTheRungThatAMethodNames) {
  const std::vector<Algorithm> all = joined();
  for (std::size_t from = 1; from < all.size(); ++from)
    for (std::size_t to = 1; to < all.size(); ++to) {
      std::map<std::string, std::string> choices = {{"method", all[to].rung}, {"rows", "8"}};
      EXPECT_EQ(&take_rung(all[from], choices, all), &all[to]);
      EXPECT_EQ(choices, (std::map<std::string, std::string>{{"rows", "8"}}));
      EXPECT_EQ(&take_rung(all[from], choices, all), &all[from]) << "without a method";
    }
  std::map<std::string, std::string> choices = {{"method", "by_trian"}};
  EXPECT_EQ(sentence<RequestError>([&] { take_rung(all[1], choices, all); }),
            "The choice method of walk_on_foot has no option \"by_trian\" (did you mean by_train?); the "
            "options are on_foot, by_bike, by_train.");
  EXPECT_EQ(&take_rung(all[0], choices, all), &all[0]);
  EXPECT_EQ(choices.size(), 1u) << "an algorithm without a ladder leaves the choice to validate()";
  EXPECT_NE(sentence<RequestError>([&] { validate_choices(all[0], {.choices = choices}); }).find("no choice"),
            std::string::npos);
  EXPECT_NE(sentence<RequestError>([&] {
              validate_choices(all[1], {.choices = {{"method", "by_bike"}}});
            }).find("always uses the method on_foot: for another method, give walk with method=by_bike"),
            std::string::npos);
}

TEST(Ladder, IsShownUnderItsName) {
  const std::vector<Algorithm> all = joined();
  Settings s{.algorithm = "walk_by_train", .choices = {{"rows", "8"}}};
  const Settings shown = as_shown(s, all);
  EXPECT_EQ(shown.algorithm, "walk");
  EXPECT_EQ(shown.choices, (std::map<std::string, std::string>{{"method", "by_train"}, {"rows", "8"}}));
  for (const char* other : {"alone", "nobody"}) {
    s.algorithm = other;
    EXPECT_EQ(as_shown(s, all), s);
  }
}

TEST(Ladder, IsRefusedIfItIsNotWhole) {
  const auto refusal = [](auto change) {
    std::vector<Algorithm> all = three();
    change(all);
    return sentence<WorkError>([&] { join_ladders(all); });
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& all) { all.resize(2, all[0]); }), "The ladder walk needs at least two rungs.");
  EXPECT_EQ(refusal([](auto& all) { all[2].rung = "on_foot"; }), "The ladder walk has two rungs on_foot.");
  EXPECT_EQ(refusal([](auto& all) { all[3].mends.clear(); }),
            "The ladder walk needs the field Mends in kernels/walk_by_train.cuh.");
  EXPECT_EQ(refusal([](auto& all) { all[3].gives = "reduction"; }),
            "The ladder walk has rungs with different results or families: walk_on_foot and walk_by_train.");
  EXPECT_EQ(refusal([](auto& all) { all[2].name = "other"; }),
            "The ladder walk needs a rung whose file has the ladder's name.");
  for (const char* bad :
       {"// Ladder  walk\n", "// Ladder  walk:\n", "// Ladder  walk: by bike\n", "// Mends  Nothing.\n"})
    EXPECT_NE(sentence<WorkError>([&] { rung("walk", bad); }), "") << bad;
}

// A user who chooses a ladder and a method must get the algorithm of this method (the rung), both on the
// command line (resolve()) and in the window.
TEST(Ladder, LeadsToEachRungOfTheCatalogue) {
  for (const Algorithm& a : algorithms()) {
    if (a.ladder.empty()) continue;
    Settings s{.algorithm = a.ladder, .choices = {{"method", a.rung}}};
    resolve(s);
    EXPECT_EQ(s.algorithm, a.name);
    EXPECT_TRUE(s.choices.empty());
    Session session(start(64, a.ladder));
    session.set_choice("method", a.rung);
    EXPECT_EQ(session.error(), "") << a.name;
    EXPECT_EQ(session.recording().trace.settings.algorithm, a.name);
    EXPECT_EQ(session.state().choices.at("method"), a.rung);
    if (a.is_broken()) continue;
    const Request there = session.state();
    session.set_algorithm("scan_blelloch");
    session.apply(there);
    EXPECT_EQ(session.recording().trace.settings.algorithm, a.name) << session.error();
  }
}

TEST(Kinds, AreThoseThatTheFileAllows) {
  const Algorithm a = rung("few", "// Types  int32 float64\n// Operators  affine sum\n"),
                  all = rung("all", "");
  for (int t = 0; t < 6; ++t) {
    const auto type = static_cast<Scalar>(t);
    EXPECT_EQ(a.allows(type), type == Scalar::int32 || type == Scalar::float64);
    EXPECT_TRUE(all.allows(type));
  }
  for (int o = 0; o < 6; ++o) {
    const auto op = static_cast<Operator>(o);
    EXPECT_EQ(a.allows(op), op == Operator::sum || op == Operator::affine);
    EXPECT_TRUE(all.allows(op));
  }
  EXPECT_FALSE(rung("one", "// Needs  scalar\n").allows(Operator::affine));
  EXPECT_FALSE(rung("one", "// Needs  commutative\n").allows(Operator::affine));

  Settings s{.type = Scalar::float32, .op = Operator::max};
  fit_kind(all, s);
  EXPECT_EQ(s, (Settings{.type = Scalar::float32, .op = Operator::max}));
  EXPECT_EQ(sentence<RequestError>([&] { validate_type(a, s); }),
            "few does not work with the type float32; choose one of these: int32, float64.");
  EXPECT_EQ(sentence<RequestError>([&] { validate_operator(a, s); }),
            "few does not work with the operator max; choose one of these: affine, sum.");
  fit_kind(a, s);
  EXPECT_EQ(s, (Settings{.type = Scalar::int32, .op = Operator::affine}));
  EXPECT_GE(smallest_block(a, 100), 32) << "for the first type and operator";
  for (const char* bad :
       {"// Types  int\n", "// Types  sum\n", "// Operators  int32\n", "// Operators  own\n"})
    EXPECT_NE(sentence<WorkError>([&] { rung("few", bad); }), "") << bad;
}

}  // namespace ladder_test
}  // namespace upsweep
