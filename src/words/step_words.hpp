// These functions return sentences about the requests of one step. If a function has nothing to say, the
// result is empty.
#pragma once
#include <string>

#include "analysis/place.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

// If the loads of a step read each sector of global memory at least twice on average, says how often each
// sector is read. `sectors` is the number of sectors that these loads read, with repetitions.
std::string repeated_reads_text(const Recording& recording, const Place& place, std::int64_t sectors);

// If a thread issues several loads from global memory before it uses one of the loaded values, says how many
// loads.
std::string loads_text(const Recording& recording, const Place& place);

// Says how many lanes take part in the chosen request.
std::string request_lanes_text(const Recording& recording, const Place& place);

// Says how many lanes work in the first and in the last iteration of the step's longest loop. Says nothing if
// more than half of the first iteration's lanes work in the last iteration.
std::string rounds_text(const Recording& recording, const Place& place);

}  // namespace upsweep
