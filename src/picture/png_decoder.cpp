// Decodes PNG files with libpng. If an error occurs, libpng leaves its functions by a jump (longjmp) back
// into our function succeeds(). The code that runs inside succeeds() owns no memory, so a jump cannot leak
// memory.
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <new>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "picture/decoder.hpp"

namespace upsweep {
namespace {

[[noreturn]] void jump_out(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore(png_structp, png_const_charp) {}

// The kinds of chunks that do not change the pixel values. libpng skips these chunks and does not unpack
// them, because a few packed bytes could become gigabytes.
constexpr png_byte skipped[] =
    "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0tEXt\0tIME\0zTXt";
constexpr int skipped_names = sizeof skipped / 5;

class PngDecoder : public PictureDecoder {
 public:
  PngDecoder(std::FILE* file, const std::string& path)
      : file_(file),
        path_(path),
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, jump_out, ignore)),
        info_(png_ ? png_create_info_struct(png_) : nullptr) {
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngDecoder() override { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;

  PictureSize header() override {
    PictureSize size;
    attempt([this, &size] {
      png_set_read_fn(png_, this, read);
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // read_picture() checks its own limit
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, skipped, skipped_names);
      png_read_info(png_, info_);
      size = {static_cast<int>(png_get_image_height(png_, info_)),
              static_cast<int>(png_get_image_width(png_, info_)),
              (png_get_color_type(png_, info_) & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1};
    });
    return size;
  }

  void rows(std::span<std::uint8_t*> rows, const Job* job) override {
    int passes = 1;
    std::size_t row_bytes = 0;
    attempt([&, this] {
      row_bytes = png_get_rowbytes(png_, info_);
      left_ = most_besides_pixels + most_packed(row_bytes * rows.size());
      png_set_expand(png_);
      png_set_scale_16(png_);
      png_set_strip_alpha(png_);
      passes = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
    });
    constexpr std::size_t most = 64;  // the number of rows between two checks for cancellation
    for (; passes > 0; --passes) {
      // The last row of the last pass is read below.
      const std::size_t count = passes == 1 ? rows.size() - 1 : rows.size();
      for (std::size_t row = 0; row < count; row += most) {
        attempt([&, this] {
          png_read_rows(png_, &rows[row], nullptr, static_cast<png_uint_32>(std::min(most, count - row)));
        });
        if (job) job->check();
      }
    }
    // With the last row, libpng also unpacks all surplus data. A few packed bytes could become gigabytes.
    left_ = std::min(left_, most_surplus + most_packed(row_bytes));
    attempt([&, this] { png_read_rows(png_, &rows.back(), nullptr, 1); });
    left_ = most_besides_pixels;
    attempt([this] { png_read_end(png_, nullptr); });
  }

 private:
  // Calls f, which calls libpng. Throws RequestError if libpng reports an error.
  template <class F>
  void attempt(F f) {
    if (succeeds(f)) return;
    throw RequestError(has_surplus_       ? say::picture_surplus(path_)
                       : std::feof(file_) ? say::picture_cut_off(path_)
                                          : say::picture_damaged(path_));
  }
  template <class F>
  [[gnu::noinline]] bool succeeds(F& f) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    f();
    return true;
  }

  // Reads from the file for libpng. Fails if libpng asks for more than left_ bytes.
  static void read(png_structp png, png_bytep to, std::size_t count) {
    auto& self = *static_cast<PngDecoder*>(png_get_io_ptr(png));
    self.has_surplus_ = count > self.left_;
    if (self.has_surplus_ || std::fread(to, 1, count, self.file_) != count) png_error(png, "");
    self.left_ -= count;
  }

  // Rows of this size need at most this many bytes in the file.
  static std::size_t most_packed(std::size_t bytes) { return 2 * bytes; }
  // The most bytes in the file besides the pixels, for example for comments: before the last row, and again
  // after the last row.
  static constexpr std::size_t most_besides_pixels = std::size_t{1} << 26;
  // The most bytes of surplus data directly after the last row.
  static constexpr std::size_t most_surplus = std::size_t{1} << 16;

  std::FILE* file_;
  std::size_t left_ = most_besides_pixels;  // the number of bytes that libpng may still read
  bool has_surplus_ = false;                // true if libpng asked for more bytes
  const std::string& path_;
  png_structp png_;
  png_infop info_;
};

}  // namespace

std::unique_ptr<PictureDecoder> png_decoder(std::FILE* file, const std::string& path) {
  return std::make_unique<PngDecoder>(file, path);
}

}  // namespace upsweep
