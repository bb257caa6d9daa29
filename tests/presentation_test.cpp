// Tests presentations: the views that a presentation shows, their places and keys, the size of numbers, and
// the speaker's notes.
#include "panels/presentation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "panels/presentation_layout.hpp"
#include "scene/comparison.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace presentation_test {

int number_of(std::string_view name) { return view_index(name); }

std::vector<std::string> names_of(const std::vector<int>& shown) {
  std::vector<std::string> names;
  for (const int view : shown) names.emplace_back(views()[static_cast<std::size_t>(view)].name);
  return names;
}

// --- the views

TEST(PresentedViews, AreOneToThreeAndAllDifferent) {
  std::mt19937 random(5);
  for (const char* algorithm : {"scan_blelloch", "reduce_shuffle", "reduce_atomic", "scan_decoupled_lookback",
                                "summed_area_table", "nested_hello", "reduce_global_in_place"}) {
    Session s(start(64, algorithm));
    for (int round = 0; round < 100; ++round) {
      const auto any = [&] { return static_cast<int>(random() % (views().size() + 1)) - 1; };
      Looks looks;
      looks.chosen = any();
      looks.added = {any(), any()};
      const std::vector<int> shown = presented_views(looks, s.recording());
      ASSERT_GE(shown.size(), 1u) << algorithm;
      ASSERT_LE(shown.size(), most_presented);
      EXPECT_EQ(std::set<int>(shown.begin(), shown.end()).size(), shown.size());
      if (looks.chosen >= 0) { EXPECT_EQ(shown[0], looks.chosen); }
    }
  }
}

TEST(PresentedViews, UsuallyShowTheConflictsOrWhatReplacesTheTree) {
  const auto usual = [](const char* algorithm) {
    Session s(start(64, algorithm));
    return names_of(presented_views({}, s.recording()));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(usual("scan_blelloch"), (Names{"memory", "banks"}));
  EXPECT_EQ(usual("reduce_global_in_place"), (Names{"tree"})) << "no shared memory";
  EXPECT_EQ(usual("nested_hello"), (Names{"launches"}));
}

TEST(PresentedViews, KeysAddAndRemoveViews) {
  Session s(start());
  const auto press = [&](Chord c) { perform(s, command_of(c, false)); };
  const auto shown = [&] { return names_of(presented_views(s.looks, s.recording())); };
  using Names = std::vector<std::string>;
  press({key::letter('P')});
  EXPECT_TRUE(s.looks.presentation);
  press({key::digit(1), key::alt});
  EXPECT_EQ(shown(), (Names{"memory", "banks", "tree"}));
  press({key::digit(4), key::alt});
  EXPECT_EQ(s.error(), "A presentation shows at most 3 views: remove a view first.");
  EXPECT_EQ(shown(), (Names{"memory", "banks", "tree"}));
  press({key::digit(2), key::alt});
  EXPECT_EQ(shown(), (Names{"banks", "tree"}));
  press({key::digit(5)});
  EXPECT_EQ(shown(), (Names{"source"})) << "a digit alone shows one view";
  press({key::digit(5), key::alt});
  EXPECT_FALSE(s.error().empty()) << "one view stays";
  press({key::digit(5)});
  EXPECT_EQ(shown(), (Names{"memory", "banks"})) << "the digit again shows the usual views";
  for (int view = 0; view < std::min(static_cast<int>(views().size()), most_view_keys); ++view) {
    Chord chord = chord_of_view(view);
    chord.mods |= key::alt;
    EXPECT_EQ(command_of(chord, false).action, Action::add_view);
    EXPECT_EQ(command_of(chord, false).argument, view);
  }
}

TEST(PresentedViews, EscapeEndsThePenThenThePresentation) {
  Session s(start());
  const auto press = [&](Chord c) { perform(s, command_of(c, false)); };
  press({key::letter('P'), key::shift});
  EXPECT_TRUE(s.looks.presentation && s.looks.pen);
  press({key::period});
  EXPECT_TRUE(s.looks.black);
  press({key::period});
  EXPECT_FALSE(s.looks.black);
  press({key::escape});
  EXPECT_TRUE(s.looks.presentation && !s.looks.pen);
  press({key::letter('P'), key::control});
  EXPECT_EQ(s.looks.notes, 1);
  press({key::letter('P'), key::control});
  EXPECT_EQ(s.looks.notes, 0);
  press({key::escape});
  EXPECT_FALSE(s.looks.presentation);
}

TEST(PresentedViews, ThePenAndTheBlackScreenEndWithThePresentation) {
  Session s(start());
  for (const char* json : {R"({"pen": true})", R"({"black": true})", R"({"added": [1, 1000]})",
                           R"({"added": [-2, -1]})", R"({"notes": 2})"}) {
    EXPECT_EQ(s.apply(read_request(json)), Answer::refused) << json;
    EXPECT_TRUE(s.error().ends_with(".")) << json;
  }
  const Request drawing =
      read_request(R"({"presentation": true, "pen": true, "black": true, "added": [3, 0], "notes": 1})");
  ASSERT_EQ(s.apply(drawing), Answer::shown);
  Session other(start());
  ASSERT_EQ(other.apply(read_request(to_json(s.state()))), Answer::shown) << other.error();
  EXPECT_EQ(to_json(other.state()), to_json(s.state()));
  ASSERT_EQ(s.apply({.presentation = false}), Answer::shown);
  EXPECT_FALSE(s.looks.pen || s.looks.black);
}

// --- the layout

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.w - 0.01f && b.x < a.x + a.w - 0.01f && a.y < b.y + b.h - 0.01f &&
         b.y < a.y + a.h - 0.01f;
}

std::vector<Box> boxes_of(const WindowLayout& w) {
  std::vector<Box> all{w.caption, w.large, w.changed_large, w.timing, w.differences, w.names[0], w.names[1]};
  for (const auto& some :
       {std::span<const Box>(w.added), std::span<const Box>(w.changed_added), std::span<const Box>(w.homes),
        std::span<const Box>(w.changed), std::span<const Box>(w.parts)})
    all.insert(all.end(), some.begin(), some.end());
  std::erase_if(all, [](const Box& b) { return b.w == 0 || b.h == 0; });
  return all;
}

TEST(PresentationLayout, NothingOverlapsOrLeavesTheScreen) {
  std::mt19937 random(9);
  const auto between = [&](int a, int b) {
    return a + static_cast<int>(random() % static_cast<unsigned>(b - a + 1));
  };
  Session s(start(256)), nested(start(64, "nested_hello"));
  for (int round = 0; round < 3000; ++round) {
    const int width = round == 0   ? 640
                      : round == 1 ? 3840
                                   : between(640, 3840),
              height = round == 0   ? 480
                       : round == 1 ? 2160
                                    : between(480, 2160);
    const float scale = presentation_scale(width, height), w = static_cast<float>(width) / scale,
                h = static_cast<float>(height) / scale;
    Looks looks;
    looks.presentation = true;
    looks.chosen = between(-1, static_cast<int>(views().size()) - 1);
    for (int& view : looks.added) view = between(-1, static_cast<int>(views().size()) - 1);
    looks.comparing = between(0, 2) == 0;
    looks.timing_large = between(0, 7) == 0;
    const Recording& r = (round % 2 ? s : nested).recording();
    const WindowLayout at = presentation_layout(w, h, looks, r, between(0, 1) ? 36.0f : 0.0f);
    const std::vector<Box> all = boxes_of(at);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_GE(all[i].x, -0.01f) << round;
      ASSERT_GE(all[i].y, -0.01f) << round;
      ASSERT_LE(all[i].x + all[i].w, w + 0.01f) << round;
      ASSERT_LE(all[i].y + all[i].h, h + 0.01f) << round;
      for (std::size_t k = i + 1; k < all.size(); ++k) ASSERT_FALSE(overlap(all[i], all[k])) << round;
    }
    if (looks.timing_large) {
      EXPECT_GT(at.timing.h, 0.4f * h);
      continue;
    }
    const std::vector<int> shown = presented_views(looks, r);
    std::vector<int> placed{at.large_view};
    for (const int view : at.added_views)
      if (view >= 0) placed.push_back(view);
    EXPECT_TRUE(std::is_permutation(placed.begin(), placed.end(), shown.begin(), shown.end()));
    float area = at.large.w * at.large.h;
    for (const Box& b : at.added) area += b.w * b.h;
    if (!looks.comparing) { EXPECT_GT(area, 0.48f * w * h) << round << ": the views fill the screen"; }
    for (const int view : placed)
      EXPECT_GE(view == at.large_view ? at.large.h : at.added[view == at.added_views[0] ? 0 : 1].h,
                looks.comparing ? 25.0f : 40.0f)
          << round << " " << w << " x " << h;
  }
}

TEST(PresentationLayout, IsTheSameOnEveryDisplayOfOneShape) {
  for (const auto& [width, height] : {std::pair(1280, 720), {1920, 1080}, {3840, 2160}}) {
    const float scale = presentation_scale(width, height);
    EXPECT_FLOAT_EQ(static_cast<float>(width) / scale, 800);
    EXPECT_FLOAT_EQ(static_cast<float>(height) / scale, 450);
  }
}

TEST(PresentationControls, FadeOnceAndComeBack) {
  EXPECT_EQ(controls_opacity(0, false), 1);
  EXPECT_EQ(controls_opacity(1e9, false), 0);
  float last = 1;
  int changes = 0;
  for (double t = 0; t < 5; t += 0.01) {
    const float now = controls_opacity(t, false);
    EXPECT_LE(now, last) << "no flicker";
    changes += now != last;
    last = now;
    EXPECT_TRUE(controls_opacity(t, true) == 0 || controls_opacity(t, true) == 1) << "nothing moves";
    const double next = controls_change_in(t, false);
    if (next < 0) EXPECT_EQ(now, 0);
    else EXPECT_GT(next, 0);
  }
  EXPECT_GT(changes, 10);
}

TEST(PresentationControls, FitAndTellTheWayOut) {
  for (const char* algorithm : {"scan_blelloch", "reduce_two_pass_tree", "bug_lost_root_clear"}) {
    Session s(start(64, algorithm));
    perform(s, {Action::present, 0});
    for (const auto& [w, h] :
         {std::pair(800.0f, 450.0f), {800.0f, 640.0f}, {640.0f, 480.0f}, {1067.0f, 450.0f}})
      for (const float opacity : {0.0f, 0.5f, 1.0f}) {
        const WindowLayout at = presentation_layout(w, h, s.looks, s.recording());
        const Panel caption = caption_panel(s, light_theme(), at, {-1, -1}, opacity);
        const Box& strip = at[Part::transport];
        const Panel controls = controls_panel(s, light_theme(), strip.w, strip.h, {-1, -1}, opacity);
        if (opacity != 0.5f) {  // while the controls fade, the old caption and the new caption overlap
          expect_words_fit(caption.scene, {w, at.caption.h});
          expect_words_fit(controls.scene, {strip.w, strip.h});
        }
        EXPECT_TRUE(says(caption.scene, "Esc"));
        EXPECT_EQ(caption.buttons.front().command.action, Action::present);
        EXPECT_TRUE(says(controls.scene, "1 of"));
        EXPECT_EQ(controls.buttons.empty(), opacity == 0) << w;
        EXPECT_EQ(caption.buttons.size() > 1, opacity > 0) << algorithm << w;
        for (const Panel* panel : {&caption, &controls})
          for (const Button& b : panel->buttons) EXPECT_NE(b.tip.find("   "), std::string::npos) << b.tip;
      }
  }
}

// --- the size of numbers

struct Figures {
  int count = 0;
  float smallest = 1e9f;    // pixels
  std::size_t longest = 0;  // characters
};

// Collects the numbers in cells, boxes, nodes and lanes.
Figures figures_of(const Scene& scene, float scale) {
  Figures f;
  for (const TextShape& t : texts(scene)) {
    if (t.text.empty() || !std::all_of(t.text.begin() + (t.text[0] == 'T' || t.text[0] == '-'), t.text.end(),
                                       [](char c) { return (c >= '0' && c <= '9') || c == '.'; }))
      continue;
    const Box b = extent_of(t);
    const Point middle{b.x + b.w / 2, b.y + b.h / 2};
    const bool is_figure =
        std::any_of(scene.targets.begin(), scene.targets.end(), [&](const Scene::Target& target) {
          return (is<CellId>(target.id) || is<ServedId>(target.id) || is<NodeId>(target.id) ||
                  is<LaneId>(target.id)) &&
                 target.box.contains(middle);
        });
    if (!is_figure) continue;
    ++f.count;
    f.smallest = std::min(f.smallest, t.size * scale);
    f.longest = std::max(f.longest, t.text.size());
  }
  return f;
}

// A presentation in 1280 x 720 pixels must show at least as many numbers as the usual window, and its numbers
// must be larger.
TEST(PresentationFigures, AreMoreAndLargerThanInTheUsualWindow) {
  constexpr int width = 1280, height = 720;
  const float scale = presentation_scale(width, height);
  for (const char* algorithm :
       {"scan_blelloch", "reduce_sequential", "reduce_interleaved", "scan_double_buffer"})
    for (const int n : {8, 16, 64, 256, 1024}) {
      const Recording r = record(algorithm, n);
      const WindowLayout usual = window_layout(width, height, {}, preferred_heights_of(r));
      for (const char* name : {"memory", "banks", "tree", "warps"}) {
        const int chosen = number_of(name);
        Looks looks;
        looks.presentation = true;
        looks.chosen = chosen;
        const Box &in_window = usual[views()[static_cast<std::size_t>(chosen)].home],
                  &alone = presentation_layout(static_cast<float>(width) / scale,
                                               static_cast<float>(height) / scale, looks, r)
                               .large;
        int more = 0;
        for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
          const Cursor cursor = at_step(step);
          const Figures before = figures_of(draw(name, r, cursor, in_window.w, in_window.h), 1);
          const Scene scene = draw_view(view(name), {.recording = r,
                                                     .cursor = cursor,
                                                     .theme = dark_theme(),
                                                     .width = alone.w,
                                                     .height = alone.h,
                                                     .presented = true});
          const Figures now = figures_of(scene, scale);
          SCOPED_TRACE(fmt::format("{} {} {} step {}", algorithm, n, name, step));
          EXPECT_GE(now.count, before.count);
          if (before.count > 0) { EXPECT_GT(now.smallest, before.smallest); }
          more += now.count - before.count;
        }
        if (n >= 256 && std::string_view(name) == "memory") { EXPECT_GT(more, 0) << algorithm << n; }
      }
    }
}

// If the presentation is scaled down to a width of 480 pixels, numbers must still be legible. Their font size
// must be at least 8 pixels for n < 64. For n = 64, at least 6.5 pixels are required, or 5.5 pixels if some
// numbers have at least 3 characters.
TEST(PresentationFigures, AreLegibleAfterScalingDown) {
  const float scale = presentation_scale(480, 270) == 1 ? 480.0f / 800 : 1;
  for (const int n : {8, 16, 64}) {
    const Recording r = record("scan_blelloch", n);
    Looks looks;
    looks.presentation = true;
    const WindowLayout at = presentation_layout(800, 450, looks, r);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
      for (const auto& [view, box] : {std::pair(at.large_view, at.large), {at.added_views[0], at.added[0]}}) {
        const Scene scene = draw_view(views()[static_cast<std::size_t>(view)], {.recording = r,
                                                                                .cursor = at_step(step),
                                                                                .theme = light_theme(),
                                                                                .width = box.w,
                                                                                .height = box.h,
                                                                                .presented = true});
        const Figures f = figures_of(scene, scale);
        if (f.count > 0) {
          EXPECT_GE(f.smallest, n < 64          ? 8.0f
                                : f.longest < 3 ? 6.5f
                                                : 5.5f)
              << n << " step " << step << " view " << view;
        }
      }
  }
}

TEST(PresentationFigures, WordsAreLargeAndBeginBold) {
  const Recording r = record("scan_blelloch", 64);
  for (const float height : {84.0f, 296.0f})
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const Scene scene = draw_view(view("words"), {.recording = r,
                                                    .cursor = at_step(step),
                                                    .theme = light_theme(),
                                                    .width = 800,
                                                    .height = height,
                                                    .presented = true});
      expect_words_fit(scene, {800, height});
      const std::vector<TextShape> all = texts(scene);
      ASSERT_FALSE(all.empty());
      EXPECT_EQ(all[0].face, Face::bold);
      EXPECT_GE(all[0].size, height > 200 ? 18.0f : 13.5f) << step;
    }
}

// In a presentation, all texts of the five views below must be inside their view.
TEST(PresentationFigures, EveryViewFits) {
  for (const char* algorithm :
       {"scan_blelloch", "scan_hillis_steele", "reduce_shuffle", "reduce_interleaved"})
    for (const int n : {8, 37, 64, 1024}) {
      const Recording r = record(algorithm, n);
      for (const char* name : {"memory", "banks", "tree", "warps", "words"})
        for (const Point size : {Point{800, 296}, {800, 150}, {396, 240}})
          for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step += 2) {
            const Scene scene = draw_view(view(name), {.recording = r,
                                                       .cursor = at_step(step),
                                                       .theme = dark_theme(),
                                                       .width = size.x,
                                                       .height = size.y,
                                                       .presented = true});
            for (const TextShape& t : texts(scene)) {
              const Box b = extent_of(t);
              ASSERT_TRUE(b.x >= -1 && b.x + b.w <= size.x + 1 && b.y >= -1 && b.y + b.h <= size.y + 1)
                  << t.text << " in " << name << " of " << algorithm << " " << n << ", " << size.x << " x "
                  << size.y;
            }
          }
    }
}

}  // namespace presentation_test
}  // namespace upsweep
