// Tests the marks of hazards in all views. Also tests the row of expected values in the view "Tree".
#include "scene/views/hazard_marks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "study/wrong_result.hpp"
#include "support/drawn_views.hpp"
#include "support/gated_session.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "support/taught_runs.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace hazard_marks_test {

std::vector<FindingId> finding_targets(const Scene& scene) {
  std::vector<FindingId> all;
  for (const Scene::Target& t : scene.targets)
    if (const auto* f = as<FindingId>(t.id)) all.push_back(*f);
  return all;
}
int triangles(const Scene& scene, const Theme& theme) {
  return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& s) {
    const auto* t = std::get_if<TriangleShape>(&s.what);
    return t && t->colour == theme.conflict;
  }));
}

TEST(HazardMarks, AreInEveryViewAndHiddenWithTheAnswer) {
  for (const Algorithm* a : broken_kernels()) {
    SCOPED_TRACE(a->name);
    const Recording r = taught(*a);
    int in_source = 0, in_profile = 0;
    for (int step = 0; step < static_cast<int>(r.trace.steps.size());
         step += 1 + static_cast<int>(r.trace.steps.size()) / 12) {
      Cursor cursor = at_step(step);
      for (const char* name : {"tree", "memory", "source", "profile"}) {
        if (!has_something(view_index(name), r)) continue;
        cursor.hides_answer = true;
        const Scene hidden = draw(name, r, cursor, 1200, 900);
        EXPECT_TRUE(finding_targets(hidden).empty()) << name;
        if (std::string_view(name) == "source" || std::string_view(name) == "profile") {
          EXPECT_EQ(triangles(hidden, dark_theme()), 0) << name;
        }
        cursor.hides_answer = false;
        const Scene shown = draw(name, r, cursor, 1200, 900);
        if (std::string_view(name) == "source") in_source += !finding_targets(shown).empty();
        if (std::string_view(name) == "profile") in_profile += triangles(shown, dark_theme());
        EXPECT_EQ(std::string_view(name) == "memory" ? finding_targets(shown).size()
                                                     : marked_cells(r, cursor).size(),
                  marked_cells(r, cursor).size());
      }
    }
    EXPECT_TRUE(in_source > 0 || marked_lines(r, {}).empty());
    const bool has_step =
        std::ranges::any_of(r.hazards()->findings,
                            [](const HazardFinding& f) { return f.party.event != HazardParty::none; }) ||
        (r.wrong && r.wrong->departure);
    EXPECT_EQ(in_profile > 0, has_step);
  }
}

TEST(HazardMarks, AreAtTheCellsOfTheFindings) {
  const Recording r = record("bug_barrier_removed", 64);
  const HazardFinding& f = r.hazards()->findings.at(0);
  const auto marked = marked_cells(r, at_step(static_cast<int>(f.party.step)));
  EXPECT_TRUE(marked.contains(static_cast<int>(f.cell)));
  const Scene memory = draw("memory", r, at_step(static_cast<int>(f.party.step)), 1200, 300);
  // The mark must be at a corner of its cell.
  Box cell, mark;
  for (const Scene::Target& t : memory.targets) {
    if (const auto* id = as<CellId>(t.id); id && id->cell == f.cell) cell = t.box;
    if (const auto* id = as<FindingId>(t.id); id && marked.at(static_cast<int>(f.cell)) == *id && cell.w > 0)
      mark = t.box;
  }
  ASSERT_GT(mark.w, 0);
  const Scene tree = draw("tree", r, at_step(static_cast<int>(f.party.step)), 1200, 500);
  EXPECT_FALSE(finding_targets(tree).empty());
  std::set<int> steps;
  for (const FindingId& id : finding_targets(tree)) steps.insert(id.step);
  EXPECT_TRUE(steps.contains(static_cast<int>(f.party.step)));
}

TEST(HazardMarks, AClickGoesToTheFindingAndShowsIt) {
  Session s(start(64, "bug_barrier_removed"));
  s.settle(30);
  s.apply({.answer = true});
  const auto entries = hazard_entries(s.recording(), s.cursor());
  ASSERT_GE(entries.size(), 2u);
  const HazardEntry& last = entries.back();
  s.click(last.id());
  EXPECT_EQ(s.cursor().finding, last.number);
  EXPECT_EQ(s.cursor().step, last.step);
  EXPECT_EQ(s.looks.tabs[static_cast<std::size_t>(Home::tree)], view_index("hazards"));
  EXPECT_EQ(s.state().finding, last.number);
  s.step_by(1);
  EXPECT_EQ(s.cursor().finding, last.number) << "the drawing stays while the reader steps";
  s.set_n(32);
  s.settle(30);
  EXPECT_EQ(s.cursor().finding, -1) << "another run has other findings";
  s.apply({.finding = 1 << 20});
  EXPECT_EQ(draw("hazards", s.recording(), s.cursor(), 900, 500).width, 900)
      << "a number without an entry is ignored";
}

// The first wrong cell is the cell in which the run first differs from the run of the correct kernel. The
// cell's tooltip must state the value that the correct kernel has in this cell.
TEST(HazardMarks, TheTipOfTheFirstWrongCellHasTheExpectedValue) {
  const Recording r = record("bug_lost_root_clear", 16);
  ASSERT_TRUE(r.wrong && r.wrong->departure && r.wrong->departure->shared);
  const Departure& d = *r.wrong->departure;
  const auto tip = [&](int step, bool hides) {
    Cursor cursor = at_step(step);
    cursor.hides_answer = hides;
    std::string all;
    for (const std::string& line :
         tip_of({r, cursor}, CellId{.step = step, .cell = static_cast<int>(d.cell)}))
      all += line + "\n";
    for (const std::string& line : tip_of({r, cursor}, StepId{step})) all += line + "\n";
    return all;
  };
  const int step = static_cast<int>(d.step);
  const std::string shown = tip(step, false);
  EXPECT_NE(shown.find("In this cell, the run first differs from the correct kernel, which has 0."),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("The run first differs from scan_blelloch in step"), std::string::npos) << shown;
  EXPECT_EQ(tip(step, true).find("differs"), std::string::npos);
  EXPECT_EQ(tip(step + 1, false).find("differs"), std::string::npos);
}

// --- a wrong result in the view "Tree"

TEST(ExpectedRow, HasTheValuesOfTheRightRun) {
  for (const char* name :
       {"bug_lost_root_clear", "bug_half_stored", "bug_output_never_written", "bug_half_loaded"}) {
    SCOPED_TRACE(name);
    const Recording r = record(name, 16);
    ASSERT_TRUE(r.wrong);
    const auto right = right_settings(algorithm(name), r.trace.settings);
    ASSERT_TRUE(right);
    const Trace expected = Emulator().record(*right, r.trace.input);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < expected.output.size(); ++k) {
      if (expected.output[k] == r.trace.output[k]) continue;
      ASSERT_LT(wrong, r.wrong->elements.size());
      EXPECT_EQ(r.wrong->elements[wrong].index, k);
      EXPECT_EQ(r.wrong->elements[wrong].expected, expected.output[k]);
      ++wrong;
    }
    EXPECT_EQ(wrong, r.wrong->elements.size());
    const int last = static_cast<int>(r.trace.steps.size()) - 1;
    const Scene at_end = draw("tree", r, at_step(last), 1200, 600),
                before = draw("tree", r, at_step(0), 1200, 600);
    std::vector<std::string> drawn;
    const TextShape* label = nullptr;
    const auto all = texts(at_end);
    for (const TextShape& t : all)
      if (t.text == "expected") label = &t;
    ASSERT_NE(label, nullptr);
    for (const TextShape& t : all)
      if (t.at.y == label->at.y && &t != label) drawn.push_back(t.text);
    ASSERT_EQ(drawn.size(), wrong);
    for (std::size_t k = 0; k < wrong; ++k)
      EXPECT_EQ(drawn[k], exact_text(r.wrong->elements[k].expected, r.trace.settings));
    EXPECT_TRUE(says(before, "expected")) << "the row has its place from the beginning";
    for (const Scene* scene : {&at_end, &before}) expect_words_fit(*scene, {1200, 600});
  }
}

TEST(ExpectedRow, IsOnlyThereIfTheResultIsWrong) {
  EXPECT_FALSE(says(draw("tree", record("scan_blelloch", 16), at_step(8), 1200, 600), "expected"));
}

}  // namespace hazard_marks_test
}  // namespace upsweep
