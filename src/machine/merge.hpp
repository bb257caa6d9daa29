// From what single lanes did to what their warp requested.
#pragma once
#include <span>

#include "machine/emulated_thread.hpp"

namespace upsweep {

// Merges the logs of one block's threads into events, in canonical order, by the convergence rule
// (control_flow.hpp), and clears them. Lanes that wait at a barrier give a barrier event each warp and place.
// All threads' records up to now must be in their logs: call it when every thread has come to a barrier or
// its end.
void merge(std::span<Thread> threads, std::span<Warp> warps, std::uint32_t block, Trace& trace);

}  // namespace upsweep
