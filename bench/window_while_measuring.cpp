// Draws frames of the off-screen window for 10 seconds. Then draws frames for another 10 seconds, while
// another thread measures a sweep. Prints quantiles of the time per frame, from the simulated keys to the
// finished picture.
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "machine/machine.hpp"
#include "window/frame.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int width = 1920, height = 1080;
constexpr double seconds = 10, pause = 1 / 60.0;  // `pause` is the time between the starts of two frames

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string quantiles(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double q) {
    return 1e3 * times[static_cast<std::size_t>(q * static_cast<double>(times.size() - 1))];
  };
  return fmt::format("p50 {:.1f} ms, p99 {:.1f} ms, longest {:.1f} ms of {} frames", at(0.5), at(0.99), at(1),
                     times.size());
}

// Draws frames at the rate of a display. Every 30th frame shows another step, so that the views change.
std::vector<double> frames(Frame& frame, Session& session) {
  std::vector<double> times;
  for (const auto begin = Clock::now(); since(begin) < seconds;) {
    const auto start = Clock::now();
    if (times.size() % 30 == 29 && !session.step_by(+1)) session.first();
    frame.draw(width, height, 1, pause, {});
    glFinish();
    times.push_back(since(start));
    std::this_thread::sleep_until(start + std::chrono::duration<double>(pause));
  }
  return times;
}

void run() {
  OffscreenContext context(width, height);
  Session::Start start;
  Session session(std::move(start));
  Frame frame(session, nullptr);
  frame.draw(width, height, 1, 0, {});  // compiles shaders and draws glyphs
  fmt::print("{}, {} x {}\n", context.renderer(), width, height);
  fmt::print("nothing measured:  {}\n", quantiles(frames(frame, session)));
  session.measure_times();
  fmt::print("while a sweep runs: {}\n", quantiles(frames(frame, session)));
  const auto& p = session.timing.progress();
  fmt::print("{} of {} rows, {}\n", p.done, p.all, session.timing.measuring() ? "still under way" : "over");
  const auto begin = Clock::now();
  session.timing.cancel();
  while (session.timing.measuring()) {
    session.tick(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  fmt::print("cancelled within {:.0f} ms\n", 1e3 * since(begin));
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
