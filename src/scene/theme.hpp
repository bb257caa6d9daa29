// Defines two themes, and the same two with high contrast. Each colour has one meaning. The accents are based
// on the colours of Okabe and Ito (2008), which colour-blind people can distinguish, too. Each accent is
// always accompanied by a shape, a letter or hatching.
#pragma once
#include "scene/scene.hpp"

namespace upsweep {

struct Theme {
  bool dark = true;
  Colour background, panel, line;       // the window, raised panels, hairlines and round buttons
  Colour on_line;                       // the sign on a round button
  Colour text, faint_text, ghost_text;  // primary, secondary, disabled or still to come
  Colour cell, cell_stroke;             // a cell that the step does not touch
  Colour now, now_soft, on_now;         // the current step: accent, its tint behind rows, text on the accent
  Colour conflict, conflict_soft;       // bank conflicts
  Colour broadcast, broadcast_soft;     // one word read by many lanes
  Colour good;                          // two numbers agree, for example a count and its formula
};

const Theme& dark_theme();
const Theme& light_theme();
// Themes in which every text has a contrast of at least 7 to 1.
const Theme& dark_contrast_theme();
const Theme& light_contrast_theme();
const Theme& theme_of(bool dark, bool contrast);
// Returns the name of a theme on the command line: "contrast-dark".
const char* theme_name(bool dark, bool contrast);
// A theme that somebody chose.
struct ThemeChoice {
  bool dark = true, contrast = false;
  const Theme& theme() const { return theme_of(dark, contrast); }
};

}  // namespace upsweep
