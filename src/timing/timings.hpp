// What kernels cost at full size: measured times of one computer, made in one run or read from a recording of
// another's.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// Of repeated measurements. Seconds; the quartiles are those of the sorted samples, interpolated.
struct Spread {
  double median = 0, lower_quartile = 0, upper_quartile = 0, least = 0, most = 0;
  int count = 0;  // samples; 0 where nothing was measured
  bool operator==(const Spread&) const = default;
};
// Throws nothing; no samples give a Spread of count 0.
Spread spread_of(std::span<const double> seconds);

// Who was measured.
enum class Contender {
  kernel,   // one of the catalogue's, on the fast machine
  copy,     // the ceiling: n elements read and n written, by the better of cudaMemcpy and our own copy kernel
  library,  // CUB, from the CUDA toolkit
  processor  // the CPU
};

// What the caches held when a run began.
enum class Cache {
  warm,  // what the run before it left there
  cold   // nothing of its data: rotated buffers and a flush of L2 in between
};

// One contender at one size.
struct Timing {
  Contender contender = Contender::kernel;
  std::string name;  // "scan_blelloch", "cub::DeviceScan", "cudaMemcpy", "std::inclusive_scan"
  std::string
      variant;  // what sets it apart from others of that name: "pad32", "items=3"; empty for the first choice
  Settings settings;  // n, type, operator and, of kernels, all else
  Cache cache = Cache::cold;
  Spread seconds;
  // Bytes that it has to move at the least: every input element read once, every result written once.
  double bytes = 0;
  double excess_wavefronts = -1;  // predicted, of shared memory; -1 where it is not known
  Message missing;                // why nothing was measured; none if something was
  bool operator==(const Timing&) const = default;

  double bytes_per_second() const { return seconds.count > 0 ? bytes / seconds.median : 0; }
  double elements_per_second() const { return seconds.count > 0 ? settings.n / seconds.median : 0; }
};

struct Timings {
  static constexpr int version = 1;
  std::string device;           // "NVIDIA H200"
  std::string driver;           // "580.159.04"; empty without one
  std::string processor;        // the CPU's name
  std::string date;             // ISO 8601, UTC
  std::string program;          // Upsweep's version
  double memory_bandwidth = 0;  // of the data sheet, in bytes a second; 0 where it is not known
  Spread launch_overhead;       // of an empty kernel, from its launch to its end
  std::string recorded;         // where it was recorded, if not here and now: the file's name
  std::vector<Timing> rows;     // as they were measured
  bool operator==(const Timings&) const = default;
};

// Bytes that have to be moved at the least: every input element read once, every result written once.
double least_bytes(std::int64_t inputs, std::int64_t results, int bytes_per_element);

// The ceiling for `t`: the time in which the same bytes are copied on the same device, measured in the same
// run with the caches in the same state; where those very bytes were not, the nearest number of them. nullptr
// if there is none: the CPU has none.
const Timing* ceiling_of(const Timings& all, const Timing& t);
// Of that ceiling's bandwidth, from 0 to 1 and a little above; negative where it is not known.
double share_of_ceiling(const Timings& all, const Timing& t);

// As JSON and back; `words` says why nothing was measured. `where` names the source in errors. Throws
// RequestError with a sentence for text that is no recording, that is truncated, or that a newer program
// wrote.
using Words = std::string (*)(const Message&);
std::string to_json(const Timings& t, Words words);
Timings timings_from_json(std::string_view text, const std::string& where);
// The same from a file; throws RequestError if it cannot be read.
Timings read_timings(const std::string& path);

}  // namespace upsweep
