// Findings as sentences.
#pragma once
#include <string>
#include <string_view>

#include "analysis/hazards.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

// Return one sentence each: what happens, and how to remove the hazard.
std::string what_happens(const Trace& trace, const HazardFinding& finding);
std::string advice_text(const Trace& trace, const HazardFinding& finding);
// Returns "Shared race: thread 3 reads ...", about the first finding of a step, and the number of the others.
// Empty if the step has none, or if the hazards are not known yet.
std::string hazard_text(const Recording& recording, int step);
// Returns the cell in the notation of the kernel's text: "temp[5]", "temp[pad(5)]", "out[3]"; empty if the
// finding has no cell.
std::string cell_text(const Trace& trace, const HazardFinding& finding);
// Returns "lockstep and independent lanes" or "independent lanes (Volta and later)".
std::string_view models_text(const HazardFinding& finding);

}  // namespace upsweep
