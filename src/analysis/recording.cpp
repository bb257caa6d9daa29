#include "analysis/recording.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "analysis/memory.hpp"

namespace upsweep {

// What is computed when it is first asked for.
struct Recording::Later {
  struct Grown {
    Tree tree;
    std::uint64_t asked_for = 0;  // the number of the last question for it
  };
  std::mutex growing;
  std::map<std::pair<int, int>, Grown> trees;  // by grid and block
  std::uint64_t questions = 0;

  std::mutex listening;
  std::map<int, BlockTalk> talks;  // by grid

  std::mutex looking;
  std::unique_ptr<const Hazards> found;
  std::atomic<const Hazards*> hazards = nullptr;  // `found`, once it is complete
};

Recording::Recording() : later_(std::make_unique<Later>()) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const Tree& Recording::tree(int grid, int block) const {
  constexpr std::size_t most = 64;  // a run has many blocks, and nobody looks at more of them at a time
  const std::lock_guard lock(later_->growing);
  auto& trees = later_->trees;
  auto at = trees.find({grid, block});
  if (at == trees.end()) {
    if (trees.size() >= most)
      trees.erase(std::min_element(trees.begin(), trees.end(), [](const auto& a, const auto& b) {
        return a.second.asked_for < b.second.asked_for;
      }));
    at = trees.try_emplace({grid, block}, Later::Grown{upsweep::tree(trace, grid, block)}).first;
  }
  at->second.asked_for = ++later_->questions;
  return at->second.tree;
}

const BlockTalk& Recording::talk(int grid) const {
  const std::lock_guard lock(later_->listening);
  const auto at = later_->talks.find(grid);
  if (at != later_->talks.end()) return at->second;
  return later_->talks.emplace(grid, block_talk(trace, grid)).first->second;
}

const Hazards* Recording::hazards() const noexcept { return later_->hazards; }

const Hazards& Recording::find_hazards(Job* job) const {
  const std::lock_guard lock(later_->looking);
  if (!later_->found) {
    later_->found = std::make_unique<const Hazards>(upsweep::hazards(trace, job));
    later_->hazards = later_->found.get();
  }
  return *later_->found;
}

const Tree& tree_at(const Recording& recording, const Place& place) {
  return recording.tree(grid_index(recording.trace, place.step), place.block);
}

}  // namespace upsweep
