// Checks if this computer can draw pictures and show the window. `upsweep doctor` and the window show the
// findings.
#pragma once
#include <vector>

#include "machine/machine.hpp"

namespace upsweep {

// Returns three findings: whether a display with OpenGL 3.3 exists, whether OpenGL works without a display,
// and whether the fonts exist. Must be called from the main thread.
std::vector<Finding> examine_drawing();

}  // namespace upsweep
