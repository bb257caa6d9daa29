// Measures the off-screen window while it shows two runs side by side, for each preset of compare_presets().
// The window has 1920 x 1080 pixels.
//
// A toggle switches the comparison on or off, or swaps the two runs. Prints quantiles of the time from the
// press of a key to the finished picture. For a step, this is the first picture after the key. For a toggle,
// this is the first picture that shows the new runs.
//
//   bench_compare_frames [n, default 1024]
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "study/compare_presets.hpp"
#include "window/frame.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int width = 1920, height = 1080;
constexpr double patience = 60;  // seconds

class Window {
 public:
  Window() : session_(start()), frame_(session_, nullptr) {}

  bool compare(const ComparePreset& p, int n) {
    Request baseline = p.baseline;
    baseline.machine = MachineChoice::emulated;
    session_.compare(baseline, p.change);
    settle();
    baseline = {.n = n};
    session_.apply(baseline);
    settle();
    return session_.compares();
  }
  void settle() {
    for (int i = 0; i < 4; ++i) session_.settle(patience), frame();
  }
  double frame() {
    const auto begin = Clock::now();
    frame_.draw(width, height, 1, 1, {});  // 1 s after the previous frame, so all animations have ended
    glFinish();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }
  double step(int pair) {
    const auto begin = Clock::now();
    session_.go_to_pair(pair);
    frame();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }
  // Calls f(), which requests new runs, and waits until these runs are drawn. Returns the time in ms.
  template <class F>
  double toggle(F f) {
    const auto begin = Clock::now();
    f();
    while (session_.recording_under_way() || (session_.looks.comparing && !session_.compares())) {
      session_.settle(patience);
      if (!session_.changed_failure().empty()) break;
    }
    frame();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }
  Session& session() { return session_; }

 private:
  static Session::Start start() {
    Session::Start s;
    s.machine = MachineChoice::emulated;
    s.patience = patience;
    return s;
  }
  Session session_;
  Frame frame_;
};

void print(const char* what, std::vector<double> times) {
  std::ranges::sort(times);
  const auto at = [&](double q) {
    return times[static_cast<std::size_t>(q * static_cast<double>(times.size() - 1))];
  };
  fmt::print("  {:<12} p50 {:5.1f}  p99 {:5.1f}  longest {:5.1f} ms | {} times\n", what, at(0.5), at(0.99),
             at(1), times.size());
}

void run(int n) {
  OffscreenContext context(width, height);
  fmt::print("{}, {} x {}, n = {}\n", context.renderer(), width, height, n);
  Window window;
  for (const ComparePreset& p : compare_presets()) {
    fmt::print("{}\n", p.title);
    if (!window.compare(p, n)) {
      fmt::print("  cannot be compared here: {}\n",
                 window.session().changed_failure() + window.session().error());
      continue;
    }
    std::vector<double> steps, toggles;
    const int pairs = std::min(60, static_cast<int>(window.session().pairs().size()));
    for (int round = 0; round < 3; ++round)
      for (int pair = 0; pair < pairs; ++pair) steps.push_back(window.step(pair));
    for (int round = 0; round < 10; ++round) {
      toggles.push_back(window.toggle([&] { window.session().toggle_comparing(); }));
      toggles.push_back(window.toggle([&] { window.session().toggle_comparing(); }));
      toggles.push_back(window.toggle([&] { window.session().swap_sides(); }));
    }
    print("step", steps);
    print("toggle", toggles);
  }
}

}  // namespace
}  // namespace upsweep

int main(int count, char** arguments) {
  try {
    upsweep::run(count > 1 ? std::atoi(arguments[1]) : 1024);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 1;
  }
}
