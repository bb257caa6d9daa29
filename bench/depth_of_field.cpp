// Measures how fast depth of field is drawn. Prints medians and the differences between repetitions. Also
// measures the box filter.
//
// - On a GPU, the benchmark draws whole frames of 1,920 x 1,080 pixels, from the scene's colours and depths
//   to the picture in the host's memory. The goal is at least 60 frames/s.
// - On the CPU, the benchmark draws frames of 512 x 512 pixels. The goal is at least 30 frames/s on two
//   cores.
// - For comparison, the benchmark also draws frames without a summed-area table. For these frames, the pixels
//   of each box are added up one by one.
#include "analysis/depth_of_field.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/area_table.hpp"
#include "base/bands.hpp"
#include "base/error.hpp"
#include "picture/small_scene.hpp"
#include "study/gpu_lens.hpp"
#include "timing/timings.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int side = 512;

const SmallScene& scene() {
  static const SmallScene made = small_scene(side, side);
  return made;
}

// Returns a lens with another focus for each frame, as if a user dragged the focus.
Lens next_lens(int& frame, int columns = side) {
  return lens_for(columns, 3 + 0.1f * static_cast<float>(frame++ % 80));
}

void repeated(benchmark::internal::Benchmark* b) {
  b->UseRealTime()->Unit(benchmark::kMillisecond)->Repetitions(9)->ReportAggregatesOnly();
}

void with_table(benchmark::State& state) {
  const DepthOfField field(scene().colour, scene().depth);
  int frame = 0;
  for (auto _ : state) benchmark::DoNotOptimize(field.seen_through(next_lens(frame)));
  state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
}
BENCHMARK(with_table)->Apply(repeated);

// Computes a new table for each frame, as if the picture had changed.
void with_table_of_each_frame(benchmark::State& state) {
  int frame = 0;
  for (auto _ : state) {
    const DepthOfField field(scene().colour, scene().depth);
    benchmark::DoNotOptimize(field.seen_through(next_lens(frame)));
  }
  state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
}
BENCHMARK(with_table_of_each_frame)->Apply(repeated);

const std::shared_ptr<const LensScene>& scene_of(int columns, int rows) {
  static std::map<std::pair<int, int>, std::shared_ptr<const LensScene>> made;
  auto& one = made[{columns, rows}];
  if (!one) {
    SmallScene small = small_scene(rows, columns);
    one = std::make_shared<const LensScene>(
        LensScene{DepthOfField(std::move(small.colour), std::move(small.depth)), rows, columns, false});
  }
  return one;
}

void tell(benchmark::State& state, const std::string& what, const Spread& seconds) {
  state.counters[what] = 1e3 * seconds.median;
  state.counters[what + "_low"] = 1e3 * seconds.lower_quartile;
  state.counters[what + "_high"] = 1e3 * seconds.upper_quartile;
}

// Draws whole frames on the GPU, each with its own table. `ms` is the time of a whole frame, and `gpu_ms` is
// the time of the GPU's work in the frame. Both times are reported with their quartiles.
void on_gpu(benchmark::State& state) {
  const int columns = static_cast<int>(state.range(0)), rows = static_cast<int>(state.range(1));
  try {
    static GpuLens& gpu = *new GpuLens;  // never freed, because the driver may be gone when the program ends
    const auto& scene = scene_of(columns, rows);
    const Lens lens = lens_for(columns, 4.5f);
    if (gpu.frame(scene, lens).picture != scene->field.seen_through(lens))
      return state.SkipWithError("the GPU must draw the CPU's picture");
    int frame = 0;
    std::vector<double> whole, on_gpu;
    for (auto _ : state) {
      whole.push_back(gpu.frame(scene, next_lens(frame, columns)).seconds);
      on_gpu.push_back(gpu.seconds_on_gpu());
    }
    state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
    tell(state, "ms", spread_of(whole));
    tell(state, "gpu_ms", spread_of(on_gpu));
    state.SetLabel(gpu.frame(scene, lens).gpu);
  } catch (const std::exception& e) { state.SkipWithError(in_words(e).c_str()); }
}
BENCHMARK(on_gpu)->Args({512, 512})->Args({1920, 1080})->Args({3840, 2160})->UseRealTime();

// Returns the same picture as the table, but adds up the pixels of each box one by one.
Picture added_up(const Lens& lens) {
  const Picture& from = scene().colour;
  Picture picture = black_picture(side, side, 3);
  in_bands(side, [&](int begin, int end) {
    for (int row = begin; row < end; ++row)
      for (int column = 0; column < side; ++column) {
        const AreaBox box = box_around(
            row, column, reach_of(lens, scene().depth[static_cast<std::size_t>(row) * side + column]), side,
            side);
        std::uint32_t sum[3] = {};
        for (int r = box.top; r <= box.bottom; ++r) {
          const std::uint8_t* at = &from.values[from.at(r, box.left)];
          for (int c = box.left; c <= box.right; ++c, at += 3)
            for (int k = 0; k < 3; ++k) sum[k] += at[k];
        }
        const auto count = static_cast<std::uint32_t>(box.pixels());
        for (int k = 0; k < 3; ++k)
          picture.values[picture.at(row, column) + k] =
              static_cast<std::uint8_t>((sum[k] + count / 2) / count);
      }
  });
  return picture;
}

void without_table(benchmark::State& state) {
  const DepthOfField field(scene().colour, scene().depth);
  if (const Lens lens = lens_for(side, 4.5f); added_up(lens) != field.seen_through(lens))
    return state.SkipWithError("both ways must give the same picture");
  int frame = 0;
  for (auto _ : state) benchmark::DoNotOptimize(added_up(next_lens(frame)));
  state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
}
BENCHMARK(without_table)->Apply(repeated);

// Measures the box filter on a picture of 7,680 x 4,320 pixels, for several widths.
void box_filter_of_8k(benchmark::State& state) {
  Picture picture = black_picture(4320, 7680, 3);
  for (auto _ : state) box_filter(picture, state.range(0));
}
BENCHMARK(box_filter_of_8k)
    ->Arg(3)
    ->Arg(31)
    ->Arg(301)
    ->Arg(3001)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace upsweep
