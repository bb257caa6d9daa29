// From what single lanes did to what their warp requested.
#pragma once
#include <span>

#include "machine/emulated_thread.hpp"

namespace upsweep {

// Merges the logs of one block's threads into events, in canonical order, by the convergence rule
// (control_flow.hpp), and clears them. `flows` has one entry per warp. All threads' records up to now must be
// in their logs: call it when every thread has come to a barrier or its end.
void merge(std::span<Thread> threads, std::span<ControlFlow> flows, std::uint32_t block, Trace& trace);

}  // namespace upsweep
