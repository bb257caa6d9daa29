// Finds the sides of a branch that the lanes of one warp take in one step. If lanes take different sides, the
// warp first issues the instructions of one side, and then the instructions of the other side. For each of
// these instructions, only the lanes of its side are active.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/kernel_text.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The lanes of a warp that take one side, and the requests and operations that the warp issues for these
// lanes.
struct BranchSide {
  std::uint32_t lanes = 0;
  int first = 0, last = 0;  // the lowest and the highest source line of the side's events; 0 if not known
  // The number of requests and operations in which only lanes of this side take part.
  std::int64_t issued = 0;
};

// Returns the sides that each warp of a block takes in a step, sorted by their lowest lane. Returns no sides
// for a warp if all lanes that do not skip the branch take the same side.
//
// The sides are computed only from the recorded masks. If all lanes that work in this step take part in an
// event, the event belongs to no side. Two other events belong to the same side if their masks share a lane,
// or if a chain of other events with shared lanes connects them.
//
// The same rule divides a side that contains a nested branch. The sides of the nested branch then replace
// this side.
std::vector<std::vector<BranchSide>> branch_sides(const Trace& trace, int block, int step);

// The condition of the branch that decides which lanes take a side.
struct BranchCondition {
  int line = 0;  // the line of the `if`, from 1
  bool is_else = false;
};
// Returns the condition of a side. This is the innermost `if` or `else` whose body contains all lines of the
// side, but not all lines of the other sides.
//
// If the text has no such branch, the line is 0. In this case, the side may be part of a loop that other
// lanes have left, or part of an expression.
BranchCondition condition_of(const KernelText& text, const std::vector<BranchSide>& sides, std::size_t side);

}  // namespace upsweep
