// Describes in sentences which sides of a branch the lanes of one warp take.
#pragma once
#include <string>
#include <vector>

#include "analysis/branch_sides.hpp"

namespace upsweep {

// The name of a side of a branch. The name is "line 36" if no condition in the text decides which lanes take
// the side.
struct SideName {
  std::string brief;  // "if, line 36"
  std::string exact;  // "the if of line 36"
};
SideName side_name(const BranchCondition& condition, const BranchSide& side);

// Returns "warp 0 issues both sides of the branch in line 36, if (t < 8): for 8 + 24 lanes". `sides` are the
// sides of this warp, and `text` is the kernel's text.
std::string both_sides_text(int warp, const std::vector<BranchSide>& sides, const std::string& text);

// Returns the lines of a tooltip about the side that a lane of the warp takes. Returns no lines if the lane
// takes no side.
std::vector<std::string> side_lines(int lane, const std::vector<BranchSide>& sides, const std::string& text);

}  // namespace upsweep
