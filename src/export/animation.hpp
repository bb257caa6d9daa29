// Writes a sequence of pictures as an animation: a GIF file, or a WebM file with VP9.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "picture/picture.hpp"

namespace upsweep {

// The limits for a picture of an animation: the most pixels, and the largest width or height.
inline constexpr long long most_animated_pixels = 1ll << 24;
inline constexpr int most_animated_side = 16384;

class Animation {
 public:
  virtual ~Animation() = default;
  // Adds a picture with 3 or 4 channels. The animation shows this picture for `seconds`. All pictures must
  // have the same size. Throws WorkError if the picture cannot be encoded.
  virtual void add(const Picture& picture, double seconds) = 0;
  // Returns the bytes of the whole file. Must be called once, after the last picture.
  virtual std::string finish() = 0;
};

// Returns a GIF animation that repeats for ever. A picture with at most 255 colours keeps its colours
// exactly. A picture with more colours keeps its most frequent colours, and similar colours replace the other
// colours.
//
// For each picture, the file stores only a box around the pixels that have changed.
std::unique_ptr<Animation> gif_animation(int width, int height);

// Returns true if this program was built with libvpx. Without libvpx, webm_animation() throws WorkError.
bool has_webm();
std::unique_ptr<Animation> webm_animation(int width, int height);

// Returns an animation for a file with this ending: ".gif" or ".webm".
std::unique_ptr<Animation> animation_for(std::string_view ending, int width, int height);

}  // namespace upsweep
