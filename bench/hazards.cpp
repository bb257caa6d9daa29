// Measures the hazard analysis. Without arguments, the benchmark measures every CUDA kernel of the catalogue
// at 64 and 1,024 elements, and then the growth for three kernels. If the arguments name kernels, the
// benchmark measures only the growth for these kernels.
//
// The growth is the exponent e of time = c * events^e. The benchmark prints e for the hazard analysis, and
// for facts() and work() together. Every time is the shortest CPU time of several runs.
#include "analysis/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"

namespace upsweep {
namespace {

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Returns the shortest CPU time of f. If f takes only microseconds, each measurement runs f many times,
// because it takes a large part of a microsecond to read the clock.
template <class F>
double least_seconds(F f) {
  const auto timed = [&](int times) {
    const double begin = thread_seconds();
    for (int i = 0; i < times; ++i) f();
    return (thread_seconds() - begin) / times;
  };
  double least = timed(1);
  const int times = std::max(1, static_cast<int>(0.001 / least));
  for (int run = 0; run < 9 && least * times * run < 1; ++run) least = std::min(least, timed(times));
  return least;
}

// Returns the number of accesses to memory. Counts each active lane, and each element of a vector access.
double lane_accesses(const Trace& trace) {
  double count = 0;
  for (const Event& e : trace.events)
    if (is_access(e.kind)) count += std::popcount(e.mask) * (is_atomic(e.kind) ? 1 : e.parts);
  return count;
}

Trace recorded(const std::string& name, int n, std::uint32_t blocks) {
  Settings s;
  s.algorithm = name;
  const Algorithm& a = algorithm(name);
  if (n > 0) s.n = n;
  s.block = std::clamp(smallest_block(a, s), 32, 1024);
  RecordOptions options;
  options.blocks = blocks;
  return Emulator().record(s, seeded_data(s, 1), options);
}

void every_kernel(int n) {
  fmt::print("n = {}\n{:<32}{:>10}{:>14}{:>12}{:>10}\n", n, "kernel", "events", "accesses", "ms", "ns each");
  for (const Algorithm& a : cuda_algorithms()) {
    const Trace trace = recorded(a.name, n, 64);
    const double seconds = least_seconds([&] { hazards(trace); }), accesses = lane_accesses(trace);
    fmt::print("{:<32}{:>10}{:>14}{:>12.4f}{:>10.1f}\n", a.name, trace.events.size(), accesses, seconds * 1e3,
               seconds / accesses * 1e9);
  }
}

// Returns the exponent e of y = c * x^e by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void growth(const std::string& name, std::uint32_t blocks, int first, int last) {
  fmt::print("\n{}, {} in full\n{:>10}{:>10}{:>14}{:>12}{:>10}{:>12}{:>14}\n", name,
             blocks == UINT32_MAX ? "all blocks" : fmt::format("{} blocks", blocks), "n", "events",
             "accesses", "hazards/ms", "ns each", "facts/ms", "first tree/ms");
  std::vector<double> events, times, others;
  for (int n = 1 << first; n <= 1 << last; n *= 2) {
    const Trace trace = recorded(name, n, blocks);
    const double seconds = least_seconds([&] { hazards(trace); }), accesses = lane_accesses(trace);
    const double rest = least_seconds([&] {
      facts(trace);
      work(trace);
    });
    const double tree = least_seconds([&] { upsweep::tree(trace); });
    fmt::print("{:>10}{:>10}{:>14}{:>12.3f}{:>10.1f}{:>12.3f}{:>14.3f}\n", n, trace.events.size(), accesses,
               seconds * 1e3, seconds / accesses * 1e9, rest * 1e3, tree * 1e3);
    std::fflush(stdout);
    events.push_back(static_cast<double>(trace.events.size()));
    times.push_back(seconds);
    others.push_back(rest);
  }
  fmt::print("grows as events^{:.2f}, facts as events^{:.2f}\n", slope(events, times), slope(events, others));
}

}  // namespace
}  // namespace upsweep

int main(int argc, char** argv) {
  using namespace upsweep;
  if (argc > 1) {
    for (int i = 1; i < argc; ++i) growth(argv[i], 64, 12, 20);
    return 0;
  }
  for (const int n : {64, 1024}) every_kernel(n);
  for (const char* name : {"scan_large", "scan_decoupled_lookback", "scan_lookback_vectorized"})
    growth(name, 64, 12, 20);
  for (const char* name : {"scan_large", "scan_decoupled_lookback"}) growth(name, UINT32_MAX, 12, 18);
}
