// Where the input comes from: a seed, a preset, numbers typed in the window, a file, or a recording.
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

// The source in the words of the top bar: "seed 3", "ones", "10 numbers", "values.txt".
std::string label(const DataSource& source, int n);

// Whether n is how many numbers there are: those typed or from a file.
inline bool decides_n(const DataSource& source) {
  return source.kind == DataSource::Kind::typed || source.kind == DataSource::Kind::file;
}

// The input of `s.n` elements. Numbers typed or from a file decide n themselves: s.n is set to how many there
// are. Throws RequestError with a sentence on what cannot be read. Recorded numbers are not loaded: the
// session has them. A job hears of the progress; throws Cancelled when it is cancelled.
std::vector<Value> load(const DataSource& source, Settings& s, Job* job = nullptr);

}  // namespace upsweep
