// The table of the view Because. Each row says what one lane of the request does, and why.
#pragma once
#include "analysis/request_source.hpp"
#include "scene/views/lane_table.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the table for a request of the cursor's block. `event` must be the index of an event that has
// lanes.
LaneTable because_table(const ViewInput& in, int event, const RequestSource& source);

}  // namespace upsweep
