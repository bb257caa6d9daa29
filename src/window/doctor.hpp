// Checks whether this computer can draw pictures and the window. `upsweep doctor` and the window list the
// findings.
#pragma once
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// Examines three parts: a display with OpenGL 3.3, OpenGL without a display, and fonts. Must be called from
// the main thread.
std::vector<Finding> examine_drawing();

}  // namespace upsweep
