// Reads the options that say how a picture looks.
#pragma once
#include <string>

#include "scene/theme.hpp"

namespace upsweep {

// --theme: light, dark, contrast-light or contrast-dark.
ThemeChoice theme_chosen(const std::string& typed);
// --size: "1280x720" in pixels.
struct Size {
  int width = 0, height = 0;
};
Size chosen_size(const std::string& typed);
// --scale: pixels per logical pixel.
float chosen_scale(const std::string& typed);
// --text-scale: a factor from 0.8 to 2.
float chosen_text_scale(const std::string& typed);
// --speed: the steps per second of an animation.
double chosen_speed(const std::string& typed);

}  // namespace upsweep
