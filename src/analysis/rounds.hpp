// Counts the lanes that execute a loop in its first iteration and in its last iteration. Also counts the
// loads that a thread issues before it uses the value of any of them.
#pragma once
#include <cstdint>

#include "trace/trace.hpp"

namespace upsweep {

// A line in a loop, and the numbers of lanes of the block that execute this line in the loop's first
// iteration and in the last iteration.
struct Rounds {
  int line = 0;             // 0 if no line of the step is executed twice
  int count = 0;            // the number of iterations
  int first = 0, last = 0;  // the numbers of lanes in the first and in the last iteration
};
// Returns the line that the step's loops repeat most often. If several lines are repeated equally often,
// returns the first of these lines. Loops that wait for other threads do not count.
Rounds longest_rounds(const Trace& trace, int block, int step);

// The loads from global memory that a thread issues before the thread uses the value of any of these loads.
struct LoadsUnderWay {
  int most = 0;     // the largest number of such loads of any thread; 0 if no thread loads
  bool all = true;  // whether every thread that loads has `most` loads under way
  int bytes = 0;    // the size of one load
};
// Returns the loads under way in a block's step. Volatile loads, which wait for another block, do not count.
LoadsUnderWay loads_under_way(const Trace& trace, int block, int step);

}  // namespace upsweep
