// Fills the table of the view "Because". Each row explains the access of one lane.
#pragma once
#include <string>
#include <vector>

#include "analysis/request_source.hpp"
#include "scene/views/lane_table.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the table for a request of the cursor's block. Requires that `event` is the index of an event with
// lanes.
LaneTable because_table(const ViewInput& in, int event, const RequestSource& source);

// The lane utilisation of each step of the cursor's phase. Leaves out steps without working warps.
struct UtilisationBars {
  struct Bar {
    int step;
    std::string name;
    double share;  // the lane utilisation, from 0 to 1
  };
  std::vector<Bar> all;
  int left_out = 0;  // the number of steps of the phase that are not considered, because there are too many
};
// Considers at most `most` steps around the cursor's step.
UtilisationBars utilisation_bars(const ViewInput& in, int most);

}  // namespace upsweep
