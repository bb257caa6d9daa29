// What a sweep over sizes measures, and in which order. It is planned before anything runs, so that it can be
// tested without a GPU.
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
  bool block_given = false, grid_given = false;  // if false, it is chosen for each size and GPU
};

struct SweepRequest {
  std::vector<Candidate> kernels;
  std::vector<int> sizes;  // elements
  std::vector<Cache> caches = {Cache::cold};
  bool peers = true;  // measure CUB and the CPU, too
  // With the peers, measure CUB's selection and sorting, too, once for each type of the sums. No kernel
  // computes them.
  bool peers_alone = false;
  double seconds = 0.1;  // the seconds of measuring for each row
  // The maximum seconds of a single run, because cancelling waits for its end.
  double longest_run = 0.08;
  double longest_processor_run = 2;  // the same for the CPU, whose runs can be stopped
};

// The hardware and libraries that can be measured.
struct SweepLimits {
  std::uint64_t device_memory = 0, host_memory = 0;  // bytes that may be used
  int multiprocessors = 0;
  Message no_gpu;      // why there is no GPU; no message if there is one
  Message no_library;  // why CUB cannot be measured; no message if it can
  // Why the standard library's parallel algorithms cannot be measured; no message if they can.
  Message no_par = {};
};

// The properties in which a contender differs from the others, at every size.
using Who = std::tuple<Contender, std::string, std::string, Scalar, Operator, Cache>;
Who who(const Timing& row);

// A row to measure, and the result that its contender computes.
struct SweepRow : Timing {
  Result result = Result::copy;
  Cores cores = Cores::one;  // for the CPU
};

// A peer under the name of its rows, and the result that it computes.
struct Peer {
  Contender contender;
  std::string_view name, variant;
  Result result;
  Cores cores = Cores::one;
};
std::span<const Peer> peers();
// Returns the result that a row's contender computes, if it is one of these peers.
std::optional<Result> result_of_peer(const Timing& row);

// Returns how many of n elements a selection takes from memory that is filled for measuring. Seven eighths of
// them are above 0; the number is correct within 20 elements.
int selected(int n);

// The data with which the GPU's memory is filled.
enum class Filling {
  digits,  // small whole numbers, see selected()
  keys     // random bits, but no infinities and no NaN
};

// Rows of one size on the same data. They are measured in turn, a few runs at a time, so that a change of the
// clock affects all of them.
struct SweepGroup {
  Cache cache = Cache::cold;
  Filling filling = Filling::digits;
  std::vector<SweepRow> rows;  // not measured yet; `missing` says why a row will not be measured
};

// Returns the groups by ascending size. Each group has the copy first, and then every kernel; kernels with
// the same result are next to each other and next to their peers. Sorting has its own group and its own data.
// A size that an algorithm does not take or that memory does not hold is a row that says so. Larger sizes
// then have no row. Throws nothing.
std::vector<SweepGroup> plan_sweep(const SweepRequest& request, const SweepLimits& limits);

// Returns the powers of two from `least` to `most`, including both if they are powers of two.
std::vector<int> powers_of_two(int least, int most);

// Returns the bytes of global memory that a row's contender needs for one run: input, output and its own
// scratch memory.
std::uint64_t bytes_needed(const SweepRow& row);

// Returns how many copies of the data a cold run needs. They are used in turn, so that the caches do not hold
// a run's data from an earlier run. It is 1 if the data is larger than the caches.
int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes);

// Returns how many runs of `run` seconds, each with `between` seconds of preparation, fit into `budget`
// seconds: at least 5, at most 200.
int repetitions(double run, double between, double budget);

// A run of `n` elements is approached through smaller ones, so that nothing long is ever started. Returns the
// next size to try after `tried` elements took `seconds`. Returns n once it is known that n takes at most
// `longest` seconds, and 0 if it takes longer.
int next_probe(int tried, double seconds, int n, double longest);

// Returns the options that differ from the first choices: "pad32", "items=3". It is empty for the first
// choices.
std::string variant_name(const Settings& s);

}  // namespace upsweep
