#include "study/shipped.hpp"

#include <vector>

#include "base/shipped.hpp"
#include "embedded/traces.hpp"
#include "study/recording.hpp"
#include "trace/file.hpp"

namespace upsweep {

std::span<const Shipped> shipped_recordings() {
  static const std::vector<Shipped> all = [] {
    std::vector<Shipped> list;
    for (const EmbeddedFile& file : embedded_traces()) {
      const Trace t = unpack(file.bytes, std::string(file.name));
      list.push_back({std::string(stem(file.name, trace_extension)), t.settings, algorithm_of(t)->title,
                      t.device, t.date, file.bytes.size()});
    }
    return list;
  }();
  return all;
}

Trace open_recording(const std::string& name) {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_traces()) names.push_back(stem(file.name, trace_extension));
  return file_or_shipped(name, trace_extension, names, read_trace,
                         [&](std::size_t i) { return unpack(embedded_traces()[i].bytes, name); });
}

}  // namespace upsweep
