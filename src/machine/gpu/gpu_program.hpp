// Makes the program that a GPU runs from a kernel's text.
#pragma once
#include "catalogue/catalogue.hpp"
#include "machine/gpu/nvrtc.hpp"

namespace upsweep {

// In the mode `fast` the recorder is off, and in `traced` it is on. In `delayed` it is off, and threads pause
// at the places where blocks wait for each other.
enum class Mode { fast, traced, delayed };

// Returns the program of an algorithm: the vocabulary, the settings and the kernel's text. If the settings
// take out a barrier, the text lacks that barrier. The program contains only the settings that the text uses,
// so that runs that differ only in other settings share one program. Program::kernels are the kernels of the
// text, in order.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
