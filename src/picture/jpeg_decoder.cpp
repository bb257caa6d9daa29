// Decodes JPEG files with libjpeg. If an error occurs, libjpeg leaves its functions by a jump (longjmp), like
// libpng in png_decoder.cpp.
#include <cstdio>
// <jpeglib.h> needs <cstdio> before it.
#include <jpeglib.h>
// <jerror.h> needs <jpeglib.h> before it.
#include <jerror.h>

#include <algorithm>
#include <csetjmp>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "picture/decoder.hpp"

namespace upsweep {
namespace {

enum class JpegTrouble { none, damaged, cut_off, unsupported, many_scans, cancelled };

// libjpeg's error handler and progress monitor, with the data that both use.
struct JpegState {
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf back;
  JpegTrouble trouble;
  const Job* job;
};

JpegState& state_of(j_common_ptr jpeg) { return *static_cast<JpegState*>(jpeg->client_data); }

[[noreturn]] void jump_out(j_common_ptr jpeg, JpegTrouble trouble) {
  state_of(jpeg).trouble = trouble;
  std::longjmp(state_of(jpeg).back, 1);
}

void fail(j_common_ptr jpeg) {
  switch (jpeg->err->msg_code) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_SOF_UNSUPPORTED: jump_out(jpeg, JpegTrouble::unsupported);
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF: jump_out(jpeg, JpegTrouble::cut_off);
    default: jump_out(jpeg, JpegTrouble::damaged);
  }
}

// If pixels are missing, libjpeg makes the pixels grey and only warns. Here, this warning becomes an error.
// Other warnings are ignored, because many cameras write a few extra bytes.
void hear_warning(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  switch (jpeg->err->msg_code) {
    case JWRN_JPEG_EOF: jump_out(jpeg, JpegTrouble::cut_off);
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC: jump_out(jpeg, JpegTrouble::damaged);
    default: return;
  }
}

// The largest number of scans in a file. A usual progressive JPEG has about ten scans. Without a limit,
// decoding a file with many empty scans would take minutes.
constexpr int most_scans = 50;

void watch(j_common_ptr jpeg) {
  const JpegState& state = state_of(jpeg);
  if (state.job && state.job->cancelled()) jump_out(jpeg, JpegTrouble::cancelled);
  if (jpeg->is_decompressor && reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > most_scans)
    jump_out(jpeg, JpegTrouble::many_scans);
}

// Converts `columns` pixels from four inks (CMYK) to red, green and blue. If `inverted`, 255 means no ink, as
// in files from Adobe's programs.
void replace_inks(const std::uint8_t* from, std::uint8_t* to, int columns, bool inverted) {
  const unsigned flip = inverted ? 0 : 255;
  for (; columns > 0; --columns, from += 4, to += 3)
    for (int k = 0; k < 3; ++k)
      to[k] = static_cast<std::uint8_t>(((from[k] ^ flip) * (from[3] ^ flip) + 127) / 255);
}

class JpegDecoder : public PictureDecoder {
 public:
  JpegDecoder(std::FILE* file, const std::string& path) : file_(file), path_(path) {
    jpeg_.err = jpeg_std_error(&state_.errors);
    jpeg_.client_data = &state_;
    state_.errors.error_exit = fail;
    state_.errors.emit_message = hear_warning;
    state_.errors.output_message = [](j_common_ptr) {};
    state_.progress.progress_monitor = watch;
    attempt([this] { jpeg_create_decompress(&jpeg_); });
    jpeg_.progress = &state_.progress;
  }
  ~JpegDecoder() override { jpeg_destroy_decompress(&jpeg_); }
  JpegDecoder(const JpegDecoder&) = delete;

  PictureSize header() override {
    attempt([this] {
      jpeg_stdio_src(&jpeg_, file_);
      jpeg_read_header(&jpeg_, TRUE);
      if (jpeg_.jpeg_color_space == JCS_UNKNOWN)
        jump_out(reinterpret_cast<j_common_ptr>(&jpeg_), JpegTrouble::unsupported);
    });
    const bool is_grey = jpeg_.jpeg_color_space == JCS_GRAYSCALE;
    has_inks_ = jpeg_.jpeg_color_space == JCS_CMYK || jpeg_.jpeg_color_space == JCS_YCCK;
    jpeg_.out_color_space = is_grey ? JCS_GRAYSCALE : has_inks_ ? JCS_CMYK : JCS_RGB;
    return {static_cast<int>(jpeg_.image_height), static_cast<int>(jpeg_.image_width), is_grey ? 1 : 3};
  }

  void rows(std::span<std::uint8_t*> rows, const Job* job) override {
    state_.job = job;
    attempt([this] { jpeg_start_decompress(&jpeg_); });
    const int columns = static_cast<int>(jpeg_.output_width);
    std::vector<std::uint8_t> inks(has_inks_ ? static_cast<std::size_t>(columns) * 4 : 0);
    for (std::uint8_t* row : rows) {
      attempt([&, this] {
        JSAMPROW to = has_inks_ ? inks.data() : row;
        jpeg_read_scanlines(&jpeg_, &to, 1);
      });
      if (has_inks_) replace_inks(inks.data(), row, columns, jpeg_.saw_Adobe_marker);
    }
    attempt([this] { jpeg_finish_decompress(&jpeg_); });
  }

 private:
  // Calls f, which calls libjpeg. Throws RequestError if libjpeg reports an error, and Cancelled if the job
  // is cancelled.
  template <class F>
  void attempt(F f) {
    if (succeeds(f)) return;
    switch (state_.trouble) {
      case JpegTrouble::cancelled: throw Cancelled{};
      case JpegTrouble::cut_off: throw RequestError(say::picture_cut_off(path_));
      case JpegTrouble::unsupported: throw RequestError(say::picture_unsupported(path_));
      case JpegTrouble::many_scans: throw RequestError(say::picture_with_many_scans(path_, most_scans));
      default: throw RequestError(say::picture_damaged(path_));
    }
  }
  template <class F>
  [[gnu::noinline]] bool succeeds(F& f) {
    if (setjmp(state_.back) != 0) return false;
    f();
    return true;
  }

  std::FILE* file_;
  const std::string& path_;
  bool has_inks_ = false;
  jpeg_decompress_struct jpeg_{};
  JpegState state_{};
};

}  // namespace

std::unique_ptr<PictureDecoder> jpeg_decoder(std::FILE* file, const std::string& path) {
  return std::make_unique<JpegDecoder>(file, path);
}

}  // namespace upsweep
