// Tests that depth of field on the GPU gives the same pixels as on the CPU. Needs a GPU: run by `./test
// --gpu`.
#include "study/gpu_lens.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace upsweep {
namespace {

// Returns a picture of random pixels with random depths. Some depths are extreme.
std::shared_ptr<const LensScene> random_scene(std::mt19937& random, int rows, int columns, int channels) {
  Picture colour = black_picture(rows, columns, channels);
  for (std::uint8_t& value : colour.values) value = static_cast<std::uint8_t>(random());
  constexpr float extreme[] = {0, -0.0f, 1e-40f, 1e30f, INFINITY, -INFINITY, NAN};
  std::vector<float> depth;
  for (int i = 0; i < rows * columns; ++i)
    depth.push_back(random() % 50 == 0 ? extreme[random() % std::size(extreme)]
                                       : std::uniform_real_distribution<float>(0, 20)(random));
  return std::make_shared<const LensScene>(
      LensScene{DepthOfField(std::move(colour), std::move(depth)), rows, columns, false});
}

TEST(GpuLens, DrawsThePixelsOfTheCpu) {
  GpuLens gpu;
  std::mt19937 random(7);
  const auto below = [&](int n) { return 1 + static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<std::pair<int, int>> shapes = {{1, 1},      {1, 2},       {2, 1},      {1, 4099},
                                             {4099, 1},   {31, 37},     {127, 131},  {128, 128},
                                             {257, 1021}, {1080, 1920}, {1, 100'003}};
  for (int i = 0; i < 40; ++i) shapes.emplace_back(below(300), below(300));
  for (const auto& [rows, columns] : shapes)
    for (const int channels : {1, 3}) {
      const auto scene = random_scene(random, rows, columns, channels);
      for (const Lens& lens : {lens_for(columns, 4.5f), Lens{0, 1.5f, 7}, Lens{20, 3.3f, largest_reach},
                               Lens{3, 0, 0}, Lens{11, 0.37f, 40}}) {
        const LensFrame frame = gpu.frame(scene, lens);
        ASSERT_EQ(frame.picture, scene->field.seen_through(lens))
            << rows << " x " << columns << " x " << channels << ", focus " << lens.focus;
        EXPECT_GT(gpu.seconds_on_gpu(), 0);
        EXPECT_GT(frame.seconds, gpu.seconds_on_gpu());
        EXPECT_FALSE(frame.gpu.empty());
      }
    }
}

// The GPU must not use the table of the previous scene for a new scene of the same size.
TEST(GpuLens, ScenesMayChange) {
  GpuLens gpu;
  std::mt19937 random(8);
  const auto one = random_scene(random, 60, 80, 3), other = random_scene(random, 60, 80, 3),
             small = random_scene(random, 2, 3, 1);
  const Lens lens = lens_for(80, 4);
  for (const auto& scene : {one, other, small, one, small, other})
    EXPECT_EQ(gpu.frame(scene, lens).picture, scene->field.seen_through(lens));
}

}  // namespace
}  // namespace upsweep
