#include "ui/shipped.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "embedded/traces.hpp"
#include "trace/file.hpp"
#include "ui/recording.hpp"

namespace upsweep {
namespace {

std::string_view stem(std::string_view name) {
  if (name.ends_with(trace_extension)) name.remove_suffix(trace_extension.size());
  return name;
}

}  // namespace

std::span<const Shipped> shipped_recordings() {
  static const std::vector<Shipped> all = [] {
    std::vector<Shipped> list;
    for (const EmbeddedFile& file : embedded_traces()) {
      const Trace t = unpack(file.bytes, std::string(file.name));
      list.push_back({std::string(stem(file.name)), t.settings, algorithm_of(t)->title, t.device, t.date,
                      file.bytes.size()});
    }
    return list;
  }();
  return all;
}

Trace open_recording(const std::string& name) {
  std::error_code error;
  if (std::filesystem::exists(name, error)) return read_trace(name);
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_traces()) {
    if (stem(file.name) == stem(name)) return unpack(file.bytes, name);
    names.push_back(stem(file.name));
  }
  try {
    return read_trace(name);
  } catch (const RequestError& e) {
    const std::string_view meant = nearest(stem(name), names);
    if (meant.empty()) throw;
    throw RequestError(
        fmt::format("{} Among the recordings that come with Upsweep there is {}.", e.what(), meant));
  }
}

}  // namespace upsweep
