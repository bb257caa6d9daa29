// Tests the place of messages in the window.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "panels/layout.hpp"
#include "support/drawn_views.hpp"

namespace upsweep {
namespace message_layout_test {

// When a message of one line appears or disappears, the views must not move.
TEST(MessageLayout, OneLineMovesNoView) {
  const Recording r = record("scan_blelloch", 64);
  for (const auto& [width, height] : {std::pair(1000.f, 700.f), {1280.f, 720.f}, {1920.f, 1080.f}})
    for (const bool comparing : {false, true}) {
      const Looks looks{.comparing = comparing};
      const PreferredHeights wanted = preferred_heights_of(r, looks, 0);
      const WindowLayout without = window_layout(width, height, looks, wanted),
                         one_line = window_layout(width, height, looks, wanted, low_purpose_height),
                         long_text = window_layout(width, height, looks, wanted, 96);
      for (std::size_t i = 0; i < without.homes.size(); ++i) {
        EXPECT_EQ(one_line.homes[i].y, without.homes[i].y);
        EXPECT_EQ(one_line.homes[i].h, without.homes[i].h);
      }
      // A message must cover no view. In a comparison, it must not cover the names of the runs either.
      const auto top = [](const WindowLayout& w) {
        float y = w.names[0].h > 0 ? w.names[0].y : 1e6f;
        for (const Box& box : w.homes)
          if (box.h > 0) y = std::min(y, box.y);
        return y;
      };
      EXPECT_GE(top(without), one_line.message + low_purpose_height);
      EXPECT_GE(top(long_text), long_text.message + 96);
    }
}

}  // namespace message_layout_test
}  // namespace upsweep
