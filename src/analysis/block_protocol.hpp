// The words that blocks exchange through global memory while they run, by volatile accesses and atomics. A
// word may stand alone or be part of a message. In a scan with look-back, the words say the status of each
// tile, and this file finds how the status changed and how far each block looked back.
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
    int tile = -1;                      // the tile whose word the block writes; -1 if it writes none
    std::uint32_t first = 0, last = 0;  // times of its first and last recorded event
    std::vector<Change> changes;        // all stores to the word of the tile, by time
    std::uint32_t reads = 0;            // how many words with the status of a tile the block has read
    // The tile with the lowest number whose value the block uses, or -1. The block looks back, tile by tile,
    // until it finds a tile in the final state: that tile's value includes all tiles before it. If the tiles
    // have only one state, the block uses every tile before its own that it found in that state.
    int oldest = -1;
    std::uint32_t found = 0;  // the time at which the block found `oldest` in the final state
    int number = -1;  // the number that the block drew from a counter (the value before the atomic), or -1
    std::uint32_t drawn = 0;  // the time at which the block drew the number
    int distance() const { return tile >= 0 && oldest >= 0 ? tile - oldest : 0; }
  };
  int status = -1, counter = -1;               // indices into Trace::buffers, or -1
  std::uint32_t first = 0, last = 0;           // the times of the blocks' first and last event
  std::uint32_t final_value = 0;               // the greatest value of a status word: the final state
  bool one_state = false;                      // blocks wrote no other value than final_value
  std::map<std::uint32_t, std::string> names;  // the names of values in the kernel's text
  std::vector<Block> blocks;                   // by tile, then by block
  std::vector<std::uint32_t> values;           // all values of status words, ascending, each once
  // The number of blocks that looked back, the sum of their distances in tiles, and the greatest distance.
  std::int64_t looked_back = 0, distance = 0, farthest = 0;

  explicit operator bool() const { return status >= 0 || counter >= 0; }
};

BlockProtocol block_protocol(const Trace& trace, int grid);

}  // namespace upsweep
