// Says which place of a recording the window or a command shows.
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
  // The entry of the view "Hazards" that the reader chose; -1 if the view itself chooses an entry. If the
  // result of the run is wrong, entry 0 is this wrong result, and the findings follow. Otherwise, entry 0 is
  // the first finding.
  int finding = -1;
  // If true, views say nothing about what is wrong in a kernel that is broken on purpose.
  bool hides_answer = false;

  bool operator==(const Place&) const = default;
};

}  // namespace upsweep
