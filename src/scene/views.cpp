#include "scene/views.hpp"

#include "analysis/memory.hpp"
#include "scene/draw.hpp"

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

const Tree& Recording::tree(int grid, int block) const {
  constexpr std::size_t most = 64;  // of a run of many blocks, those last looked at are enough
  if (const auto at = trees_.find({grid, block}); at != trees_.end()) return at->second;
  if (trees_.size() >= most) trees_.clear();
  return trees_.emplace(std::pair(grid, block), upsweep::tree(trace, grid, block)).first->second;
}

const Tree& tree_at(const Recording& recording, const Cursor& cursor) {
  return recording.tree(grid_index(recording.trace, cursor.step), cursor.block);
}

}  // namespace upsweep
