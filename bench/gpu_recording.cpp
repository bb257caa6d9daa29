// What a GPU recording costs: compiling a kernel, running it with the recorder off and on, and analysing what
// was recorded.
#include <benchmark/benchmark.h>

#include "analysis/facts.hpp"
#include "analysis/tree.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/gpu.hpp"
#include "machine/gpu_program.hpp"

namespace upsweep {
namespace {

Settings blelloch(int n) {
  Settings s;
  s.n = n;
  s.block = smallest_block(algorithm(s.algorithm), n);
  return s;
}

// Calls body(gpu, settings, input) once per iteration, or says why there is no GPU.
template <class Body>
void on_gpu(benchmark::State& state, Body body) {
  try {
    Gpu gpu;
    const Settings s = blelloch(static_cast<int>(state.range(0)));
    const std::vector<Value> input = seeded_data(s, 1);
    body(gpu, s, input);  // compiles
    for (auto _ : state) body(gpu, s, input);
  } catch (const RequestError& e) { state.SkipWithError(e.what()); }
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

}  // namespace
}  // namespace upsweep
