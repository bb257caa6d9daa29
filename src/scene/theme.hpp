// Two themes with one meaning per colour. The accents are Okabe and Ito's (2008), which people with any kind
// of colour vision can distinguish. Each is always accompanied by a shape, a letter or hatching.
#pragma once
#include "scene/scene.hpp"

namespace upsweep {

struct Theme {
  bool dark = true;
  Colour background, panel, line;       // the window, raised panels, hairlines
  Colour text, faint_text, ghost_text;  // primary, secondary, disabled or not yet happened
  Colour cell, cell_stroke;             // a cell that the step does not touch
  Colour now, now_soft, on_now;         // the current step: accent, its tint behind rows, text on the accent
  Colour conflict, conflict_soft;       // bank conflicts
  Colour broadcast, broadcast_soft;     // one word to many lanes
  Colour good;                          // agreement
};

const Theme& dark_theme();
const Theme& light_theme();

}  // namespace upsweep
