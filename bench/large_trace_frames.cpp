// Draws frames of the off-screen window, at 1920 x 1080, for a small and a large recording of several
// kernels. The benchmark goes from step to step, waits while values move, drags along the profile, moves the
// mouse over every view, and zooms the tree.
//
// Prints quantiles of the time per frame, from the simulated key or mouse movement to the finished picture.
// Also prints quantiles of the CPU time of the window's thread, which depends less on other work of the
// computer.
//
//   bench_large_trace_frames [events in millions, default 10] [repetitions, default 3] [ALGORITHM]
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "window/frame.hpp"
#include "window/imgui_compat.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int width = 1920, height = 1080;

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double quantile(std::vector<double> times, double q) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return 1e3 * times[static_cast<std::size_t>(q * static_cast<double>(times.size() - 1))];
}

// Records a run with `blocks` blocks in focus. The emulator is destroyed at once, to free its memory.
std::shared_ptr<const Recording> recorded(Settings s, std::uint32_t blocks) {
  const auto begin = Clock::now();
  RecordOptions options;
  options.blocks = blocks;
  Trace trace = Emulator().record(s, seeded_data(s, 1), options);
  const double recording = since(begin);
  auto r = std::make_shared<const Recording>(make_recording(std::move(trace)));
  r->prepare(nullptr, false);  // the window's recorder also calls prepare()
  fmt::print("{}, n = {}: {} events, {} steps, {} blocks; recorded in {:.1f} s, analysed in {:.1f} s\n",
             s.algorithm, s.n, r->trace.events.size(), r->trace.steps.size(), r->trace.runs.size(), recording,
             since(begin) - recording);
  return r;
}

// A window that shows one recording, operated by simulated keys and a simulated mouse.
class Window {
 public:
  explicit Window(std::shared_ptr<const Recording> recording)
      : session_(start(std::move(recording))), frame_(session_, nullptr) {
    for (int i = 0; i < 3; ++i) frame();  // compiles shaders and draws glyphs
    times_.clear();
  }

  // Draws one frame. Stores the time of this frame, and returns this time in seconds.
  double frame() {
    compat::move_mouse(mouse_.x, mouse_.y);
    const auto begin = Clock::now();
    const double own = thread_seconds();
    frame_.draw(width, height, 1, 1 / 60.0, {});
    glFinish();
    times_.push_back(since(begin));
    own_.push_back(thread_seconds() - own);
    return times_.back();
  }

  void step() {
    for (int i = 0; i < 40 && session_.step_by(+1); ++i) frame();
    for (int i = 0; i < 40 && session_.step_by(-1); ++i) frame();
    for (int i = 0; i < 10; ++i) session_.step_request(+1), frame();
    for (int i = 0; i < 10; ++i) session_.step_block(+1), frame();
    for (int i = 0; i < 10; ++i) session_.step_block(-1), frame();
  }

  // Makes at most 20 steps. After each step, draws frames until the values have stopped moving. The first
  // frame after a step is not counted: it begins the movement, and step() measures such frames.
  void move() {
    for (int i = 0; i < 20 && session_.step_by(+1); ++i) {
      frame();
      times_.pop_back(), own_.pop_back();
      while (frame_.moves()) frame();
    }
    session_.go_to(session_.step_count() / 2);
  }

  // Presses the mouse button on the profile and drags the mouse along the bars and back.
  void scrub() {
    const ScreenBox box = place("view profile");
    mouse_ = {box.x + box.w * 0.15f, box.y + box.h * 0.5f};
    frame();
    compat::hold_mouse(true);
    for (int i = 0; i <= 60; ++i) {
      mouse_.x = box.x + box.w * (0.15f + 0.8f * std::abs(static_cast<float>(i % 60) / 30 - 1));
      frame();
    }
    compat::hold_mouse(false);
    frame();
  }

  // Moves the mouse diagonally over every view. At the end of each diagonal, the mouse stays until a tooltip
  // can appear.
  void hover() {
    for (const ScreenPlace& p : frame_.places()) {
      if (!p.name.starts_with("view ") || p.box.w <= 0) continue;
      for (int i = 0; i < 12; ++i) {
        const float at = (static_cast<float>(i) + 0.5f) / 12;
        mouse_ = {p.box.x + p.box.w * at, p.box.y + p.box.h * (0.2f + 0.7f * at)};
        frame();
      }
      for (int i = 0; i < 30; ++i) frame();
    }
  }

  void zoom() {
    const ScreenBox box = place("view tree");
    if (box.w <= 0) return;  // another view replaces the tree
    mouse_ = {box.x + box.w * 0.6f, box.y + box.h * 0.5f};
    for (const float ticks : {1.0f, -1.0f})
      for (int i = 0; i < 60; ++i) {
        const Cursor before = session_.cursor();
        compat::turn_mouse_wheel(ticks);
        frame();
        if (session_.cursor() == before) break;  // the zoom has reached its limit
      }
    session_.show_whole_tree();
  }

  // Enlarges one view after another, and then shows all views again.
  void large_views() {
    for (int v = 0; v < static_cast<int>(views().size()); ++v) {
      session_.looks.chosen = v;
      const double first = frame();
      for (int i = 0; i < 4; ++i) session_.step_by(i % 2 == 0 ? 1 : -1), frame();
      if (first > 0.02)
        fmt::print("    the first frame of {} large took {:.0f} ms\n",
                   views()[static_cast<std::size_t>(v)].name, 1e3 * first);
    }
    session_.looks.chosen = -1;
    frame();
  }

  void still() {
    for (int i = 0; i < 60; ++i) frame();
  }

  // Measures several kinds of use one after the other, and prints the quantiles of the frame times of each
  // kind. Returns the 99th percentile of the frame times of stepping, moving values, scrubbing, hovering and
  // zooming, in milliseconds.
  double measure(int rounds) {
    session_.go_to(session_.step_count() / 2);
    frame();
    times_.clear();
    std::vector<double> all;
    const auto part = [&](const char* name, auto what) {
      times_.clear();
      own_.clear();
      for (int i = 0; i < rounds; ++i) what();
      fmt::print(
          "  {:<12} p50 {:5.1f}  p99 {:6.1f}  longest {:7.1f} ms | {:5.1f} {:6.1f} {:7.1f} of the window's "
          "thread alone | {} frames\n",
          name, quantile(times_, 0.5), quantile(times_, 0.99), quantile(times_, 1), quantile(own_, 0.5),
          quantile(own_, 0.99), quantile(own_, 1), times_.size());
      all.insert(all.end(), times_.begin(), times_.end());
    };
    part("still", [&] { still(); });
    all.clear();
    part("step", [&] { step(); });
    part("move", [&] { move(); });
    part("scrub", [&] { scrub(); });
    part("hover", [&] { hover(); });
    part("zoom", [&] { zoom(); });
    const double p99 = quantile(all, 0.99);
    part("large views", [&] { large_views(); });
    return p99;
  }

 private:
  using ScreenBox = decltype(ScreenPlace::box);
  static Session::Start start(std::shared_ptr<const Recording> recording) {
    Session::Start s;
    s.opened = std::move(recording);
    s.opened_from = "made up";
    s.machine = MachineChoice::emulated;
    return s;
  }
  // Returns an empty box if the window does not show the place.
  ScreenBox place(const std::string& name) const {
    for (const ScreenPlace& p : frame_.places())
      if (p.name == name) return p.box;
    return {};
  }

  Session session_;
  Frame frame_;
  Point mouse_{-1, -1};
  std::vector<double> times_, own_;  // for each frame, in s: the whole time, and the thread's CPU time
};

// A kernel that is recorded twice: once with about 10,000 events, and once with about the requested number of
// events.
struct Kind {
  const char* algorithm;
  int block, grid;
  const char* why;
};
constexpr Kind kinds[] = {
    {"scan_large", 32, 16, "many small blocks in three launches"},
    {"scan_sequential", 32, 16, "one lane, a step for each element"},
    {"reduce_two_pass", 256, 1, "one block with many events in each step"},
    {"scan_decoupled_lookback", 32, 16, "blocks that wait for each other"},
};

Settings settings_of(const Kind& kind, int n) {
  Settings s;
  s.algorithm = kind.algorithm;
  s.n = n;
  s.block = kind.block;
  s.grid = kind.grid;
  return s;
}

constexpr std::uint32_t all_blocks = UINT32_MAX;
// With more elements, a recording could exceed the recorder's limit of lane entries. Each access of a lane
// needs one entry.
constexpr int most_elements = 1 << 23;

int elements_for(const Kind& kind, double events) {
  const Settings s = settings_of(kind, 1 << 12);
  const auto some = Emulator().record(s, seeded_data(s, 1), {.blocks = all_blocks}).events.size();
  return static_cast<int>(std::min<double>(most_elements, events / static_cast<double>(some) * s.n));
}

void run(double millions, int rounds, const std::string& only) {
  OffscreenContext context(width, height);
  fmt::print("{}, {} x {}\n", context.renderer(), width, height);
  const auto measured = [&](const Settings& s) {
    auto recording = recorded(s, all_blocks);
    return Window(std::move(recording)).measure(rounds);
  };
  for (const Kind& kind : kinds) {
    if (!only.empty() && only != kind.algorithm) continue;
    fmt::print("\n{}: {}\n", kind.algorithm, kind.why);
    const double small = measured(settings_of(kind, elements_for(kind, 1e4)));
    const double large = measured(settings_of(kind, elements_for(kind, 1e6 * millions)));
    fmt::print("p99 of step, scrub, hover, zoom and move: {:.1f} ms small, {:.1f} ms large, {:.2f} times\n",
               small, large, large / small);
  }
}

}  // namespace
}  // namespace upsweep

int main(int count, char** arguments) {
  try {
    upsweep::run(count > 1 ? std::atof(arguments[1]) : 10, count > 2 ? std::atoi(arguments[2]) : 3,
                 count > 3 ? arguments[3] : "");
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 1;
  }
}
