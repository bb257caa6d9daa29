// The words that blocks exchange through global memory while they run, alone or as parts of messages, with
// volatile accesses and atomics. For look-back, this includes the status of every tile over time, and how far
// each block looked back.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

struct BlockProtocol {
  struct Change {
    std::uint32_t time = 0, value = 0;
  };
  struct Block {
    int block = 0;
    int tile = -1;                      // the tile whose word the block writes, or -1
    std::uint32_t first = 0, last = 0;  // times of its first and last recorded event
    std::vector<Change> changes;        // all changes of its word, by time
    std::uint32_t reads = 0;            // how often it read words of other blocks
    // The oldest tile whose value the block uses: the last tile before its own that the block found in the
    // final state, because that value includes all earlier tiles. If all words have only the final state, it
    // is the first tile that the block read.
    int oldest = -1;
    std::uint32_t found = 0;  // the time at which the block found that tile
    int number = -1;  // the number that the block drew from a counter (the value before the atomic), or -1
    std::uint32_t drawn = 0;  // the time at which the block drew the number
    int distance() const { return tile >= 0 && oldest >= 0 ? tile - oldest : 0; }
  };
  int status = -1, counter = -1;               // indices into Trace::buffers, or -1
  std::uint32_t first = 0, last = 0;           // times
  std::uint32_t final_value = 0;               // the greatest status
  bool one_state = false;                      // all values that blocks wrote are final_value
  std::map<std::uint32_t, std::string> names;  // the names of values in the kernel's text
  std::vector<Block> blocks;                   // by tile if blocks write tiles, else by block
  std::vector<std::uint32_t> values;           // all values that blocks wrote, ascending, each once
  // The number of blocks that looked back, the sum of their distances, and the greatest distance.
  std::int64_t looked_back = 0, distance = 0, farthest = 0;

  explicit operator bool() const { return status >= 0 || counter >= 0; }
};

BlockProtocol block_protocol(const Trace& trace, int grid);

}  // namespace upsweep
