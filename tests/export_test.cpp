#include "export/export.hpp"

#include <gtest/gtest.h>

namespace upsweep {
namespace export_test {

constexpr Colour blue{0, 114, 178}, orange{213, 94, 0}, clear_colour{0, 0, 0, 0};

template <class S>
Scene scene_of(S shape) {
  Scene scene{60, 40, {}, {}, {}};
  scene.shapes.emplace_back().what = std::move(shape);
  return scene;
}

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) n++;
  return n;
}

TEST(Svg, IsWhatItWas) {
  Scene scene{60, 40, {255, 255, 255}, {}, {}};
  scene.shapes.push_back({RectShape{{1, 2, 20, 10}, blue, orange, 2, 4, false}, {}});
  scene.shapes.push_back({LineShape{{0, 0.5f}, {60, 0.5f}, {0, 0, 0, 51}, 1}, {}});
  scene.shapes.push_back({TriangleShape{{1, 1}, {2.25f, 1}, {1, 3}, orange}, {}});
  scene.shapes.push_back({TextShape{{30, 20}, "a < b & c", blue, 10, Face::bold, Align::centre}, {}});
  const std::string expected =
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" viewBox="0 0 60 40">
<style>
text { font-variant-numeric: tabular-nums; font-variant-ligatures: none; font-kerning: none }
.r, .b { font-family: Inter, 'Noto Sans', 'DejaVu Sans', sans-serif }
.r, .m { font-weight: 400 }
.b { font-weight: 600 }
.m { font-family: 'JetBrains Mono', 'DejaVu Sans Mono', monospace }
</style>
<defs>
<clipPath id="page"><rect width="60" height="40"/></clipPath>
</defs>
<g clip-path="url(#page)">
<rect width="60" height="40" fill="#ffffff"/>
<rect x="2" y="3" width="18" height="8" rx="3" fill="#0072b2" stroke="#d55e00" stroke-width="2"/>
<line x1="0" y1="0.5" x2="60" y2="0.5" stroke="#000000" stroke-opacity="0.2" stroke-width="1"/>
<polygon points="1,1 2.25,1 1,3" fill="#d55e00"/>
<text class="b" x="30" y="23.64" font-size="10" text-anchor="middle" fill="#0072b2" xml:space="preserve">a &lt; b &amp; c</text>
</g>
</svg>
)svg";
  EXPECT_EQ(svg(scene), expected);
  EXPECT_EQ(svg(scene), svg(scene));
}

TEST(Svg, OnePatternForEachHatching) {
  Scene scene = scene_of(RectShape{{0, 0, 10, 10}, blue, orange, 1, 0, true});
  scene.shapes.push_back(scene.shapes[0]);
  scene.shapes.push_back({RectShape{{0, 0, 10, 10}, clear_colour, blue, 1, 0, true}, {}});
  const std::string text = svg(scene);
  EXPECT_EQ(count(text, "<pattern "), 2);
  EXPECT_EQ(count(text, "url(#hatch-d55e00ff)"), 2);
  EXPECT_EQ(count(text, "url(#hatch-0072b2ff)"), 1);
}

TEST(Svg, EqualCellsOfARowBecomeOneRectangle) {
  GridShape grid{{10, 0, 50, 20}, 5, 2, {}};
  grid.colours = {blue, blue, orange, blue, blue, orange, orange, orange, orange, clear_colour};
  const std::string text = svg(scene_of(grid));
  EXPECT_EQ(count(text, "<rect x="),
            4);  // 3 rectangles in the first row, and 1 in the second row; the last cell is transparent
  EXPECT_NE(text.find("<rect x=\"10\" y=\"10\" width=\"40\" height=\"10\" fill=\"#d55e00\"/>"),
            std::string::npos);
}

TEST(Svg, HasNoControlCharactersAndNoNumbersThatAreNone) {
  Scene scene = scene_of(TextShape{{0, 0}, "a\x01\tb", blue});
  scene.shapes.push_back({LineShape{{0.0f / 0.0f, -0.001f}, {1 / 0.0f, 1}, blue, 1}, {}});
  const std::string text = svg(scene);
  EXPECT_NE(text.find(">ab</text>"), std::string::npos);
  EXPECT_NE(text.find("x1=\"0\" y1=\"0\" x2=\"0\""), std::string::npos);
}

TEST(Svg, PaintsNothingForInvisibleShapes) {
  EXPECT_EQ(count(svg(scene_of(RectShape{{0, 0, 5, 5}, clear_colour, clear_colour, 1, 0, true})), "<rect x"),
            0);
  EXPECT_EQ(count(svg(scene_of(TextShape{{0, 0}, "", blue})), "<text"), 0);
}

TEST(Pdf, IsOnePage) {
  Scene scene = scene_of(RectShape{{1, 1, 20, 10}, blue, orange, 1, 3, true});
  scene.shapes.push_back({TextShape{{2, 30}, "stride 4 → 中", blue}, {}});
  scene.shapes.push_back({GridShape{{30, 10, 10, 10}, 1, 2, {blue, orange}}, {}});
  const std::string document = pdf(scene);
  EXPECT_EQ(document.substr(0, 5), "%PDF-");
  EXPECT_NE(document.find("%%EOF"), std::string::npos);
  EXPECT_NE(document.find("/MediaBox [ 0 0 45 30 ]"), std::string::npos) << "60 x 40 dp are 45 x 30 pt";
  EXPECT_NE(document.find("/Count 1"), std::string::npos);
  EXPECT_NE(document.find("/Font"), std::string::npos) << "text is stored as text";
  EXPECT_NE(document.find("/ToUnicode"), std::string::npos) << "the text can be searched";
}

TEST(Pdf, IsWholeWhateverTheNumbers) {
  Scene scene = scene_of(TextShape{{2, 30}, "\xff\x01 7", blue});
  for (const float strange : {0.0f / 0.0f, 1 / 0.0f, 1e30f, -1e9f}) {
    scene.shapes.push_back({RectShape{{1, strange, 20, strange}, blue, orange, strange, 3, true}, {}});
    scene.shapes.push_back({LineShape{{0, 0}, {strange, 1}, blue, 1}, {}});
    scene.shapes.push_back({TextShape{{strange, 30}, "7", blue, 10}, {}});
  }
  EXPECT_NE(pdf(scene).find("%%EOF"), std::string::npos);
}

TEST(Pdf, TakesAnEmptyScene) {
  EXPECT_EQ(pdf(Scene{10, 10, {}, {}, {}}).substr(0, 5), "%PDF-");
  EXPECT_EQ(pdf(scene_of(GridShape{})).substr(0, 5), "%PDF-");
}

}  // namespace export_test
}  // namespace upsweep
