#include "timing/shipped.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "embedded/timings.hpp"

namespace upsweep {
namespace {

constexpr std::string_view extension = ".json";

std::string_view stem(std::string_view name) {
  if (name.ends_with(extension)) name.remove_suffix(extension.size());
  return name;
}

}  // namespace

std::span<const Timings> shipped_timings() {
  static const std::vector<Timings> all = [] {
    std::vector<Timings> list;
    for (const EmbeddedFile& file : embedded_timings())
      list.push_back(timings_from_json(file.bytes, std::string(stem(file.name))));
    return list;
  }();
  return all;
}

Timings open_timings(const std::string& name) {
  std::error_code error;
  if (std::filesystem::exists(name, error)) return read_timings(name);
  std::vector<std::string_view> names;
  for (const Timings& t : shipped_timings()) {
    if (t.recorded == stem(name)) return t;
    names.push_back(t.recorded);
  }
  try {
    return read_timings(name);
  } catch (const RequestError& e) {
    const std::string_view meant = nearest(stem(name), names);
    if (meant.empty()) throw;
    throw RequestError(
        fmt::format("{} Among the recordings that come with Upsweep there is {}.", e.what(), meant));
  }
}

}  // namespace upsweep
