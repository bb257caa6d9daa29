// Compares excess wavefronts that are predicted from small runs with excess wavefronts in recordings of large
// runs.
#include "measure/excess.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "support/long_tests.hpp"
#include "timing/shipped.hpp"

namespace upsweep {
namespace excess_test {

double counted(const Settings& s) {
  Emulator emulator;
  RecordOptions options;
  options.blocks = 1;
  double excess = 0;
  for (const Count& c : emulator.record(s, seeded_data(s, 7), options).counts)
    if (c.kind == Kind::shared_load || c.kind == Kind::shared_store)
      excess += static_cast<double>(c.units - c.ideal);
  return excess;
}

TEST(ExcessWavefronts, OfEveryKernelAreWhatARecordingCounts) {
  ExcessWavefronts excess;
  int known = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    for (const char* layout : {"none", "pad32"})
      for (const int n : {1000, 1 << 15, 50'000}) {
        const bool is_rare = n == 1 << 15 || (n > 1000 && layout == std::string_view("pad32"));
        if (is_rare && !tries_everything()) continue;
        Settings s{.algorithm = a.name, .n = n, .block = 128, .grid = 24};
        s.choose("layout", layout);
        try {
          validate(s);
        } catch (const RequestError&) { continue; }
        const double predicted = excess.of(s);
        if (predicted < 0) continue;
        known++;
        EXPECT_EQ(predicted, counted(s)) << a.name << ' ' << layout << ' ' << n;
      }
  }
  EXPECT_GT(known, tries_everything() ? 40 : 25);
}

// These runs have so many tiles that the sums of the tiles are also scanned in tiles. The prediction must be
// correct, although it records only small runs, which have fewer levels of scans.
TEST(ExcessWavefronts, OfDeepRecursionsAreWhatARecordingCounts) {
  ExcessWavefronts excess;
  for (const char* scan : {"blelloch", "brent_kung"})
    for (const int n : {1 << 17, (1 << 17) - 1}) {
      const Settings s{.algorithm = "scan_large", .n = n, .block = 32, .choices = {{"block_scan", scan}}};
      EXPECT_GT(excess.of(s), 0);
      EXPECT_EQ(excess.of(s), counted(s)) << scan << ' ' << n;
    }
}

// The prediction records only small runs. In these runs, the second launch has fewer threads than in this
// test, and therefore another number of excess wavefronts. The prediction must be correct nevertheless.
TEST(ExcessWavefronts, OfLaunchesWithOtherThreadsAreTheirOwn) {
  ExcessWavefronts excess;
  const Settings s{.algorithm = "reduce_two_pass_tree",
                   .n = 1 << 18,
                   .block = 256,
                   .choices = {{"tree", "strided"}},
                   .grid = 300};
  EXPECT_GT(excess.of(s), 0);
  EXPECT_EQ(excess.of(s), counted(s));
}

TEST(ExcessWavefronts, AreNotKnownOfWhatCannotRun) {
  ExcessWavefronts excess;
  EXPECT_EQ(excess.of({.algorithm = "scan_of_another_program"}), -1);
  EXPECT_EQ(excess.of({.algorithm = "scan_blelloch", .n = 1 << 20}), -1) << "works in one block";
}

// The files of times that come with Upsweep must state the numbers of excess wavefronts. scan_large has 600
// excess wavefronts for each tile of 512 elements, including the tiles of sums.
TEST(ExcessWavefronts, OfTheShippedTimesAreThere) {
  for (const Timings& all : shipped_timings()) {
    int conflicts = 0;
    for (const Timing& t : all.rows) {
      const bool timed = t.contender == Contender::kernel && t.seconds.count > 0;
      // Only kernels in CUDA have excess wavefronts, because pixel shaders have no shared memory.
      const bool kernel = timed && algorithm(t.name).language == Language::cuda;
      // The excess wavefronts of some applications depend on the data, so Upsweep does not know their number.
      // This test leaves out all applications.
      if (kernel && algorithm(t.name).family == "application") continue;
      EXPECT_EQ(t.excess_wavefronts >= 0, kernel) << t.name << ' ' << t.variant << ' ' << t.settings.n;
      conflicts += t.excess_wavefronts > 0;
      if (t.name == "scan_large" && t.variant.empty() && t.settings.n == 1 << 28) {
        EXPECT_EQ(t.excess_wavefronts, 600. * ((1 << 19) + (1 << 10) + 2 + 1));
      }
      if (t.name == "scan_large" && t.variant == "pad32") { EXPECT_EQ(t.excess_wavefronts, 0); }
    }
    EXPECT_GT(conflicts, 20);
  }
}

}  // namespace excess_test
}  // namespace upsweep
