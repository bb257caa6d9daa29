// Returns sentences about the requests of one step. A sentence is empty if there is nothing to say.
#pragma once
#include <string>

#include "analysis/place.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

// If a step reads each sector of global memory at least twice on average, says how often. `sectors` is the
// number of sectors that the step's loads read.
std::string repeated_reads_text(const Recording& recording, const Place& place, std::int64_t sectors);

// If a thread issues several loads from global memory before it uses one of them, says how many.
std::string loads_text(const Recording& recording, const Place& place);

// Says how many lanes take part in the chosen request.
std::string request_lanes_text(const Recording& recording, const Place& place);

// If the last round of the step's longest loop has at most half the lanes of the first round, says how many
// lanes work in these two rounds.
std::string rounds_text(const Recording& recording, const Place& place);

}  // namespace upsweep
