// Tests the fields and buttons of the top bar in real frames, which are not on a screen.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "catalogue/ladder.hpp"
#include "support/session_start.hpp"
#include "support/speaking.hpp"
#include "window/frame.hpp"

namespace upsweep {
namespace top_bar_test {

// In a narrow window with enlarged texts, no field or button covers another one.
TEST(TopBar, PartsDoNotOverlap) {
  constexpr int width = 1280, height = 720;
  try {
    OffscreenContext context(width, height);
  } catch (const WorkError&) { GTEST_SKIP() << "There is no OpenGL here."; }
  const Speaking speaking{TextLanguage::english};
  OffscreenContext context(width, height);
  glEnable(GL_RASTERIZER_DISCARD);  // because the test looks at no pixels
  Session session(start());
  Frame frame(session, nullptr);
  for (const float text_scale : {1.0f, 1.3f, 2.0f})
    for (const Algorithm& a : algorithms()) {
      if (!is_listed(a)) continue;
      SCOPED_TRACE(fmt::format("{}, text {}", a.name, text_scale));
      session.looks.text_scale = text_scale;
      ASSERT_NE(session.set_algorithm(a.name), Answer::refused) << session.error();
      // Draws several frames, because the layout of each frame depends on the previous frame.
      for (int i = 0; i < 3; ++i) frame.draw(width, height, 1, 0, {});
      std::vector<ScreenPlace> bar = frame.places();
      std::erase_if(bar, [](const ScreenPlace& p) { return p.box.y > 60; });
      EXPECT_GE(bar.size(), 5u);
      for (std::size_t i = 0; i < bar.size(); ++i)
        for (std::size_t k = i + 1; k < bar.size(); ++k) {
          const Box &p = bar[i].box, &q = bar[k].box;
          // Boxes side by side may share a line of pixels, because their edges are rounded.
          const bool overlap = std::min(p.x + p.w, q.x + q.w) - std::max(p.x, q.x) > 1 &&
                               std::min(p.y + p.h, q.y + q.h) - std::max(p.y, q.y) > 1;
          EXPECT_FALSE(overlap) << bar[i].name << " and " << bar[k].name;
        }
    }
}

}  // namespace top_bar_test
}  // namespace upsweep
