// Finds the request to which a click goes. Repeated clicks go through all matching requests of the step, and
// then begin again with the first matching request.
#pragma once
#include <algorithm>

#include "analysis/step_index.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// A request matches if `fits` returns true for its event. Returns the event of the step's next matching
// request, or -1 if no request matches. Searches from the chosen request to the step's end, and then from the
// step's beginning.
template <class Fits>
int next_request(const Reading& at, Fits fits) {
  const Trace& trace = at.recording.trace;
  const std::vector<int>& all = at.recording.step(at.cursor.block, at.cursor.step).requests;
  const int count = static_cast<int>(all.size()), chosen = std::clamp(at.cursor.request, -1, count);
  for (int k = 1; k <= count; ++k) {
    const int event = all[static_cast<std::size_t>((chosen + k) % count)];
    if (fits(trace.events[static_cast<std::size_t>(event)])) return event;
  }
  return -1;
}

}  // namespace upsweep
