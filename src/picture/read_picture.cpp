#include "picture/read_picture.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/messages.hpp"
#include "picture/decoder.hpp"

namespace upsweep {
namespace {

// A picture file and its decoder. The first byte of the file decides which decoder reads the file.
class PictureReader {
 public:
  explicit PictureReader(const std::string& path) : file_(open_to_read(path)) {
    const int first = std::getc(file_.get());
    if (std::ferror(file_.get())) throw RequestError(say::not_read(path, std::strerror(errno)));
    if (first == EOF) throw RequestError(say::picture_empty(path));
    std::ungetc(first, file_.get());
    if (first == 0x89) decoder_ = png_decoder(file_.get(), path);
    if (first == 0xff) decoder_ = jpeg_decoder(file_.get(), path);
    if (!decoder_) throw RequestError(say::not_a_picture(path));
    size_ = decoder_->header();
    if (std::int64_t{size_.rows} * size_.columns > most_pixels)
      throw RequestError(say::picture_too_large(path, size_.columns, size_.rows, most_pixels));
    if (std::max(size_.rows, size_.columns) > most_side)
      throw RequestError(say::picture_too_long(path, size_.columns, size_.rows, most_side));
  }

  PictureSize size() const { return size_; }
  void rows(std::span<std::uint8_t*> rows, const Job* job) { decoder_->rows(rows, job); }

 private:
  OpenFile file_;
  std::unique_ptr<PictureDecoder> decoder_;
  PictureSize size_;
};

}  // namespace

PictureSize picture_size(const std::string& path) { return PictureReader(path).size(); }

Picture read_picture(const std::string& path, const Job* job) {
  PictureReader reader(path);
  const PictureSize size = reader.size();
  Picture picture = black_picture(size.rows, size.columns, size.channels);
  std::vector<std::uint8_t*> rows;
  for (int row = 0; row < size.rows; ++row) rows.push_back(&picture.values[picture.at(row, 0)]);
  reader.rows(rows, job);
  return picture;
}

}  // namespace upsweep
