// Whether a recording fits into this computer's memory: told before anything is allocated.
#pragma once
#include <cstdint>

#include "trace/settings.hpp"

namespace upsweep {

// Bytes that this process can still take: what the system has free, and what limits allow.
std::int64_t free_memory();

// Bytes that recording and analysing a run takes at its peak, roughly; rather too much than too little. `s`
// is valid (see validate()).
double recording_bytes(const Settings& s);

// Throws RequestError if a recording would take more than `free` bytes. The sentence says how much it takes,
// how much is there, and which n fits. `s` is valid.
void expect_room(const Settings& s, std::int64_t free);

}  // namespace upsweep
