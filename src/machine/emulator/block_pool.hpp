// Keeps blocks for later launches, because it takes a long time to allocate the stacks of a block.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

class BlockPool {
 public:
  std::unique_ptr<Block> take(std::size_t threads);
  void give_back(std::unique_ptr<Block> block);

 private:
  static constexpr std::size_t most_threads = 16 * 1024;
  std::vector<std::unique_ptr<Block>> free_;  // sorted by the number of threads, smallest block first
};

}  // namespace upsweep
