// Measures how time and memory grow with n on the emulator, from recording a run to its first picture.
// Measures kernels that use many blocks, with the default block size and the default variants. Each size runs
// in a separate process, so that the memory of one size does not count for another size.
//
//   bench_growth [ALGORITHM...] [--from 12] [--to 22] [--limit 60]
//
// --limit is the longest allowed time for one size, in seconds. The benchmark of a kernel stops before the
// first size that would probably take longer. If only the search for hazards would take longer, the benchmark
// skips only this search.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/heap.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "panels/layout.hpp"
#include "study/recording.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

enum Stage { record, analyse, derive, picture, find_hazards, stages };
constexpr std::array<const char*, stages> names = {"record", "facts, work, tree", "make_recording",
                                                   "first picture", "hazards"};

struct Cost {
  double seconds = 0;
  double megabytes = 0;  // the highest memory use of the process during this stage
};
struct Row {
  std::array<Cost, stages> cost{};
  std::uint64_t events = 0, lanes = 0;
};

// Returns the largest resident memory since the last forget_peak(), in MB. Works only on Linux.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

Cost cost_of(const std::function<void()>& work) {
  forget_peak();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return {taken.count(), peak_megabytes()};
}

Settings settings_for(const std::string& algorithm, int n) {
  Settings s{.algorithm = algorithm, .n = n};
  s.block = std::clamp(smallest_block(upsweep::algorithm(algorithm), s), 32, 1024);
  validate(s);
  return s;
}

// Draws every view that the window shows, each in the size that it has in the window. Returns the number of
// shapes.
std::size_t draw_window(const Recording& recording) {
  const Looks looks;
  const Cursor cursor;
  const WindowLayout layout = window_layout(1920, 1080, looks, preferred_heights_of(recording, looks));
  std::size_t shapes = 0;
  for (int home = 0; home < home_count; ++home) {
    const Box box = layout[static_cast<Home>(home)];
    const int view = shown_view(static_cast<Home>(home), looks, recording);
    if (view < 0 || box.w <= 0) continue;
    shapes +=
        draw_view(views()[static_cast<std::size_t>(view)], {recording, cursor, dark_theme(), box.w, box.h})
            .shapes.size();
  }
  return shapes;
}

Row run(const std::string& algorithm, int n, bool with_hazards) {
  Row row;
  const Settings s = settings_for(algorithm, n);
  const std::vector<Value> input = seeded_data(s, 1);
  Emulator emulator;
  Trace trace;
  row.cost[record] = cost_of([&] { trace = emulator.record(s, input); });
  row.events = trace.events.size();
  row.lanes = trace.lanes.size();
  row.cost[analyse] = cost_of([&] {
    if (facts(trace).steps.size() + static_cast<std::size_t>(work(trace).steps) + tree(trace).rows.size() ==
        0)
      std::abort();
  });
  Recording recording;
  row.cost[derive] = cost_of([&] { recording = make_recording(std::move(trace)); });
  row.cost[picture] = cost_of([&] {
    if (draw_window(recording) == 0) std::abort();
  });
  if (with_hazards) row.cost[find_hazards] = cost_of([&] { hazards(recording.trace); });
  return row;
}

// Calls run() in a separate process.
Row run_apart(const std::string& algorithm, int n, bool with_hazards) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("A pipe could not be created.");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const Row row = run(algorithm, n, with_hazards);
    const bool written = write(ends[1], &row, sizeof row) == sizeof row;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Row row;
  const bool arrived = read(ends[0], &row, sizeof row) == sizeof row;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!arrived) throw std::runtime_error(fmt::format("{} with n = {} failed.", algorithm, n));
  return row;
}

// Returns the slope of a line through (log n, log y) by least squares.
double slope(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto count = static_cast<double>(points.size());
  for (const auto& [n, value] : points) {
    const double a = std::log2(n), b = std::log2(value);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

struct Wanted {
  std::vector<std::string> algorithms;
  int from = 12, to = 22;  // log2 n
  double limit = 60;       // seconds
};

void grow(const std::string& algorithm, const Wanted& request) {
  fmt::print("\n{}\n{:>9} {:>6} {:>10} {:>11}", algorithm, "n", "block", "events", "lanes");
  for (const char* name : names) fmt::print(" | {:>17}", name);
  fmt::print(" | {:>17}\n", "record to picture");
  std::array<std::vector<std::pair<double, double>>, stages + 1> times, peaks;
  double all = 0, hazards = 0;
  for (int log = request.from; log <= request.to; log += 2) {
    if (4 * all > request.limit) {
      fmt::print("{:>9} would take longer than {:.0f} s\n", 1 << log, request.limit);
      break;
    }
    const int n = 1 << log;
    const bool with_hazards = 4 * hazards <= request.limit;
    const Row row = run_apart(algorithm, n, with_hazards);
    fmt::print("{:>9} {:>6} {:>10} {:>11}", n, settings_for(algorithm, n).block, row.events, row.lanes);
    const auto show = [&](std::size_t stage, const Cost& cost) {
      fmt::print(" | {:>7.3f} s {:>4.0f} MB", cost.seconds, cost.megabytes);
      times[stage].emplace_back(n, cost.seconds);
      peaks[stage].emplace_back(n, cost.megabytes);
    };
    Cost sum;
    for (std::size_t stage = 0; stage < stages; ++stage) {
      const Cost& cost = row.cost[stage];
      if (stage == find_hazards && !with_hazards) {
        fmt::print(" | {:>17}", "left out");
        continue;
      }
      show(stage, cost);
      if (stage == find_hazards || stage == analyse) continue;  // make_recording() includes the analysis
      sum.seconds += cost.seconds;
      sum.megabytes = std::max(sum.megabytes, cost.megabytes);
    }
    show(stages, sum);
    fmt::print("\n");
    all = sum.seconds;
    if (with_hazards) hazards = row.cost[find_hazards].seconds;
  }
  for (const bool last : {false, true}) {
    fmt::print("{:<39}", last ? "slope of the last factor of 16" : "slope of all");
    for (std::size_t stage = 0; stage <= stages; ++stage) {
      const auto of = [&](std::vector<std::pair<double, double>> points) {
        if (last && points.size() > 3) points.erase(points.begin(), points.end() - 3);
        return points.size() < 2 ? 0 : slope(points);
      };
      fmt::print(" | {:>7.2f}   {:>7.2f}", of(times[stage]), of(peaks[stage]));
    }
    fmt::print("\n");
  }
}

Wanted understand(int count, char** words) {
  Wanted request;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return ++i < count ? std::atof(words[i]) : 0; };
    if (word == "--from") request.from = static_cast<int>(number());
    else if (word == "--to") request.to = static_cast<int>(number());
    else if (word == "--limit") request.limit = number();
    else request.algorithms.emplace_back(word);
  }
  if (request.algorithms.empty())
    request.algorithms = {"scan_large", "reduce_two_pass", "scan_decoupled_lookback",
                          "scan_lookback_vectorized"};
  return request;
}

}  // namespace
}  // namespace upsweep

int main(int count, char** words) {
  upsweep::keep_freed_memory();
  try {
    const auto request = upsweep::understand(count, words);
    for (const std::string& algorithm : request.algorithms) upsweep::grow(algorithm, request);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 1;
  }
}
