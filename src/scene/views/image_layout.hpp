// Computes the places of the pictures and of the texts in the view "Image". The texts take at most about a
// third of the view. If there is not enough room, first the texts become shorter, and then the pictures
// become smaller.
#pragma once
#include "scene/views/image_sums.hpp"

namespace upsweep {

// The forms of the texts beside or below the pictures.
enum class ImageText { column, narrow_column, line, slider, none };

struct ImageLayout {
  int count = 0;    // the number of pictures; 0 if there is no room for pictures
  Box pictures[3];  // the places of the pictures, which have equal sizes
  float slot = 0;   // the width for a picture with its caption
  ImageText text = ImageText::none;
  float scale = 1;     // the scale of the texts
  Box sums, controls;  // the places of the sums and of the slider; not drawn if the height is 0
};

inline constexpr float image_gap = 20, caption_height = 22;

// Returns the layout for a room. `aspect` is the width of a picture divided by the height.
ImageLayout image_layout(const Box& room, float aspect, const SumsSize& sums);

}  // namespace upsweep
