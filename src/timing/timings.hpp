// Stores the times of kernels at full speed, measured on one computer.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// The spread of repeated measurements in seconds. The quartiles are interpolated between the sorted samples.
struct Spread {
  double median = 0, lower_quartile = 0, upper_quartile = 0, least = 0, most = 0;
  int count = 0;  // the number of samples; 0 if nothing was measured
  bool operator==(const Spread&) const = default;
};
// Returns the spread of samples; without samples its count is 0.
Spread spread_of(std::span<const double> seconds);

// A contender is something that is timed. These are the kinds of contenders.
enum class Contender {
  kernel,    // a kernel of the catalogue, with the recorder off
  part,      // all launches of some CUDA kernels in a whole run; Timing::variant names these CUDA kernels
  copy,      // a copy by cudaMemcpy or by our copy kernel: the faster one. Its bandwidth is the ceiling, the
             // highest possible bandwidth. Half of Timing::bytes is read and half is written. If
             // Timing::variant is empty, n elements are copied.
  library,   // CUB or NPP, from the CUDA toolkit
  processor  // the CPU
};

// Returns whether the contender is a kernel of the catalogue or a part of its run.
inline bool is_of_catalogue(Contender c) { return c == Contender::kernel || c == Contender::part; }

// The state of the caches when a run began.
enum class Cache {
  warm,  // the caches hold the data that the previous run left
  cold   // the caches hold no data of the run: buffers are rotated and L2 is flushed between runs
};

// One contender at one size.
struct Timing {
  Contender contender = Contender::kernel;
  std::string name;     // "scan_blelloch", "cub::DeviceScan", "cudaMemcpy", "std::inclusive_scan"
  std::string variant;  // distinguishes rows with the same name: "pad32", "items=3"; may be empty
  Settings settings;    // n, type, operator and, for kernels, all other settings
  Cache cache = Cache::cold;
  Spread seconds;
  // The smallest number of bytes that must be moved: every input is read once, and every output is written
  // once. 0 for Contender::part, because its data may already be in the caches.
  double bytes = 0;
  double bytes_of_all_passes = 0;  // for a sort: the bytes that all launches move; 0 if not known
  double excess_wavefronts = -1;   // the predicted number for the whole run; -1 if it is not known
  Message missing;                 // why nothing was measured; empty if `seconds` was measured
  bool operator==(const Timing&) const = default;

  double bytes_per_second() const { return seconds.count > 0 ? bytes / seconds.median : 0; }
  double elements_per_second() const { return seconds.count > 0 ? settings.n / seconds.median : 0; }
};
inline bool was_measured(const Timing& t) { return t.seconds.count > 0; }

struct Timings {
  static constexpr int version = 1;
  std::string device;           // "NVIDIA H200"
  std::string driver;           // "580.159.04"; empty without a driver
  std::string processor;        // the CPU's name
  std::string date;             // ISO 8601, UTC
  std::string program;          // Upsweep's version
  double memory_bandwidth = 0;  // the data sheet's bytes per second, or 0
  Spread launch_overhead;       // the time of an empty kernel from its launch to its end
  std::string recorded;         // the name of the file; empty if this process measured the times
  std::vector<Timing> rows;     // in the order in which they were measured
  bool has_operator = true;     // whether users can choose the operator; if so, headings name it
  bool operator==(const Timings&) const = default;
};

// Returns the number of bytes that a run moves if it reads every input element once and writes every result
// once.
double least_bytes(std::int64_t inputs, std::int64_t results, int bytes_per_element);

// Returns the ceiling for `t`: the row of a copy that moves as many bytes as `t`. The copy was measured on
// the same device with the caches in the same state. If no copy moved that many bytes, returns the copy with
// the nearest number of bytes. Returns nullptr if there is no copy, if `t` is a time of the CPU, or if
// t.bytes is 0.
const Timing* ceiling_of(const Timings& all, const Timing& t);
// Returns the bandwidth of `t` divided by the bandwidth of its ceiling: from 0 to slightly above 1; negative
// if the ceiling is not known.
double share_of_ceiling(const Timings& all, const Timing& t);

// to_json() writes timings as JSON; `words` turns the reason of a missing measurement into words.
// timings_from_json() reads this JSON; `where` names the file in error messages. Throws RequestError if the
// text has no timings, is truncated, or was written by a newer program.
using Words = std::string (*)(const Message&);
std::string to_json(const Timings& t, Words words);
Timings timings_from_json(std::string_view text, const std::string& where);
// Reads timings from a file. Throws RequestError if the file cannot be read, and in the cases in which
// timings_from_json() throws.
Timings read_timings(const std::string& path);

}  // namespace upsweep
