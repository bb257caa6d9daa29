// Measures how fast depth of field is drawn. On a GPU: whole frames of 1,920 x 1,080 pixels, from the scene's
// colours and depths to the picture in the host's memory; the goal is at least 60 frames/s. On the CPU:
// frames of 512 x 512 pixels, and to compare, frames whose boxes are added up pixel by pixel; the goal is at
// least 30 frames/s on two cores. Prints medians and how much the repetitions differ. Also measures the box
// filter.
#include "analysis/depth_of_field.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

#include "analysis/area_table.hpp"
#include "base/bands.hpp"
#include "base/error.hpp"
#include "picture/small_scene.hpp"
#include "study/gpu_lens.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int side = 512;

const SmallScene& scene() {
  static const SmallScene made = small_scene(side, side);
  return made;
}

// Each frame has another focus, as when a person drags it.
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

// The table is made anew for each frame, as if the picture moved.
void with_table_of_each_frame(benchmark::State& state) {
  int frame = 0;
  for (auto _ : state) {
    const DepthOfField field(scene().colour, scene().depth);
    benchmark::DoNotOptimize(field.seen_through(next_lens(frame)));
  }
  state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
}
BENCHMARK(with_table_of_each_frame)->Apply(repeated);

// Draws whole frames on the GPU, each with its own table. `on_gpu_ms` is the time of the GPU's work.
void on_gpu(benchmark::State& state) {
  const int columns = static_cast<int>(state.range(0)), rows = static_cast<int>(state.range(1));
  try {
    SmallScene made = small_scene(rows, columns);
    const auto all = std::make_shared<const LensScene>(
        LensScene{DepthOfField(std::move(made.colour), std::move(made.depth)), rows, columns, false});
    GpuLens gpu;
    if (const Lens lens = lens_for(columns, 4.5f);
        gpu.frame(all, lens).picture != all->field.seen_through(lens))
      return state.SkipWithError("the GPU must draw the CPU's picture");
    int frame = 0;
    double seconds = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(gpu.frame(all, next_lens(frame, columns)));
      seconds += gpu.seconds_on_gpu();
    }
    state.counters["frames"] = benchmark::Counter(frame, benchmark::Counter::kIsRate);
    state.counters["on_gpu_ms"] = 1e3 * seconds / frame;
    state.SetLabel(gpu.frame(all, lens_for(columns, 4.5f)).gpu);
  } catch (const std::exception& e) { state.SkipWithError(in_words(e).c_str()); }
}
BENCHMARK(on_gpu)->Args({512, 512})->Args({1920, 1080})->Args({3840, 2160})->Apply(repeated);

// Returns the picture without a table.
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

// The box filter of a picture of 7,680 x 4,320 pixels, for several widths.
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
