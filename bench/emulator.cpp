// Measures how long this computer takes to record one block without a GPU. The block runs Blelloch's scan of
// 1,024 float32 numbers with 512 threads.
//
// For comparison, bare Boost fibers run the same scan and record only the line, kind and address of each
// access to shared memory. Every recorder that uses coroutines must do at least this work.
#include "machine/emulator/emulator.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/heap.hpp"
#include "catalogue/data.hpp"

namespace upsweep {
namespace {

constexpr int elements = 1024, threads = 512;

double least(const std::vector<double>& times) { return *std::ranges::min_element(times); }

void in_repetitions(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)
      ->Repetitions(21)
      ->MinTime(0.05)
      ->ReportAggregatesOnly()
      ->ComputeStatistics("min", least);
}

void record(benchmark::State& state) {
  const Settings settings{.algorithm = "scan_blelloch", .n = elements, .block = threads};
  const std::vector<Value> input = seeded_data(settings, 1);
  Emulator emulator;
  for (auto _ : state) benchmark::DoNotOptimize(emulator.record(settings, input));
}
BENCHMARK(record)->Apply(in_repetitions);

class BareFibers {
 public:
  std::size_t run(const std::vector<float>& in, std::vector<float>& out) {
    std::vector<boost::context::fiber> fibers;
    for (Lane& lane : lanes_) {
      lane.log.clear();
      fibers.emplace_back(std::allocator_arg, stacks_, [&](boost::context::fiber&& caller) {
        lane.caller = std::move(caller);
        scan(lane, static_cast<int>(&lane - lanes_.data()), in, out);
        return std::move(lane.caller);
      });
    }
    while (fibers.back())
      for (boost::context::fiber& fiber : fibers) fiber = std::move(fiber).resume();
    std::size_t accesses = 0;
    for (const Lane& lane : lanes_) accesses += lane.log.size();
    return accesses;
  }

 private:
  struct Access {
    std::uint32_t address;
    std::uint16_t line;
    bool store;
  };
  struct Lane {
    boost::context::fiber caller;
    std::vector<Access> log;
    void barrier() { caller = std::move(caller).resume(); }
  };

  float load(Lane& lane, int i, int line = __builtin_LINE()) {
    lane.log.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(line), false});
    return shared_[static_cast<std::size_t>(i)];
  }
  void store(Lane& lane, int i, float value, int line = __builtin_LINE()) {
    lane.log.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(line), true});
    shared_[static_cast<std::size_t>(i)] = value;
  }

  void scan(Lane& lane, int t, const std::vector<float>& in, std::vector<float>& out) {
    store(lane, t, in[static_cast<std::size_t>(t)]);
    store(lane, t + threads, in[static_cast<std::size_t>(t + threads)]);
    int stride = 1;
    for (int d = threads; d > 0; d /= 2) {
      lane.barrier();
      if (t < d) {
        const int left = stride * (2 * t + 1) - 1, right = left + stride;
        store(lane, right, load(lane, left) + load(lane, right));
      }
      stride *= 2;
    }
    if (t == 0) store(lane, elements - 1, 0);
    for (int d = 1; d < elements; d *= 2) {
      stride /= 2;
      lane.barrier();
      if (t < d) {
        const int left = stride * (2 * t + 1) - 1, right = left + stride;
        const float sum = load(lane, left);
        store(lane, left, load(lane, right));
        store(lane, right, load(lane, right) + sum);
      }
    }
    lane.barrier();
    out[static_cast<std::size_t>(t)] = load(lane, t);
    out[static_cast<std::size_t>(t + threads)] = load(lane, t + threads);
  }

  boost::context::pooled_fixedsize_stack stacks_{16 * 1024};
  std::vector<Lane> lanes_{threads};
  std::array<float, elements> shared_{};
};

void bare_fibers(benchmark::State& state) {
  const std::vector<float> in(elements, 1);
  std::vector<float> out(elements);
  BareFibers block;
  for (auto _ : state) benchmark::DoNotOptimize(block.run(in, out));
  for (int i = 0; i < elements; ++i)
    if (out[static_cast<std::size_t>(i)] != static_cast<float>(i))
      state.SkipWithError("The peer's scan is wrong.");
}
BENCHMARK(bare_fibers)->Apply(in_repetitions);

}  // namespace
}  // namespace upsweep

int main(int count, char** words) {
  upsweep::keep_freed_memory();
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
