// The findings of one step.
#pragma once
#include <vector>

#include "analysis/hazards.hpp"

namespace upsweep {

// Returns whether one of the finding's two events is in this step.
inline bool is_in_step(const HazardFinding& f, int step) {
  const auto here = static_cast<std::uint32_t>(step);
  return (f.party.event != HazardParty::none && f.party.step == here) ||
         (f.other.event != HazardParty::none && f.other.step == here);
}

// Returns the findings of a step. The pointers are valid as long as `hazards` exists.
inline std::vector<const HazardFinding*> findings_of(const Hazards& hazards, int step) {
  std::vector<const HazardFinding*> found;
  for (const HazardFinding& f : hazards.findings)
    if (is_in_step(f, step)) found.push_back(&f);
  return found;
}

}  // namespace upsweep
