// Tests the pictures in which the view "Keys" shows many keys.
#include <gtest/gtest.h>

#include <vector>

#include "analysis/key_pass.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace key_strips_test {

// If the keys are too many for a table, lines beside the picture of the keys mark two equal keys.
TEST(KeyStrips, MarkTwoOfManyKeys) {
  const Recording r = record("radix_sort_digits", 300);
  for (int step = 0; step + 2 < static_cast<int>(r.trace.steps.size()); ++step) {
    const Scene scene = draw("keys", r, at_step(step), 800, 150);
    ASSERT_TRUE(says(scene, "marked")) << step;
    EXPECT_TRUE(says(scene, "a row is a key"));
    std::vector<float> rows, places;  // the rows of the marks at the left, and the places of the marked keys
    float high = 0;                   // the height of a picture
    for (const Shape& s : scene.shapes) {
      if (const auto* grid = std::get_if<GridShape>(&s.what)) high = grid->box.h;
      if (const auto* line = std::get_if<LineShape>(&s.what); line && line->width == 2 && line->from.x < 24)
        rows.push_back(line->from.y);
    }
    const auto& pass = r.key_pass(0, step);
    for (const KeyPass::Key& k : pass->before)
      if (k.element == pass->equal_pair->first || k.element == pass->equal_pair->second)
        places.push_back(static_cast<float>(k.index));
    ASSERT_TRUE(rows.size() == 2 && places.size() == 2) << step;
    EXPECT_NEAR((rows[1] - rows[0]) / high, (places[1] - places[0]) / 300, 1e-3) << step;
  }
}

}  // namespace key_strips_test
}  // namespace upsweep
