#include "scene/views.hpp"

#include "analysis/banks.hpp"
#include "scene/draw.hpp"
#include "scene/request.hpp"

namespace upsweep {

std::span<const View> views() {
  static constexpr View table[] = {
      {"tree", "Tree", draw_tree},
      {"memory", "Shared memory", draw_memory},
      {"banks", "Lanes × banks", draw_banks},
      {"warps", "Warps", draw_warps},
      {"source", "Source", draw_source},
      {"profile", "Profile", draw_profile},
      {"words", "Words", draw_words},
      {"work", "Work and steps", draw_work},
  };
  return table;
}

int request_event(const Recording& recording, const Cursor& cursor) {
  const Trace& trace = recording.trace;
  const std::vector<int> requests = shared_requests(trace, cursor.block, cursor.step);
  if (cursor.request >= 0 && cursor.request < static_cast<int>(requests.size()))
    return requests[cursor.request];
  int costliest = -1, most = 0;
  for (const int event : requests) {
    const int cost = bank_cost(trace, trace.events[event]).wavefronts;
    if (cost > most) {
      most = cost;
      costliest = event;
    }
  }
  return costliest;
}

}  // namespace upsweep
