// A kernel's text as a program for a GPU.
#pragma once
#include "catalogue/catalogue.hpp"
#include "machine/nvrtc.hpp"

namespace upsweep {

enum class Mode { fast, traced };  // recorder off or on

// The kernel's own text, with the vocabulary and the settings (all but n and the block size, which it gets
// when it is launched) included before it.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
