// Measures how long calls block the window's thread. Measures the calls while the user types n, while the
// window runs, when the user cancels a recording, and when the user closes the window. The emulator makes the
// recordings. Tries n = 2^4, 2^6, 2^8 up to 2^30. The goals are at most 200 ms to close the window, and at
// most 16 ms for each other call.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "study/session.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;

template <class F>
double milliseconds(F f) {
  const auto begin = Clock::now();
  f();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The times of the longest call of each kind, in ms. `picture` is the time until the first picture, or -1 if
// no picture was drawn.
struct Held {
  double typing = 0, ticking = 0, picture = -1, cancelling = 0, closing = 0;
};

// Types n, and runs the window until the recording has ended or half a second has passed. Then cancels the
// recording. If a recording had begun, types n again, so that the window closes during a recording.
Held type(const std::string& algorithm, int n, std::string& what) {
  Session::Start start;
  start.settings = {.algorithm = "scan_large", .n = 512, .block = 256};
  start.machine = MachineChoice::emulated;
  start.timing.recorded.clear();
  start.patience = 60;
  auto session = std::make_unique<Session>(std::move(start));
  session->set_algorithm(algorithm);
  session->settle(60);
  Held held;
  const auto before = session->shared_recording();
  const auto ask = [&] {
    Answer answer{};
    held.typing = std::max(held.typing, milliseconds([&] { answer = session->set_n(n); }));
    return answer;
  };
  const auto begin = Clock::now();
  const Answer answer = ask();
  what = answer == Answer::refused ? session->error() : answer == Answer::shown ? "at once" : "";
  const auto since = [&] {
    return milliseconds([] {}) + std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  };
  while (since() < 500) {
    if (held.picture < 0 && session->shared_recording() != before) held.picture = since();
    if (!session->recording_under_way()) break;
    held.ticking = std::max(held.ticking, milliseconds([&] { session->tick(0); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (what.empty())
    what =
        session->recording_under_way()
            ? fmt::format("{:.0f} % after 0.5 s", session->progress() ? 100 * session->progress()->share : 0)
            : fmt::format("there after {:.0f} ms", since());
  held.cancelling = milliseconds([&] { session->cancel(); });
  if (answer == Answer::begun) {
    ask();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  held.closing = milliseconds([&] { session.reset(); });
  return held;
}

void ask(benchmark::State& state) {
  constexpr const char* algorithms[] = {"scan_blelloch",   "scan_large",      "scan_decoupled_lookback",
                                        "reduce_two_pass", "reduce_unrolled", "scan_lookback_vectorized"};
  for (auto _ : state) {
    Held most;
    fmt::print("{:26}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}  ms\n", "", "n", "typing", "tick", "picture",
               "cancel", "closing");
    for (const char* algorithm : algorithms)
      for (int exponent = 4; exponent <= 30; exponent += 2) {
        std::string what;
        const Held h = type(algorithm, 1 << exponent, what);
        fmt::print("{:26}{:>6}{:10.2f}{:10.2f}{:10.1f}{:10.2f}{:10.1f}  {}\n", algorithm,
                   fmt::format("2^{}", exponent), h.typing, h.ticking, h.picture, h.cancelling, h.closing,
                   what);
        std::fflush(stdout);
        most.typing = std::max(most.typing, h.typing);
        most.ticking = std::max(most.ticking, h.ticking);
        most.cancelling = std::max(most.cancelling, h.cancelling);
        most.closing = std::max(most.closing, h.closing);
      }
    state.counters["typing_ms"] = most.typing;
    state.counters["tick_ms"] = most.ticking;
    state.counters["cancel_ms"] = most.cancelling;
    state.counters["closing_ms"] = most.closing;
  }
}
BENCHMARK(ask)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace upsweep
