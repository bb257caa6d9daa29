// Switches between English and Chinese. Prints the time of the first frame in the other language. Also prints
// how long it takes to build the atlas (a texture) with the characters of the controls.
#include "base/language.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "machine/machine.hpp"
#include "scene/theme.hpp"
#include "window/frame.hpp"
#include "window/toolkit.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int width = 1920, height = 1080, switches = 21;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void print(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  fmt::print("{}: median {:.1f} ms, {:.1f} to {:.1f} ms\n", what, times[times.size() / 2], times.front(),
             times.back());
}

void run() {
  OffscreenContext context(width, height);
  fmt::print("{}, {} x {}, {} switches\n", context.renderer(), width, height, switches);
  {
    std::vector<double> to_chinese, to_english;
    Toolkit toolkit(nullptr);
    for (int i = 0; i <= 2 * switches; ++i) {
      set_language(i % 2 ? TextLanguage::chinese : TextLanguage::english);
      const auto begin = Clock::now();
      toolkit.begin(width, height, 1, dark_theme());
      glFinish();
      if (i > 0) (i % 2 ? to_chinese : to_english).push_back(milliseconds_since(begin));
      toolkit.end();
    }
    print("The atlas, in Chinese", to_chinese);
    print("The atlas, in English", to_english);
  }
  set_language(TextLanguage::english);
  Session::Start start;
  Session session(std::move(start));
  Frame frame(session, nullptr);
  for (int i = 0; i < 3; ++i) frame.draw(width, height, 1, 1 / 60.0, {});
  std::vector<double> to_chinese, to_english;
  for (int i = 1; i <= 2 * switches; ++i) {
    const auto begin = Clock::now();
    set_language(i % 2 ? TextLanguage::chinese : TextLanguage::english);
    frame.draw(width, height, 1, 1 / 60.0, {});
    glFinish();
    (i % 2 ? to_chinese : to_english).push_back(milliseconds_since(begin));
    frame.draw(width, height, 1, 1 / 60.0, {});
  }
  print("The window's next frame, in Chinese", to_chinese);
  print("The window's next frame, in English", to_english);
}

}  // namespace
}  // namespace upsweep

int main() {
  try {
    upsweep::run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 1;
  }
}
