// Makes a theme without colour. In this theme, a conflict has the same brightness as all other marks.
#pragma once
#include <algorithm>
#include <cmath>

#include "scene/theme.hpp"

namespace upsweep {

// Returns the relative luminance (WCAG 2), from 0 to 1.
inline double luminance(Colour c) {
  const auto linear = [](std::uint8_t v) {
    const double x = v / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}
inline double contrast(Colour a, Colour b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

// Returns the grey that has the same brightness as the colour.
inline Colour grey(Colour c) {
  const double y = luminance(c);
  const double v = y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
  const auto byte = static_cast<std::uint8_t>(std::lround(255 * v));
  return {byte, byte, byte, c.a};
}

// Returns the theme in shades of grey. Conflicts have the same grey as the current step, so that only shapes,
// hatching and text can mark conflicts.
inline Theme without_colour(Theme t) {
  for (Colour Theme::*colour :
       {&Theme::background, &Theme::panel, &Theme::line, &Theme::text, &Theme::faint_text, &Theme::ghost_text,
        &Theme::cell, &Theme::cell_stroke, &Theme::now, &Theme::now_soft, &Theme::on_now, &Theme::conflict,
        &Theme::conflict_soft, &Theme::broadcast, &Theme::broadcast_soft, &Theme::good})
    t.*colour = grey(t.*colour);
  t.conflict = t.now;
  t.conflict_soft = t.now_soft;
  return t;
}

}  // namespace upsweep
