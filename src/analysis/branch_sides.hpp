// The sides of a branch that one warp takes in one step. If lanes of a warp take different sides, the warp
// first issues the instructions of one side, and then the instructions of the other side. Each instruction is
// issued for only some of the warp's lanes.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/kernel_text.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The lanes of a warp that take one side, and what the warp issues for them.
struct BranchSide {
  std::uint32_t lanes = 0;
  int first = 0, last = 0;  // the lowest and the highest source line of its events, from 1; 0 if not known
  std::int64_t issued = 0;  // requests and operations that only lanes of this side take part in
};

// Returns the sides that each warp of a block takes in a step, sorted by their lowest lane. Returns no sides
// for a warp whose lanes all take the same side, or for which only some lanes have work.
//
// The sides follow from the recorded masks alone. Events that leave out some of the warp's working lanes
// belong to one side if they share a lane, directly or through other events. The same rule finds nested
// branches within a side. The sides of a nested branch replace the outer side.
std::vector<std::vector<BranchSide>> branch_sides(const Trace& trace, int block, int step);

// The condition that decides between a side and the others.
struct BranchCondition {
  int line = 0;  // the line of the `if`, from 1
  bool is_else = false;
};
// Returns the condition of a side. This is the innermost `if` or `else` whose body contains all lines of the
// side, but not all lines of the other sides. If the text has no such branch, the line is 0. The side may
// then be part of a loop that other lanes have left, or of an expression.
BranchCondition condition_of(const KernelText& text, const std::vector<BranchSide>& sides, std::size_t side);

}  // namespace upsweep
