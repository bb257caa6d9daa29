// Predicts the bank conflicts of runs that are too large to record. The prediction uses small recordings of
// the same kernel.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "machine/emulator/emulator.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// The excess wavefronts of shared loads and stores of a whole run, over all launches and blocks. Up to 2^15
// elements, they are counted in a recording of exactly this run. For larger runs, several smaller sizes are
// recorded. If all blocks of a kernel have the same count in all these sizes, the prediction assumes this
// count for each block of the large run too. If the counts differ, or depend on the data, nothing is
// predicted.
class ExcessWavefronts {
 public:
  // Returns -1 if the number is not known. Takes about 10 ms for a new kernel, and much less for more sizes
  // of the same kernel. Throws nothing.
  double of(const Settings& s);

 private:
  // The count of one block, for each kernel and number of threads per block. There is no entry if the counts
  // of the blocks differ.
  using PerBlock = std::map<std::pair<std::string, int>, double>;
  // One launch by the host in a recording, and the sum of the counts of its blocks.
  struct Launched {
    std::string kernel;
    int blocks = 0, threads = 0;
    double excess = 0;
    bool operator==(const Launched&) const = default;
  };
  // Returns nothing if the counts depend on the data.
  std::optional<std::vector<Launched>> recorded(const Settings& s);
  std::vector<Launched> recorded(const Settings& s, unsigned seed);
  PerBlock per_block(const Settings& s);

  Emulator emulator_;
  // The costs that are known. Settings that differ only in n share one entry.
  std::vector<std::pair<Settings, PerBlock>> known_;
};

// Sets Timing::excess_wavefronts of all rows that have times and whose kernel this program contains.
void predict_excess(Timings& timings);

}  // namespace upsweep
