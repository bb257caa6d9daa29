// Checks whether a recording fits into this computer's memory, before anything is allocated.
#pragma once
#include <cstdint>

#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// Returns how many bytes this process can still allocate: the system's free memory, or less if the process
// has a lower limit.
std::int64_t free_memory();

// Returns a rough estimate of the memory in bytes for the input, the output and the buffers of a run, when
// the output is also compared with the expected output. `s` must be valid (see validate()).
double data_bytes(const Settings& s);

// Returns a rough estimate of the peak memory in bytes for recording and analysing a run. The estimate is
// more often too large than too small. `s` must be valid (see validate()).
double recording_bytes(const Settings& s);

// Throws RequestError if a recording would need more than `free` bytes. The error's sentence says how much
// memory the recording needs, how much memory is free, and how much data would fit. `s` must be valid.
void expect_room(const Settings& s, std::int64_t free, const DataSource& data = {});

// Throws RequestError if the data alone would need more than `free` bytes. `s` must be valid.
void expect_room_for_data(const Settings& s, std::int64_t free);

}  // namespace upsweep
