// Makes the program that a GPU runs from a kernel's text.
#pragma once
#include "catalogue/catalogue.hpp"
#include "machine/gpu/nvrtc.hpp"

namespace upsweep {

// Modes of the program. `fast`: the recorder is off. `traced`: the recorder is on. `delayed`: the recorder is
// off, and threads pause at the places where blocks wait for each other.
enum class Mode { fast, traced, delayed };

// Returns the program of an algorithm: the vocabulary, the settings and the kernel's text. If the settings
// remove a barrier, the text lacks that barrier. The program contains only the settings that the text uses.
// So runs share one program if they differ only in settings that the text does not use. Program::kernels has
// the kernels of the text, in order.
Program program(const Algorithm& algorithm, const Settings& s, Mode mode);

}  // namespace upsweep
