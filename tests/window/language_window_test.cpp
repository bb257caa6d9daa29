// Tests that all texts fit into the window, in every language, at three sizes of the window and three sizes
// of text.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <tuple>

#include "support/long_tests.hpp"
#include "support/pictures.hpp"
#include "support/speaking.hpp"
#include "window/window.hpp"

namespace upsweep {
namespace language_window_test {

// By default, the test opens each combination of algorithm, window, size of text and mode in one language.
// The languages take turns, so that each language meets each value of the other settings.
TEST(LanguageWindow, TextsFitInEveryLanguage) {
  constexpr const char* algorithms[] = {"scan_blelloch", "scan_lookback_vectorized"};
  constexpr std::tuple<int, int, float> windows[] = {{1280, 720, 1}, {1920, 1080, 1}, {3840, 2160, 2}};
  constexpr float text_scales[] = {0.8f, 1, 2};
  constexpr TextLanguage languages[] = {TextLanguage::english, TextLanguage::chinese, TextLanguage::pseudo};
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t w = 0; w < 3; ++w)
      for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t p = 0; p < 2; ++p)
          for (std::size_t l = 0; l < 3; ++l) {
            if ((w + t + p + l) % 3 != a && !tries_everything()) continue;
            const auto [width, height, scale] = windows[w];
            SCOPED_TRACE(fmt::format("{}: {} x {}, text {}, {}, {}", algorithms[a], width, height,
                                     text_scales[t], name(languages[l]), p == 1 ? "presentation" : "usual"));
            const Speaking speaking(languages[l]);
            WindowOptions o;
            o.machine = MachineChoice::emulated;
            o.settings.algorithm = algorithms[a];
            o.width = width;
            o.height = height;
            o.scale = scale;
            o.text_scale = text_scales[t];
            o.presentation = p == 1;
            o.step = 4;
            WindowPictures pictures(o);
            glEnable(GL_RASTERIZER_DISCARD);  // because the test looks at no pixels
            const Scene scene = pictures.scene();
            expect_words_fit(scene, {scene.width, scene.height});
          }
}

}  // namespace language_window_test
}  // namespace upsweep
