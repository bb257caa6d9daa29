// A kernel's text as a program for a GPU.
#pragma once
#include "catalogue/catalogue.hpp"
#include "machine/gpu/nvrtc.hpp"

namespace upsweep {

enum class Mode {
  fast,
  traced,
  delayed
};  // recorder off; recorder on; recorder off with delays where blocks wait for each other

// Returns the program of an algorithm: the vocabulary, the settings and the kernel's text, without a barrier
// that the settings remove. Only the settings that the text uses are included, so that runs with other
// differences share the program. Program::kernels are the kernels of the text, in order.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
