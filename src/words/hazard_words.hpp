// Findings as sentences.
#pragma once
#include <string>
#include <string_view>

#include "analysis/hazards.hpp"

namespace upsweep {

// Return one sentence each: what happens, and how to remove the hazard.
std::string what_happens(const Trace& trace, const HazardFinding& finding);
std::string advice_text(const Trace& trace, const HazardFinding& finding);
// Returns the cell in the notation of the kernel's text: "temp[5]", "temp[pad(5)]", "out[3]"; empty if the
// finding has no cell.
std::string cell_text(const Trace& trace, const HazardFinding& finding);
// Returns "lockstep and independent lanes" or "independent lanes (Volta and later)".
std::string_view models_text(const HazardFinding& finding);

}  // namespace upsweep
