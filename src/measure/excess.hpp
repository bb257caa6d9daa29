// Predicts the bank conflicts of runs that are too large to be recorded, from small recordings of the same
// kernel.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulator.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// The excess wavefronts of shared loads and stores of a whole run: all launches, all blocks. Up to 2^15
// elements, they are counted in a recording of exactly this run. For larger runs, several smaller sizes are
// recorded. If every block of a kernel counts the same in all of them, each block of the large run counts as
// much. If blocks differ, nothing is predicted.
class ExcessWavefronts {
 public:
  // Returns -1 if they are not known. Takes about 10 ms for each new kernel, and little for its other sizes.
  // Throws nothing.
  double of(const Settings& s);

 private:
  // The count of each block, by kernel and threads; none if blocks differ.
  using PerBlock = std::map<std::pair<std::string, int>, double>;
  // A launch of the host in a recording, and the count of all its blocks.
  struct Launched {
    std::string kernel;
    int blocks = 0, threads = 0;
    double excess = 0;
  };
  std::vector<Launched> recorded(const Settings& s);
  PerBlock per_block(const Settings& s);

  Emulator emulator_;
  std::vector<std::pair<Settings, PerBlock>> known_;  // n apart
};

// Sets Timing::excess_wavefronts of the kernels that have times and that this program knows.
void predict_excess(Timings& timings);

}  // namespace upsweep
