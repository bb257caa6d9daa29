// The source of the input data: a seed, a preset, numbers typed in the window, a file, or a recording.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct DataSource {
  enum class Kind { seed, preset, typed, file, recorded } kind = Kind::seed;
  std::uint64_t seed = 3;
  std::string text;  // the preset's name, the numbers as typed, or the file's path

  bool operator==(const DataSource&) const = default;
};

// Returns the source as the top bar shows it, such as "seed 3", "ones", "10 numbers" or "values.txt".
std::string label(const DataSource& source, int n);

// Returns whether n follows from the data: typed numbers and numbers from a file set n to their count.
inline bool decides_n(const DataSource& source) {
  return source.kind == DataSource::Kind::typed || source.kind == DataSource::Kind::file;
}

// Returns the input of `s.n` elements, or of three times as many numbers if a pixel has three. If the numbers
// are typed or from a file, s.n is set to their count. Throws RequestError with a sentence if the data cannot
// be read. Recorded numbers are not loaded here, because the session has them. Reports progress to a job, and
// throws Cancelled if the job is cancelled.
std::vector<Value> load(const DataSource& source, Settings& s, Job* job = nullptr);

}  // namespace upsweep
