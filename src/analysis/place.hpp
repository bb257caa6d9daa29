// The place in a recording that the window or a command shows.
#pragma once
#include <cstdint>

namespace upsweep {

struct Place {
  int step = 0;      // index into Trace::steps
  int request = -1;  // index into requests() of the block's step; -1 for the whole step: then a view of one
                     // request shows the costliest request of the step
  int block = 0;     // a block of the step's grid
  // A time of the run (see TimeLine), chosen for all blocks together; -1 for the time at which the block did
  // the step.
  std::int64_t time = -1;
  // If true, the views of banks show 16 banks and half-warps (as on compute capability 1.x), not 32 banks.
  bool half_warps = false;
  int finding = -1;  // the entry of the view Hazards that the reader chose: a wrong result, if there is one,
                     // and then the findings; -1 lets the view choose
  // If true, views say nothing about what is wrong in a kernel that is broken on purpose.
  bool hides_answer = false;

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
