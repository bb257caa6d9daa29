// The plan of a sweep over sizes: what is measured, and in which order. It is planned before anything runs,
// so that tests need no GPU.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "measure/processor.hpp"
#include "timing/timings.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// One kernel of the catalogue with its settings. The sweep sets n.
struct Candidate {
  Settings settings;
  bool block_given = false, grid_given = false;  // if false, chosen for each size and GPU
};

struct SweepRequest {
  std::vector<Candidate> kernels;
  std::vector<int> sizes;  // numbers of elements
  std::vector<Cache> caches = {Cache::cold};
  bool peers = true;  // also measure CUB and the CPU
  // With the peers, also measure CUB's selection and sorting, once for each type of the sums. No kernel
  // computes these two.
  bool peers_alone = false;
  double seconds = 0.1;  // the seconds of measuring for each row
  // The most seconds for a single run, because cancelling waits until the run ends.
  double longest_run = 0.08;
  double longest_processor_run = 2;  // the limit for the CPU, whose runs can be stopped
};

// The hardware and libraries that can be measured.
struct SweepLimits {
  std::uint64_t device_memory = 0, host_memory = 0;  // bytes that may be used
  int multiprocessors = 0;
  Message no_gpu;      // why there is no GPU; no message if there is one
  Message no_library;  // why CUB cannot be measured; no message if it can be measured
  // Why the standard library's parallel algorithms cannot be measured; no message if they can be measured.
  Message no_par = {};
};

// The properties that identify a contender at every size.
using Who = std::tuple<Contender, std::string, std::string, Scalar, Operator, Cache>;
Who who(const Timing& row);

// A row to measure, and the result that its contender computes.
struct SweepRow : Timing {
  Result result = Result::copy;
  Cores cores = Cores::one;  // for the CPU
};

// A peer: the name of its rows, and the result that it computes.
struct Peer {
  Contender contender;
  std::string_view name, variant;
  Result result;
  Cores cores = Cores::one;
};
std::span<const Peer> peers();
// Returns the result that the row's contender computes, if this contender is one of the peers.
std::optional<Result> result_of_peer(const Timing& row);

// Returns how many of n elements a selection takes from the data for measuring. Seven eighths of the elements
// are above 0; the returned number is correct within 20 elements.
int selected(int n);

// The data for the GPU's memory.
enum class Filling {
  digits,  // small whole numbers, see selected()
  keys     // random bits, but no infinities and no NaN
};

// Rows of one size on the same data. The rows are measured in turn, a few runs at a time, so that a change of
// the clock rate affects all of them.
struct SweepGroup {
  Cache cache = Cache::cold;
  Filling filling = Filling::digits;
  std::vector<SweepRow> rows;  // not measured yet; `missing` says why a row cannot be measured
};

// Returns the groups by ascending size. Each group has the copy first, and then the kernels. Kernels with the
// same result are next to each other and to their peers. Sorting has its own group and its own data. If a
// size is invalid for an algorithm or does not fit into memory, its row says so, and larger sizes have no
// row. Throws nothing.
std::vector<SweepGroup> plan_sweep(const SweepRequest& request, const SweepLimits& limits);

// Returns the powers of two from `least` to `most`, including both if they are powers of two.
std::vector<int> powers_of_two(int least, int most);

// Returns the bytes of global memory that a row's contender needs for one run: input, output and its own
// scratch memory.
std::uint64_t bytes_needed(const SweepRow& row);

// Returns how many copies of the data a cold run needs. Runs use the copies in turn, so that the caches do
// not contain data from an earlier run. Returns 1 if the data is larger than the caches.
int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes);

// Returns how many runs fit into `budget` seconds: at least 5, at most 200. A run takes `run` seconds, and
// its preparation `between` seconds.
int repetitions(double run, double between, double budget);

// Returns the next size to try on the way to `n`, after `tried` elements took `seconds`. Smaller sizes are
// tried first, so that no long run is ever started. Returns `n` if n is expected to take at most `longest`
// seconds, and 0 if it is out of reach.
int next_probe(int tried, double seconds, int n, double longest);

// Returns the options that differ from the first options: "pad32", "items=3". Empty if there is no
// difference.
std::string variant_name(const Settings& s);

}  // namespace upsweep
