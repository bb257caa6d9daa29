// The tips of requests to shared memory, of words that a request accesses, and of banks.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the lines of the tip. Returns no lines for ids of other kinds.
Lines banks_tip(const Reading& at, const Id& id);

}  // namespace upsweep
