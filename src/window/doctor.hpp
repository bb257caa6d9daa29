// What pictures and the window need of this computer: for `upsweep doctor` and the window.
#pragma once
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// A display with OpenGL 3.3, OpenGL without a display, fonts. To be called from the main thread.
std::vector<Finding> examine_drawing();

}  // namespace upsweep
