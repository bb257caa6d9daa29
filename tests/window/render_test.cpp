#include "render/render.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "render/batches.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace render_test {

namespace fs = std::filesystem;

constexpr Colour black{0, 0, 0}, white{255, 255, 255}, red{255, 0, 0}, green{0, 255, 0}, blue{0, 0, 255},
    none{0, 0, 0, 0};

Colour at(const Picture& image, int x, int y) {
  const std::uint8_t* p = &image.values[(static_cast<std::size_t>(y) * image.columns + x) * 4];
  return {p[0], p[1], p[2], p[3]};
}

}  // namespace render_test

void PrintTo(Colour c, std::ostream* out) {
  *out << int{c.r} << ' ' << int{c.g} << ' ' << int{c.b} << ' ' << int{c.a};
}

namespace render_test {

// Returns the amount of red in a box of an image. A fully red pixel counts as 1.
double amount(const Picture& image, int left, int top, int right, int bottom) {
  double sum = 0;
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++) sum += at(image, x, y).r / 255.0;
  return sum;
}

template <class S>
Scene& operator<<(Scene& scene, S shape) {
  scene.shapes.emplace_back().what = std::move(shape);
  return scene;
}

class Render : public testing::Test {
 protected:
  static constexpr int width = 200, height = 120;

  void SetUp() override {
    try {
      context_ = std::make_unique<OffscreenContext>(width, height);
    } catch (const WorkError& e) { GTEST_SKIP() << in_words(e); }
    renderer_ = std::make_unique<Renderer>();
  }

  Picture draw(const Scene& scene, float x = 0, float y = 0, float scale = 1) {
    renderer_->begin(width, height, black);
    renderer_->draw(scene, x, y, scale);
    return context_->read();
  }
  static Scene empty() { return {width, height, {}, {}, {}}; }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Renderer> renderer_;
};

TEST_F(Render, BoxesFillTheirPixelsAndNoOthers) {
  Scene scene = empty();
  scene << RectShape{{10, 20, 30, 5}, red};
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 10, 20), red);
  EXPECT_EQ(at(image, 39, 24), red);
  EXPECT_DOUBLE_EQ(amount(image, 0, 0, width, height), 150);
  EXPECT_EQ(at(image, 0, 0), black);
}

TEST_F(Render, BoxesAreSharpAtEveryScale) {
  Scene scene = empty();
  scene << RectShape{{10, 10, 21, 21}, red};
  scene << LineShape{{40, 5}, {40, 50}, red, 1};
  for (const float scale : {1.0f, 1.25f, 1.6f, 2.0f}) {
    const Picture image = draw(scene, 0, 0, scale);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        EXPECT_TRUE(at(image, x, y) == red || at(image, x, y) == black) << scale;
  }
}

TEST_F(Render, RoundedCornersAreSmooth) {
  Scene scene = empty();
  scene << RectShape{{10, 10, 40, 40}, red, none, 0, 20};
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 10, 10), black);
  EXPECT_EQ(at(image, 30, 30), red);
  EXPECT_NEAR(amount(image, 0, 0, width, height), 3.14159 * 400, 4);
  int between = 0;
  for (int y = 10; y < 50; y++)
    for (int x = 10; x < 50; x++) between += at(image, x, y).r > 0 && at(image, x, y).r < 255;
  EXPECT_GT(between, 40);
}

TEST_F(Render, StrokesLieInside) {
  Scene scene = empty();
  scene << RectShape{{10, 10, 40, 20}, green, red, 2};
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 10, 10), red);
  EXPECT_EQ(at(image, 11, 20), red);
  EXPECT_EQ(at(image, 12, 20), green);
  EXPECT_EQ(at(image, 49, 29), red);
  EXPECT_EQ(at(image, 9, 20), black);
  EXPECT_EQ(at(image, 50, 20), black);
}

TEST_F(Render, HatchingLiesOnTheFillInStepFromShapeToShape) {
  Scene scene = empty();
  scene << RectShape{{10, 10, 36, 36}, blue, red, 0, 0, true};
  scene << RectShape{{46, 10, 36, 36}, blue, red, 0, 0, true};
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 13, 12), (Colour{0, 0, 255}));  // x + y = 26 is between the lines at 24 and 30
  EXPECT_GT(at(image, 15, 14).r, 90);                 // x + y = 30 is on a line
  for (int y = 12; y < 44; y++)
    for (int x = 12; x < 74; x++) EXPECT_NEAR(at(image, x, y).r, at(image, x + 6, y).r, 1);
  const double share = amount(image, 10, 10, 46, 46) / (36 * 36);
  EXPECT_NEAR(share, hatch_opacity * hatch_width * 1.41421 / hatch_period, 0.02);
}

TEST_F(Render, LinesHaveTheirWidth) {
  for (const float line_width : {0.5f, 1.0f, 3.0f}) {
    Scene scene = empty();
    scene << LineShape{{20, 20}, {120, 95}, red, line_width};  // 125 pixels long
    EXPECT_NEAR(amount(draw(scene), 0, 0, width, height), 125 * line_width, 125 * 0.04) << line_width;
  }
}

TEST_F(Render, TrianglesCoverTheirArea) {
  Scene scene = empty();
  scene << TriangleShape{{20, 20}, {20, 60}, {80, 40}, red};
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 30, 40), red);
  EXPECT_EQ(at(image, 70, 30), black);
  EXPECT_NEAR(amount(image, 0, 0, width, height), 1200, 12);
}

TEST_F(Render, GridCellsAreExact) {
  std::mt19937 random(11);
  Scene scene = empty();
  GridShape grid{{8, 4, 150, 96}, 50, 32, {}};
  for (int i = 0; i < 50 * 32; i++)
    grid.colours.push_back({static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random()),
                            static_cast<std::uint8_t>(random())});
  scene << GridShape{{0, 0, 1, 1}, 1, 1, {white}} << grid;
  const Picture image = draw(scene);
  EXPECT_EQ(at(image, 0, 0), white);
  for (int y = 0; y < 96; y++)
    for (int x = 0; x < 150; x++)
      ASSERT_EQ(at(image, 8 + x, 4 + y), grid.colours[(y / 3) * 50 + x / 3]) << x << ' ' << y;
}

TEST_F(Render, LaterShapesCoverEarlierOnesWhateverTheirKind) {
  const std::vector<std::function<void(Scene&, Colour)>> kinds = {
      [](Scene& s, Colour c) {
        s << RectShape{{20, 20, 60, 60}, c};
      },
      [](Scene& s, Colour c) {
        s << RectShape{{20, 20, 60, 60}, c, c, 1, 8};
      },
      [](Scene& s, Colour c) {
        s << LineShape{{20, 21}, {80, 79}, c, 30};
      },
      [](Scene& s, Colour c) {
        s << TriangleShape{{20, 20}, {20, 80}, {80, 50}, c};
      },
      [](Scene& s, Colour c) {
        s << GridShape{{20, 20, 60, 60}, 2, 2, {c, c, c, c}};
      },
      [](Scene& s, Colour c) {
        s << TextShape{{50, 50}, "■■■", c, 40, Face::bold, Align::centre};
      },
  };
  for (std::size_t under = 0; under < kinds.size(); under++)
    for (std::size_t over = 0; over < kinds.size(); over++) {
      Scene scene = empty();
      kinds[under](scene, red);
      kinds[over](scene, green);
      kinds[under](scene, blue);
      EXPECT_EQ(at(draw(scene), 50, 50), blue) << under << " over " << over;
    }
}

TEST_F(Render, ScenesAreClippedToTheirSize) {
  Scene scene{40, 20, red, {}, {}};
  scene << RectShape{{-50, -50, 300, 300}, green};
  const Picture image = draw(scene, 30, 50);
  EXPECT_EQ(at(image, 30, 50), green);
  EXPECT_EQ(at(image, 69, 69), green);
  for (const auto& [x, y] : {std::pair{29, 60}, {70, 60}, {40, 49}, {40, 70}})
    EXPECT_EQ(at(image, x, y), black) << x << ' ' << y;
}

TEST_F(Render, TextStandsWhereTheTableSays) {
  if (!renderer_->notices().empty()) GTEST_SKIP() << renderer_->notices()[0];
  for (const float scale : {1.0f, 2.0f}) {
    Scene scene = empty();
    scene << TextShape{{50, 25}, "HHHH", red, 20, Face::regular, Align::centre};
    const Picture image = draw(scene, 0, 0, scale);
    int left = width, right = 0, top = height, bottom = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        if (at(image, x, y).r > 127)
          left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
          bottom = std::max(bottom, y);
    EXPECT_NEAR((left + right + 1) / 2.0, 50 * scale, 1);
    EXPECT_NEAR((top + bottom + 1) / 2.0, 25 * scale, 1);
    EXPECT_NEAR(bottom - top + 1, 20 * cap_height * scale, 1);
    EXPECT_NEAR(right - left + 1, text_width("HHHH", 20 * scale, Face::regular), 5 * scale);
  }
}

TEST_F(Render, FiguresKeepTheirColumns) {
  if (!renderer_->notices().empty()) GTEST_SKIP() << renderer_->notices()[0];
  const auto image_of = [&](const char* text) {
    Scene scene = empty();
    scene << TextShape{{20, 25}, text, red, 16};
    return draw(scene);
  };
  const Picture ones = image_of("1118"), eights = image_of("8888");
  const int last = static_cast<int>(20 + text_width("000", 16, Face::regular));
  for (int y = 0; y < 50; y++)
    for (int x = last + 1; x < width; x++) ASSERT_EQ(at(ones, x, y), at(eights, x, y));
}

TEST_F(Render, WithoutAnyFontTextIsBarsAndANotice) {
  Renderer bare(std::vector<std::string>{"/nonexistent/fonts"});
  ASSERT_EQ(bare.notices().size(), 1u);
  EXPECT_NE(bare.notices()[0].find("No font was found"), std::string::npos);
  Scene scene = empty();
  scene << TextShape{{20, 30}, "stride 4", red, 20};
  bare.begin(width, height, black);
  bare.draw(scene, 0, 0, 1);
  EXPECT_GT(at(context_->read(), 30, 30).r, 80);
}

TEST_F(Render, AStandInFontIsNamed) {
  const fs::path dejavu = "/usr/share/fonts/truetype/dejavu";
  if (!fs::exists(dejavu / "DejaVuSans.ttf")) GTEST_SKIP() << "DejaVu is not installed.";
  Renderer other(std::vector<std::string>{dejavu});
  ASSERT_EQ(other.notices().size(), 3u);
  EXPECT_NE(other.notices()[0].find("DejaVu Sans"), std::string::npos);
}

TEST_F(Render, StrangeShapesDoNoHarm) {
  std::mt19937 random(5);
  const float strange[] = {0, -1, 1e9f, -1e9f, 1e30f, 0.0f / 0.0f, 1 / 0.0f, 0.3f, 50};
  const auto any = [&] { return strange[random() % std::size(strange)]; };
  Scene scene = empty();
  for (int i = 0; i < 300; i++) {
    scene << RectShape{{any(), any(), any(), any()}, red, blue, any(), any(), i % 2 == 0};
    scene << LineShape{{any(), any()}, {any(), any()}, red, any()};
    scene << TriangleShape{{any(), any()}, {any(), any()}, {any(), any()}, red};
    scene << TextShape{{any(), any()}, "\xff\x01 7", red, any()};
    scene << GridShape{{any(), any(), any(), any()}, 1, 1, {red}};
  }
  draw(scene, 0, 0, 1.3f);
  scene = empty();
  scene << RectShape{{0, 0, width, height}, green};
  EXPECT_EQ(at(draw(scene), 5, 5), green);
}

TEST(OffscreenContextTest, RefusesSizesThatNoPictureHas) {
  EXPECT_THROW(OffscreenContext(0, 10), RequestError);
  EXPECT_THROW(OffscreenContext(10, -5), RequestError);
  try {
    OffscreenContext(10, 10);
  } catch (const WorkError& e) { GTEST_SKIP() << in_words(e); }
  EXPECT_THROW(OffscreenContext(10, 1 << 30), RequestError);
}

TEST(Batches, NeighboursShareTheirDrawCalls) {
  Batches batches;
  batches.clear(1000, 1000);
  for (int y = 0; y < 20; y++)
    for (int x = 0; x < 20; x++) {
      const float left = x * 50.0f, top = y * 50.0f;
      batches.join(Brush::rect, Extent{left, top, left + 40, top + 40})->instances.emplace_back();
      batches.join(Brush::glyph, Extent{left + 15, top + 15, left + 25, top + 25})->instances.emplace_back();
    }
  EXPECT_EQ(batches.count(), 2);
  EXPECT_EQ(batches[0].instances.size(), 400u);
  EXPECT_EQ(batches.join(Brush::box, Extent{-10, 0, 0, 10}), nullptr);
}

TEST(Batches, OverlappingShapesKeepTheirOrder) {
  std::mt19937 random(9);
  struct Placed {
    Extent extent;
    int batch;
  };
  std::vector<Placed> placed;
  Batches batches;
  batches.clear(300, 300);
  for (int i = 0; i < 2000; i++) {
    const float x = static_cast<float>(random() % 300), y = static_cast<float>(random() % 300);
    const Extent e{x, y, x + 1 + static_cast<float>(random() % 40),
                   y + 1 + static_cast<float>(random() % 40)};
    Batches::Batch* batch = batches.join(static_cast<Brush>(random() % brushes), e);
    ASSERT_NE(batch, nullptr);
    const int index = static_cast<int>(batch - &batches[0]);
    for (const Placed& p : placed) {
      const bool overlap = p.extent.left < e.right && e.left < p.extent.right && p.extent.top < e.bottom &&
                           e.top < p.extent.bottom;
      ASSERT_TRUE(!overlap || p.batch <= index);
    }
    placed.push_back({e, index});
  }
}

}  // namespace render_test
}  // namespace upsweep
