// Tests the picture of the tree: edges of a zoomed tree, and the values of dense rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/drawn_views.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace tree_picture_test {

// If an edge begins outside the view, only its last part is drawn: the part between its end and the row above
// its end.
TEST(TreePicture, EdgesOfAZoomedTreeCrossOneRow) {
  const Recording r = record("scan_blelloch", 64);
  Cursor c = at_end(r);
  c.first_element = 24, c.element_count = 8;
  const Scene scene = draw("tree", r, c, 900, 500);
  const float pitch = 500.0f / static_cast<float>(r.tree().rows.size());
  for (const Shape& shape : scene.shapes)
    if (const auto* line = std::get_if<LineShape>(&shape.what))
      if (std::abs(line->from.x - line->to.x) > 1)
        EXPECT_LT(std::abs(line->to.y - line->from.y), 1.5f * pitch);
}

// At the last step of the default run, the picture must show the result at every usual size. Values must not
// touch each other.
TEST(TreePicture, TheStoredRowShowsValuesThatDoNotTouch) {
  const Recording r = record("scan_blelloch", 64);
  const Cursor c = at_end(r);
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

// Neighbouring edges of one row must not look like one shape. If edges are left out, the title must say so.
TEST(TreePicture, EdgesDoNotFuse) {
  for (const auto& [name, n] : {std::pair{"reduce_sequential", 64},
                                {"reduce_sequential", 1024},
                                {"reduce_two_pass_blocked", 4096},
                                {"scan_hillis_steele", 64},
                                {"scan_blelloch", 64}}) {
    const Recording r = record(name, n);
    for (const auto& [width, height] : {std::pair{846.0f, 230.0f}, {1270.0f, 430.0f}, {1270.0f, 830.0f}}) {
      const Scene scene = draw("tree", r, at_step(1), width, height);
      // The key of the map is the height of both ends of an edge, and the direction of the edge.
      std::map<std::tuple<float, float, bool>, std::vector<LineShape>> alike;
      for (const Shape& shape : scene.shapes)
        if (const auto* l = std::get_if<LineShape>(&shape.what);
            l && l->from.y < l->to.y - 4 && l->from.x != l->to.x)
          alike[{l->from.y, l->to.y, l->from.x < l->to.x}].push_back(*l);
      for (const auto& [where, lines] : alike)
        for (std::size_t i = 1; i < lines.size(); i++) {
          const LineShape &a = lines[i - 1], &b = lines[i];
          const float across = std::max(std::abs(a.from.x - b.from.x), std::abs(a.to.x - b.to.x)),
                      down = b.to.y - b.from.y;
          EXPECT_GE(across * down / std::hypot(b.to.x - b.from.x, down), 2.4f) << name << " " << width;
        }
      const bool some = std::string_view(name) != "scan_blelloch";
      EXPECT_EQ(says(scene, "not all lines are shown"), some) << name << " " << width;
    }
  }
}

// If a row shows only some of its values, the title must say so. In the first step, only the row of the
// loaded values has values.
TEST(TreePicture, TheTitleSaysIfValuesAreLeftOut) {
  std::mt19937 random(6);
  int complete = 0, partial = 0;
  for (int round = 0; round < 60; ++round) {
    const int n = 8 + static_cast<int>(random() % 200);
    const float width = 500 + static_cast<float>(random() % 900),
                height = 220 + static_cast<float>(random() % 400);
    const Recording r = record(round % 2 ? "scan_blelloch" : "scan_hillis_steele", n);
    const Scene scene = draw("tree", r, at_step(0), width, height);
    const std::vector<TextShape> all = texts(scene);
    const auto label = std::ranges::find(all, "loaded", &TextShape::text);
    ASSERT_NE(label, all.end());
    const auto values = std::ranges::count_if(all, [&](const TextShape& t) {
      return t.align == Align::centre && std::abs(t.at.y - label->at.y) < 7;
    });
    const bool some = values > 0 && values < std::ssize(r.tree().rows[0].nodes);
    EXPECT_EQ(says(scene, "dense rows show every "), some) << n << ", " << width << " x " << height;
    (some ? partial : complete) += 1;
  }
  EXPECT_GT(complete, 5);
  EXPECT_GT(partial, 5);
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
