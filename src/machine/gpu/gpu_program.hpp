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

// Returns the program of an algorithm: its text, without a barrier that is taken out, after the vocabulary
// and the settings. Only those settings are included that the text uses, so that other settings share the
// program. Program::kernels are the kernels of the text, in order.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
