// Fills the table of the view "Because". Each row explains the access of one lane.
#pragma once
#include "analysis/request_source.hpp"
#include "scene/views/lane_table.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the table for a request of the cursor's block. Requires that `event` is the index of an event with
// lanes.
LaneTable because_table(const ViewInput& in, int event, const RequestSource& source);

}  // namespace upsweep
