// Finds the thing in one run that corresponds to a thing in another run, so that pointing at one run
// highlights both.
#pragma once
#include <functional>

#include "analysis/recording.hpp"
#include "scene/id.hpp"

namespace upsweep {

struct LinkedRuns {
  const Recording &from, &to;
  std::function<int(int)> step;  // returns the step of `to` that corresponds to a step of `from`, or -1
};

// Returns the id in `to` of the thing that `id` names in `from`. Cells correspond if they hold the same
// element of the same array. Requests correspond if they have the same place among the requests of their
// step, and belong to the same warp. Lines correspond only if both runs have the same kernel text. Returns an
// empty id if nothing corresponds.
Id linked_id(const LinkedRuns& runs, int block, const Id& id);

}  // namespace upsweep
