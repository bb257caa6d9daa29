// Tests that Upsweep refuses a picture in one sentence if the picture is damaged or cut off, or would take
// much memory or time.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "picture/read_picture.hpp"
#include "support/encoded_pictures.hpp"
#include "support/temporary_folder.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace hostile_picture_test {

namespace fs = std::filesystem;

constexpr double seconds_allowed = 20;  // ten times the goal, because sanitizers slow the program down

class HostilePicture : public testing::Test {
 protected:
  std::string write(const std::string& bytes) const {
    const std::string path = folder_ / "a picture";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  // Reads a picture. Returns the sentence that refuses the picture, or "" if the picture can be read. Expects
  // that reading takes little time.
  std::string refusal(const std::string& bytes) const { return refusal_of_file(write(bytes)); }
  std::string refusal_of_file(const std::string& path) const {
    const auto begin = std::chrono::steady_clock::now();
    std::string said;
    try {
      const Picture picture = read_picture(path);
      EXPECT_EQ(picture.values.size(), picture.at(picture.rows, 0));
    } catch (const RequestError& e) { said = in_words(e); }
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
              seconds_allowed);
    if (!said.empty()) {
      EXPECT_TRUE(said.starts_with(path) && said.ends_with(".")) << said;
      EXPECT_EQ(said.find(". "), said.npos) << said << " must be one sentence";
    }
    return said;
  }

  void expect_refused(const std::string& bytes, const std::string& about) const {
    const std::string said = refusal(bytes);
    EXPECT_NE(said.find(about), said.npos) << "\"" << said << "\" is not about \"" << about << "\"";
  }

  TemporaryFolder folder_;
};

PngFileMaker some_png(PngColour colour, int depth, bool interlaced) {
  std::mt19937 random(7);
  PngFileMaker png{23, 19, depth, colour, interlaced};
  if (colour == png_palette) png.before_data = png_chunk("PLTE", std::string(3 << depth, 'x'));
  for (int i = 23 * 19 * png.samples_per_pixel(); i > 0; --i)
    png.samples.push_back(static_cast<std::uint16_t>(random() & ((1u << depth) - 1)));
  return png;
}

JpegFileMaker some_jpeg(J_COLOR_SPACE given, J_COLOR_SPACE stored, bool progressive) {
  std::mt19937 random(8);
  JpegFileMaker jpeg{23, 19, given, stored, progressive};
  for (int i = 0; i < 23 * 19 * 4; ++i) jpeg.samples.push_back(static_cast<std::uint8_t>(random()));
  return jpeg;
}

TEST_F(HostilePicture, OtherFilesAreRefused) {
  expect_refused("", "is empty");
  expect_refused("Dear reader,\n", "neither a PNG nor a JPEG");
  expect_refused("GIF89a", "neither a PNG nor a JPEG");
  expect_refused("BM", "neither a PNG nor a JPEG");
  expect_refused("\x89", "is cut off");
  expect_refused("\x89PNG", "is cut off");
  expect_refused(
      "\x89"
      "ABCDEFGHIJKLMNOP",
      "is damaged");
  expect_refused("\xff", "is cut off");
  expect_refused("\xff\xff\xff\xff\xff\xff", "is damaged");
  EXPECT_THROW(read_picture(folder_ / "missing"), RequestError);
  EXPECT_THROW(read_picture(folder_), RequestError) << "a folder";
  EXPECT_THROW(read_picture(""), RequestError);
  EXPECT_THROW(picture_size("/dev/zero"), RequestError);
}

TEST_F(HostilePicture, HugePicturesAreRefusedByTheirHeaders) {
  PngFileMaker png{30000, 30000};
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"),
                 "has 30,000 x 30,000 pixels: give a picture of at most 67,108,864 pixels");
  png = {60'000'000, 1};
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"), "at most 1,000,000 pixels in width");
  png = {1, 1'000'001};
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"), "at most 1,000,000 pixels in width");
  png.columns = png.rows = 0x7fffffff;
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"), "2,147,483,647 x 2,147,483,647");
  png.columns = png.rows = 0xffffffff;
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"), "is damaged");
  png.columns = png.rows = 0;
  expect_refused(png_signature + png.header() + png_chunk("IDAT", "x"), "is damaged");
  const std::string jpeg = some_jpeg(JCS_RGB, JCS_YCbCr, false).file();
  expect_refused(with_jpeg_size(jpeg, 30000, 30000), "has 30,000 x 30,000 pixels");
  expect_refused(with_jpeg_size(jpeg, 65535, 65535), "is an unusual JPEG file");
  expect_refused(with_jpeg_size(jpeg, 0, 0), "is damaged");
}

TEST_F(HostilePicture, UnusualJpegsAreRefused) {
  const std::string jpeg = some_jpeg(JCS_RGB, JCS_YCbCr, false).file();
  const std::size_t frame = jpeg.find("\xff\xc0");
  std::string lossless = jpeg, deep = jpeg;
  lossless[frame + 1] = '\xc3';
  deep[frame + 4] = 12;  // sets 12 bits per sample
  expect_refused(lossless, "is an unusual JPEG file");
  expect_refused(deep, "is an unusual JPEG file");
}

TEST_F(HostilePicture, PackedBombsAreSkipped) {
  const std::string much(200'000'000, 0);
  const std::string packed = deflated(much);
  PngFileMaker png = some_png(png_grey, 8, false);
  const std::string name("name\0\0", 6);
  png.before_data = png_chunk("iCCP", name + packed) + png_chunk("zTXt", name + packed) +
                    png_chunk("iTXt", std::string("name\0\1\0\0\0", 9) + packed);
  EXPECT_EQ(refusal(png.file()), "");
  // Tests a file that has far more pixels than its header says.
  for (const bool interlaced : {false, true}) {
    png.interlaced = interlaced;
    expect_refused(png_signature + png.header() + png_chunk("IDAT", packed) + png_chunk("IEND", ""),
                   "has much more data than its pixels need");
  }
  // A file with a few more pixels can be read.
  png = some_png(png_grey, 8, false);
  EXPECT_EQ(refusal(png_signature + png.header() +
                    png_chunk("IDAT", deflated(png.packed(0, 1, 0, 1) + std::string(5000, 'x'))) +
                    png_chunk("IEND", "")),
            "");
  // A picture that is large but needs only few bytes can be read.
  PngFileMaker large{8192, 8192, 1, png_grey};
  const std::string rows(8192 * (1 + 8192 / 8), 0);
  EXPECT_EQ(
      refusal(png_signature + large.header() + png_chunk("IDAT", deflated(rows)) + png_chunk("IEND", "")),
      "");
}

// A chunk can say that it has nearly 2 GiB. The reader must not read so many bytes only to skip them.
TEST_F(HostilePicture, AHugeChunkIsRefusedAtOnce) {
  const PngFileMaker png = some_png(png_grey, 8, false);
  const std::string path = write(png_signature + png.header() + big_endian(0x7fffff00) + "tEXt");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 31);
  EXPECT_NE(refusal_of_file(path).find("has much more data"), std::string::npos);
}

// A progressive JPEG consists of several parts, which are called scans. The decoder visits all pixels for
// each scan, even if the scan has only a few bytes. In this picture, each coefficient is in a separate scan.
TEST_F(HostilePicture, JpegsWithManyScansAreRefused) {
  JpegFileMaker jpeg{1024, 1024, JCS_GRAYSCALE, JCS_GRAYSCALE};
  jpeg.samples.assign(1024 * 1024, 128);
  jpeg.scans = {{1, {0}, 0, 0, 0, 0}};
  for (int coefficient = 1; coefficient < 64; ++coefficient)
    jpeg.scans.push_back({1, {0}, coefficient, coefficient, 0, 0});
  expect_refused(jpeg.file(), "has more than 50 JPEG scans");
  jpeg.scans = {{1, {0}, 0, 0, 0, 0}, {1, {0}, 1, 30, 0, 0}, {1, {0}, 31, 63, 0, 0}};
  EXPECT_EQ(refusal(jpeg.file()), "");
}

TEST_F(HostilePicture, MutantsAreReadOrRefused) {
  std::vector<std::string> good;
  for (const bool variant : {false, true}) {
    good.push_back(some_png(png_rgb, 8, variant).file());
    good.push_back(some_png(png_grey, 1, variant).file());
    good.push_back(some_png(png_grey_alpha, 16, variant).file());
    good.push_back(some_png(png_palette, 4, variant).file());
    good.push_back(some_jpeg(JCS_RGB, JCS_YCbCr, variant).file());
    good.push_back(some_jpeg(JCS_GRAYSCALE, JCS_GRAYSCALE, variant).file());
    good.push_back(some_jpeg(JCS_CMYK, JCS_YCCK, variant).file());
  }
  for (const std::string& file : good) ASSERT_EQ(refusal(file), "");
  std::mt19937 random(9);
  int read = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string file = good[random() % good.size()];
    // Most changes are made in the first bytes, because changes do the most damage there.
    const auto place = [&] {
      return random() % (random() % 2 ? file.size() : std::min<std::size_t>(file.size(), 200));
    };
    for (unsigned mistakes = 1 + random() % 3; mistakes > 0; --mistakes) {
      if (file.empty()) file = "x";
      const std::size_t at = place();
      switch (random() % 5) {
        case 0: file[at] = static_cast<char>(random()); break;
        case 1: file[at] = static_cast<char>(file[at] ^ (1 << random() % 8)); break;
        case 2: file.erase(at, 1 + random() % 30); break;
        case 3: file.insert(at, file.substr(place(), 1 + random() % 30)); break;
        default: file.resize(std::max<std::size_t>(at, 1)); break;
      }
    }
    // libpng refuses a chunk with a wrong checksum. Therefore most changed PNG files get correct checksums.
    if (file.starts_with(png_signature) && random() % 4 > 0) {
      std::string mended = png_signature;
      for (std::size_t at = 8; at + 12 <= file.size();) {
        std::uint32_t size = 0;
        for (int k = 0; k < 4; ++k) size = size << 8 | static_cast<unsigned char>(file[at + k]);
        if (size > file.size() - at - 12) {
          mended += file.substr(at);
          break;
        }
        mended += png_chunk(file.substr(at + 4, 4), file.substr(at + 8, size));
        at += 12 + size;
      }
      file = mended;
    }
    ++(refusal(file).empty() ? read : refused);
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 500);
}

TEST_F(HostilePicture, EveryCutOffFileIsRefused) {
  for (const std::string& file :
       {some_png(png_rgb, 8, false).file(), some_png(png_palette, 4, true).file(),
        some_jpeg(JCS_RGB, JCS_YCbCr, false).file(), some_jpeg(JCS_RGB, JCS_YCbCr, true).file()})
    for (std::size_t size = 1; size < file.size(); size += 1 + size / 50)
      EXPECT_NE(refusal(file.substr(0, size)), "") << size << " of " << file.size() << " bytes";
}

TEST_F(HostilePicture, ReadingIsCancelled) {
  Job job;
  job.cancel();
  EXPECT_THROW(read_picture(write(some_png(png_rgb, 8, false).file()), &job), Cancelled);
  EXPECT_THROW(read_picture(write(some_jpeg(JCS_RGB, JCS_YCbCr, true).file()), &job), Cancelled);
}

}  // namespace hostile_picture_test
}  // namespace upsweep
