// Measures the time of a frame with many shapes at 1920 x 1080, from the scene to the finished picture.
#include "render/render.hpp"

#include <benchmark/benchmark.h>
#include <glad/gl.h>

#include <random>

namespace upsweep {
namespace {

constexpr int width = 1920, height = 1080;

// Returns a random scene with about as many cells, lines and numbers as the tree of 1,024 elements.
Scene busy_scene(int rects, int lines, int texts) {
  std::mt19937 random(1);
  const auto any = [&](float from, float to) {
    return std::uniform_real_distribution<float>(from, to)(random);
  };
  Scene scene{width, height, {22, 24, 27}, {}, {}};
  for (int i = 0; i < lines; i++) {
    const Point from{any(0, width), any(0, height)};
    scene.shapes.push_back(
        {LineShape{from, {from.x + any(-60, 60), from.y + any(10, 60)}, {86, 180, 233}, 1}, {}});
  }
  for (int i = 0; i < rects; i++) {
    const Box box{any(0, width), any(0, height), any(4, 30), any(10, 24)};
    scene.shapes.push_back({RectShape{box, {33, 36, 39}, {43, 47, 52}, 1, 4, i % 16 == 0}, {}});
  }
  for (int i = 0; i < texts; i++)
    scene.shapes.push_back(
        {TextShape{{any(0, width), any(0, height)}, std::to_string(random() % 10000), {232, 234, 236}, 12},
         {}});
  return scene;
}

void frame(benchmark::State& state) {
  OffscreenContext context(width, height);
  Renderer renderer;
  const Scene scene = busy_scene(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
                                 static_cast<int>(state.range(2)));
  const auto draw = [&] {
    renderer.begin(width, height, scene.background);
    renderer.draw(scene, 0, 0, 1);
    glFinish();
  };
  draw();  // compiles shaders and draws glyphs
  for (auto _ : state) draw();
  state.SetLabel(context.renderer());
}
BENCHMARK(frame)
    ->Name("frame/rects/lines/texts")
    ->Args({0, 0, 0})
    ->Args({5000, 0, 0})
    ->Args({0, 5000, 0})
    ->Args({0, 0, 2000})
    ->Args({1500, 1000, 1000})
    ->Args({5000, 5000, 2000})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace upsweep
