// Bank conflicts of runs that are too large to be recorded: predicted from small recordings of the same
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
// elements they are counted in a recording of that very run. Beyond, each block of a kernel counts as much as
// every block did in recordings of smaller runs, of several sizes; where blocks differ nothing is predicted.
class ExcessWavefronts {
 public:
  // -1 where they are not known. Takes some 10 ms for each new kernel, and little for its other sizes.
  // Throws nothing.
  double of(const Settings& s);

 private:
  // By kernel and threads, what each block counts; none where they differ.
  using PerBlock = std::map<std::pair<std::string, int>, double>;
  // A launch of the host's in a recording, and what all its blocks count.
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

// Fills it in where a kernel's row has times and this program knows the kernel.
void predict_excess(Timings& timings);

}  // namespace upsweep
