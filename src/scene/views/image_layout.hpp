// The places of the pictures and of the texts in the view Image. The pictures come first: the texts take at
// most about a third of the view, and become shorter before the pictures become smaller.
#pragma once
#include "scene/views/image_sums.hpp"

namespace upsweep {

// The texts beside or below the pictures.
enum class ImageText { column, narrow_column, line, slider, none };

struct ImageLayout {
  int count = 0;    // of pictures; 0 if there is no room for pictures
  Box pictures[3];  // all of the same size
  float slot = 0;   // the width of the room for a picture and its caption
  ImageText text = ImageText::none;
  float scale = 1;     // of the texts
  Box sums, controls;  // a room of no height is not drawn
};

inline constexpr float image_gap = 20, caption_height = 22;

// Returns the layout in a room. `aspect` is the width of a picture divided by its height.
ImageLayout image_layout(const Box& room, float aspect, const SumsSize& sums);

}  // namespace upsweep
