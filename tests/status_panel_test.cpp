// Tests the number and the name of the step in the panel at the lower right of the window.
#include <gtest/gtest.h>

#include "panels/chrome.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace status_panel_test {

// If a lesson is open in a window of 1280 x 720 pixels, the status panel is only about 120 pixels wide.
TEST(StatusPanel, ShowsTheWholeNameOfTheStepInANarrowPanel) {
  constexpr float height = 112;
  for (const int n : {8, 64, 1024}) {
    Session s(start(n));
    for (int step = 0; step < s.step_count(); ++step) {
      s.go_to(step);
      for (float width = 112; width < 150; ++width) {
        const Scene scene = status_panel(s, light_theme(), width, height, {-1, -1}).scene;
        expect_words_fit(scene, {width, height});
        for (const TextShape& t : texts(scene)) EXPECT_EQ(t.text.find("…"), t.text.npos) << t.text << width;
      }
    }
  }
}

}  // namespace status_panel_test
}  // namespace upsweep
