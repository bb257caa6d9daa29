#include "measure/opengl_bench.hpp"

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"

namespace upsweep {

bool runs_on_opengl(const Timing& row) {
  return row.contender == Contender::kernel && algorithm(row.settings.algorithm).language == Language::glsl;
}

void OpenGlBench::name_renderer(Timing& row) const {
  const std::string device = machine_.device();
  if (machine_.is_software())
    row.variant += (row.variant.empty() ? "" : " ") + device.substr(0, device.find(' '));
}

Message OpenGlBench::mistake(const Settings& s) {
  constexpr std::uint64_t exact = 2;  // for an even seed, random_data() returns floats whose sums are exact
  const std::vector<Value> data = random_data(s, exact);
  return check(s, data, machine_.run(s, data));
}

double OpenGlBench::seconds(const Settings& s, Cache cache) {
  if (s != prepared_) {
    prepared_ = {.n = 0};
    machine_.begin_timing(s);
    prepared_ = s;
    machine_.time(false);  // compiles the passes
  }
  return machine_.time(cache == Cache::cold);
}

void OpenGlBench::forget() {
  prepared_ = {.n = 0};
  machine_.end_timing();
}

}  // namespace upsweep
