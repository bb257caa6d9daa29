// The parts of this computer that pictures and the window need, for `upsweep doctor` and the window.
#pragma once
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// Examines a display with OpenGL 3.3, OpenGL without a display, and fonts. It must be called from the main
// thread.
std::vector<Finding> examine_drawing();

}  // namespace upsweep
