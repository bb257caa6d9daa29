// Predicts the bank conflicts of runs that are too large to record, from small recordings of the same kernel.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulator.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// The excess wavefronts of shared loads and stores of a whole run, over all launches and blocks. Up to 2^15
// elements, they are counted in a recording of exactly this run. For larger runs, several smaller sizes are
// recorded. If all blocks of a kernel count the same in all these sizes, each block of the large run is
// assumed to count the same too. If blocks differ, nothing is predicted.
class ExcessWavefronts {
 public:
  // Returns -1 if the number is not known. Takes about 10 ms for each new kernel, and little for further
  // sizes of the same kernel. Throws nothing.
  double of(const Settings& s);

 private:
  // The count of one block, by kernel and threads per block; no entry if blocks differ.
  using PerBlock = std::map<std::pair<std::string, int>, double>;
  // A launch of the host in a recording, with the total count of its blocks.
  struct Launched {
    std::string kernel;
    int blocks = 0, threads = 0;
    double excess = 0;
  };
  std::vector<Launched> recorded(const Settings& s);
  PerBlock per_block(const Settings& s);

  Emulator emulator_;
  std::vector<std::pair<Settings, PerBlock>> known_;  // for settings that differ in more than n
};

// Sets Timing::excess_wavefronts of all kernels that have times and that this program contains.
void predict_excess(Timings& timings);

}  // namespace upsweep
