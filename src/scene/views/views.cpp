#include "scene/views/views.hpp"

#include <algorithm>

#include "scene/views/draw.hpp"

namespace upsweep {

namespace {

bool has_shared(const Recording& r) {
  return std::any_of(r.trace.grids.begin(), r.trace.grids.end(),
                     [](const Grid& g) { return g.shared.bytes > 0; });
}
bool has_shared_requests(const Recording& r) {
  return r.facts.totals.shared_load.requests + r.facts.totals.shared_store.requests > 0;
}
bool has_shuffles(const Recording& r) {
  return r.facts.totals.shuffle.requests + r.facts.totals.vote.requests > 0;
}
bool has_blocks(const Recording& r) { return r.trace.runs.size() > 1; }
bool has_launches(const Recording& r) { return r.trace.grids.size() > 1; }

}  // namespace

std::span<const View> views() {
  static constexpr View table[] = {
      {"tree", "Tree", draw_tree},
      {"memory", "Shared memory", draw_memory, has_shared},
      {"banks", "Lanes × banks", draw_banks, has_shared_requests},
      {"warps", "Warps", draw_warps},
      {"source", "Source", draw_source},
      {"profile", "Profile", draw_profile},
      {"words", "Words", draw_words},
      {"work", "Work and steps", draw_work},
      {"blocks", "Blocks", draw_blocks, has_blocks},
      {"registers", "Registers", draw_registers, has_shuffles},
      {"global", "Global memory", draw_global},
      {"launches", "Launches", draw_launches, has_launches},
      {"hazards", "Hazards", draw_hazards},
  };
  return table;
}

}  // namespace upsweep
