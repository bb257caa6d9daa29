// Finds the thing in one run that corresponds to a thing in another run. If the user points at one of the two
// things, the window highlights both.
#pragma once
#include <functional>

#include "analysis/recording.hpp"
#include "scene/id.hpp"

namespace upsweep {

struct LinkedRuns {
  const Recording &from, &to;
  std::function<int(int)> step;  // returns the step of `to` that corresponds to a step of `from`, or -1
};

// `id` names a thing in the run `from`. Returns the id of the corresponding thing in the run `to`, or an
// empty id if nothing corresponds:
// - Cells correspond if they hold the same element of the same array.
// - Requests correspond if they belong to the same warp and have the same position in the list of requests of
//   their step.
// - Lines correspond only if both runs have the same kernel text.
Id linked_id(const LinkedRuns& runs, int block, const Id& id);

}  // namespace upsweep
