#include "timing/shipped.hpp"

#include <vector>

#include "base/shipped.hpp"
#include "embedded/timings.hpp"

namespace upsweep {
namespace {

constexpr std::string_view extension = ".json";

}  // namespace

std::span<const Timings> shipped_timings() {
  static const std::vector<Timings> all = [] {
    std::vector<Timings> list;
    for (const EmbeddedFile& file : embedded_timings())
      list.push_back(timings_from_json(file.bytes, std::string(stem(file.name, extension))));
    return list;
  }();
  return all;
}

Timings open_timings(const std::string& name) {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_timings()) names.push_back(stem(file.name, extension));
  return file_or_shipped(name, extension, names, read_timings,
                         [](std::size_t i) { return shipped_timings()[i]; });
}

}  // namespace upsweep
