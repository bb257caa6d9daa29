// The tips of requests to shared memory, of the words that they access, and of banks.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns no lines for other ids.
Lines banks_tip(const Reading& at, const Id& id);

}  // namespace upsweep
