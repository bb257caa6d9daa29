#include "scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/utf8.hpp"
#include "scene/paint.hpp"
#include "scene/theme.hpp"

namespace upsweep {
namespace scene_test {

constexpr Face faces[] = {Face::regular, Face::bold, Face::mono};

Id node(int element) { return NodeId{.element = element}; }

TEST(Hit, TakesTheTopmostTarget) {
  Scene scene;
  scene.targets = {{{0, 0, 100, 100}, node(1)}, {{50, 50, 20, 20}, node(2)}, {{60, 60, 100, 5}, node(3)}};
  EXPECT_EQ(hit(scene, {10, 10}), node(1));
  EXPECT_EQ(hit(scene, {55, 55}), node(2));
  EXPECT_EQ(hit(scene, {65, 62}), node(3));
  EXPECT_EQ(hit(scene, {65, 66}), node(2));
  EXPECT_EQ(hit(scene, {159, 64}), node(3));
  EXPECT_EQ(hit(scene, {160, 64}), Id{});  // the right edge does not belong to the box
  EXPECT_EQ(hit(scene, {-1, 5}), Id{});
}

// A title consists of parts, separated by " · ". If the title is too long, whole parts at its end are left
// out. If the first part is still too long, its end is cut off. If less than half of the first part fits, the
// title shows no part.
TEST(Title, LeavesOutWholeParts) {
  const std::string parts[] = {"elements 0-31 of 1,024", "n = 64",
                               "drawn from the recorded reads and writes"};
  const std::string all = parts[0] + " · " + parts[1] + " · " + parts[2];
  for (float width = 60; width < 700; width += 7) {
    Painter p(light_theme(), width, 200);
    draw_title(p, {.name = "Tree", .what = all});
    std::string shown;
    for (const Shape& s : p.scene.shapes)
      if (const auto* t = std::get_if<TextShape>(&s.what); t && t->face == Face::regular) shown = t->text;
    const bool cut_short = shown.ends_with("…");
    if (cut_short) {
      EXPECT_LT(shown.size(), parts[0].size() + 3) << width;
      EXPECT_GT(2 * text_width(shown, 13, Face::regular), 0.9f * text_width(parts[0], 13, Face::regular));
    } else
      EXPECT_TRUE(shown.empty() || shown == parts[0] || shown == parts[0] + " · " + parts[1] || shown == all)
          << shown;
  }
}

TEST(WholeSentences, KeepsTheFirstSentencesThatFit) {
  const std::string text = "There are 1.5 times. Press S. Then wait.";
  const auto shown = [&](std::string_view fits) {
    return whole_sentences(text, 12, Face::regular, text_width(fits, 12, Face::regular) + 1);
  };
  EXPECT_EQ(shown(text), text);
  EXPECT_EQ(shown("There are 1.5 times. Press S. Then"), "There are 1.5 times. Press S.");
  EXPECT_EQ(shown("There are 1.5 times. Pres"), "There are 1.5 times.");
  EXPECT_EQ(shown("There"), "There are 1.5 times.");
  const std::string chinese = "每个线程块扫描一个数据块。线程往前看。再存储。";
  const auto shown_in_chinese = [&](std::string_view fits) {
    return whole_sentences(chinese, 12, Face::regular, text_width(fits, 12, Face::regular) + 1);
  };
  EXPECT_EQ(shown_in_chinese(chinese), chinese);
  EXPECT_EQ(shown_in_chinese("每个线程块扫描一个数据块。线程往前看。再"),
            "每个线程块扫描一个数据块。线程往前看。");
  EXPECT_EQ(shown_in_chinese("每个"), "每个线程块扫描一个数据块。");
  EXPECT_EQ(whole_sentences("", 12, Face::regular, -1), "");
}

TEST(TextWidth, IsTheSumOfItsCharacters) {
  std::mt19937 random(7);
  const std::string_view alphabet[] = {"a", "W", "i", "7", "−", "→", "×", "·", "中", "é", " ", "_"};
  for (int round = 0; round < 200; round++) {
    const Face face = faces[random() % 3];
    const float size = 8 + static_cast<float>(random() % 400) / 10;
    std::string text;
    float sum = 0;
    for (unsigned i = random() % 30; i > 0; i--) {
      const std::string_view c = alphabet[random() % std::size(alphabet)];
      text += c;
      sum += text_width(c, size, face);
    }
    EXPECT_NEAR(text_width(text, size, face), sum, 0.01f) << text;
  }
}

TEST(TextWidth, FiguresAndTheMinusSignHaveOneWidth) {
  for (const Face face : faces)
    for (const char* c : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "−"})
      EXPECT_EQ(text_width(c, 13, face), text_width("0", 13, face)) << c;
}

TEST(TextWidth, FollowsTheFonts) {
  EXPECT_FLOAT_EQ(text_width("abc", 100, Face::mono), 180);
  EXPECT_FLOAT_EQ(text_width("W", 100, Face::regular), 94.8f);
  EXPECT_FLOAT_EQ(text_width("W", 100, Face::bold), 100.6f);
  EXPECT_FLOAT_EQ(text_width("中文", 100, Face::regular), 200);
  EXPECT_FLOAT_EQ(text_width("中文", 100, Face::mono), 240);
  EXPECT_FLOAT_EQ(text_width("e\u0301", 100, Face::regular), text_width("e", 100, Face::regular));
  EXPECT_EQ(text_width("", 100, Face::regular), 0);
}

std::u32string characters(std::string_view text) {
  std::u32string out;
  while (!text.empty()) out += take_character(text);
  return out;
}

TEST(TakeCharacter, ReadsUtf8) {
  EXPECT_EQ(characters("aé→中😀z"), U"aé→中😀z");
  EXPECT_EQ(characters(""), U"");
}

TEST(TakeCharacter, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(characters("a\xff"
                       "b"),
            U"a\ufffd"
            U"b");
  EXPECT_EQ(characters("\xe2\x86"), U"\ufffd\ufffd");  // an incomplete character
  EXPECT_EQ(characters("\xc0\xaf"), U"\ufffd");        // an encoding that is longer than necessary
  EXPECT_EQ(characters("\xed\xa0\x80"), U"\ufffd");    // half of a surrogate pair
  std::mt19937 random(3);
  for (int round = 0; round < 1000; round++) {
    std::string text(random() % 20, '\0');
    for (char& c : text) c = static_cast<char>(random());
    for (const char32_t c : characters(text)) EXPECT_TRUE(c <= 0x10ffff && (c < 0xd800 || c > 0xdfff));
  }
}

// luminance() returns the relative luminance (0 to 1), and contrast() returns the contrast ratio (1 to 21).
// WCAG 2 defines both.
double luminance(Colour c) {
  const auto linear = [](std::uint8_t v) {
    const double x = v / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}
double contrast(Colour a, Colour b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, TextIsLegible) {
  for (const Theme* t : {&dark_theme(), &light_theme()}) {
    for (const Colour ground :
         {t->background, t->panel, t->cell, t->now_soft, t->conflict_soft, t->broadcast_soft}) {
      EXPECT_GE(contrast(t->text, ground), 7);
      EXPECT_GE(contrast(t->faint_text, ground), 4.5);
    }
    for (const Colour ground : {t->background, t->panel, t->cell})
      for (const Colour accent : {t->now, t->conflict, t->broadcast, t->good})
        EXPECT_GE(contrast(accent, ground), 4.5);
    for (const Colour accent : {t->now, t->conflict, t->broadcast})
      EXPECT_GE(contrast(t->on_now, accent), 4.5);
    EXPECT_GE(contrast(t->now, t->now_soft), 4.3);
    EXPECT_GE(contrast(t->conflict, t->conflict_soft), 4.3);
    EXPECT_GE(contrast(t->broadcast, t->broadcast_soft), 4.3);
  }
  EXPECT_TRUE(dark_theme().dark);
  EXPECT_FALSE(light_theme().dark);
}

}  // namespace scene_test
}  // namespace upsweep
