// Measures how long an export of 35 steps at 1920 x 1080 takes, in each format. The goals are 5 s for PDF and
// 15 s for GIF, on two processor cores.
#include <benchmark/benchmark.h>

#include <memory>
#include <string_view>

#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "scene/step_pictures.hpp"
#include "study/recording.hpp"
#include "window/picture_encoder.hpp"

namespace upsweep {
namespace {

constexpr int pictures = 35;

// Measures the export of all steps of the view `name`, for Blelloch's scan of 1,024 elements.
void steps_as(benchmark::State& state, const char* name, const char* ending) {
  Settings s;
  s.algorithm = "scan_blelloch";
  s.n = 1024;
  s.block = 512;
  StepPictures p;
  p.recording =
      std::make_shared<const Recording>(make_recording(Emulator().record(s, seeded_data(s, 1), {})));
  for (const View& view : views())
    if (std::string_view(view.name) == name) p.view = &view;
  p.theme = &light_theme();
  p.width = 1920;
  p.height = 1080;
  p.has_caption = true;
  for (auto _ : state) {
    PictureEncoder encoder({ending, 1920, 1080, 1, 2}, pictures);
    std::size_t bytes = 0;
    for (int k = 0; k < pictures; ++k) bytes += encoder.add(p.draw(k % p.count())).size();
    if (encoder.is_one_file()) bytes += encoder.finish().size();
    state.counters["MB"] = static_cast<double>(bytes) / 1e6;
  }
}
BENCHMARK_CAPTURE(steps_as, tree_pdf, "tree", ".pdf")->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK_CAPTURE(steps_as, tree_gif, "tree", ".gif")->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK_CAPTURE(steps_as, tree_webm, "tree", ".webm")->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK_CAPTURE(steps_as, tree_png, "tree", ".png")->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK_CAPTURE(steps_as, memory_gif, "memory", ".gif")->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
}  // namespace upsweep
