// Describes an exported picture in one line below it.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns "Blelloch scan · n = 64 · 32 threads · pad32 · the emulator · 24 November 2026". Unknown parts are
// left out. If `hides_answer` is true, the title does not say what is wrong in a broken kernel.
std::string caption_of_run(const Recording& recording, bool hides_answer = false);
// Returns "step 5 of 15: up-sweep, stride 8". `step` is an index into Trace::steps.
std::string caption_of_step(const Recording& recording, int step);

}  // namespace upsweep
