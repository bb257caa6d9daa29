// What blocks tell each other while they run: words in global memory, perhaps as parts of messages, that they
// write for the others to see, with volatile accesses and atomics. For look-back: every tile's status over
// time, and how far each looked back.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

struct BlockTalk {
  struct Change {
    std::uint32_t time = 0, value = 0;
  };
  struct Block {
    int block = 0;
    int tile = -1;                      // the word that it writes; -1: none
    std::uint32_t first = 0, last = 0;  // times of its first and last recorded event
    std::vector<Change> changes;        // of its word, ascending
    std::uint32_t reads = 0;            // of other blocks' words
    // The oldest tile that it takes something of: the last before its own that it found in the final state,
    // which stands for all before; or, where words have that state alone, the first that it asked for.
    int oldest = -1;
    std::uint32_t found = 0;  // when
    int number = -1;          // what it drew from a counter (an atomic's value before), -1: nothing
    std::uint32_t drawn = 0;  // when
    int distance() const { return tile >= 0 && oldest >= 0 ? tile - oldest : 0; }
  };
  int status = -1, counter = -1;               // indices of Trace::buffers; -1: there is none
  std::uint32_t first = 0, last = 0;           // times
  std::uint32_t final_value = 0;               // the greatest status
  bool one_state = false;                      // the only one, once something is known
  std::map<std::uint32_t, std::string> names;  // of the values, as the kernel's text names them
  std::vector<Block> blocks;                   // by tile where there are any, else by block
  // Of all blocks: what they wrote; and how many of them looked back, how far together and at most.
  std::vector<std::uint32_t> values;  // ascending, each once
  std::int64_t looked_back = 0, distance = 0, farthest = 0;

  explicit operator bool() const { return status >= 0 || counter >= 0; }
};

BlockTalk block_talk(const Trace& trace, int grid);

}  // namespace upsweep
