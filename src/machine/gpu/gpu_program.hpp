// A kernel's text as a program for a GPU.
#pragma once
#include "catalogue/catalogue.hpp"
#include "machine/gpu/nvrtc.hpp"

namespace upsweep {

enum class Mode {
  fast,
  traced,
  delayed
};  // recorder off or on, or off with delays where blocks wait for each other

// The algorithm's own text (less a barrier that is to be taken out), with the vocabulary and the settings
// included before it: of the settings only what the text uses, so that others share its program.
// Program::kernels are those of the text, in its order.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
