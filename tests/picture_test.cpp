// Tests reading pictures of every kind, and writing pictures.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "picture/read_picture.hpp"
#include "picture/small_scene.hpp"
#include "picture/write_png.hpp"
#include "support/encoded_pictures.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace picture_test {

namespace fs = std::filesystem;

class PictureFiles : public testing::Test {
 protected:
  std::string write(const std::string& bytes) const {
    const std::string path = folder_ / "a picture";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  TemporaryFolder folder_;
  std::mt19937 random_{5};
};

constexpr std::pair<int, int> shapes[] = {{1, 1}, {1, 9}, {9, 1},   {2, 3},
                                          {7, 5}, {8, 8}, {31, 17}, {129, 65}};

// Returns the picture that a PNG file describes. Computes the picture from the samples in the file.
Picture meant(const PngFileMaker& png, const std::vector<std::array<std::uint8_t, 3>>& palette) {
  const bool grey = png.colour == png_grey || png.colour == png_grey_alpha;
  Picture picture = black_picture(static_cast<int>(png.rows), static_cast<int>(png.columns), grey ? 1 : 3);
  const double most = std::pow(2, png.depth) - 1;
  for (std::size_t pixel = 0; pixel < std::size_t{png.rows} * png.columns; ++pixel) {
    const std::uint16_t* from = &png.samples[pixel * png.samples_per_pixel()];
    for (int k = 0; k < picture.channels; ++k)
      picture.values[pixel * picture.channels + k] =
          png.colour == png_palette ? palette[*from][k]
                                    : static_cast<std::uint8_t>(std::lround(from[k] * 255 / most));
  }
  return picture;
}

TEST_F(PictureFiles, PngOfEveryKindIsRead) {
  const std::pair<PngColour, std::vector<int>> kinds[] = {{png_grey, {1, 2, 4, 8, 16}},
                                                          {png_rgb, {8, 16}},
                                                          {png_palette, {1, 2, 4, 8}},
                                                          {png_grey_alpha, {8, 16}},
                                                          {png_rgb_alpha, {8, 16}}};
  for (const auto& [colour, depths] : kinds)
    for (const int depth : depths)
      for (const bool interlaced : {false, true})
        for (const bool transparent : {false, true})
          for (const auto& [rows, columns] : shapes) {
            PngFileMaker png{static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), depth,
                             colour, interlaced};
            std::vector<std::array<std::uint8_t, 3>> palette(std::size_t{1} << std::min(depth, 8));
            std::string colours;
            for (auto& one : palette)
              for (std::uint8_t& part : one)
                colours += static_cast<char>(part = static_cast<std::uint8_t>(random_()));
            if (colour == png_palette) png.before_data = png_chunk("PLTE", colours);
            // Makes one colour or one entry of the palette transparent.
            if (transparent && colour == png_palette) png.before_data += png_chunk("tRNS", std::string(1, 0));
            if (transparent && colour == png_grey) png.before_data += png_chunk("tRNS", std::string(2, 0));
            if (transparent && colour == png_rgb) png.before_data += png_chunk("tRNS", std::string(6, 0));
            png.samples.resize(std::size_t{png.rows} * png.columns * png.samples_per_pixel());
            for (std::uint16_t& sample : png.samples)
              sample = static_cast<std::uint16_t>(random_() & ((1u << depth) - 1));
            const std::string path = write(png.file());
            ASSERT_EQ(read_picture(path), meant(png, palette))
                << "colour " << colour << ", " << depth << " bits, " << rows << " x " << columns;
            const PictureSize size = picture_size(path);
            EXPECT_EQ(size.rows, rows);
            EXPECT_EQ(size.columns, columns);
            EXPECT_EQ(size.channels, colour == png_grey || colour == png_grey_alpha ? 1 : 3);
          }
}

TEST_F(PictureFiles, GammaAndProfilesChangeNothing) {
  PngFileMaker png{16, 16, 8, png_grey};
  for (int i = 0; i < 256; ++i) png.samples.push_back(static_cast<std::uint16_t>(i));
  png.before_data = png_chunk("gAMA", big_endian(100000)) + png_chunk("sBIT", "\3") +
                    png_chunk("iCCP", std::string("name\0\0", 6) + deflated("no profile")) +
                    png_chunk("bKGD", std::string(2, 0)) + png_chunk("tEXt", std::string("a\0b", 3));
  EXPECT_EQ(read_picture(write(png.file())), meant(png, {}));
}

// Returns smooth samples. A JPEG of the best quality changes smooth samples only a little.
std::vector<std::uint8_t> smooth(int rows, int columns, int channels) {
  std::vector<std::uint8_t> samples;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      for (int k = 0; k < channels; ++k)
        samples.push_back(static_cast<std::uint8_t>(
            std::lround(128 + 100 * std::sin(0.05 * row + k) * std::cos(0.04 * column - 2 * k))));
  return samples;
}

void expect_near(const Picture& picture, const std::vector<std::uint8_t>& values, int tolerance) {
  ASSERT_EQ(picture.values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(int{picture.values[i]}, int{values[i]}, tolerance) << i;
}

TEST_F(PictureFiles, JpegOfEveryKindIsRead) {
  for (const auto& [rows, columns] : shapes)
    for (const bool progressive : {false, true})
      for (const bool arithmetic : {false, true})
        for (const int restart_rows : {0, 1}) {
          JpegFileMaker jpeg{columns,     rows,       JCS_GRAYSCALE, JCS_GRAYSCALE,
                             progressive, arithmetic, true,          restart_rows};
          jpeg.samples = smooth(rows, columns, 1);
          expect_near(read_picture(write(jpeg.file())), jpeg.samples, 2);
          jpeg.given = JCS_RGB;
          jpeg.samples = smooth(rows, columns, 3);
          for (const J_COLOR_SPACE stored : {JCS_YCbCr, JCS_RGB}) {
            jpeg.stored = stored;
            expect_near(read_picture(write(jpeg.file())), jpeg.samples, 4);
          }
          jpeg.given = JCS_CMYK;
          jpeg.samples = smooth(rows, columns, 4);
          for (const J_COLOR_SPACE stored : {JCS_CMYK, JCS_YCCK})
            for (const bool adobe : {true, false}) {
              if (!adobe && stored == JCS_YCCK) continue;  // only Adobe's marker can declare YCCK
              jpeg.stored = stored;
              jpeg.says_adobe = adobe;
              std::vector<std::uint8_t> colours;
              for (std::size_t i = 0; i < jpeg.samples.size(); i += 4)
                for (int k = 0; k < 3; ++k) {
                  const double ink = jpeg.samples[i + k] / 255., black = jpeg.samples[i + 3] / 255.;
                  colours.push_back(static_cast<std::uint8_t>(
                      std::lround(255 * (adobe ? ink * black : (1 - ink) * (1 - black)))));
                }
              expect_near(read_picture(write(jpeg.file())), colours, 5);
            }
          jpeg.says_adobe = true;
        }
}

TEST_F(PictureFiles, ChannelsAreConverted) {
  const Picture colour{1, 3, 3, {255, 255, 255, 10, 20, 30, 255, 0, 0}};
  EXPECT_EQ(with_channels(colour, 3), colour);
  EXPECT_EQ(with_channels(colour, 1), (Picture{1, 3, 1, {255, 18, 76}}));
  EXPECT_EQ(with_channels(Picture{1, 2, 1, {7, 9}}, 3), (Picture{1, 2, 3, {7, 7, 7, 9, 9, 9}}));
  EXPECT_EQ(with_channels(Picture{1, 1, 4, {1, 2, 3, 4}}, 3), (Picture{1, 1, 3, {1, 2, 3}}));
  for (int grey = 0; grey < 256; ++grey) {
    const auto value = static_cast<std::uint8_t>(grey);
    EXPECT_EQ(with_channels(Picture{1, 1, 3, {value, value, value}}, 1).values[0], value);
  }
}

TEST_F(PictureFiles, PngReadsBackAsWritten) {
  const fs::path path = folder_ / "picture.png";
  std::ofstream(path) << "an older file";
  for (const int channels : {1, 3, 4})
    for (const auto& [rows, columns] : shapes) {
      Picture picture = black_picture(rows, columns, channels);
      for (std::uint8_t& value : picture.values) value = static_cast<std::uint8_t>(random_());
      write_png(path, picture);
      EXPECT_EQ(read_picture(path), channels == 4 ? with_channels(picture, 3) : picture);
    }
  EXPECT_EQ(folder_.files(), 1u);
}

TEST_F(PictureFiles, NothingIsLeftHalfWritten) {
  const Picture good{1, 1, 4, {1, 2, 3, 4}};
  EXPECT_THROW(write_png(folder_ / "missing" / "picture.png", good), WorkError);
  EXPECT_THROW(write_png(folder_, good), WorkError);  // a folder has this name
  EXPECT_THROW(write_png(folder_ / "picture.png", Picture{0, 0, 4, {}}), WorkError);
  EXPECT_EQ(folder_.files(), 0u);
}

TEST(SmallScene, HasFourSpheresAtTheirDepths) {
  const int rows = 240, columns = 320;
  const SmallScene scene = small_scene(rows, columns);
  ASSERT_EQ(scene.depth.size(), scene.colour.values.size() / 3);
  EXPECT_EQ(scene.colour, small_scene(rows, columns).colour) << "the same picture every time";
  // The row of pixels goes through the middle of the spheres. On this row, the smallest depth of each sphere
  // is the depth of its centre minus its radius.
  const float* row = &scene.depth[static_cast<std::size_t>(columns) * (rows * 62 / 100 - 2)];
  std::vector<float> nearest;
  for (int column = 1; column + 1 < columns; ++column)
    if (row[column] < row[column - 1] && row[column] <= row[column + 1] && row[column] < farthest_depth - 1)
      if (nearest.empty() || std::abs(nearest.back() - row[column]) > 0.5f) nearest.push_back(row[column]);
  ASSERT_EQ(nearest.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(nearest[i], sphere_depths[i] - 0.6f, 0.2f) << i;
  EXPECT_EQ(scene.depth.front(), farthest_depth) << "the sky";
  EXPECT_LT(scene.depth.back(), 3) << "the floor before the camera";
}

TEST(SmallScene, HasAnySize) {
  for (const auto& [rows, columns] : shapes) {
    const SmallScene scene = small_scene(rows, columns);
    EXPECT_EQ(scene.colour.rows, rows);
    EXPECT_EQ(scene.colour.columns, columns);
    EXPECT_EQ(scene.colour.values.size(), static_cast<std::size_t>(rows) * columns * 3);
    for (const float depth : scene.depth) EXPECT_TRUE(depth > 0 && depth <= farthest_depth);
  }
  Job job;
  job.cancel();
  EXPECT_THROW(small_scene(100, 100, &job), Cancelled);
}

}  // namespace picture_test
}  // namespace upsweep
