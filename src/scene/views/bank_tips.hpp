// Writes the tooltips of requests to shared memory, of words that a request accesses, and of banks.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the lines of an id's tooltip. Returns no lines if the id is not a request to shared memory, a word
// of such a request, or a bank.
Lines banks_tip(const Reading& at, const Id& id);

}  // namespace upsweep
