#include "analysis/recording.hpp"

#include "analysis/memory.hpp"

namespace upsweep {

const Tree& Recording::tree(int grid, int block) const {
  constexpr std::size_t most = 64;  // of a run of many blocks, those last looked at are enough
  if (const auto at = trees_.find({grid, block}); at != trees_.end()) return at->second;
  if (trees_.size() >= most) trees_.clear();
  return trees_.emplace(std::pair(grid, block), upsweep::tree(trace, grid, block)).first->second;
}

const Tree& tree_at(const Recording& recording, const Place& place) {
  return recording.tree(grid_index(recording.trace, place.step), place.block);
}

}  // namespace upsweep
