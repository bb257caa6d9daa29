// Defines a dark and a light theme, and both themes with high contrast. Each colour has one meaning.
//
// The accents (the colours of the current step, of conflicts, of broadcasts and of matches) are based on the
// colours of Okabe and Ito (2008), because colour-blind people can distinguish these colours. A shape, a
// letter or hatching always accompanies an accent, so that readers can understand the picture without
// colours.
#pragma once
#include "scene/scene.hpp"

namespace upsweep {

struct Theme {
  bool dark = true;
  // The colours of the window, of raised panels, and of hairlines and round buttons.
  Colour background, panel, line;
  Colour on_line;  // the colour of signs on round buttons
  // ghost_text is the colour of disabled things and of things that come later.
  Colour text, faint_text, ghost_text;
  Colour cell, cell_stroke;  // the fill and the stroke of cells that the step does not touch
  // The colours of the current step: the accent, a pale form of the accent for backgrounds, and the colour of
  // text on the accent.
  Colour now, now_soft, on_now;
  Colour conflict, conflict_soft;    // bank conflicts: the accent and its tint
  Colour broadcast, broadcast_soft;  // broadcasts (several lanes read one word): the accent and its tint
  Colour good;                       // a match of two numbers, for example of a count and its formula
};

const Theme& dark_theme();
const Theme& light_theme();
// Themes in which every text has a contrast ratio of at least 7 to 1.
const Theme& dark_contrast_theme();
const Theme& light_contrast_theme();
const Theme& theme_of(bool dark, bool contrast);
// Returns the name of a theme on the command line, such as "contrast-dark".
const char* theme_name(bool dark, bool contrast);
// The theme that the user chose.
struct ThemeChoice {
  bool dark = true, contrast = false;
  const Theme& theme() const { return theme_of(dark, contrast); }
};

}  // namespace upsweep
