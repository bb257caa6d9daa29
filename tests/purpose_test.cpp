// Tests the lines below the top bar, which contain an algorithm's idea and what to watch.
#include <gtest/gtest.h>

#include "base/language.hpp"
#include "panels/purpose_panel.hpp"
#include "study/puzzle.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "support/speaking.hpp"

namespace upsweep {
namespace purpose_test {

// In a window of any width and in every language, the panel must show whole sentences about the idea and
// about what to watch.
TEST(Purpose, IdeaAndWatchAreAlwaysInSight) {
  for (const TextLanguage language : {TextLanguage::english, TextLanguage::chinese})
    for (const Algorithm& a : cuda_algorithms()) {
      const Speaking speaking(language);
      Session s(start());
      s.set_algorithm(a.name);
      s.settle(20);
      ASSERT_EQ(s.recording().trace.settings.algorithm, a.name);
      for (const float width : {1280.0f, 1366.0f, 1920.0f}) {
        const Panel panel = purpose_panel(s, light_theme(), width, purpose_height, {-1, -1});
        expect_words_fit(panel.scene, {width, purpose_height});
        std::vector<std::string> shown;
        for (const TextShape& t : texts(panel.scene)) {
          shown.push_back(t.text);
          EXPECT_FALSE(t.text.ends_with("…")) << a.name << " at " << width << ": " << t.text;
        }
        const std::vector<std::string> names = a.is_broken()
                                                   ? std::vector<std::string>{tr("Task")}
                                                   : std::vector<std::string>{tr("Idea"), tr("Watch")};
        ASSERT_EQ(shown.size(), 2 * names.size()) << a.name;
        for (std::size_t i = 0; i < names.size(); ++i) {
          const std::string whole = a.is_broken() ? puzzle_text(a) : tr(i == 0 ? a.idea : a.watch);
          EXPECT_EQ(shown[2 * i], names[i]) << a.name;
          EXPECT_TRUE(whole.starts_with(shown[2 * i + 1])) << a.name << ": " << shown[2 * i + 1];
          EXPECT_EQ(panel.buttons[i].tip, whole) << a.name;
        }
      }
    }
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}}) {
    const WindowLayout w = window_layout(width, height, {}, {});
    EXPECT_EQ(w[Part::purpose].h, height < 800 ? low_purpose_height : purpose_height);
    EXPECT_EQ(w[Part::purpose].y, w[Part::top_bar].h);
    EXPECT_EQ(w[Home::tree].y, w.header);
  }
}

// In a comparison of two algorithms, the panel must say what to watch in each algorithm.
TEST(Purpose, OfTwoAlgorithmsBothAreWatched) {
  Session s(start(64, "reduce_interleaved"));
  Settings other = s.settings();
  other.algorithm = "reduce_sequential";
  s.compare_with(other, s.data(), MachineChoice::emulated);
  s.settle(60);
  ASSERT_TRUE(s.compares());
  const Panel panel = purpose_panel(s, dark_theme(), 1280, purpose_height, {-1, -1});
  ASSERT_EQ(panel.buttons.size(), 2u);
  EXPECT_EQ(panel.buttons[0].tip, algorithm("reduce_interleaved").watch);
  EXPECT_EQ(panel.buttons[1].tip, algorithm("reduce_sequential").watch);
  EXPECT_TRUE(says(panel.scene, "Watch A"));
  EXPECT_TRUE(says(panel.scene, "Watch B"));
}

}  // namespace purpose_test
}  // namespace upsweep
