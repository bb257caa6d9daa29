// Findings as sentences.
#pragma once
#include <string>
#include <string_view>

#include "analysis/hazards.hpp"

namespace upsweep {

// What happens, and what to do: a sentence each.
std::string what_happens(const Trace& trace, const HazardFinding& finding);
std::string advice_text(const Trace& trace, const HazardFinding& finding);
// The cell as the kernel's text names it: "temp[5]", "temp[pad(5)]", "out[3]"; empty if there is none.
std::string cell_text(const Trace& trace, const HazardFinding& finding);
// "lockstep and independent lanes", "independent lanes (Volta and later)".
std::string_view models_text(const HazardFinding& finding);

}  // namespace upsweep
