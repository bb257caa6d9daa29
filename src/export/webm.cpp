#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/language.hpp"
#include "export/animation.hpp"
#include "export/webm_file.hpp"
#ifdef UPSWEEP_VPX
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>
#endif

namespace upsweep {
#ifdef UPSWEEP_VPX
namespace {

// Returns the luma of a pixel (BT.709): 8 bits, from 16 to 235. `p` points to red, green and blue.
std::uint8_t luma(const std::uint8_t* p) {
  return static_cast<std::uint8_t>(16 + (11966 * p[0] + 40254 * p[1] + 4064 * p[2] + 32768) / 65536);
}

// Returns the blue-yellow chroma and the red-green chroma of `count` pixels (1 to 4), each from 16 to 240.
// `sum` contains the sums of red, green and blue over these pixels.
std::array<std::uint8_t, 2> chroma(const std::array<int, 3>& sum, int count) {
  const double r = sum[0] / 255.0 / count, g = sum[1] / 255.0 / count, b = sum[2] / 255.0 / count;
  const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const auto level = [](double x) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(128 + 224 * x), 16l, 240l));
  };
  return {level((b - y) / 1.8556), level((r - y) / 1.5748)};
}

// The destructors need no checks, because vpx_codec_destroy() and vpx_img_free() accept a context or an image
// that libvpx has not initialised.
struct Codec : vpx_codec_ctx_t {
  Codec() : vpx_codec_ctx_t{} {}
  ~Codec() { vpx_codec_destroy(this); }
};
struct Image : vpx_image_t {
  Image() : vpx_image_t{} {}
  ~Image() { vpx_img_free(this); }
};

class Webm : public Animation {
 public:
  Webm(int width, int height) : width_(width), height_(height) {
    vpx_codec_enc_cfg_t config;
    expect(vpx_codec_enc_config_default(vpx_codec_vp9_cx(), &config, 0));
    config.g_w = static_cast<unsigned>(width);
    config.g_h = static_cast<unsigned>(height);
    config.g_timebase = {1, 1000};
    config.g_threads = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
    config.g_lag_in_frames = 0;  // so that each picture becomes one packet immediately
    config.rc_end_usage = VPX_Q;
    config.kf_max_dist = 16;  // a key picture at least every 16 pictures, so that a player can seek quickly
    expect(vpx_codec_enc_init(&codec_, vpx_codec_vp9_cx(), &config, 0));
    expect(vpx_codec_control(&codec_, VP8E_SET_CPUUSED, 7));
    expect(vpx_codec_control(&codec_, VP8E_SET_CQ_LEVEL, 16));
    expect(vpx_codec_control(&codec_, VP9E_SET_ROW_MT, 1));
    expect(vpx_codec_control(&codec_, VP9E_SET_TUNE_CONTENT, VP9E_CONTENT_SCREEN));
    expect(vpx_codec_control(&codec_, VP9E_SET_COLOR_SPACE, VPX_CS_BT_709));
    expect(vpx_codec_control(&codec_, VP9E_SET_COLOR_RANGE, VPX_CR_STUDIO_RANGE));
    if (!vpx_img_alloc(&image_, VPX_IMG_FMT_I420, config.g_w, config.g_h, 32)) fail(tr("not enough memory"));
  }
  Webm(const Webm&) = delete;
  Webm& operator=(const Webm&) = delete;

  void add(const Picture& picture, double seconds) override {
    fill(picture);
    const std::int64_t begin = std::llround(end_ * 1000);
    end_ += seconds;
    const std::int64_t end = std::max<std::int64_t>(std::llround(end_ * 1000), begin + 1);
    expect(vpx_codec_encode(&codec_, &image_, begin, static_cast<unsigned long>(end - begin), 0,
                            VPX_DL_REALTIME));
    take(end);
  }

  std::string finish() override {
    expect(vpx_codec_encode(&codec_, nullptr, 0, 0, 0, VPX_DL_REALTIME));
    take(std::llround(end_ * 1000));
    return webm_file(width_, height_, packets_);
  }

 private:
  [[noreturn]] static void fail(const char* why) {
    throw WorkError(tr("The video could not be encoded: {}.", why));
  }
  static void expect(vpx_codec_err_t outcome) {
    if (outcome != VPX_CODEC_OK) fail(vpx_codec_err_to_string(outcome));
  }

  void take(std::int64_t end) {
    vpx_codec_iter_t next = nullptr;
    while (const vpx_codec_cx_pkt_t* p = vpx_codec_get_cx_data(&codec_, &next))
      if (p->kind == VPX_CODEC_CX_FRAME_PKT)
        packets_.push_back({std::string(static_cast<const char*>(p->data.frame.buf), p->data.frame.sz),
                            p->data.frame.pts, end, (p->data.frame.flags & VPX_FRAME_IS_KEY) != 0});
  }

  void fill(const Picture& picture) {
    for (int y = 0; y < height_; ++y) {
      std::uint8_t* row =
          image_.planes[VPX_PLANE_Y] + static_cast<std::ptrdiff_t>(y) * image_.stride[VPX_PLANE_Y];
      for (int x = 0; x < width_; ++x) row[x] = luma(&picture.values[picture.at(y, x)]);
    }
    for (int y = 0; y < height_; y += 2) {
      std::uint8_t* u =
          image_.planes[VPX_PLANE_U] + static_cast<std::ptrdiff_t>(y / 2) * image_.stride[VPX_PLANE_U];
      std::uint8_t* v =
          image_.planes[VPX_PLANE_V] + static_cast<std::ptrdiff_t>(y / 2) * image_.stride[VPX_PLANE_V];
      for (int x = 0; x < width_; x += 2) {
        std::array<int, 3> sum{};
        const int bottom = std::min(y + 2, height_), right = std::min(x + 2, width_);
        for (int j = y; j < bottom; ++j)
          for (int i = x; i < right; ++i)
            for (std::size_t k = 0; k < 3; ++k) sum[k] += picture.values[picture.at(j, i) + k];
        const auto [blue, red] = chroma(sum, (bottom - y) * (right - x));
        u[x / 2] = blue;
        v[x / 2] = red;
      }
    }
  }

  const int width_, height_;
  Codec codec_;
  Image image_;
  double end_ = 0;  // seconds
  std::vector<VideoPacket> packets_;
};

}  // namespace

bool has_webm() { return true; }

std::unique_ptr<Animation> webm_animation(int width, int height) {
  return std::make_unique<Webm>(width, height);
}
#else
bool has_webm() { return false; }

std::unique_ptr<Animation> webm_animation(int, int) {
  throw WorkError(tr("This Upsweep was built without libvpx, so it cannot write WebM: choose .gif."));
}
#endif

std::unique_ptr<Animation> animation_for(std::string_view ending, int width, int height) {
  return ending == ".gif" ? gif_animation(width, height) : webm_animation(width, height);
}

}  // namespace upsweep
