// How evenly the threads of a step share its loops, and how many loads a thread has under way.
#pragma once
#include <cstdint>

#include "trace/trace.hpp"

namespace upsweep {

// A line in a loop, and the lanes of the block that execute it in the first round and in the last.
struct Rounds {
  int line = 0;  // 0 if no line of the step is executed twice
  int count = 0;
  int first = 0, last = 0;  // lanes
};
// Returns the line of a block's step whose requests have the most rounds, or the first such line. Loops that
// wait do not count.
Rounds longest_rounds(const Trace& trace, int block, int step);

// The loads from global memory that a thread issues before it uses the value of one of them.
struct LoadsUnderWay {
  int most = 0;     // of any thread; 0 if the step loads nothing
  bool all = true;  // every thread that loads has as many
  int bytes = 0;    // of one load
};
// Returns the loads under way in a block's step. Waiting for another block is not a load.
LoadsUnderWay loads_under_way(const Trace& trace, int block, int step);

}  // namespace upsweep
