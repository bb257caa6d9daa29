// The place in a recording that is shown.
#pragma once

namespace upsweep {

struct Place {
  int step = 0;      // index into Trace::steps
  int request = -1;  // index into requests() of the block's step; -1 for the whole step, for which views
                     // show the costliest request
  int block = 0;     // a block of the step's grid
  // The views of banks show 16 banks and half-warps, as compute capability 1.x had them, instead of 32 banks.
  bool half_warps = false;

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
