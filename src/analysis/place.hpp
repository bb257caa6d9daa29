// The place in a recording that the window or a command shows.
#pragma once
#include <cstdint>

namespace upsweep {

struct Place {
  int step = 0;  // index into Trace::steps
  // Index into requests() of the block's step, or -1 for the whole step. If -1, a view of one request shows
  // the step's costliest request.
  int request = -1;
  int block = 0;  // a block of the step's grid
  // The chosen time of the run, for all blocks together (see TimeLine). -1 means the time at which `block`
  // has done `step`.
  std::int64_t time = -1;
  // If true, the views of banks show 16 banks and half-warps (as on compute capability 1.x), not 32 banks.
  bool half_warps = false;
  // The entry of the view Hazards that the reader chose, or -1 if the view chooses an entry. The first entry
  // is the wrong result, if the result is wrong. The findings follow.
  int finding = -1;
  // If true, views say nothing about what is wrong in a kernel that is broken on purpose.
  bool hides_answer = false;

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
