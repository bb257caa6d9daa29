#include "machine/emulator/block_pool.hpp"

#include <algorithm>
#include <utility>

namespace upsweep {

std::unique_ptr<Block> BlockPool::take(std::size_t threads) {
  const auto fits = [&](const auto& b) { return b->capacity() >= threads; };
  auto found = std::ranges::find_if(free_, fits);
  if (found == free_.end()) return std::make_unique<Block>((threads + 31) / 32 * 32);
  std::unique_ptr<Block> block = std::move(*found);
  free_.erase(found);
  return block;
}

void BlockPool::give_back(std::unique_ptr<Block> block) {
  if (block->has_grown()) return;
  free_.push_back(std::move(block));
  std::ranges::stable_sort(free_, {}, &Block::capacity);
  std::size_t threads = 0;
  for (const auto& b : free_) threads += b->capacity();
  while (threads > most_threads) {
    threads -= free_.front()->capacity();
    free_.erase(free_.begin());
  }
}

}  // namespace upsweep
