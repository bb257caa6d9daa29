// Tests that all texts fit into the window, in every language, at three sizes of the window and three sizes
// of text.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include "support/pictures.hpp"
#include "support/speaking.hpp"
#include "window/window.hpp"

namespace upsweep {
namespace language_window_test {

TEST(LanguageWindow, TextsFitInEveryLanguage) {
  for (const char* algorithm : {"scan_blelloch", "scan_lookback_vectorized"})
    for (const auto& [width, height, scale] :
         {std::tuple{1280, 720, 1.0f}, {1920, 1080, 1.0f}, {3840, 2160, 2.0f}})
      for (const float text_scale : {0.8f, 1.0f, 2.0f})
        for (const bool presentation : {false, true})
          for (const TextLanguage language :
               {TextLanguage::english, TextLanguage::chinese, TextLanguage::pseudo}) {
            SCOPED_TRACE(fmt::format("{}: {} x {}, text {}, {}, {}", algorithm, width, height, text_scale,
                                     name(language), presentation ? "presentation" : "usual"));
            const Speaking speaking(language);
            WindowOptions o;
            o.machine = MachineChoice::emulated;
            o.settings.algorithm = algorithm;
            o.width = width;
            o.height = height;
            o.scale = scale;
            o.text_scale = text_scale;
            o.presentation = presentation;
            o.step = 4;
            WindowPictures pictures(o);
            glEnable(GL_RASTERIZER_DISCARD);  // because the test looks at no pixels
            const Scene scene = pictures.scene();
            expect_words_fit(scene, {scene.width, scene.height});
          }
}

}  // namespace language_window_test
}  // namespace upsweep
