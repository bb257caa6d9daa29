#include "analysis/recording.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "analysis/block_index.hpp"
#include "analysis/block_talk.hpp"
#include "analysis/memory.hpp"

namespace upsweep {

namespace {

// What was made for the keys last asked for. A run has many blocks, and nobody looks at more than a few of
// them at a time.
template <class Key, class T>
class LastAskedFor {
 public:
  template <class Make>
  const T& get(const Key& key, Make make) {
    constexpr std::size_t most = 64;
    const std::lock_guard lock(mutex_);
    auto at = made_.find(key);
    if (at == made_.end()) {
      if (made_.size() >= most)
        made_.erase(std::min_element(made_.begin(), made_.end(), [](const auto& a, const auto& b) {
          return a.second.asked_for < b.second.asked_for;
        }));
      at = made_.try_emplace(key, Made{std::make_unique<const T>(make())}).first;
    }
    at->second.asked_for = ++questions_;
    return *at->second.what;
  }

 private:
  struct Made {
    std::unique_ptr<const T> what;
    std::uint64_t asked_for = 0;  // the number of the last question for it
  };
  std::mutex mutex_;
  std::map<Key, Made> made_;
  std::uint64_t questions_ = 0;
};

}  // namespace

// What is computed when it is first asked for.
struct Recording::Later {
  LastAskedFor<std::pair<int, int>, Tree> trees;         // by grid and block
  LastAskedFor<std::pair<int, int>, BlockIndex> blocks;  // by grid and block
  LastAskedFor<int, BlockTalk> talks;                    // by grid

  std::mutex looking;
  std::unique_ptr<const Hazards> found;
  std::atomic<const Hazards*> hazards = nullptr;  // `found`, once it is complete
};

Recording::Recording() : later_(std::make_unique<Later>()) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const Tree& Recording::tree(int grid, int block) const {
  return later_->trees.get({grid, block}, [&] { return upsweep::tree(trace, grid, block); });
}

const BlockIndex& Recording::block(int grid, int block) const {
  return later_->blocks.get({grid, block}, [&] { return BlockIndex(trace, grid, block); });
}

const BlockTalk& Recording::talk(int grid) const {
  return later_->talks.get(grid, [&] { return block_talk(trace, grid); });
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
