// The window redraws only changed scenes. Compares the result with a picture in which all scenes are drawn
// again.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "render/render.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace kept_picture_test {

// Scenes appear, disappear, move and change. Some scenes overlap, and some are half transparent.
TEST(KeptPicture, IsTheOneDrawnAnew) {
  constexpr int width = 200, height = 120;
  std::unique_ptr<OffscreenContext> context;
  try {
    context = std::make_unique<OffscreenContext>(width, height);
  } catch (const WorkError& e) { GTEST_SKIP() << in_words(e); }
  Renderer renderer;
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  struct Placed {
    Scene scene;
    float x, y;
    std::uint64_t number;  // 0, or a different number for each scene
  };
  std::uint64_t scenes = 0;
  const auto scene = [&] {
    Scene s{static_cast<float>(20 + below(90)), static_cast<float>(15 + below(60)), {}, {}, {}};
    if (below(2) == 0) s.background = {60, 70, 80, 255};
    const auto colour = [&] {
      return Colour{static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(256)), 90,
                    static_cast<std::uint8_t>(below(2) == 0 ? 255 : 120)};
    };
    for (int i = below(6); i >= 0; i--) {
      s.shapes.emplace_back().what =
          RectShape{{static_cast<float>(below(60)) / 2, static_cast<float>(below(40)), 20.5f, 9}, colour()};
      s.shapes.emplace_back().what =
          TextShape{{static_cast<float>(below(40)), static_cast<float>(10 + below(30))},
                    std::string(1, static_cast<char>('A' + below(26))) + "b",
                    colour(),
                    12};
    }
    return s;
  };
  const auto place = [&] {
    ++scenes;
    return Placed{scene(), static_cast<float>(below(150)) - 10, static_cast<float>(below(90)) - 10,
                  scenes % 3 == 0 ? 0 : scenes};
  };
  std::vector<Placed> all;
  for (int frame = 0; frame < 80; frame++) {
    const int what = below(6);
    const std::size_t which = all.empty() ? 0 : static_cast<std::size_t>(below(static_cast<int>(all.size())));
    if (what == 0 || all.empty()) all.push_back(place());
    else if (what == 1 && all.size() > 4) all.erase(all.begin() + static_cast<std::ptrdiff_t>(which));
    else if (what == 2) all[which].x += static_cast<float>(below(9)) - 4;
    else if (what == 3) all[which] = place();
    const Colour ground = frame / 30 % 2 == 0 ? Colour{0, 0, 0} : Colour{255, 255, 255};
    renderer.begin_kept(width, height, ground);
    for (const Placed& p : all) renderer.draw(p.scene, p.x, p.y, 1, p.number);
    renderer.show();
    const Picture kept = context->read();
    renderer.begin(width, height, ground);
    for (const Placed& p : all) renderer.draw(p.scene, p.x, p.y, 1);
    ASSERT_EQ(kept.values, context->read().values) << "frame " << frame << ", change " << what;
  }
}

}  // namespace kept_picture_test
}  // namespace upsweep
