// Tests the looks of the view "Image": its box, its zoom and its sliders.
#include "scene/views/image_look.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "scene/id.hpp"
#include "scene/views/image_mouse.hpp"
#include "scene/views/image_sums.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/recorded_scene.hpp"

namespace upsweep {
namespace image_look_test {

TEST(ImageLooks, ZoomKeepsThePixelUnderTheMouse) {
  std::mt19937 random(5);
  for (const PictureShape& shape : {PictureShape{300, 400, 1}, {1000, 30, 3}, {1, 5000, 1}, {3, 3, 1}}) {
    ImageLook look;
    const PixelId fixed{shape.rows / 3, shape.columns / 2};
    for (int round = 0; round < 200; ++round) {
      look = zoomed(look, shape, fixed, random() % 2 ? 0.8f : 1.25f);
      const PicturePart part = visible_part(look, shape);
      EXPECT_TRUE(fixed.row >= part.row && fixed.row < part.row + part.rows);
      EXPECT_TRUE(fixed.column >= part.column && fixed.column < part.column + part.columns);
      EXPECT_TRUE(part.row >= 0 && part.row + part.rows <= shape.rows && part.columns >= 1);
      const PixelId to{fixed.row + 1, fixed.column - 1};
      const PicturePart after = visible_part(moved(look, shape, fixed, to), shape);
      EXPECT_TRUE(after.row == part.row - 1 || after.row == 0);
    }
    for (int round = 0; round < 60; ++round) look = zoomed(look, shape, fixed, 1.25f);
    EXPECT_EQ(visible_part(look, shape), (PicturePart{0, 0, shape.rows, shape.columns}));
  }
}

TEST(ImageLooks, SlidersReachEveryWidthAndStayWhereTheyAre) {
  const PictureShape shape{90, 61, 1};
  std::set<int> widths;
  for (int place = 0; place <= slider_end; ++place) {
    const ImageLook look = slid({}, shape, {image_name, 0, place});
    EXPECT_EQ(look.box_width % 2, 1);
    widths.insert(box_width(look, shape));
    const ImageLook again = slid({}, shape, {image_name, 0, box_place(look, shape)});
    EXPECT_LE(std::abs(again.box_width - look.box_width), 2);
  }
  EXPECT_EQ(*widths.begin(), 1);
  EXPECT_EQ(*widths.rbegin(), 61);
  EXPECT_EQ(widths.size(), 31u);
  EXPECT_EQ(focus_place(slid({}, shape, {image_name, 1, 700})), 700);
}

TEST(ImageLooks, BoxIsUnderTheMouseOrWhereItWasClicked) {
  const Recording r = recorded_scene({20, 30, 3});
  const ImageLook look{.box_width = 5, .pixel = 3 * 30 + 4};
  EXPECT_EQ(chosen_box(r.table(), {.box_width = 5}, {}), (AreaBox{8, 13, 12, 17}));
  EXPECT_EQ(chosen_box(r.table(), look, {}), (AreaBox{1, 2, 5, 6}));
  EXPECT_EQ(chosen_box(r.table(), look, PixelId{0, 29}), (AreaBox{0, 27, 2, 29}));
  EXPECT_EQ(chosen_box(r.table(), look, PixelId{99, 99}), (AreaBox{1, 2, 5, 6}));
}

// In the picture with depth of field, the mean of the chosen box is the pixel under the mouse.
TEST(ImageLooks, DepthOfFieldUsesTheBoxOfThePixelsDepth) {
  const PictureShape shape{120, 160, 3};
  const Recording r = recorded_scene(shape, Scalar::int32);
  ASSERT_TRUE(r.table().lens()->is_recorded);
  std::set<int> widths;
  for (const float focus : {3.0f, 6.0f, 11.0f}) {
    const ImageLook look{.made = Made::depth_of_field, .focus = focus};
    const Picture made = made_picture(r.table(), look);
    for (int row = 0; row < shape.rows; ++row)
      for (int column = 0; column < shape.columns; ++column) {
        const AreaBox box = chosen_box(r.table(), look, PixelId{row, column});
        widths.insert(box.columns());
        for (int k = 0; k < shape.channels; ++k)
          ASSERT_EQ(made.values[shape.at(row, column, k)], r.table().mean(box, k)) << row << ' ' << column;
      }
  }
  EXPECT_GT(widths.size(), 3u);
}

// After zooming, the box stays at the pixel around which the picture was zoomed. A pixel that was clicked
// before keeps the box.
TEST(ImageLooks, ZoomingKeepsTheBoxInSight) {
  const Recording r = recorded_scene({20, 30, 3});
  Cursor c;
  const auto zoomed_at = [&](const PixelId& pixel) {
    const Click click = turn_over_image({r, c}, pixel, 2);
    return std::get<SetImageLook>(click).look.pixel;
  };
  EXPECT_EQ(zoomed_at({3, 7}), 3 * 30 + 7);
  c.image.pixel = 5;
  EXPECT_EQ(zoomed_at({3, 7}), 5);
}

// A picture without depths cannot be shown with depth of field. So the view shows another scene, and says so.
TEST(ImageLooks, TheBuiltInSceneIsNamed) {
  Cursor c;
  c.image.made = Made::depth_of_field;
  const Recording other = record("summed_area_table", 64), scene = recorded_scene({20, 30, 3});
  for (const Point size : {Point{843, 180}, Point{1272, 420}}) {
    c.step = at_end(other).step;
    EXPECT_TRUE(says(draw("image", other, c, size.x, size.y), "built-in scene")) << size.x;
    c.step = at_end(scene).step;
    EXPECT_FALSE(says(draw("image", scene, c, size.x, size.y), "built-in scene")) << size.x;
  }
}

// A picture without errors says why, because readers look for an example with errors.
TEST(ImageLooks, ATableWithoutErrorsSaysUpToWhichNumberFloat32IsExact) {
  const Recording r = recorded_scene({20, 30, 1}, Scalar::float32);
  ASSERT_EQ(r.table().errors().wrong, 0);
  const std::vector<std::string> all = result_sentences(r.table(), {.made = Made::errors}, nullptr);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(all[1].find("16,777,216"), std::string::npos) << all[1];
  EXPECT_EQ(16'777'216.0f + 1.0f, 16'777'216.0f);
  EXPECT_EQ(16'777'215.0f + 1.0f, 16'777'216.0f);
}

}  // namespace image_look_test
}  // namespace upsweep
