// Where in a recording something is looked at.
#pragma once

namespace upsweep {

struct Place {
  int step = 0;      // index into Trace::steps
  int request = -1;  // index into requests() of the block's step; -1: the step as a whole, views show its
                     // costliest request
  int block = 0;     // of the step's grid

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
