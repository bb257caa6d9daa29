// Tests two runs side by side: the compared quantities, the cursors in both runs, and the pictures.
#include "scene/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"
#include "catalogue/ladder.hpp"
#include "export/export.hpp"
#include "panels/comparison_panel.hpp"
#include "panels/keys.hpp"
#include "scene/theme.hpp"
#include "study/compare_presets.hpp"
#include "study/linked_id.hpp"
#include "support/greyscale.hpp"
#include "support/long_tests.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "words/compared.hpp"

namespace upsweep {
namespace comparison_test {

TEST(Comparison, EveryAlgorithmHasARunToCompareWith) {
  for (const Algorithm& a : algorithms()) {
    if (a.language == Language::glsl || !is_listed(a)) continue;
    SCOPED_TRACE(a.name);
    Session s(start());
    ASSERT_NE(s.set_algorithm(a.name), Answer::refused) << s.error();
    s.toggle_comparing();
    ASSERT_TRUE(s.compares()) << s.changed_failure() << s.error();
    EXPECT_NE(side_name(s.recording(), *s.changed()), side_name(*s.changed(), s.recording()));
    // A user who goes through all pairs of steps sees every step of both runs.
    std::set<int> baseline, changed;
    s.first();
    for (int pair = 0; pair < std::ssize(s.pairs()); ++pair, s.step_by(1)) {
      ASSERT_EQ(s.pair(), pair);
      const StepPair now = s.pairs()[static_cast<std::size_t>(pair)];
      const Cursor there = s.changed_cursor();
      ASSERT_LT(there.step, std::ssize(s.changed()->trace.steps));
      if (now.baseline >= 0) EXPECT_EQ(s.cursor().step, now.baseline);
      if (now.changed >= 0) EXPECT_EQ(there.step, now.changed);
      baseline.insert(s.cursor().step);
      changed.insert(there.step);
    }
    EXPECT_EQ(std::ssize(baseline), s.step_count());
    EXPECT_EQ(changed.size(), s.changed()->trace.steps.size());
    EXPECT_FALSE(s.step_by(1));
  }
}

void expect_same(const Settings& is, const Settings& was) {
  EXPECT_EQ(is.algorithm, was.algorithm);
  EXPECT_EQ(is.n, was.n);
  EXPECT_EQ(is.block, was.block);
  EXPECT_EQ(is.type, was.type);
  EXPECT_EQ(is.op, was.op);
  const Algorithm& a = algorithm(is.algorithm);
  for (const Choice& c : a.choices) EXPECT_EQ(chosen(a, is, c.name), chosen(a, was, c.name)) << c.name;
}

TEST(Comparison, SwappingTwiceChangesNothing) {
  for (const ComparePreset& p : compare_presets()) {
    if (p.baseline.machine == MachineChoice::gpu) continue;
    SCOPED_TRACE(p.title);
    Session s(start());
    ASSERT_NE(s.compare(p.baseline, p.change), Answer::refused) << s.error();
    s.settle(60);
    ASSERT_TRUE(s.compares()) << s.changed_failure();
    const Settings baseline = s.recording().trace.settings, changed = s.changed()->trace.settings;
    ASSERT_NE(s.swap_sides(), Answer::refused) << s.error();
    s.settle(60);
    ASSERT_TRUE(s.compares()) << s.changed_failure();
    expect_same(s.recording().trace.settings, changed);
    expect_same(s.changed()->trace.settings, baseline);
    ASSERT_NE(s.swap_sides(), Answer::refused) << s.error();
    s.settle(60);
    expect_same(s.recording().trace.settings, baseline);
    expect_same(s.changed()->trace.settings, changed);
  }
}

TEST(Comparison, ChangesOfTheBaselineReachBothRuns) {
  Session s(start());
  s.compare({.algorithm = "scan_blelloch", .n = 64}, {.choices = {{"layout", "pad32"}}});
  s.set_n(128);
  s.set_type(Scalar::int32);
  s.set_data({DataSource::Kind::seed, 8, {}});
  s.settle(60);
  ASSERT_TRUE(s.compares());
  EXPECT_EQ(s.changed()->trace.settings.n, 128);
  EXPECT_EQ(s.changed()->trace.settings.type, Scalar::int32);
  EXPECT_EQ(s.changed()->trace.input, s.recording().trace.input);
  EXPECT_EQ(s.changed()->trace.settings.choice("layout"), "pad32");
  EXPECT_EQ(s.recording().trace.settings.choice("layout"), "none");
}

// Any two runs can be compared, for example runs with different sizes, data or operators, or a run without a
// barrier.
TEST(Comparison, ShowsAnyTwoRuns) {
  Session s(start());
  const auto shows = [&](const Request& change, const std::string& name) {
    ASSERT_NE(s.compare({.algorithm = "scan_blelloch", .n = 64}, change), Answer::refused) << s.error();
    s.settle(60);
    ASSERT_TRUE(s.compares()) << s.changed_failure();
    EXPECT_EQ(side_name(*s.changed(), s.recording()), name);
  };
  shows({.n = 32, .block = 32}, "n = 32");
  shows({.block = 64}, "64 threads");
  shows({.type = Scalar::float64}, "float64");
  shows({.op = Operator::max}, "max");
  shows({.choices = {{"layout", "i + i/16"}}}, "i + i/16");
  const int barrier = s.recording().barriers.front();
  shows({.without_barrier = barrier}, "without the barrier in line " + std::to_string(barrier));
  shows({.algorithm = "reduce_sequential"}, "Reduction with sequential addressing");
  s.compare({.algorithm = "scan_blelloch", .n = 64}, {.data = DataSource{DataSource::Kind::seed, 9, {}}});
  s.settle(60);
  ASSERT_TRUE(s.compares()) << s.changed_failure();
  EXPECT_TRUE(side_name(*s.changed(), s.recording()).starts_with("the input "));
  EXPECT_NE(s.changed()->trace.input, s.recording().trace.input);
}

TEST(Comparison, AnImpossibleRunIsRefusedWithASentence) {
  Session s(start());
  s.compare({.algorithm = "scan_blelloch", .n = 64}, {.n = 1 << 20});
  s.settle(60);
  EXPECT_FALSE(s.compares());
  EXPECT_NE(s.changed_failure().find("choose at most"), std::string::npos) << s.changed_failure();
  EXPECT_EQ(s.recording().trace.settings.n, 64);
  s.toggle_comparing();
  s.toggle_comparing();  // because n = 1 << 20 was refused, this call chooses another run
  s.settle(60);
  EXPECT_TRUE(s.compares()) << s.changed_failure();
}

TEST(Comparison, CanBeUndone) {
  Session s(start());
  s.compare({.algorithm = "reduce_interleaved", .n = 256}, {.algorithm = "reduce_sequential"});
  s.settle(60);
  ASSERT_TRUE(s.compares());
  EXPECT_TRUE(s.undo());
  s.settle(60);
  EXPECT_FALSE(s.looks.comparing);
  EXPECT_EQ(s.recording().trace.settings.algorithm, "scan_blelloch");
  EXPECT_TRUE(s.redo());
  s.settle(60);
  ASSERT_TRUE(s.compares());
  EXPECT_EQ(s.changed()->trace.settings.algorithm, "reduce_sequential");
}

TEST(Comparison, TabOpensAndClosesIt) {
  Session s(start());
  perform(s, command_of({key::tab}, false));
  s.settle(60);
  EXPECT_TRUE(s.compares());
  perform(s, command_of({key::tab, key::shift}, false));
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.choice("layout"), "pad32");
  perform(s, command_of({key::tab}, false));
  EXPECT_FALSE(s.looks.comparing);
  EXPECT_EQ(s.recording().trace.settings.choice("layout"), "pad32");
}

// If the mouse is over a cell in one run, the other run highlights the cell with the same element.
TEST(Comparison, PointingIsLinked) {
  Session s(start());
  s.compare({.algorithm = "scan_blelloch", .n = 64, .step = 3}, {.choices = {{"layout", "pad32"}}});
  s.settle(60);
  ASSERT_TRUE(s.compares());
  const int step = s.cursor().step;
  for (const int element : {0, 31, 32, 40, 63}) {
    s.hover(CellId{step, element, element, {}});
    const auto* there = as<CellId>(s.changed_cursor().hover);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->element, element);
    EXPECT_EQ(there->cell, element + element / 32);
    s.hover_changed(*there);
    const auto* here = as<CellId>(s.cursor().hover);
    ASSERT_TRUE(here);
    EXPECT_EQ(here->cell, element);
  }
  s.hover_changed(CellId{s.changed_cursor().step, 32, -1, {}});  // cell 32 is a padding cell
  EXPECT_TRUE(is_nothing(s.cursor().hover));
  const std::vector<int>& requests = s.recording().step(0, step).requests;
  const std::vector<int>& others = s.changed()->step(0, s.changed_cursor().step).requests;
  ASSERT_EQ(requests.size(), others.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    s.hover(RequestId{step, {.event = requests[i], .warp = 0}});
    ASSERT_TRUE(is<RequestId>(s.changed_cursor().hover));
    EXPECT_EQ(access_of(s.changed_cursor().hover)->event, others[i]);
  }
}

// If a number is equal in both runs, the table shows the number once. Otherwise, the table shows both
// numbers.
TEST(Comparison, TheTableHasTheNumbersOfBothRuns) {
  Session s(start());
  s.compare({.algorithm = "scan_blelloch", .n = 1024}, {.choices = {{"layout", "pad32"}}});
  s.settle(60);
  ASSERT_TRUE(s.compares());
  for (int pair = 0; pair < std::ssize(s.pairs()); ++pair) {
    s.go_to_pair(pair);
    const Scene scene = differences_scene(compared_runs(s), {}, light_theme(), 1280, differences_height);
    std::multiset<std::string> texts;
    for (const Shape& shape : scene.shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.what)) texts.insert(text->text);
    const StepFacts& f = s.recording().facts.steps[static_cast<std::size_t>(s.cursor().step)];
    const StepFacts& g = s.changed()->facts.steps[static_cast<std::size_t>(s.changed_cursor().step)];
    for (const Quantity& q : compared_quantities()) {
      const std::string a = quantity_text(q, q.of_run(s.recording())),
                        b = quantity_text(q, q.of_run(*s.changed()));
      EXPECT_TRUE(texts.contains(a) && texts.contains(b)) << q.name;
      if (q.in_steps) {
        EXPECT_TRUE(quantity_text(q, q.of_step(f)).empty() || texts.contains(quantity_text(q, q.of_step(f))));
        EXPECT_TRUE(quantity_text(q, q.of_step(g)).empty() || texts.contains(quantity_text(q, q.of_step(g))));
      }
    }
  }
}

// In a window of any size, each view must have the same size and the same place in both halves of the window.
TEST(Comparison, BothSidesHaveTheSamePlaces) {
  for (const auto& [width, height] :
       {std::pair(1280.0f, 720.0f), {1920.0f, 1080.0f}, {1920.0f, 600.0f}, {800.0f, 500.0f}})
    for (const int chosen : {-1, 0, 2, 4}) {
      Looks looks;
      looks.comparing = true;
      looks.chosen = chosen;
      const WindowLayout w = window_layout(width, height, looks, {});
      const float x = w.names[1].x;
      EXPECT_GT(x, 0);
      int shown = 0;
      for (std::size_t home = 0; home < home_count; ++home) {
        const Box &a = w.homes[home], &b = w.changed[home];
        if (home == static_cast<std::size_t>(Home::profile)) continue;
        EXPECT_EQ(a.w > 0, b.w > 0);
        if (a.w <= 0) continue;
        ++shown;
        EXPECT_EQ(a.y, b.y);
        EXPECT_EQ(a.w, b.w);
        EXPECT_EQ(a.h, b.h);
        EXPECT_EQ(a.x + x, b.x);
        EXPECT_LE(b.x + b.w, width + 0.5f);
        EXPECT_TRUE(home == static_cast<std::size_t>(Home::words) || a.y + a.h <= w.differences.y + 0.5f);
      }
      EXPECT_EQ(w.large.w, w.changed_large.w);
      EXPECT_EQ(w.large.w > 0, chosen >= 0);
      EXPECT_GE(shown, chosen >= 0 ? 1 : 4);
    }
}

struct GoldenComparison {
  const char *file, *view;
  Request baseline, change;
  int pair;
  bool dark;
};

TEST(Comparison, GoldenPictures) {
  const int barrier = barrier_lines(algorithm("scan_hillis_steele")).at(1);
  const GoldenComparison all[] = {{"compare-banks",
                                   "banks",
                                   {.algorithm = "scan_blelloch", .n = 64},
                                   {.choices = {{"layout", "pad32"}}},
                                   4,
                                   false},
                                  {"compare-tree",
                                   "tree",
                                   {.algorithm = "reduce_interleaved", .n = 32},
                                   {.algorithm = "reduce_sequential"},
                                   3,
                                   true},
                                  {"compare-memory",
                                   "memory",
                                   {.algorithm = "scan_hillis_steele", .n = 64},
                                   {.without_barrier = barrier},
                                   7,
                                   false},
                                  {"compare-gap",
                                   "warps",
                                   {.algorithm = "scan_hillis_steele", .n = 32},
                                   {.algorithm = "scan_warp_shuffle"},
                                   3,
                                   true}};
  for (const GoldenComparison& g : all) {
    Session s(start());
    ASSERT_NE(s.compare(g.baseline, g.change), Answer::refused) << s.error();
    ASSERT_TRUE(s.compares()) << s.changed_failure();
    s.go_to_pair(g.pair);
    expect_as_committed(g.file, svg(comparison_scene(views()[static_cast<std::size_t>(view_index(g.view))],
                                                     compared_runs(s), s.cursor(), s.changed_cursor(),
                                                     g.dark ? dark_theme() : light_theme(), 1280, 480)));
  }
}

// Returns the boxes of all dashes. Two dashes mark each cell whose values in the two runs differ.
std::vector<RectShape> dashes_in(const Scene& scene) {
  std::vector<RectShape> all;
  for (const Shape& shape : scene.shapes)
    if (const auto* r = std::get_if<RectShape>(&shape.what); r && r->box.h == 2) all.push_back(*r);
  return all;
}

// The view "Shared memory" marks an element if and only if its values in the two runs differ.
TEST(Comparison, MarksTheValuesThatDiffer) {
  Session s(start());
  const int barrier = barrier_lines(algorithm("scan_hillis_steele")).at(1);
  s.compare({.algorithm = "scan_hillis_steele", .n = 64}, {.without_barrier = barrier});
  ASSERT_TRUE(s.compares());
  int marked = 0;
  for (int pair = 0; pair < std::ssize(s.pairs()); ++pair) {
    s.go_to_pair(pair);
    const Cursor there = s.changed_cursor();
    const Trace &a = s.recording().trace, &b = s.changed()->trace;
    const auto own = memory_at(a, 0, 0, step_events(a, 0, s.cursor().step).last),
               other = memory_at(b, 0, 0, step_events(b, 0, there.step).last);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < own.size(); ++i)
      differ += own[i].known != other[i].known || (own[i].known && own[i].value != other[i].value);
    const Scene scene = comparison_scene(views()[static_cast<std::size_t>(view_index("memory"))],
                                         compared_runs(s), s.cursor(), there, light_theme(), 1920, 900);
    EXPECT_EQ(dashes_in(scene).size(), 2 * 2 * differ) << pair;
    marked += differ > 0;
  }
  EXPECT_GT(marked, 0);
}

// The dashes that mark a cell must not touch the value in the cell, and must contrast with the cell. Contrast
// is a ratio of brightnesses, so the dashes are also visible without colours.
TEST(Comparison, MarksDoNotTouchTheValues) {
  int marks = 0;
  for (const ComparePreset* p : possible_presets()) {
    Session s(start());
    s.compare(p->baseline, p->change);
    s.settle(60);
    ASSERT_TRUE(s.compares()) << p->title;
    const int count = static_cast<int>(s.pairs().size()), tried = tries_everything() ? 20 : 8;
    for (int pair = 0; pair < count; pair += 1 + count / tried) {
      s.go_to_pair(pair);
      for (const auto& [width, height] : {std::pair(640.0f, 360.0f),
                                          {1280.0f, 260.0f},
                                          {1280.0f, 420.0f},
                                          {1920.0f, 460.0f},
                                          {3840.0f, 900.0f}})
        for (const Theme* theme :
             {&light_theme(), &dark_theme(), &light_contrast_theme(), &dark_contrast_theme()}) {
          const Scene scene =
              comparison_scene(views()[static_cast<std::size_t>(view_index("memory"))], compared_runs(s),
                               s.cursor(), s.changed_cursor(), *theme, width, height);
          SCOPED_TRACE(std::string(p->title) + ", pair " + std::to_string(pair) + ", width " +
                       std::to_string(width));
          for (const RectShape& dash : dashes_in(scene)) {
            ++marks;
            const RectShape* cell = nullptr;  // the opaque box that is drawn directly under the dash
            for (const Shape& shape : scene.shapes) {
              const auto* r = std::get_if<RectShape>(&shape.what);
              if (r && r->fill.a == 255 && r->box.h > 2 && r->box.contains({dash.box.x + 1, dash.box.y + 1}))
                cell = r;
              const auto* t = std::get_if<TextShape>(&shape.what);
              if (!t || t->align != Align::centre) continue;
              const float w = text_width(t->text, t->size, t->face), digits = 0.73f * t->size;
              const bool touches =
                  t->at.x - w / 2 < dash.box.x + dash.box.w && dash.box.x < t->at.x + w / 2 &&
                  t->at.y - digits / 2 < dash.box.y + dash.box.h + 1 && dash.box.y - 1 < t->at.y + digits / 2;
              ASSERT_FALSE(touches) << t->text << " at " << t->at.x << ", " << t->at.y;
            }
            ASSERT_TRUE(cell);
            ASSERT_GE(contrast(dash.fill, cell->fill), 3);
          }
        }
    }
  }
  EXPECT_GT(marks, tries_everything() ? 1000 : 300);
}

}  // namespace comparison_test
}  // namespace upsweep
