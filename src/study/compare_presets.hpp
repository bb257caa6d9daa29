// Defines presets for comparisons: pairs of runs that are instructive side by side.
#pragma once
#include <span>
#include <string>

#include "study/request.hpp"

namespace upsweep {

struct ComparePreset {
  std::string title, about;
  Request baseline, change;  // the changed run differs from the baseline in the fields of `change`
};

std::span<const ComparePreset> compare_presets();

}  // namespace upsweep
