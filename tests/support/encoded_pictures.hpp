// Makes PNG and JPEG files of every kind in memory, to test the decoders. The PNG files are made without
// libpng.
#pragma once
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
// jpeglib.h requires that <cstdio> is included first.
#include <jpeglib.h>

namespace upsweep {

inline std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

inline std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, 0);
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            bytes.size(), 1);
  packed.resize(size);
  return packed;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + body +
         big_endian(static_cast<std::uint32_t>(sum));
}

inline const std::string png_signature = "\x89PNG\r\n\x1a\n";

enum PngColour { png_grey = 0, png_rgb = 2, png_palette = 3, png_grey_alpha = 4, png_rgb_alpha = 6 };

struct PngFileMaker {
  std::uint32_t columns = 0, rows = 0;
  int depth = 8;  // bits of a sample
  PngColour colour = png_rgb;
  bool interlaced = false;
  std::string before_data{};             // chunks between the header and the pixels
  std::vector<std::uint16_t> samples{};  // row by row; all samples of a pixel are adjacent

  int samples_per_pixel() const { return std::array{1, 0, 3, 1, 2, 0, 4}[colour]; }

  std::string header() const {
    return png_chunk("IHDR", big_endian(columns) + big_endian(rows) + static_cast<char>(depth) +
                                 static_cast<char>(colour) + std::string(2, 0) + (interlaced ? '\1' : '\0'));
  }

  // Returns packed rows with every `down`-th row and every `across`-th column of pixels. Each row begins with
  // a zero byte, which means that the row is not filtered.
  std::string packed(std::uint32_t first_row, std::uint32_t down, std::uint32_t first_column,
                     std::uint32_t across) const {
    std::string all;
    for (std::uint32_t row = first_row; row < rows && first_column < columns; row += down) {
      all += '\0';
      unsigned bits = 0, held = 0;
      for (std::uint32_t column = first_column; column < columns; column += across)
        for (int k = 0; k < samples_per_pixel(); ++k) {
          const unsigned sample = samples[(std::size_t{row} * columns + column) * samples_per_pixel() + k];
          if (depth == 16) all += static_cast<char>(sample >> 8);
          bits = bits << depth | sample;
          held += depth;
          if (held >= 8) all += static_cast<char>(std::exchange(bits, 0)), held = 0;
        }
      if (held > 0) all += static_cast<char>(bits << (8 - held));
    }
    return all;
  }

  std::string file() const {
    std::string data;
    if (interlaced) {
      static constexpr std::uint32_t passes[7][4] = {{0, 8, 0, 8}, {0, 8, 4, 8}, {4, 8, 0, 4}, {0, 4, 2, 4},
                                                     {2, 4, 0, 2}, {0, 2, 1, 2}, {1, 2, 0, 1}};
      for (const auto& p : passes) data += packed(p[0], p[1], p[2], p[3]);
    } else {
      data = packed(0, 1, 0, 1);
    }
    return png_signature + header() + before_data + png_chunk("IDAT", deflated(data)) + png_chunk("IEND", "");
  }
};

struct JpegFileMaker {
  int columns = 0, rows = 0;
  J_COLOR_SPACE given = JCS_RGB, stored = JCS_YCbCr;
  bool progressive = false, arithmetic = false, says_adobe = true;
  int restart_rows = 0;
  std::vector<jpeg_scan_info> scans{};
  std::vector<std::uint8_t> samples{};

  std::string file() const {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);  // a failed call of libjpeg ends the test program
    jpeg_create_compress(&jpeg);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = static_cast<JDIMENSION>(columns);
    jpeg.image_height = static_cast<JDIMENSION>(rows);
    jpeg.in_color_space = given;
    jpeg.input_components = given == JCS_GRAYSCALE ? 1 : given == JCS_CMYK ? 4 : 3;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, stored);
    jpeg_set_quality(&jpeg, 100, TRUE);
    for (int k = 0; k < jpeg.num_components; ++k)
      jpeg.comp_info[k].h_samp_factor = jpeg.comp_info[k].v_samp_factor = 1;
    if (progressive) jpeg_simple_progression(&jpeg);
    if (!scans.empty()) {
      jpeg.scan_info = scans.data();
      jpeg.num_scans = static_cast<int>(scans.size());
    }
    jpeg.arith_code = arithmetic;
    jpeg.restart_in_rows = restart_rows;
    if (!says_adobe) jpeg.write_Adobe_marker = FALSE;
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(columns) * jpeg.input_components);
    while (jpeg.next_scanline < jpeg.image_height) {
      std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(jpeg.next_scanline * row.size()), row.size(),
                  row.begin());
      JSAMPROW from = row.data();
      jpeg_write_scanlines(&jpeg, &from, 1);
    }
    jpeg_finish_compress(&jpeg);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    jpeg_destroy_compress(&jpeg);
    std::free(bytes);
    return file;
  }
};

// Returns the JPEG file with another size in its header.
inline std::string with_jpeg_size(std::string file, int columns, int rows) {
  for (std::size_t at = 2; at + 9 < file.size();) {
    const auto marker = static_cast<unsigned char>(file[at + 1]);
    if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
      const std::string size =
          big_endian(static_cast<std::uint32_t>(rows) << 16 | static_cast<std::uint32_t>(columns));
      return file.replace(at + 5, 4, size);
    }
    at += 2 + (static_cast<unsigned char>(file[at + 2]) << 8 | static_cast<unsigned char>(file[at + 3]));
  }
  return file;
}

}  // namespace upsweep
