// What a sweep over sizes measures, and in which order: drawn up before anything runs, so that it can be
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

// One kernel of the catalogue with all that sets it apart; n is set by the sweep.
struct Candidate {
  Settings settings;
  bool block_given = false, grid_given = false;  // else chosen for each size and GPU
};

struct SweepRequest {
  std::vector<Candidate> kernels;
  std::vector<int> sizes;  // elements
  std::vector<Cache> caches = {Cache::cold};
  bool peers = true;  // CUB and the CPU beside the kernels
  // With them CUB's selection and sorting, which no kernel gives, once for each type of which there are sums.
  bool peers_alone = false;
  double seconds = 0.1;  // of measuring, for each row
  // Seconds: no single run may take longer, or cancelling would have to wait for it.
  double longest_run = 0.08;
  double longest_processor_run = 2;  // likewise of the CPU, which can be stopped in between
};

// What there is to measure on.
struct SweepLimits {
  std::uint64_t device_memory = 0, host_memory = 0;  // bytes that may be used
  int multiprocessors = 0;
  Message no_gpu;       // why there is none; no message if there is one
  Message no_library;   // why CUB cannot be measured, likewise
  Message no_par = {};  // why the standard library's parallel algorithms cannot, likewise
};

// What sets a contender apart from the others, at every size.
using Who = std::tuple<Contender, std::string, std::string, Scalar, Operator, Cache>;
Who who(const Timing& row);

// What is to be measured, and what its contender computes.
struct SweepRow : Timing {
  Result result = Result::copy;
  Cores cores = Cores::one;  // of the CPU
};

// A peer as its rows name it, and what it computes.
struct Peer {
  Contender contender;
  std::string_view name, variant;
  Result result;
  Cores cores = Cores::one;
};
std::span<const Peer> peers();
// What a row's contender computes if it is one of these peers.
std::optional<Result> result_of_peer(const Timing& row);

// Elements that a selection takes of n that are filled to be measured: seven eighths of them are above 0,
// which is right within 20 elements.
int selected(int n);

// What the GPU's memory is filled with.
enum class Filling {
  digits,  // small whole numbers, see selected()
  keys     // random bits, but neither infinite nor no number
};

// Rows of one size on the same data, measured in turns, a few runs of each at a time: what drifts, drifts for
// all.
struct SweepGroup {
  Cache cache = Cache::cold;
  Filling filling = Filling::digits;
  std::vector<SweepRow> rows;  // nothing measured yet; `missing` says why a row will not be
};

// Groups by ascending size; in each the copy, then every kernel, those that give the same next to each other
// and next to their peers; sorting has a group of its own, with data of its own. What an algorithm cannot
// take or memory does not hold is a row that says so at the first such size, and no row beyond. Throws
// nothing.
std::vector<SweepGroup> plan_sweep(const SweepRequest& request, const SweepLimits& limits);

// Powers of two from `least` to `most`, both among them if they are such powers.
std::vector<int> powers_of_two(int least, int most);

// Bytes of global memory that a row's contender needs for one run: input, output and scratch memory of its
// own.
std::uint64_t bytes_needed(const SweepRow& row);

// What a cold run moves to and from memory must not lie in the caches from an earlier one: how many copies of
// the data are taken in turns. 1 where the data is larger than the caches by itself.
int rotations(std::uint64_t bytes_of_data, std::uint64_t cache_bytes);

// How often to run what takes `run` seconds, with `between` seconds of preparation each time, in `budget`
// seconds: at least 5 times, at most 200.
int repetitions(double run, double between, double budget);

// A run of `n` elements is approached through smaller ones, so that nothing long is ever started: the next
// size to try, where `seconds` were seen at `tried`. Gives n itself once that is known to take no longer than
// `longest` seconds, and 0 where it will take longer.
int next_probe(int tried, double seconds, int n, double longest);

// "pad32", "items=3": what sets a kernel's settings apart from the first choices; empty for those.
std::string variant_name(const Settings& s);

}  // namespace upsweep
