// A place in a recording at which the reader looks.
#pragma once

namespace upsweep {

struct Place {
  int step = 0;      // index into Trace::steps
  int request = -1;  // index into requests() of the block's step; -1 for the whole step, for which views
                     // show the costliest request
  int block = 0;     // a block of the step's grid

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
