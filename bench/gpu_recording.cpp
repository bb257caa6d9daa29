// Measures the time to compile a kernel, to run it on a GPU with the recorder off and on, and to analyse the
// recording.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

#include "analysis/facts.hpp"
#include "analysis/tree.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/gpu/gpu.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "measure/gpu_bench.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

Settings blelloch(int n) {
  Settings s;
  s.n = n;
  s.block = smallest_block(algorithm(s.algorithm), n);
  return s;
}

// Calls body(gpu, settings, input) once before the iterations, and once in each iteration. If no GPU can be
// used, reports the reason.
template <class Body>
void on_gpu(benchmark::State& state, Body body) {
  try {
    Gpu gpu;
    const Settings s = blelloch(static_cast<int>(state.range(0)));
    const std::vector<Value> input = seeded_data(s, 1);
    body(gpu, s, input);  // compiles the kernel
    for (auto _ : state) body(gpu, s, input);
  } catch (const RequestError& e) { state.SkipWithError(in_words(e).c_str()); }
}

void compile_kernel(benchmark::State& state) {
  const Mode mode = state.range(0) ? Mode::traced : Mode::fast;
  if (!nvrtc_available()) return state.SkipWithError("libnvrtc is not installed.");
  const Settings s = blelloch(1024);
  for (auto _ : state) benchmark::DoNotOptimize(compile(program(algorithm(s.algorithm), s, mode), "sm_90"));
}
BENCHMARK(compile_kernel)->ArgName("traced")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void run_fast(benchmark::State& state) {
  on_gpu(state, [](Gpu& gpu, const Settings& s, const std::vector<Value>& input) {
    benchmark::DoNotOptimize(gpu.run(s, input));
  });
}
BENCHMARK(run_fast)
    ->ArgName("n")
    ->Arg(64)
    ->Arg(1024)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void record(benchmark::State& state) {
  on_gpu(state, [](Gpu& gpu, const Settings& s, const std::vector<Value>& input) {
    benchmark::DoNotOptimize(gpu.record(s, input));
  });
}
BENCHMARK(record)->ArgName("n")->Arg(64)->Arg(1024)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();

void record_and_analyse(benchmark::State& state) {
  on_gpu(state, [](Gpu& gpu, const Settings& s, const std::vector<Value>& input) {
    const Trace trace = gpu.record(s, input);
    benchmark::DoNotOptimize(facts(trace));
    benchmark::DoNotOptimize(tree(trace));
  });
}
BENCHMARK(record_and_analyse)
    ->ArgName("n")
    ->Arg(64)
    ->Arg(1024)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Reports how many times longer a kernel takes with the recorder on. With the recorder on, the time is
// measured from the start of the first block to the end of the last block. If the argument in_focus is 1, all
// blocks are in focus; if it is 0, only the first block.
void traced_against_fast(benchmark::State& state, const char* name) {
  try {
    GpuBench bench;
    Gpu gpu;
    Settings s;
    s.algorithm = name;
    s.n = static_cast<int>(state.range(0));
    s.block = smallest_block(algorithm(name), s);
    const std::vector<Value> input = seeded_data(s, 1);
    bench.prepare_data(s, GpuBench::data_bytes(s), 1, GpuBench::scratch_bytes(s));
    const std::stop_token never;
    const auto median = [&](const GpuRun& run) {
      return spread_of(bench.time(run, 50, Cache::warm, 1e-4, never)).median;
    };
    const double fast = median(bench.kernel(s)) - median(bench.empty());
    RecordOptions options;
    options.blocks = state.range(1) != 0 ? std::numeric_limits<std::uint32_t>::max() : 1;
    std::vector<double> traced;
    gpu.record(s, input, options);  // compiles the kernel, and makes room in the log
    for (auto _ : state) {
      const Trace trace = gpu.record(s, input, options);
      std::uint64_t end = 0;
      for (const BlockRun& run : trace.runs) end = std::max(end, run.end);
      traced.push_back(1e-9 * static_cast<double>(end));
      state.SetIterationTime(traced.back());
    }
    state.counters["fast_us"] = 1e6 * fast;
    state.counters["times"] = spread_of(traced).median / fast;
  } catch (const std::exception& e) { state.SkipWithError(in_words(e).c_str()); }
}
void traced_of_sizes(benchmark::internal::Benchmark* b, std::vector<std::int64_t> sizes) {
  for (const std::int64_t n : sizes) b->Args({n, 1});
  b->ArgNames({"n", "in_focus"})->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(20);
}
BENCHMARK_CAPTURE(traced_against_fast, blelloch, "scan_blelloch")->Apply([](auto* b) {
  traced_of_sizes(b, {64, 1024, 2048});
});
BENCHMARK_CAPTURE(traced_against_fast, large, "scan_large")
    ->Apply([](auto* b) { traced_of_sizes(b, {1 << 14}); }) -> Args({1 << 16, 0}) -> Args({1 << 20, 0});
BENCHMARK_CAPTURE(traced_against_fast, vectorized, "reduce_vectorized")
    ->Apply([](auto* b) { traced_of_sizes(b, {1 << 14}); }) -> Args({1 << 20, 0});

}  // namespace
}  // namespace upsweep
