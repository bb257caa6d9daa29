// Tests the view "Hazards".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "analysis/hazards.hpp"
#include "support/drawn_views.hpp"
#include "support/hazard_script.hpp"
#include "support/pictures.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace hazards_view_test {

std::string shown_text(const Scene& scene) {
  std::string text;
  for (const Shape& shape : scene.shapes)
    if (const auto* t = std::get_if<TextShape>(&shape.what)) text += t->text + "\n";
  return text;
}

Scene hazards_view(const Recording& r, int step, float height) {
  Cursor cursor;
  cursor.step = step;
  return draw("hazards", r, cursor, 900, height, light_theme());
}

// At a step with a race, the sentence of this step names the race, the profile draws a mark, and the view
// "Shared memory" marks the cells.
TEST(HazardsView, AnotherViewMarksTheStepOfARace) {
  const Recording r = record("bug_barrier_removed", 64);
  const Hazards& hazards = r.find_hazards();
  ASSERT_FALSE(hazards.findings.empty());
  const int step = static_cast<int>(hazards.findings[0].party.step);
  EXPECT_NE(words(r, at_step(step)).find("Shared race: thread "), std::string::npos)
      << words(r, at_step(step));
  const Scene profile = draw("profile", r, at_step(step), 1200, 120);
  EXPECT_TRUE(std::ranges::any_of(profile.shapes, [](const Shape& shape) {
    const auto* t = std::get_if<TriangleShape>(&shape.what);
    return t && t->colour == dark_theme().conflict;
  }));
  const auto marks = [&](int at) {
    const Scene scene = draw("memory", r, at_step(at), 1200, 300);
    return std::ranges::count_if(scene.targets, [](const Scene::Target& t) { return is<FindingId>(t.id); });
  };
  EXPECT_GT(marks(step), 0);
  EXPECT_EQ(marks(static_cast<int>(r.trace.steps.size()) - 1), 0);
}

TEST(HazardsView, ListsFindingsWithTheirPlaces) {
  Script s;
  s.t.text = "__global__ void test(Global<const T> in) {\n  Shared<T> temp;\n}\n";
  s.write(0, 0, all, 10, own);
  s.read(0, 1, one(3), 12, at(7));
  s.store(Script::out, 0, 1, one(0), 14, at(64), own, is_outside);
  Recording r;
  r.trace = s.trace();
  r.find_hazards();
  const Scene scene = hazards_view(r, 0, 300);
  const std::string text = shown_text(scene);
  for (const char* part :
       {"Shared race", "lines 10 and 12", "step 1 (load)", "temp[7]", "Out of bounds", "out[64]",
        "lockstep and independent lanes", "Put a __syncthreads() between line 10 and line 12."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto has = [&](const Id& id) {
    return std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) { return t.id == id; });
  };
  EXPECT_TRUE(has(LineId{0, 12}));
  EXPECT_TRUE(has(CellId{.step = 0, .cell = 7, .element = 7}));
  EXPECT_TRUE(has(StepId{0}));
  // If the view is too small for all findings, the view must say how many findings are not shown.
  EXPECT_NE(shown_text(hazards_view(r, 0, 84)).find("1 finding is not shown here"), std::string::npos);
}

TEST(HazardsView, SaysSoWhenTheResultAloneIsWrong) {
  const Recording wrong = record("bug_pointer_sum", 64), right = record("scan_blelloch", 64);
  EXPECT_FALSE(right.mistake);
  ASSERT_EQ(in_words(wrong.mistake), "Wrong result: out[0] is 0, expected 301.");
  ASSERT_TRUE(wrong.hazards()->findings.empty());
  ASSERT_TRUE(wrong.wrong && wrong.wrong->departure);
  const int step = static_cast<int>(wrong.wrong->departure->step);
  EXPECT_TRUE(says(hazards_view(wrong, 0, 300), in_words(wrong.mistake) + " The run first differs from"));
  EXPECT_TRUE(says(hazards_view(wrong, step, 300), fmt::format("step {} (", step + 1)));
  const std::vector<int> hazards_alone = {12};
  EXPECT_TRUE(says(draw_view(view("tree"), {wrong, at_step(0), dark_theme(), 900, 300}, {hazards_alone}),
                   "Hazards: wrong result"));
  const auto said = [](const Recording& r, int step) {
    return words(r, at_step(step)).find("Wrong result: ") != std::string::npos;
  };
  const int last = static_cast<int>(wrong.trace.steps.size()) - 1;
  EXPECT_TRUE(said(wrong, last));
  EXPECT_FALSE(said(wrong, last - 1)) << "the wrong result is not written yet";
  EXPECT_FALSE(said(right, static_cast<int>(right.trace.steps.size()) - 1));
}

TEST(HazardsView, SaysSoWhenThereIsNothing) {
  Script s;
  s.write(0, 0, all, 10, own);
  Recording r;
  r.trace = s.trace();
  r.find_hazards();
  EXPECT_NE(shown_text(hazards_view(r, 0, 300)).find("No hazards"), std::string::npos);
}

// If the view is large enough, its list must name all findings. The view must show advice only for the chosen
// finding.
TEST(HazardsView, ListsAllFindingsAndAdvisesOnOne) {
  Settings s;
  Recording r = record("scan_large", 512, s, 3, 256);
  for (const int line : barrier_lines(algorithm("scan_large"))) {
    s.without_barrier = line;
    if (r.hazards()->findings.size() < 3) r = record("scan_large", 512, s, 3, 256);
  }
  const auto& findings = r.hazards()->findings;
  ASSERT_GE(findings.size(), 3u);
  const int wrong = r.mistake ? 1 : 0;
  for (int chosen = 0; chosen < static_cast<int>(findings.size()); ++chosen)
    for (const float height : {160.0f, 300.0f, 2000.0f}) {
      Cursor cursor = at_step(0);
      cursor.finding = chosen + wrong;
      const Scene scene = draw("hazards", r, cursor, 1200, height);
      int entries = 0;
      for (const Scene::Target& t : scene.targets) entries += is<FindingId>(t.id);
      if (height > 300) { EXPECT_EQ(entries, static_cast<int>(findings.size()) + wrong); }
      const std::string text = shown_text(scene);
      std::string flat = text;
      std::replace(flat.begin(), flat.end(), '\n', ' ');
      if (height > 160) {
        EXPECT_NE(flat.find(advice_text(r.trace, findings[static_cast<std::size_t>(chosen)])),
                  std::string::npos)
            << flat;
      }
      EXPECT_NE(flat.find(what_happens(r.trace, findings[static_cast<std::size_t>(chosen)])),
                std::string::npos)
          << flat;
    }
}

TEST(Views, TheHazardsNameSaysHowManyThereAre) {
  Settings s;
  s.without_barrier = barrier_lines(algorithm("scan_hillis_steele")).front();
  const std::vector<int> hazards_alone = {12};
  const Recording calm = record("scan_hillis_steele", 64), racing = record("scan_hillis_steele", 64, s);
  ASSERT_FALSE(racing.hazards()->findings.empty());
  const std::string warning = fmt::format("Hazards {}", racing.hazards()->findings.size());
  EXPECT_TRUE(
      says(draw_view(view("tree"), {racing, at_step(3), dark_theme(), 900, 300}, {hazards_alone}), warning));
  EXPECT_FALSE(says(draw_view(view("tree"), {calm, at_step(3), dark_theme(), 900, 300}, {hazards_alone}),
                    "Hazards 0"));
}

}  // namespace hazards_view_test
}  // namespace upsweep
