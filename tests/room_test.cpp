// Tests how the window divides its space. Pictures must get more space than texts. A view with nothing to
// show must be only one line high.
//
// A tooltip must not cover the object that it explains. Tabs must not move away from the mouse. If something
// is left out, a text must say so.
#include <gtest/gtest.h>

#include <random>

#include "base/grouped.hpp"
#include "panels/chrome.hpp"
#include "panels/layout.hpp"
#include "scene/views/image_layout.hpp"
#include "scene/views/image_mouse.hpp"
#include "study/teaching.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/recorded_scene.hpp"
#include "support/session_start.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace room_test {

bool overlap(const Box& a, const Box& b) {
  return std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x) > 0.01f &&
         std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y) > 0.01f;
}

// --- the view "Image"

TEST(ImageRoom, ThePicturesGetTwoThirds) {
  std::mt19937 random(1);
  const auto between = [&](float a, float b) { return std::uniform_real_distribution<float>(a, b)(random); };
  const SumsSize sums[] = {{330, 150, 96, 192, 109, 480, 51, 3}, {260, 150, 96, 130, 94, 420, 17, 1}};
  int with_numbers = 0;
  for (int round = 0; round < 3000; ++round) {
    const Box room{24, 40, between(300, 2000), between(60, 1100)};
    const float aspect = between(1 / 3.0f, 3);
    const ImageLayout at = image_layout(room, aspect, sums[round % 2]);
    if (at.count == 0) continue;
    const auto count = static_cast<float>(at.count);
    const float alone =
        std::min((room.w - (count - 1) * image_gap) / count / aspect, room.h - caption_height);
    std::vector<Box> all(at.pictures, at.pictures + at.count);
    for (const Box& b : {at.sums, at.controls})
      if (b.h > 0) all.push_back(b);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_TRUE(all[i].x >= room.x - 1 && all[i].x + all[i].w <= room.x + room.w + 1) << round;
      EXPECT_TRUE(all[i].y >= room.y - 1 && all[i].y + all[i].h <= room.y + room.h + 1) << round;
      for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(all[i], all[k])) << round;
    }
    const float height = at.pictures[0].h;
    const bool below =
        at.sums.h > 0 ? at.sums.y > at.pictures[0].y + height : at.controls.y > room.y + height;
    const float share = below ? (height + caption_height) / room.h : count * (at.slot + image_gap) / room.w;
    if (at.text != ImageText::none) {
      EXPECT_TRUE(height >= 0.96f * alone || share >= 0.63f) << round << ": " << share;
    }
    with_numbers += at.sums.h > 0;
  }
  EXPECT_GT(with_numbers, 1000);
}

// The test draws the view in the sizes that it has in windows of 1280 x 720 and 1920 x 1080, and in a
// presentation.
TEST(ImageRoom, ASmallProjectorShowsLargePicturesWithTheirNumbers) {
  const Recording r = recorded_scene({64, 96, 3});
  const Cursor end = at_end(r);
  for (const auto& [size, least] : {std::pair(Point{843, 200}, 175.0f),
                                    {{843, 316}, 250.0f},
                                    {{800, 272}, 210.0f},
                                    {{1272, 420}, 370.0f}}) {
    const Scene scene = draw("image", r, end, size.x, size.y);
    expect_words_fit(scene, size);
    float widest = 0;
    for (const Shape& s : scene.shapes)
      if (const auto* grid = std::get_if<GridShape>(&s.what)) widest = std::max(widest, grid->box.w);
    EXPECT_GE(widest, least) << size.x;
    EXPECT_TRUE(says(scene, "Box width"));
    const AreaBox box = chosen_box(r.table(), {}, {});
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(says(scene, number_text(r.table().sum(box, k)))) << size.x;
  }
}

TEST(ImageRoom, WordsFitInEverySize) {
  std::mt19937 random(4);
  for (const int channels : {1, 3}) {
    const Recording r = recorded_scene({30, 44, channels});
    for (int round = 0; round < 60; ++round) {
      const Point size{static_cast<float>(300 + random() % 1500), static_cast<float>(60 + random() % 700)};
      Cursor c = round % 3 == 0 ? at_step(0) : at_end(r);
      c.image.made = static_cast<Made>(round % 3);
      c.image.box_width = 1 + 2 * static_cast<int>(random() % 14);
      c.hover = PixelId{static_cast<int>(random() % 30), static_cast<int>(random() % 44)};
      SCOPED_TRACE(fmt::format("{} x {}, {} channels, made {}", size.x, size.y, channels, round % 3));
      expect_words_fit(draw("image", r, c, size.x, size.y), size);
      if (HasFailure()) return;
    }
  }
}

// Either all areas of the picture outside the box must have names, or none of them.
TEST(ImageRoom, AllAreasAreNamedOrNone) {
  const Recording r = recorded_scene({48, 64, 1});
  std::mt19937 random(7);
  int named = 0;
  for (int round = 0; round < 300; ++round) {
    Cursor c = at_end(r);
    c.image.box_width = 1 + 2 * static_cast<int>(random() % 20);
    c.hover = PixelId{static_cast<int>(random() % 48), static_cast<int>(random() % 64)};
    const AreaBox box = chosen_box(r.table(), c.image, c.hover);
    const Scene scene = draw("image", r, c, static_cast<float>(700 + random() % 1300),
                             static_cast<float>(200 + random() % 500));
    // Each sum has the same short name as its area. The name is to the left of the sum.
    const auto count = [&](std::initializer_list<const char*> words) {
      const auto all = texts(scene);
      return std::ranges::count_if(all, [&](const TextShape& t) {
        return t.face == Face::bold &&
               std::ranges::any_of(words, [&](const char* w) { return t.text.find(w) != t.text.npos; });
      });
    };
    const auto above = count({"above"}), left = count({"left"}), both = count({"both", "added"});
    named += above + left > 0;
    const bool has_above = box.top > 0, has_left = box.left > 0;
    if (above + left + both == 0) continue;
    EXPECT_EQ(above > 0, has_above) << round;
    EXPECT_EQ(left > 0, has_left) << round;
    EXPECT_EQ(both > 0, has_above && has_left) << round;
  }
  EXPECT_GT(named, 60);
}

// --- tooltips

TEST(TipPlace, CoversNothingThatItCouldSpare) {
  std::mt19937 random(5);
  const auto between = [&](float a, float b) { return std::uniform_real_distribution<float>(a, b)(random); };
  const Box bounds{4, 4, 1268, 560};
  for (int round = 0; round < 2000; ++round) {
    const Point mouse{between(0, 1280), between(0, 560)};
    const float w = between(40, 300), h = between(30, 120);
    const Point usual = tip_place(mouse, w, h, bounds, {});
    EXPECT_TRUE(usual.x >= 4 && usual.y >= 4 && usual.x + w <= 1272.1f && usual.y + h <= 564.1f);
    EXPECT_FALSE(Box({usual.x, usual.y, w, h}).contains(mouse)) << round;
    const Box box{mouse.x - between(0, 200), mouse.y - between(0, 100), between(0, 400), between(0, 200)};
    const Point at = tip_place(mouse, w, h, bounds, {&box, 1});
    const bool is_free =
        usual == Point{mouse.x + 14, mouse.y + 20} && !overlap({usual.x, usual.y, w, h}, box);
    if (is_free) { EXPECT_EQ(at, usual) << round; }
    // If there is enough space beside or above the box, the tooltip must not cover the box.
    const bool has_room = box.x - w - 8 > bounds.x || box.x + box.w + w + 8 < bounds.x + bounds.w ||
                          box.y - h - 8 > bounds.y || box.y + box.h + h + 8 < bounds.y + bounds.h;
    if (has_room) { EXPECT_FALSE(overlap({at.x, at.y, w, h}, box)) << round; }
  }
}

// A tooltip about a pixel must not cover the box, its letters, or the sums.
TEST(TipPlace, KeepsTheBoxAndItsSumsClear) {
  for (const auto& [rows, columns] : {std::pair(64, 96), std::pair(8, 12)}) {
    const Recording r = recorded_scene({rows, columns, 3});
    std::mt19937 random(6);
    for (const Point size : {Point{843, 316}, Point{1272, 420}})
      for (int round = 0; round < 40; ++round) {
        Cursor c = at_end(r);
        const PixelId pixel{static_cast<int>(random() % static_cast<unsigned>(rows)),
                            static_cast<int>(random() % static_cast<unsigned>(columns))};
        c.hover = pixel;
        const Scene scene = draw("image", r, c, size.x, size.y);
        const Scene tip = tip_scene(tip_of({r, c}, c.hover), dark_theme(), 420);
        std::vector<Box> letters;
        for (const Shape& s : scene.shapes)
          if (const auto* t = std::get_if<TextShape>(&s.what);
              t && t->text.size() == 1 && t->text[0] >= 'A' && t->text[0] <= 'D')
            letters.push_back(extent_of(*t));
        EXPECT_GE(letters.size(), 4u);
        for (const Scene::Target& t : scene.targets) {
          const auto* id = as<PixelId>(t.id);
          if (!id) continue;
          const Point mouse{
              t.box.x + t.box.w * (static_cast<float>(pixel.column) + 0.5f) / static_cast<float>(columns),
              t.box.y + t.box.h * (static_cast<float>(pixel.row) + 0.5f) / static_cast<float>(rows)};
          const Point at =
              tip_place(mouse, tip.width, tip.height, {4, 4, size.x - 12, size.y + 150}, scene.keep_clear);
          const Box covered{at.x, at.y, tip.width, tip.height};
          for (const Box& letter : letters) EXPECT_FALSE(overlap(covered, letter)) << round;
          for (const Box& clear : scene.keep_clear) EXPECT_FALSE(overlap(covered, clear)) << round;
        }
      }
  }
}

// --- views with nothing to show

TEST(EmptyViews, AreOneLineInTheirColumn) {
  const Recording r = recorded_scene({16, 24, 3});
  std::set<float> heights;
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const Grid& grid = r.trace.grid_of(static_cast<std::uint32_t>(step));
    const PreferredHeights wanted = preferred_heights_of(r, {}, step);
    EXPECT_EQ(wanted.memory == title_height, grid.shared.bytes == 0) << step;
    for (const auto& [width, height] : {std::pair(1000.f, 700.f), {1280.f, 720.f}, {1920.f, 1080.f}})
      for (const float banner : {0.0f, 36.0f}) {
        const WindowLayout w = window_layout(width, height, Looks{}, wanted, banner);
        if (wanted.memory == title_height) { EXPECT_EQ(w[Home::memory].h, title_height); }
        EXPECT_GE(w[Home::warps].h, titled_height) << "the heading of Warps stays";
        EXPECT_NEAR(w[Home::warps].y + w[Home::warps].h, w[Home::words].y, 0.1f);
        for (const Splitter& s : w.splitters)
          if (s.kind == Splitter::Kind::row && wanted.memory == title_height) {
            EXPECT_EQ(s.row, wanted.banks == title_height ? 3 : 2);
          }
        if (banner == 0 && height == 720) heights.insert(w[Home::tree].h);
      }
  }
  EXPECT_GE(*heights.rbegin(), *heights.begin() + 80) << "the picture gets the room";
}

// If a view is empty, its title must contain the sentence that says why.
TEST(EmptyViews, SayWhyInTheirTitle) {
  const Recording r = recorded_scene({16, 24, 3});
  for (const char* name : {"memory", "banks"}) {
    const Scene scene = draw(name, r, at_step(0), 843, title_height);
    EXPECT_TRUE(says(scene, "in this launch") || says(scene, "of this launch")) << name;
    EXPECT_TRUE(says(scene, view(name).title)) << name;
    expect_words_fit(scene, {843, title_height});
  }
}

// In a launch, a view may be empty only if the view has nothing to show in any step of the launch.
TEST(EmptyViews, HaveNothingInAnyStep) {
  for (const char* algorithm : {"scan_blelloch", "reduce_shuffle", "reduce_nested", "stream_compaction",
                                "linear_recurrence", "reduce_global_in_place"}) {
    const Recording r = record(algorithm, 128);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const Totals& totals = r.facts.steps[static_cast<std::size_t>(step)].totals;
      if (totals.any_shared()) {
        EXPECT_EQ(view("banks").why_nothing(r, step), "") << algorithm << step;
        EXPECT_EQ(view("memory").why_nothing(r, step), "") << algorithm << step;
      }
      if (totals.shuffle.requests + totals.vote.requests > 0) {
        EXPECT_EQ(view("registers").why_nothing(r, step), "") << algorithm << step;
      }
    }
  }
}

// --- tabs

// Returns the box of each tab. The key is the index of the view.
std::map<int, Box> tabs_of(const Recording& r, int shown, float width) {
  const auto others = alternatives_of(shown, r);
  const Scene scene = draw_view(views()[static_cast<std::size_t>(shown)],
                                {r, at_step(2), dark_theme(), width, 300}, {others, true});
  std::map<int, Box> all;
  for (const Scene::Target& t : scene.targets) {
    if (const auto* id = as<ViewId>(t.id)) all[id->view] = t.box;
    if (is<TimesId>(t.id)) all[-1] = t.box;
  }
  return all;
}

TEST(Tabs, StayUnderTheMouse) {
  const Recording r = recorded_scene({8, 12, 1});
  for (int shown = 0; shown < static_cast<int>(views().size()); ++shown) {
    if (!has_something(shown, r)) continue;
    for (float width = 250; width < 1400; width += 37)
      for (const auto& [clicked, box] : tabs_of(r, shown, width)) {
        if (clicked < 0) continue;
        const auto others = alternatives_of(clicked, r);
        const View& view = views()[static_cast<std::size_t>(clicked)];
        const Scene scene = draw_view(view, {r, at_step(2), dark_theme(), width, 300}, {others, true});
        const auto all = texts(scene);
        const auto name = std::ranges::find(all, std::string(view.title), &TextShape::text);
        ASSERT_NE(name, all.end());
        EXPECT_NEAR(name->at.x, box.x + tab_gap / 2, 0.01f)
            << view.name << " from " << shown << ", " << width;
        for (const auto& [other, place] : tabs_of(r, clicked, width))
          if (const auto before = tabs_of(r, shown, width); before.contains(other) && other < clicked) {
            EXPECT_EQ(place, before.at(other));
          }
      }
  }
}

// --- a text says what is left out

TEST(RulerRoom, SaysWhichRequestsAreBeyondItsEnd) {
  std::mt19937 random(9);
  for (const int n : {20, 64, 500}) {
    Settings s{.algorithm = "allocation", .n = n, .block = 32, .type = Scalar::uint32};
    std::vector<Value> input;
    std::uint64_t total = 0;
    for (int i = 0; i < n; ++i) {
      input.push_back(value_of(static_cast<std::uint32_t>(1 + random() % 9)));
      total += static_cast<std::uint64_t>(scalar(input.back(), s.type));
    }
    for (const std::uint64_t capacity : {total / 4, 2 * total / 3, total}) {
      s.choose("capacity", std::to_string(capacity));
      const Recording r = make_recording(Emulator().record(s, input));
      const Scene scene = draw("ruler", r, at_end(r), 1272, 420);
      expect_words_fit(scene, {1272, 420});
      int least = n, most = -1;
      for (const Scene::Target& t : scene.targets)
        if (const auto* id = as<OwnId>(t.id))
          least = std::min(least, id->thing), most = std::max(most, id->thing);
      EXPECT_EQ(least, 0);
      EXPECT_EQ(says(scene, "beyond the end") || says(scene, " more"), capacity == total / 4) << n;
      EXPECT_EQ(says(scene, ", but only "), capacity < total) << n;
      if (capacity == total / 4) {
        const auto last = static_cast<std::int64_t>(
            r.trace.output.empty() ? 0 : request_start(r.trace, static_cast<std::size_t>(n) - 1));
        EXPECT_TRUE(says(scene, fmt::format("{} →", grouped(last)))) << n;
      }
      for (const Shape& shape : scene.shapes)
        if (const auto* box = std::get_if<RectShape>(&shape.what)) EXPECT_FALSE(box->hatch);
    }
  }
}

TEST(RegistersRoom, NoLaneThatHasAValueIsBlank) {
  for (const char* algorithm : {"linear_recurrence", "reduce_shuffle"})
    for (const float width : {500.0f, 843.0f, 1272.0f}) {
      const Recording r = record(algorithm, 200);
      for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
        if (r.facts.steps[static_cast<std::size_t>(step)].totals.shuffle.requests == 0) continue;
        const Scene scene = draw("registers", r, at_step(step), width, 190);
        const auto all = texts(scene);
        for (const Shape& s : scene.shapes) {
          const auto* box = std::get_if<RectShape>(&s.what);
          if (!box || !is<LaneId>(s.id) || box->fill == Colour{}) continue;
          const bool in_use = box->fill == dark_theme().cell || box->fill == dark_theme().now_soft ||
                              box->fill == dark_theme().now;
          const bool has_text =
              std::ranges::any_of(all, [&](const TextShape& t) { return box->box.contains(t.at); });
          EXPECT_TRUE(!in_use || has_text) << algorithm << " step " << step << ", x " << box->box.x;
          if (testing::Test::HasFailure()) return;
        }
      }
    }
}

// --- examples

TEST(Examples, AreShownWhenAnApplicationIsChosen) {
  Session s(start());
  s.settle(10);
  ASSERT_NE(s.set_algorithm("radix_sort"), Answer::refused);
  s.settle(20);
  EXPECT_EQ(s.settings().n, 16);
  EXPECT_EQ(s.settings().type, Scalar::uint32);
  ASSERT_NE(s.set_algorithm("stream_compaction"), Answer::refused);
  s.settle(20);
  EXPECT_EQ(s.settings().n, 20);
  EXPECT_EQ(s.settings().choice("predicate"), "x > 3");
  ASSERT_NE(s.set_algorithm("linear_recurrence"), Answer::refused);
  s.settle(20);
  EXPECT_EQ(s.settings().n, 200);
  EXPECT_EQ(s.data().text, "low_pass");
  s.set_n(48);
  ASSERT_NE(s.set_algorithm("stream_compaction"), Answer::refused);
  s.settle(20);
  EXPECT_EQ(s.data().kind, DataSource::Kind::seed);
  EXPECT_EQ(s.settings().n, 48) << "the reader's own n stays";
}

TEST(Examples, OnlyThoseOfListedAlgorithmsHaveAnN) {
  int count = 0;
  for (const Algorithm& a : algorithms())
    if (const std::optional<Example> example = example_of(a)) {
      count += example->n.has_value();
      EXPECT_EQ(example->n.has_value(), a.ladder.empty() || a.ladder == a.name) << a.name;
      EXPECT_TRUE(!example->type || a.allows(*example->type)) << a.name;
      EXPECT_TRUE(example->predicate.empty() || a.choice("predicate")) << a.name;
    }
  EXPECT_EQ(count, 3);
}

}  // namespace room_test
}  // namespace upsweep
