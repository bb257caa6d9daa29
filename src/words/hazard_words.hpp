// Describes findings in sentences. A finding is a hazard that the analysis has found in a run.
#pragma once
#include <string>
#include <string_view>

#include "analysis/hazards.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

// what_happens() returns a sentence about the hazard. advice_text() says how to remove the hazard.
std::string what_happens(const Trace& trace, const HazardFinding& finding);
std::string advice_text(const Trace& trace, const HazardFinding& finding);
// Returns a sentence about the first finding of a step, such as "Shared race: thread 3 reads ...", and the
// number of further findings. Returns an empty text if the step has no findings, or if the findings are
// hidden or not known yet.
std::string hazard_text(const Recording& recording, const Place& place);
// Returns the cell as the kernel's text writes it: "temp[5]", "temp[pad(5)]", "out[3]". Returns an empty text
// if the finding has no cell.
std::string cell_text(const Trace& trace, const HazardFinding& finding);
// Returns the place where a finding's barrier belongs: "between line 12 and line 14". Requires
// f.interval.from > 0.
std::string barrier_place(const HazardFinding& finding);
// Returns the models of a warp in which the finding is a hazard: "lockstep and independent lanes" or
// "independent lanes (Volta and later)".
std::string_view models_text(const HazardFinding& finding);

}  // namespace upsweep
