// Defines presets for comparisons: pairs of runs that are instructive side by side.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "study/request.hpp"

namespace upsweep {

struct ComparePreset {
  std::string title, about;
  Request baseline, change;  // the changed run differs from the baseline in the fields of `change`
};

std::span<const ComparePreset> compare_presets();
// Returns the presets that this computer can run. A preset that needs a GPU is left out if there is no GPU.
std::vector<const ComparePreset*> possible_presets();

}  // namespace upsweep
