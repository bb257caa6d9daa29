// Checks if this computer can draw pictures and show the window. `upsweep doctor` and the window show the
// findings.
#pragma once
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// Checks a display with OpenGL 3.3, OpenGL without a display, and the fonts. Must be called from the main
// thread.
std::vector<Finding> examine_drawing();

}  // namespace upsweep
