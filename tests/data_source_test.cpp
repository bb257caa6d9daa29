// Tests pictures as input of an algorithm: the user's pictures, and the scene that comes with Upsweep.
#include "study/data_source.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "catalogue/result.hpp"
#include "picture/small_scene.hpp"
#include "picture/write_png.hpp"
#include "support/encoded_pictures.hpp"
#include "support/temporary_folder.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace data_source_test {

namespace fs = std::filesystem;

class PictureData : public testing::Test {
 protected:
  TemporaryFolder folder_;
  DataSource source_{DataSource::Kind::picture, 3, folder_ / "a.png"};
};

// A picture for a recording must be smaller than a picture for the command `image`, because a recording needs
// much more memory. The limit applies to the size in the header of the file, so the file in this test
// contains no pixels.
TEST_F(PictureData, HasAtMost33MillionPixelsInARecording) {
  for (const auto& [columns, rows] : {std::pair(8192u, 4096u), {8192u, 4097u}, {1'000'000u, 33u}}) {
    std::ofstream(source_.text, std::ios::binary)
        << png_signature << PngFileMaker{.columns = columns, .rows = rows, .colour = png_grey}.header()
        << png_chunk("IDAT", "");
    Settings s;
    try {
      set_picture_size(source_, s);
      EXPECT_LE(s.n, most_recorded_pixels);
    } catch (const RequestError& e) {
      EXPECT_EQ(rows, 4097u) << in_words(e);
      EXPECT_EQ(in_words(e),
                "a.png has 33,562,624 pixels, but a recording holds at most 33,554,432. Use a smaller "
                "picture, or filter this picture with `upsweep image`.");
    }
  }
}

void expect_numbers(const std::vector<Value>& input, const Picture& grey, Scalar type) {
  ASSERT_EQ(input.size(), grey.values.size());
  for (std::size_t i = 0; i < input.size(); ++i)
    ASSERT_EQ(scalar(input[i], type), static_cast<long double>(grey.values[i])) << i << " as " << name(type);
}

TEST_F(PictureData, GreyValuesAreTheNumbers) {
  std::mt19937 random(1);
  for (const int channels : {1, 3})
    for (const auto& [rows, columns] : {std::pair(1, 1), {1, 13}, {11, 1}, {5, 7}}) {
      Picture picture = black_picture(rows, columns, channels);
      for (std::uint8_t& value : picture.values) value = static_cast<std::uint8_t>(random());
      write_png(source_.text, picture);
      for (std::size_t type = 0; type < std::size(scalar_names); ++type) {
        Settings s{.n = 999, .type = static_cast<Scalar>(type)}, sized = s;
        expect_numbers(load(source_, s), with_channels(picture, 1), s.type);
        set_picture_size(source_, sized);
        for (const Settings& each : {s, sized}) {
          EXPECT_EQ(each.n, rows * columns);
          EXPECT_EQ(each.columns, columns);
        }
      }
    }
  EXPECT_TRUE(decides_n(source_));
  EXPECT_EQ(label(source_, 35), "a.png");
}

// By default, an algorithm with channels uses all channels of a colour picture. The choice `channels` can set
// another number of channels.
TEST_F(PictureData, ColoursAreTakenIfTheAlgorithmHasChannels) {
  std::mt19937 random(2);
  for (const int channels : {1, 3}) {
    Picture picture = black_picture(6, 5, channels);
    for (std::uint8_t& value : picture.values) value = static_cast<std::uint8_t>(random());
    write_png(source_.text, picture);
    for (const DataSource& data : {source_, DataSource{DataSource::Kind::scene}})
      for (const char* asked_for : {"", "1", "3"}) {
        Settings s{.algorithm = "summed_area_table", .n = 30, .type = Scalar::int32, .columns = 5};
        if (*asked_for) s.choose("channels", asked_for);
        choose_channels(data, s);
        const bool colours = data.kind == DataSource::Kind::scene || channels == 3;
        const int due = *asked_for ? *asked_for - '0' : colours ? 3 : 1;
        const Picture& from = data.kind == DataSource::Kind::scene ? small_scene(6, 5).colour : picture;
        expect_numbers(load(data, s), with_channels(from, due), s.type);
        EXPECT_EQ(s.n, 30);
      }
    Settings other{.n = 30};
    choose_channels(source_, other);
    EXPECT_EQ(other, (Settings{.n = 30}));
  }
}

TEST_F(PictureData, WhatIsNoPictureIsRefused) {
  Settings s;
  EXPECT_THROW(load(source_, s), RequestError);
  EXPECT_THROW(set_picture_size(source_, s), RequestError);
  write_png(source_.text, black_picture(2, 2, 3));
  s.op = Operator::affine;
  try {
    load(source_, s);
    ADD_FAILURE() << "a pixel is no pair";
  } catch (const RequestError& e) {
    EXPECT_EQ(in_words(e), "A pixel is one number, but an affine map needs two: choose another operator.");
  }
  Job job;
  job.cancel();
  s.op = Operator::sum;
  EXPECT_THROW(load(source_, s, &job), Cancelled);
}

TEST(SceneData, HasTheShapeOfTheSettings) {
  const DataSource scene{DataSource::Kind::scene};
  for (const int n : {1, 7, 48, 360})
    for (const int columns : {0, 1, n}) {
      Settings s{.n = n, .type = Scalar::int32, .columns = columns};
      const int wide = data_columns(s);
      expect_numbers(load(scene, s), with_channels(small_scene(n / wide, wide).colour, 1), s.type);
      EXPECT_EQ(s.n, n);
      EXPECT_EQ(s.columns, columns);
    }
  EXPECT_FALSE(decides_n(scene));
  EXPECT_EQ(label(scene, 48), "small scene");
}

}  // namespace data_source_test
}  // namespace upsweep
