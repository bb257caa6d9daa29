// Tests the looks of the view "Image": its box, its zoom and its sliders.
#include "scene/views/image_look.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "scene/id.hpp"
#include "scene/views/image_mouse.hpp"

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
  const PictureShape shape{20, 30, 1};
  const ImageLook look{.box_width = 5, .pixel = 3 * 30 + 4};
  EXPECT_EQ(chosen_box({.box_width = 5}, shape, {}), (AreaBox{8, 13, 12, 17}));
  EXPECT_EQ(chosen_box(look, shape, {}), (AreaBox{1, 2, 5, 6}));
  EXPECT_EQ(chosen_box(look, shape, PixelId{0, 29}), (AreaBox{0, 27, 2, 29}));
  EXPECT_EQ(chosen_box(look, shape, PixelId{99, 99}), (AreaBox{1, 2, 5, 6}));
}

}  // namespace image_look_test
}  // namespace upsweep
