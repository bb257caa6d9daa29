// Tests the picture of the tree: edges of a zoomed tree, and the values of dense rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/drawn_views.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace tree_picture_test {

// If an edge begins at an element outside the view, only the last part of the edge is drawn: from the row
// above its end.
TEST(TreePicture, EdgesOfAZoomedTreeCrossOneRow) {
  const Recording r = record("scan_blelloch", 64);
  Cursor c = at_step(static_cast<int>(r.trace.steps.size()) - 1);
  c.first_element = 24, c.element_count = 8;
  const Scene scene = draw("tree", r, c, 900, 500);
  const float pitch = 500.0f / static_cast<float>(r.tree().rows.size());
  for (const Shape& shape : scene.shapes)
    if (const auto* line = std::get_if<LineShape>(&shape.what))
      if (std::abs(line->from.x - line->to.x) > 1)
        EXPECT_LT(std::abs(line->to.y - line->from.y), 1.5f * pitch);
}

// At the last step of the default run, pictures of every usual size show the result, and no value touches
// another.
TEST(TreePicture, TheStoredRowShowsValuesThatDoNotTouch) {
  const Recording r = record("scan_blelloch", 64);
  const Cursor c = at_step(static_cast<int>(r.trace.steps.size()) - 1);
  for (const auto& [width, height] : {std::pair{846.0f, 230.0f}, {1270.0f, 430.0f}, {1270.0f, 830.0f}}) {
    const Scene scene = draw("tree", r, c, width, height);
    const std::vector<TextShape> all = texts(scene);
    EXPECT_TRUE(std::ranges::any_of(all, [](const TextShape& t) { return t.text == "296"; })) << width;
    for (const TextShape& a : all)
      for (const TextShape& b : all) {
        if (&a != &b && std::abs(a.at.y - b.at.y) < 6 && a.align == Align::centre &&
            b.align == Align::centre && a.at.x < b.at.x)
          EXPECT_LE(a.at.x + text_width(a.text, a.size, a.face) / 2,
                    b.at.x - text_width(b.text, b.size, b.face) / 2)
              << a.text << " " << b.text << " at " << width;
      }
  }
}

TEST(TreePicture, ASecondRowOfAStepSaysWhereItsValuesGo) {
  const Recording r = record("scan_vector4", 64);
  const Scene scene = draw("tree", r, at_step(2), 1270, 830);
  const std::vector<TextShape> all = texts(scene);
  const auto rows = [&](const char* label) {
    return std::ranges::count_if(all, [&](const TextShape& t) { return t.text == label; });
  };
  EXPECT_EQ(rows("fold"), 1);
  EXPECT_EQ(rows("to temp"), 1);
}

}  // namespace tree_picture_test
}  // namespace upsweep
