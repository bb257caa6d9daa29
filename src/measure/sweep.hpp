// Plans a sweep over sizes: what is measured, and in which order. The whole plan is made before anything
// runs, so that tests need no GPU.
#pragma once
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "measure/bench_data.hpp"
#include "measure/peers.hpp"
#include "measure/processor.hpp"
#include "timing/timings.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// One kernel of the catalogue with its settings. The sweep sets n for each size.
struct Candidate {
  Settings settings;
  bool block_given = false, grid_given = false;  // if false, the sweep chooses the block or the grid
  std::vector<std::string> part = {};            // if not empty, only the launches of these kernels are timed
};

struct SweepRequest {
  std::vector<Candidate> kernels;
  std::vector<int> sizes;  // numbers of elements
  std::vector<Cache> caches = {Cache::cold};
  bool peers = true;  // true if CUB, NPP and the CPU are also measured
  // True if CUB's selection and sorting are measured even if no measured kernel selects or sorts. They are
  // measured for each element type for which a sum is measured.
  bool peers_alone = false;
  double seconds = 0.1;  // the measuring time of each row, in seconds
  // The largest number of seconds that a single run may take. The limit is short, because a cancelled sweep
  // waits until its current run ends.
  double longest_run = 0.08;
  double longest_processor_run = 2;  // the same limit for the CPU, whose runs can be stopped
};

// The hardware and libraries that can be measured.
struct SweepLimits {
  std::uint64_t device_memory = 0, host_memory = 0;  // bytes that may be used
  int multiprocessors = 0;
  Message no_gpu;       // why there is no GPU; empty if there is a GPU
  Message no_library;   // why CUB cannot be measured; otherwise empty
  Message no_npp = {};  // why NPP cannot be measured; otherwise empty
  // The reason why the standard library's parallel algorithms cannot be measured; otherwise empty.
  Message no_par = {};
  Message no_opengl = {};                    // why OpenGL cannot be measured; otherwise empty
  std::uint64_t opengl_memory = UINT64_MAX;  // bytes that textures may use
};

// The properties that identify a contender (a kernel, a library or the CPU). These properties are the same at
// every size.
using Who = std::tuple<Contender, std::string, std::string, Scalar, Operator, Cache>;
Who who(const Timing& row);

// A row to measure, and the result that its kernel, library or CPU computes.
struct SweepRow : Timing {
  Result result = Result::copy;
  Cores cores = Cores::one;            // for the CPU
  std::vector<std::string> part = {};  // as in Candidate
};

// Rows of one size on the same data. The rows are measured in turn, a few runs of each row at a time, so that
// a change of the clock rate affects all rows equally.
struct SweepGroup {
  Cache cache = Cache::cold;
  Filling filling = Filling::digits;
  std::vector<SweepRow> rows;  // not measured yet; `missing` says why a row cannot be measured
};

// Returns the groups in ascending order of size. In a group, kernels with the same result are next to each
// other, followed by their peers (CUB, NPP and the CPU). Selections, sorts and recurrences have separate
// groups, because they need other data.
//
// A group begins with rows that measure copies. For each row that moves b bytes per element, there is a copy
// that also moves b bytes per element. A reduction of n elements needs no separate copy, because the copy of
// n / 2 elements moves as many bytes. A group does not repeat a copy of an earlier group with the same size,
// element type, operator and cache.
//
// If a size is invalid for an algorithm or does not fit into memory, its row says so, and larger sizes have
// no row. Throws nothing.
std::vector<SweepGroup> plan_sweep(const SweepRequest& request, const SweepLimits& limits);

// Returns the powers of two from `least` to `most`. Both limits are included if they are powers of two.
std::vector<int> powers_of_two(int least, int most);

// Returns how many bytes of memory a run for this row needs: input, output and scratch memory.
std::uint64_t bytes_needed(const SweepRow& row);

// Returns how many copies of the data a cold run needs. Successive runs use different copies, so that the
// caches do not contain a run's data from an earlier run. Returns 1 if one copy of the data fills the caches.
int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes);

// Returns how many runs fit into `budget` seconds, but at least 5 and at most 200. A run takes `run` seconds,
// and the preparation before it takes `between` seconds.
int repetitions(double run, double between, double budget);

// Returns the next size to try on the way to `n`, after a run with `tried` elements took `seconds`. A run of
// the returned size is expected to take at most `longest` seconds, so that no long run is ever started.
//
// Returns 0 if a run with n elements would take too long. This is known if `tried` is n and the run took
// longer than `longest`. It is also assumed if the next size would be less than n and less than twice
// `tried`.
int next_probe(int tried, double seconds, int n, double longest);

// Returns the settings with another number of elements. If the data has rows, the length of the rows stays.
// The number of elements is then rounded down to whole rows, but is at least one row.
Settings with_elements(Settings s, int n);

constexpr int checked_elements = 1 << 16;  // checks of results use this size, or a smaller one
// Returns the settings with the largest valid number of elements up to `checked_elements`. With so few
// elements, a check of the result is quick.
Settings settings_to_check(const Settings& s);

// Returns the options that differ from the default options, such as "pad32" or "items=3", and the barrier
// that is removed. If only a part of the run is timed, also returns the kernels of this part: "channels=3,
// transpose". Returns an empty text if there is nothing to return.
std::string variant_name(const Settings& s, const std::vector<std::string>& part = {});

}  // namespace upsweep
