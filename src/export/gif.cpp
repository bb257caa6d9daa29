#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/language.hpp"
#include "export/animation.hpp"
#include "export/gif_palette.hpp"

namespace upsweep {
namespace {

constexpr int colours_of_a_gif = 256;

// The smallest box that contains all changed pixels. The box is empty if no pixel has changed.
struct Changed {
  // The column `right` and the row `bottom` are outside the box.
  int left = 0, top = 0, right = 0, bottom = 0;
};

using ColourMap = std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)>;

struct CloseGif {
  void operator()(GifFileType* gif) const {
    int ignored = 0;
    EGifCloseFile(gif, &ignored);
  }
};

class Gif : public Animation {
 public:
  Gif(int width, int height) : width_(width), height_(height) {
    int error = 0;
    gif_.reset(EGifOpen(
        &file_,
        [](GifFileType* gif, const GifByteType* bytes, int count) {
          static_cast<std::string*>(gif->UserData)
              ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
          return count;
        },
        &error));
    if (!gif_) fail(error);
    EGifSetGifVersion(gif_.get(), true);
    expect(EGifPutScreenDesc(gif_.get(), width, height, 8, 0, nullptr));
    constexpr char name[] = "NETSCAPE2.0";
    constexpr GifByteType for_ever[] = {1, 0, 0};
    expect(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    expect(EGifPutExtensionBlock(gif_.get(), sizeof(name) - 1, name));
    expect(EGifPutExtensionBlock(gif_.get(), sizeof(for_ever), for_ever));
    expect(EGifPutExtensionTrailer(gif_.get()));
  }

  void add(const Picture& picture, double seconds) override {
    std::vector<std::uint32_t> pixels = colours_in(picture);
    const Changed changed = difference(pixels);
    add_frame(pixels, changed, delay(seconds));
    before_ = std::move(pixels);
  }

  std::string finish() override {
    int error = 0;
    if (EGifCloseFile(gif_.release(), &error) != GIF_OK) fail(error);
    return std::move(file_);
  }

 private:
  [[noreturn]] static void fail(int error) {
    const char* why = GifErrorString(error);
    throw WorkError(tr("The GIF could not be encoded: {}.", why ? why : tr("unknown reason")));
  }
  void expect(int outcome) const {
    if (outcome != GIF_OK) fail(gif_->Error);
  }

  // Returns the time for which a picture is visible, in hundredths of a second. The rounding errors of
  // several pictures do not add up.
  int delay(double seconds) {
    end_ += seconds * 100;
    const auto whole = static_cast<int>(std::clamp(std::lround(end_ - passed_), 1l, 65535l));
    passed_ += whole;
    return whole;
  }

  static std::vector<std::uint32_t> colours_in(const Picture& picture) {
    const auto channels = static_cast<std::size_t>(picture.channels);
    std::vector<std::uint32_t> pixels(picture.values.size() / channels);
    const std::uint8_t* from = picture.values.data();
    for (std::uint32_t& p : pixels) {
      p = std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
      from += channels;
    }
    return pixels;
  }

  Changed difference(const std::vector<std::uint32_t>& pixels) const {
    if (before_.empty()) return {0, 0, width_, height_};
    Changed box{width_, height_, 0, 0};
    for (int y = 0; y < height_; ++y) {
      const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
      const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(row), end = begin + width_;
      const auto old = before_.begin() + static_cast<std::ptrdiff_t>(row);
      const auto first = std::mismatch(begin, end, old).first;
      if (first == end) continue;
      auto last = end - 1;
      while (*last == old[last - begin]) --last;
      box.left = std::min(box.left, static_cast<int>(first - begin));
      box.right = std::max(box.right, static_cast<int>(last - begin) + 1);
      box.top = std::min(box.top, y);
      box.bottom = y + 1;
    }
    // A picture that equals the previous picture also needs a frame, because the frame stores the picture's
    // delay. This frame contains only one pixel.
    return box.right > 0 ? box : Changed{0, 0, 1, 1};
  }

  void add_frame(const std::vector<std::uint32_t>& pixels, const Changed& box, int delay) {
    constexpr std::uint32_t unchanged = ~0u;
    const int w = box.right - box.left, h = box.bottom - box.top;
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
    ColourTable table;
    bool keeps_some = false;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        const std::size_t at = static_cast<std::size_t>(box.top + y) * static_cast<std::size_t>(width_) +
                               static_cast<std::size_t>(box.left + x);
        std::uint32_t& number =
            numbers[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x)];
        const bool keeps = !before_.empty() && before_[at] == pixels[at];
        number = keeps ? unchanged : table.add(pixels[at]);
        keeps_some = keeps_some || keeps;
      }
    const SmallPalette palette = palette_of(table.colours(), colours_of_a_gif - (keeps_some ? 1 : 0));
    const auto transparent = static_cast<int>(palette.colours.size());

    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = delay;
    control.TransparentColor = keeps_some ? transparent : NO_TRANSPARENT_COLOR;
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    expect(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, sizeof(bytes), bytes));
    const ColourMap map = colour_map(palette, transparent + (keeps_some ? 1 : 0));
    expect(EGifPutImageDesc(gif_.get(), box.left, box.top, w, h, false, map.get()));
    std::vector<GifPixelType> row(static_cast<std::size_t>(w));
    for (int y = 0; y < h; ++y) {
      const std::uint32_t* number = &numbers[static_cast<std::size_t>(y) * static_cast<std::size_t>(w)];
      for (GifPixelType& p : row) {
        p = *number == unchanged ? static_cast<GifPixelType>(transparent) : palette.nearest[*number];
        ++number;
      }
      expect(EGifPutLine(gif_.get(), row.data(), w));
    }
  }

  static ColourMap colour_map(const SmallPalette& palette, int used) {
    int size = 2;
    while (size < used) size *= 2;
    ColourMap map(GifMakeMapObject(size, nullptr), GifFreeMapObject);
    if (!map) fail(E_GIF_ERR_NOT_ENOUGH_MEM);
    for (std::size_t i = 0; i < palette.colours.size(); ++i) {
      const std::uint32_t c = palette.colours[i];
      map->Colors[i] = {static_cast<GifByteType>(c >> 16), static_cast<GifByteType>(c >> 8),
                        static_cast<GifByteType>(c)};
    }
    return map;
  }

  const int width_, height_;
  std::string file_;
  std::unique_ptr<GifFileType, CloseGif> gif_;  // writes to file_, so file_ is destroyed later
  std::vector<std::uint32_t> before_;  // the previous picture as 0xRRGGBB; empty before the first picture
  // The exact end of the previous picture (end_), and the sum of the rounded delays so far (passed_). Both
  // are in hundredths of a second.
  double end_ = 0, passed_ = 0;
};

}  // namespace

std::unique_ptr<Animation> gif_animation(int width, int height) {
  return std::make_unique<Gif>(width, height);
}

}  // namespace upsweep
