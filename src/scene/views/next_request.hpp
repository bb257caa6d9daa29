// How a click goes through the requests of a step.
#pragma once
#include <algorithm>

#include "analysis/step_index.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// The event of the step's next request, after the chosen one and round again, for which fits(event) holds; -1
// if it holds for none.
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
