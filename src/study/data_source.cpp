#include "study/data_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/data.hpp"
#include "catalogue/result.hpp"
#include "picture/read_picture.hpp"
#include "picture/small_scene.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns the pixels of a picture as elements: one number for each channel that the settings choose. Reports
// no progress, because the work for a picture takes only about a second.
std::vector<Value> elements_of(const Picture& picture, const Settings& s, const Job* job) {
  if (scalars_per_element(s.op) > 1)
    throw RequestError(tr("A pixel is one number, but an affine map needs two: choose another operator."));
  const Picture wanted = with_channels(picture, channels(s));
  std::vector<Value> elements(wanted.values.size());
  constexpr std::size_t often = 1 << 16;  // the number of elements between two checks for cancellation
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (job && i % often == 0) job->check();
    set_scalar(elements[i], s.type, 0, wanted.values[i]);
  }
  return elements;
}

}  // namespace

std::string label(const DataSource& source, int n) {
  switch (source.kind) {
    case DataSource::Kind::seed: return tr("seed {}", source.seed);
    case DataSource::Kind::preset: return source.text;
    case DataSource::Kind::typed: return tr("{} typed", n);
    case DataSource::Kind::file:
    case DataSource::Kind::picture: return std::filesystem::path(source.text).filename().string();
    case DataSource::Kind::recorded: return tr("as recorded");
    case DataSource::Kind::scene: return tr("small scene");
  }
  return {};
}

void set_picture_size(const DataSource& picture, Settings& s) {
  const PictureSize size = picture_size(picture.text);
  if (const std::int64_t pixels = std::int64_t{size.rows} * size.columns; pixels > most_recorded_pixels)
    throw RequestError(
        tr("{} has {} pixels, but a recording holds at most {}. Use a smaller picture, or filter this "
           "picture with `upsweep image`.",
           label(picture, 0), grouped(pixels), grouped(most_recorded_pixels)));
  s.n = size.rows * size.columns;
  s.columns = size.columns;
}

void choose_channels(const DataSource& data, Settings& s) {
  const bool is_open = algorithm(s.algorithm).choice("channels") && !s.choices.contains("channels");
  if (!is_open) return;
  if (data.kind == DataSource::Kind::scene ||
      (data.kind == DataSource::Kind::picture && picture_size(data.text).channels >= 3))
    s.choose("channels", "3");
}

std::vector<Value> load(const DataSource& source, Settings& s, Job* job) {
  std::vector<Value> input;
  switch (source.kind) {
    case DataSource::Kind::seed: return seeded_data(s, source.seed, job);
    case DataSource::Kind::preset: return preset_data(s, source.text, job);
    case DataSource::Kind::typed: input = parse_data(source.text, s, tr("Your input")); break;
    case DataSource::Kind::file: input = read_data(source.text, s); break;
    case DataSource::Kind::recorded:
      throw RequestError(tr("The input numbers of the recording are not available."));
    case DataSource::Kind::picture: {
      const Picture picture = read_picture(source.text, job);
      s.columns = picture.columns;
      input = elements_of(picture, s, job);
      break;
    }
    case DataSource::Kind::scene:
      return elements_of(small_scene(s.n / data_columns(s), data_columns(s), job).colour, s, job);
  }
  const int each = channels(s), count = static_cast<int>(input.size());
  if (count % each != 0)
    throw RequestError(
        tr("{} numbers do not make whole pixels: give {} numbers for each pixel.", count, each));
  s.n = count / each;
  return input;
}

}  // namespace upsweep
