// Tests small views: marks are either all drawn or all left out, texts do not make pictures tiny, and a text
// that fits does not disappear while the mouse moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "analysis/key_pass.hpp"
#include "catalogue/ladder.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace small_views_test {

// Returns the number of groups of equal keys after a pass.
int groups_of_equal_keys(const Recording& r, const KeyPass& pass) {
  std::map<std::uint32_t, int> keys;
  for (const KeyPass::Key& k : pass.after) ++keys[r.order.at(k.element)];
  return static_cast<int>(std::ranges::count_if(keys, [](const auto& each) { return each.second > 1; }));
}

// The lines that join equal keys must join all equal keys, or none. Otherwise, a reader believes that the
// other keys are different.
TEST(SmallKeys, JoinAllEqualKeysOrNone) {
  std::mt19937 random(11);
  int all = 0, none = 0;
  for (int round = 0; round < 40; ++round) {
    Settings s{.algorithm = "radix_sort", .n = 8 + static_cast<int>(random() % 17), .block = 32};
    s.type = Scalar::uint32;
    std::vector<Value> keys(static_cast<std::size_t>(s.n), Value{});
    for (Value& v : keys) v[0] = static_cast<std::uint32_t>(random() % 10);
    const Recording r = make_recording(Emulator().record(s, keys, {.blocks = UINT32_MAX}));
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const auto& pass = r.key_pass(0, step);
      if (!pass || pass->kind != KeyPass::Kind::split || pass->last_step != step || pass->moved == 0)
        continue;
      const int due = groups_of_equal_keys(r, *pass);
      for (const Point size : {Point{846, 150}, {846, 192}, {846, 240}, {1272, 420}, {1272, 830}}) {
        const Scene scene = draw("keys", r, at_step(step), size.x, size.y);
        const Colour good = dark_theme().good;
        const auto joined = std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
          const auto* line = std::get_if<LineShape>(&shape.what);
          return line && line->colour == good && line->width == 2;
        });
        EXPECT_TRUE(joined == 0 || joined == due)
            << joined << " of " << due << ", step " << step + 1 << ", " << size.x << " x " << size.y;
        const auto is_label = [](const TextShape& t) { return t.text == "equal"; };
        EXPECT_EQ(std::ranges::any_of(texts(scene), is_label), joined > 0);
        if (due > 0) (joined > 0 ? all : none) += 1;
      }
    }
  }
  EXPECT_GT(all, 20);
  EXPECT_GT(none, 20);
}

// In a presentation, a few values of three digits must not make all other values smaller.
TEST(SmallMemory, AFewLongValuesDoNotShrinkTheOthers) {
  const Recording r = record("scan_blelloch", 1024);
  float size_of_short = 0;  // in the first step, all values have one digit
  int with_long = 0;
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const Cursor c = at_step(step);
    const std::vector<TextShape> all = texts(draw_view(view("memory"), {.recording = r,
                                                                        .cursor = c,
                                                                        .theme = light_theme(),
                                                                        .width = 800,
                                                                        .height = 190,
                                                                        .presented = true}));
    const float banks = std::ranges::find(all, "bank", &TextShape::text)->at.y;
    std::vector<TextShape> shorts;
    std::size_t longs = 0;
    for (const TextShape& t : all) {
      if (t.align != Align::centre || t.at.y < banks + 8) continue;
      if (t.text.size() > 2) ++longs;
      else shorts.push_back(t);
    }
    if (8 * longs > longs + shorts.size()) continue;
    with_long += longs > 0;
    for (const TextShape& t : shorts) {
      if (step == 0) size_of_short = t.size;
      EXPECT_EQ(t.size, size_of_short) << t.text << ", step " << step + 1;
    }
  }
  EXPECT_GT(with_long, 2);
}

Recording table_of_random_pixels(int rows, int columns, int channels, std::mt19937& random) {
  Settings s{.algorithm = "summed_area_table", .n = rows * columns, .block = 32};
  s.columns = columns;
  s.choose("channels", std::to_string(channels));
  std::vector<Value> input(static_cast<std::size_t>(s.n * channels));
  for (Value& v : input) set_scalar(v, s.type, 0, static_cast<int>(random() % 10));
  return make_recording(Emulator().record(s, input, {.blocks = UINT32_MAX}));
}

// The mean of a box can have one or more digits. Although the mean changes when the mouse moves, the remark
// about the cell A must keep its place.
TEST(SmallImage, KeepsItsRemarkWhileTheMouseMoves) {
  std::mt19937 random(12);
  int with = 0;
  for (int round = 0; round < 12; ++round) {
    const int rows = 5 + static_cast<int>(random() % 8), columns = 5 + static_cast<int>(random() % 8);
    const Recording r = table_of_random_pixels(rows, columns, 1, random);
    const Point size{843, 300 + static_cast<float>(random() % 200)};
    Cursor c = at_end(r);
    const auto remark = [&] {
      const std::vector<TextShape> all = texts(draw("image", r, c, size.x, size.y));
      const auto found = std::ranges::find_if(
          all, [](const TextShape& t) { return t.text.find("So A is added back.") != t.text.npos; });
      return found == all.end() ? Point{-1, -1} : found->at;
    };
    const Point place = remark();
    with += place.x >= 0;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        c.hover = PixelId{row, column};
        EXPECT_EQ(remark(), place) << row << ", " << column << ", height " << size.y;
      }
  }
  EXPECT_GT(with, 3);
}

// In a small panel, the texts beside the picture must not make the picture tiny, and letters must not hide
// it.
TEST(SmallImage, ThePictureComesFirst) {
  std::mt19937 random(13);
  for (int round = 0; round < 30; ++round) {
    const int side = 6 + static_cast<int>(random() % 20);
    const Recording r = table_of_random_pixels(side, side, round % 2 ? 3 : 1, random);
    const Point size{843, 150 + static_cast<float>(random() % 100)};
    for (const int step : {0, static_cast<int>(r.trace.steps.size()) - 1}) {
      const Scene scene = draw("image", r, at_step(step), size.x, size.y);
      expect_words_fit(scene, size);
      std::vector<Box> pictures;
      for (const Shape& shape : scene.shapes)
        if (const auto* grid = std::get_if<GridShape>(&shape.what)) pictures.push_back(grid->box);
      ASSERT_FALSE(pictures.empty()) << size.y;
      // The title, the captions and the margins need a height of about 72.
      EXPECT_GE(pictures[0].h, 0.9f * std::min(size.y - 72, 170.0f)) << size.y;
      float hidden = 0;
      for (const TextShape& t : texts(scene)) {
        EXPECT_FALSE(t.text.starts_with("from ") && t.text.ends_with("…")) << t.text;
        if (t.text.size() == 1 && pictures[0].contains(t.at) && t.text[0] >= 'A' && t.text[0] <= 'D')
          hidden += 16 * 16;
      }
      EXPECT_LE(hidden, 0.2f * pictures[0].w * pictures[0].h) << size.y;
    }
  }
}

}  // namespace small_views_test
}  // namespace upsweep
