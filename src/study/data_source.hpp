// Loads the input data from their source: a seed, a preset, numbers typed in the window, a file, a recording,
// a picture, or the scene that comes with Upsweep.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct DataSource {
  enum class Kind { seed, preset, typed, file, recorded, picture, scene } kind = Kind::seed;
  std::uint64_t seed = 3;
  std::string text{};  // the preset's name, the numbers as typed, or the path of a file or a picture

  bool operator==(const DataSource&) const = default;
};

// Returns a short text about the source of the data, as the top bar shows it: "seed 3", "ones", "10 typed" or
// "values.txt".
std::string label(const DataSource& source, int n);

// Returns whether the data decide n. In that case, n is the count of the typed numbers, of the numbers in the
// file, or of the pixels of the picture.
inline bool decides_n(const DataSource& source) {
  return source.kind == DataSource::Kind::typed || source.kind == DataSource::Kind::file ||
         source.kind == DataSource::Kind::picture;
}

// The largest number of pixels of a recorded picture. A recording of this many grey pixels takes about 4 GB.
inline constexpr std::int64_t most_recorded_pixels = 1 << 25;

// Sets s.n and s.columns to the size of a picture. Reads only the file's header. Throws the same errors as
// read_picture(), and RequestError if the picture has more than most_recorded_pixels pixels.
void set_picture_size(const DataSource& picture, Settings& s);

// Chooses three channels for a colour picture or for the scene. Changes nothing if the algorithm cannot have
// three channels, or if the settings already contain the number of channels. Throws the same errors as
// set_picture_size().
void choose_channels(const DataSource& data, Settings& s);

// Returns the input: one value for each of `s.n` elements, or three values for each pixel if pixels have
// three channels. If the data decide n, s.n is set to the number of elements, and s.columns to a picture's
// width. The elements of a picture, and of the scene that comes with Upsweep, are numbers from 0 to 255: grey
// values, or red, green and blue if the settings choose three channels.
//
// Throws RequestError if the data cannot be read, or if source.kind is `recorded`. Reports progress to a job,
// and throws Cancelled if the job is cancelled.
std::vector<Value> load(const DataSource& source, Settings& s, Job* job = nullptr);

}  // namespace upsweep
