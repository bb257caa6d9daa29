// Sentences about the requests of one step. They are empty if there is nothing to say.
#pragma once
#include <string>

#include "analysis/place.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

// Says how often a step reads the same sectors of global memory, if it does; `sectors`: the sectors that its
// loads read.
std::string repeated_reads_text(const Recording& recording, const Place& place, std::int64_t sectors);

// Says how many loads from global memory a thread issues before it uses one of them, if more than one.
std::string loads_text(const Recording& recording, const Place& place);

// Says which lanes take part in the chosen request.
std::string request_lanes_text(const Recording& recording, const Place& place);

// Says how many lanes work in the first round of the step's longest loop and in its last, if far fewer.
std::string rounds_text(const Recording& recording, const Place& place);

}  // namespace upsweep
