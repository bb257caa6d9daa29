#include "study/data_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "catalogue/data.hpp"

namespace upsweep {

std::string label(const DataSource& source, int n) {
  switch (source.kind) {
    case DataSource::Kind::seed: return fmt::format("seed {}", source.seed);
    case DataSource::Kind::preset: return source.text;
    case DataSource::Kind::typed: return fmt::format("{} typed", n);
    case DataSource::Kind::file: return std::filesystem::path(source.text).filename().string();
    case DataSource::Kind::recorded: return "as recorded";
  }
  return {};
}

std::vector<Value> load(const DataSource& source, Settings& s, Job* job) {
  std::vector<Value> input;
  switch (source.kind) {
    case DataSource::Kind::seed: return seeded_data(s, source.seed, job);
    case DataSource::Kind::preset: return preset_data(s, source.text, job);
    case DataSource::Kind::typed: input = parse_data(source.text, s, "Your input"); break;
    case DataSource::Kind::file: input = read_data(source.text, s); break;
    case DataSource::Kind::recorded:
      throw RequestError("The input numbers of the recording are not available.");
  }
  const int each = channels(s), count = static_cast<int>(input.size());
  if (count % each != 0)
    throw RequestError(fmt::format("{} numbers are no whole pixels: give {} numbers for each.", count, each));
  s.n = count / each;
  return input;
}

}  // namespace upsweep
