// Tests that nothing in the window names the mistake of a broken kernel while the user searches for it. The
// key F shows the answer, which names the mistake.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "panels/comparison_panel.hpp"
#include "panels/keys.hpp"
#include "panels/missing_field.hpp"
#include "study/puzzle.hpp"
#include "study/recording.hpp"
#include "study/teaching.hpp"
#include "support/drawn_views.hpp"
#include "support/gated_session.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "support/taught_runs.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/kernel_comment.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace bug_names_test {

std::vector<const Algorithm*> bugs() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& a : algorithms())
    if (a.is_broken()) all.push_back(&a);
  return all;
}

// Returns the text with exactly one space between two words.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string all;
  for (std::string word; in >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

// Returns all sequences of `count` consecutive words of a text.
std::vector<std::string> sequences(const std::string& text, std::size_t count = 5) {
  std::istringstream in(text);
  const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  std::vector<std::string> all;
  for (std::size_t i = 0; i + count <= words.size(); ++i)
    all.push_back(fmt::format("{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(i),
                                              words.begin() + static_cast<std::ptrdiff_t>(i + count), " ")));
  return all;
}

// Returns all texts of a picture as one text. A sentence of several lines stays complete, because its lines
// are drawn one after another.
std::string all_text(const Scene& scene) {
  std::string all;
  for (const TextShape& t : texts(scene)) all += t.text + " ";
  return words_of(all);
}

std::vector<std::string> findings_of(const Recording& r) {
  std::vector<std::string> all;
  for (const HazardFinding& f : r.hazards()->findings) {
    all.push_back(what_happens(r.trace, f));
    if (const std::string advice = advice_text(r.trace, f); !advice.empty()) all.push_back(advice);
  }
  if (r.wrong)
    if (const std::string text = departure_text(r.trace, *r.wrong); !text.empty()) all.push_back(text);
  if (r.trace.stopped) all.push_back(in_words(r.trace.stopped));
  return all;
}

// Returns all texts that the views and their tooltips show in a step.
std::string everything_said(const Recording& r, int step, bool hides) {
  Cursor cursor;
  cursor.step = step;
  cursor.hides_answer = hides;
  std::string all;
  for (const View& v : views()) {
    if (v.has_something && !v.has_something(r)) continue;
    std::vector<int> others;
    for (int other = 0; other < static_cast<int>(views().size()); ++other)
      if (views()[static_cast<std::size_t>(other)].notice && std::string_view(v.name) != "hazards")
        others.push_back(other);
    const Scene scene = draw_view(v, {r, cursor, light_theme(), 1600, 1200}, {.alternatives = others});
    all += all_text(scene) + "\n";
    std::vector<Id> seen;
    for (const Scene::Target& target : scene.targets) {
      if (std::find(seen.begin(), seen.end(), target.id) != seen.end()) continue;
      seen.push_back(target.id);
      Cursor over = cursor;
      over.hover = target.id;
      for (const std::string& line : tip_of({r, over}, target.id)) all += words_of(line) + "\n";
      if (seen.size() % 16 == 1) all += all_text(draw_view(v, {r, over, light_theme(), 1600, 600})) + "\n";
    }
  }
  return all;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class BugNames : public testing::TestWithParam<int> {
 protected:
  const Algorithm& bug() const { return *bugs().at(static_cast<std::size_t>(GetParam())); }
};

TEST_P(BugNames, NoViewGivesTheAnswerAwayUntilItIsShown) {
  const Algorithm& a = bug();
  SCOPED_TRACE(a.name);
  const Recording r = taught(a);
  const std::vector<std::string> findings = findings_of(r);
  const KernelComment comment = read_comment(a.text);
  Cursor reader;
  reader.hides_answer = true;
  const std::string code = shown_text(r, reader);
  EXPECT_EQ(view("hazards").notice({r, reader}).text, r.mistake ? ": wrong result" : "");
  const int last = static_cast<int>(r.trace.steps.size()) - 1;
  std::set<int> steps{0, last / 2, last};
  if (!r.hazards()->findings.empty()) steps.insert(static_cast<int>(r.hazards()->findings[0].party.step));
  for (const int step : steps) {
    const std::string hidden = everything_said(r, step, true);
    EXPECT_FALSE(contains(hidden, a.title)) << step;
    EXPECT_FALSE(contains(hidden, "bug_")) << step << hidden.substr(hidden.find("bug_") - 40, 120);
    for (const std::string& prose : {comment.idea, comment.watch})
      for (const std::string& words : sequences(prose))
        if (!contains(code, words)) { EXPECT_FALSE(contains(hidden, words)) << words; }
    for (const std::string& finding : findings) EXPECT_FALSE(contains(hidden, finding)) << finding;
    EXPECT_TRUE(contains(hidden, puzzle_title(a)));
    EXPECT_TRUE(contains(hidden, puzzle_text(a)));
    EXPECT_TRUE(contains(hidden, "Findings are hidden: press F for the answer."));
    if (r.mistake) { EXPECT_TRUE(contains(hidden, in_words(r.mistake))) << "the symptom may be seen"; }
  }
  std::string shown;
  for (const int step : steps) shown += everything_said(r, step, false);
  for (const std::string& said : {a.title, words_of(comment.idea), words_of(comment.watch), a.name})
    EXPECT_TRUE(contains(shown, said)) << said;
  ASSERT_FALSE(findings.empty());
  EXPECT_TRUE(std::ranges::any_of(findings, [&](const std::string& f) {
    return contains(shown, words_of(f));
  })) << findings[0];
  EXPECT_FALSE(contains(shown, "what is wrong here?"));
}

// Hiding the comments must change neither the numbers nor the positions of the lines of code.
TEST_P(BugNames, OnlyCommentsAndTheNameAreHiddenInTheText) {
  const Recording r = taught(bug());
  Cursor hides;
  hides.hides_answer = true;
  std::istringstream full(shown_text(r, {})), hidden(shown_text(r, hides));
  std::string a, b;
  for (int line = 1; std::getline(full, a); ++line) {
    ASSERT_TRUE(std::getline(hidden, b)) << line;
    if (line == 1) continue;
    EXPECT_FALSE(contains(b, "//")) << line;
    EXPECT_TRUE(without_name(a).starts_with(b)) << line << b;
    if (!contains(a, "//")) { EXPECT_EQ(b, without_name(a)) << line; }
  }
  EXPECT_FALSE(std::getline(hidden, b));
  EXPECT_EQ(shown_text(r, {}), r.text);
}

INSTANTIATE_TEST_SUITE_P(All, BugNames, testing::Range(0, 18));

TEST(BugNames, AreNumberedAsInTheRegistryAndDistinct) {
  const auto all = bugs();
  ASSERT_EQ(all.size(), 18u);
  std::set<std::string> titles;
  for (const Algorithm& a : algorithms()) EXPECT_TRUE(titles.insert(puzzle_title(a)).second) << a.name;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(puzzle_title(*all[i]), fmt::format("Bug {}: what is wrong here?", i + 1));
    EXPECT_EQ(puzzle_name(*all[i]), fmt::format("Bug {}", i + 1));
    EXPECT_TRUE(puzzle_text(*all[i]).starts_with("This kernel should compute the ")) << puzzle_text(*all[i]);
  }
  EXPECT_EQ(puzzle_title(algorithm("scan_blelloch")), "Blelloch scan");
  EXPECT_EQ(puzzle_text(algorithm("scan_blelloch")), "");
}

// --- the key F

const Chord f{key::letter('F')};
bool press(Session& s, Chord chord) { return perform(s, command_of(chord, false)); }

TEST(Answer, TheKeyShowsItAndHidesItAgain) {
  Session s(start(64, "bug_lost_root_clear"));
  EXPECT_TRUE(s.cursor().hides_answer);
  EXPECT_FALSE(s.shows_answer());
  press(s, f);
  EXPECT_FALSE(s.cursor().hides_answer);
  EXPECT_EQ(s.state().answer, true);
  s.step_by(1);
  s.set_n(32);
  EXPECT_FALSE(s.cursor().hides_answer) << "a run of the same algorithm keeps the answer";
  press(s, f);
  EXPECT_TRUE(s.cursor().hides_answer);
}

TEST(Answer, CanBeUndone) {
  Session s(start(64, "bug_lost_root_clear"));
  press(s, f);
  s.undo();
  EXPECT_TRUE(s.cursor().hides_answer);
  s.redo();
  EXPECT_FALSE(s.cursor().hides_answer);
  s.set_algorithm("scan_blelloch");
  s.undo();
  EXPECT_FALSE(s.cursor().hides_answer) << "the state before had the answer";
}

TEST(Answer, IsHiddenWhenAnotherAlgorithmIsChosen) {
  Session s(start(64, "bug_lost_root_clear"));
  press(s, f);
  s.set_algorithm("bug_half_stored");
  EXPECT_TRUE(s.cursor().hides_answer);
  s.set_algorithm("bug_lost_root_clear");
  EXPECT_TRUE(s.cursor().hides_answer);
  EXPECT_FALSE(s.shows_answer());
  // A request that is refused changes nothing.
  press(s, f);
  EXPECT_EQ(s.apply({.algorithm = "bug_half_stored", .n = 1 << 20}), Answer::refused);
  EXPECT_TRUE(contains(s.error(), "too large for Bug 13,")) << s.error();
  EXPECT_FALSE(s.cursor().hides_answer);
  // One request can choose a broken kernel and show its answer.
  s.apply({.algorithm = "bug_half_loaded", .answer = true});
  EXPECT_FALSE(s.cursor().hides_answer);
}

TEST(Answer, IsShownAgainWhenARecordingIsCancelled) {
  Gate gate;
  Session::Start begin = impatient(gated(gate, 512, "bug_missing_fold"));
  begin.settings.n = 256;
  Session s(std::move(begin));
  press(s, f);
  ASSERT_EQ(s.apply({.algorithm = "bug_unrolled_index", .n = 600}), Answer::begun);
  EXPECT_FALSE(s.shows_answer());
  s.cancel();
  EXPECT_TRUE(s.shows_answer());
  EXPECT_FALSE(s.cursor().hides_answer);
  gate.open = true;
}

TEST(Answer, OtherAlgorithmsHaveNone) {
  Session s(start());
  press(s, f);
  EXPECT_FALSE(s.shows_answer());
  EXPECT_TRUE(contains(s.banner().text, "F shows the answer only for kernels that are broken on purpose"));
}

TEST(Answer, TheHelpSaysWhichKeyShowsIt) {
  EXPECT_EQ(key_of(Action::answer), "F");
  const auto found = std::ranges::find(bindings(), Action::answer, &Binding::action);
  ASSERT_NE(found, bindings().end());
  EXPECT_EQ(std::string(found->group), "Look");
}

TEST(Answer, MessagesDoNotGiveItAway) {
  for (const Algorithm* a : bugs()) {
    Session s(start(64, "bug_half_stored"));
    s.set_algorithm(a->name);
    std::string said = s.banner().text;
    for (const Field field : {Field::grid, Field::layout, Field::load_pattern, Field::variant})
      said += why_no_field(*a, field) + "\n";
    s.apply({.n = 1 << 30});
    said += s.banner().text + "\n";
    s.apply({.choices = {{"layout", "pad32"}}});
    said += s.banner().text + "\n";
    s.measure_times();
    said += s.banner().text + "\n";
    EXPECT_FALSE(contains(said, a->title)) << said;
    EXPECT_FALSE(contains(said, "line")) << said;
    EXPECT_FALSE(contains(said, "bug_")) << said;
  }
}

TEST(Answer, OfAComparedKernelIsHiddenToo) {
  Session s(start(64, "bug_lost_root_clear"));
  press(s, {key::tab});
  s.settle(30);
  ASSERT_TRUE(s.compares());
  const auto name_of_first = [&] {
    const ComparedRuns runs = compared_runs(s);
    return side_name_scene(runs, runs.changed.trace.settings.algorithm.starts_with("bug_"), dark_theme(), 800,
                           0);
  };
  EXPECT_TRUE(says(name_of_first(), "Bug 11: what is wrong here?"));
  press(s, f);
  EXPECT_TRUE(says(name_of_first(), "The root is not cleared"));
  press(s, f);
  press(s, {key::tab, key::shift});
  s.settle(30);
  ASSERT_EQ(s.algorithm().name, "scan_blelloch");
  EXPECT_TRUE(s.changed_cursor().hides_answer);
  EXPECT_TRUE(says(name_of_first(), "Bug 11: what is wrong here?"));
  press(s, f);
  EXPECT_FALSE(s.changed_cursor().hides_answer);
  EXPECT_TRUE(says(name_of_first(), "The root is not cleared"));
}

// A picture must contain the answer unless the cursor says that the answer is hidden. On the command line,
// the answer is never hidden.
TEST(Answer, IsNotHiddenUnlessThePlaceSaysSo) {
  const Recording r = taught(algorithm("bug_lost_root_clear"));
  EXPECT_TRUE(says(draw("about", r, at_step(0), 900, 600), "The root is not cleared"));
}

}  // namespace bug_names_test
}  // namespace upsweep
