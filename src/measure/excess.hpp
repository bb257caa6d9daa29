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

// The excess wavefronts of shared loads and stores of a whole run, over all launches and blocks. For at most
// 2^15 elements, the wavefronts are counted in a recording with the same settings.
//
// For larger runs, several smaller sizes are recorded, and the mean count per block is computed at each size.
// If a kernel has the same mean at all these sizes, the prediction for the large run uses this mean for each
// block. If the means differ, or if the counts depend on the data, nothing is predicted.
class ExcessWavefronts {
 public:
  // Returns the excess wavefronts, or -1 if the number is not known. Records several runs for new settings,
  // but records nothing if the settings differ from earlier settings only in a large n. Throws nothing.
  double of(const Settings& s);

 private:
  // The mean number of excess wavefronts per block, for each kernel and number of threads per block. There is
  // no entry if the mean differs from size to size.
  using PerBlock = std::map<std::pair<std::string, int>, double>;
  // One launch by the host, and its number of excess wavefronts. This number includes all blocks of the
  // launch, and the grids that these blocks launch.
  struct Launched {
    std::string kernel;
    int blocks = 0, threads = 0;
    double excess = 0;
    bool operator==(const Launched&) const = default;
  };
  // Returns nullopt if the counts depend on the data.
  std::optional<std::vector<Launched>> recorded(const Settings& s);
  std::vector<Launched> recorded(const Settings& s, unsigned seed);
  PerBlock per_block(const Settings& s);

  Emulator emulator_;
  // The results of per_block(). Settings that differ only in n share one entry.
  std::vector<std::pair<Settings, PerBlock>> known_;
};

// Sets Timing::excess_wavefronts of the rows that have times and no such number, if this program can predict
// it. If there is no prediction for a variant at one size, leaves out the later rows of this variant.
void predict_excess(Timings& timings);

}  // namespace upsweep
