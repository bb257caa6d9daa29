// Tests `upsweep image`, and other commands that take a picture as input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "picture/read_picture.hpp"
#include "picture/small_scene.hpp"
#include "picture/write_png.hpp"
#include "support/command_line.hpp"
#include "support/encoded_pictures.hpp"

namespace upsweep {
namespace image_cli_test {

#ifdef __SANITIZE_ADDRESS__
const std::string memory_limit;
#else
const std::string memory_limit = "ulimit -v 1000000; ";  // kB
#endif

// Returns the mean of a channel over the box around a pixel. The box ends at the borders of the picture. The
// mean is rounded to the nearest whole number, for example from 7.5 to 8.
int mean(const Picture& picture, int row, int column, int channel, int width) {
  long long sum = 0, count = 0;
  for (int r = std::max(row - width / 2, 0); r <= std::min(row + width / 2, picture.rows - 1); ++r)
    for (int c = std::max(column - width / 2, 0); c <= std::min(column + width / 2, picture.columns - 1);
         ++c) {
      sum += picture.values[picture.at(r, c) + channel];
      ++count;
    }
  return static_cast<int>(std::floor(static_cast<double>(sum) / static_cast<double>(count) + 0.5));
}

TEST_F(CommandLine, FiltersPictures) {
  std::mt19937 random(3);
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 41}, {37, 1}, {23, 29}})
    for (const int channels : {1, 3})
      for (const int width : {1, 3, 7, 101}) {
        Picture picture = black_picture(rows, columns, channels);
        for (std::uint8_t& value : picture.values) value = static_cast<std::uint8_t>(random());
        write_png(folder_ / "in.png", picture);
        const std::string line =
            "upsweep image summed_area_table --image in.png --box " + std::to_string(width) + " -o out.png";
        const Ran ran = run(line);
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out + ran.err, "");
        const Picture result = read_picture(folder_ / "out.png");
        ASSERT_EQ(result.values.size(), picture.values.size());
        EXPECT_EQ(result.channels, channels);
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < columns; ++column)
            for (int k = 0; k < channels; ++k)
              ASSERT_EQ(result.values[result.at(row, column) + k], mean(picture, row, column, k, width))
                  << line;
      }
}

TEST_F(CommandLine, FiltersLargePictures) {
  Picture picture = black_picture(4320, 7680, 3);
  for (std::size_t i = 0; i < picture.values.size(); ++i) picture.values[i] = i / 3 % 2 == 0 ? 0 : 255;
  write_png(folder_ / "in.png", picture);
  // Around every pixel, this box covers the whole picture. The sum of the picture's values is above 2^32, and
  // the mean is 127.5.
  const Ran ran = run(memory_limit + "upsweep image summed_area_table --image in.png --box 15361 -o out.png");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Picture result = read_picture(folder_ / "out.png");
  EXPECT_EQ(std::count(result.values.begin(), result.values.end(), 128), std::ssize(picture.values));
}

TEST_F(CommandLine, DrawsTheSceneWithDepthOfField) {
  const std::string image = "upsweep image summed_area_table --scene --size 64x48 ";
  EXPECT_EQ(run(image + "--box 1 -o sharp.png").exit_code, 0);
  EXPECT_EQ(read_picture(folder_ / "sharp.png"), small_scene(48, 64).colour);
  EXPECT_EQ(run(image + "--focus 3.5 -o near.png").exit_code, 0);
  EXPECT_EQ(run(image + "--focus 9 -o far.png").exit_code, 0);
  EXPECT_NE(content(folder_ / "near.png"), content(folder_ / "far.png"));
}

TEST_F(CommandLine, RefusesRequestsForPictures) {
  write_png(folder_ / "in.png", black_picture(4, 5, 3));
  const std::string image = "upsweep image summed_area_table ";
  const std::pair<std::string, std::string> requests[] = {
      {"upsweep image", "give summed_area_table"},
      {"upsweep image scan_blelloch --image in.png --box 3 -o out.png", "not \"scan_blelloch\""},
      {image, "--image FILE"},
      {image + "--image in.png --scene --box 3 -o out.png", "one picture"},
      {image + "--image in.png -o out.png", "--box"},
      {image + "--image in.png --box 3 --focus 3 -o out.png", "--box"},
      {image + "--image in.png --focus 3 -o out.png", "--scene"},
      {image + "--image in.png --size 3x3 --box 3 -o out.png", "leave --size out"},
      {image + "--image in.png --box 3", "-o"},
      {image + "--image in.png --box 3 -o out.jpg", ".png"},
      {image + "--image in.png --box 2 -o out.png", "odd"},
      {image + "--image in.png --box 0 -o out.png", "odd"},
      {image + "--image in.png --box -3 -o out.png", "odd"},
      {image + "--image in.png --box 3.0 -o out.png", "whole number"},
      {image + "--image in.png --box x -o out.png", "whole number"},
      {image + "--image in.png --box 99999999999999999999 -o out.png", "2^63"},
      {image + "--image missing.png --box 3 -o out.png", "missing.png cannot be read"},
      {image + "--image . --box 3 -o out.png", "cannot be read"},
      {image + "--image '' --box 3 -o out.png", "the name is empty"},
      {image + "--image in.png --box 3 -o ''", "the name is empty"},
      {image + "--scene --size 4097x4096 --box 3 -o out.png", "give at most 16,777,216"},
      {image + "--scene --size 3 --box 3 -o out.png", "--size"},
      {image + "--scene --focus far -o out.png", "depth"},
      {image + "--scene --focus nan -o out.png", "depth"},
      {image + "--scene --focus -1 -o out.png", "depth"},
      {"upsweep trace scan_blelloch --image in.png", "one-dimensional"},
      {"upsweep trace scan_blelloch --image in.png --seed 3", "both name"},
      {"upsweep trace scan_blelloch --scene --seed 3", "both name"},
      {"upsweep trace scan_blelloch --image in.png --n 3", "--n"},
      {"upsweep trace scan_blelloch --image in.png --shape 5x4", "leave --shape out"},
      {"upsweep trace scan_blelloch --image ''", "--image"},
      {"upsweep trace scan_blelloch --scene --op affine", "affine"},
      {"upsweep trace --trace x.upsweep --image in.png", "leave --image out"},
      {"upsweep trace --trace x.upsweep --scene", "leave --scene out"},
  };
  for (const auto& [line, about] : requests) expect_refusal(line, about);
  EXPECT_FALSE(fs::exists(folder_ / "out.png"));
  expect_refusal(image + "--image in.png --box 3 -o no/out.png", "no/out.png", 1);
}

TEST_F(CommandLine, RefusesBadPicturesInTimeAndMemory) {
  write("text.png", "This is no picture.\n");
  write("empty.png", "");
  const PngFileMaker huge{30000, 30000};
  write("huge.png", png_signature + huge.header() + png_chunk("IDAT", "x"));
  JpegFileMaker jpeg{64, 64};
  jpeg.samples.assign(64 * 64 * 3, 77);
  write("huge.jpg", with_jpeg_size(jpeg.file(), 30000, 30000));
  write("cut.jpg", jpeg.file().substr(0, 700));
  const std::pair<const char*, const char*> files[] = {
      {"text.png", "neither a PNG nor a JPEG"}, {"empty.png", "is empty"}, {"huge.png", "30,000 x 30,000"},
      {"huge.jpg", "30,000 x 30,000"},          {"cut.jpg", "cut off"},    {"/dev/zero", "neither"},
      {"/proc/self/mem", "cannot be read"}};
  for (const auto& [file, about] : files)
    expect_refusal(memory_limit +
                       "timeout 2 " UPSWEEP_BINARY " image summed_area_table --box 3 -o out.png --image " +
                       file,
                   about);
  expect_refusal("upsweep trace scan_blelloch --image huge.jpg", "30,000 x 30,000");
}

// Every algorithm accepts the built-in picture as input, as grey values.
TEST_F(CommandLine, TakesTheSceneAsData) {
  const json output = run_json("upsweep trace reduce_serial --scene --n 48 --type int32 --json")["output"];
  const Picture grey = with_channels(small_scene(6, 8).colour, 1);
  int sum = 0;
  for (const std::uint8_t value : grey.values) sum += value;
  EXPECT_EQ(output, json({sum}));
}

}  // namespace image_cli_test
}  // namespace upsweep
