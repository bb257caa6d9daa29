// What the mouse points at, in words: its exact value, unit, definition, and the hardware counter's name.
#pragma once
#include <string>
#include <vector>

#include "scene/views/views.hpp"

namespace upsweep {

// Lines of the tip for an id, the first its name; empty if there is nothing to say.
// `counters`: what the hardware counted, where that was asked for.
std::vector<std::string> tooltip(const Recording& recording, const Cursor& cursor, const Id& id,
                                 const LineCounters* counters = nullptr);

}  // namespace upsweep
