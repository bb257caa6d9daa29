#include "study/timing_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/language.hpp"
#include "timing/shipped.hpp"

namespace upsweep {
namespace {

// Returns the name of the device on which the times were measured: the GPU, or the CPU if there was no GPU.
const std::string& machine_of(const Timings& t) { return t.device.empty() ? t.processor : t.device; }

std::string day(const Timings& t) { return t.date.substr(0, 10); }

}  // namespace

TimingSource source_of(std::string name, Timings timings, bool live) {
  TimingSource source{std::move(name), nullptr, live};
  for (const Timing& t : timings.rows) {
    source.least_n = source.least_n == 0 ? t.settings.n : std::min(source.least_n, t.settings.n);
    source.most_n = std::max(source.most_n, t.settings.n);
  }
  if (!live) source.cases = cases_of(timings);
  source.timings = std::make_shared<const Timings>(std::move(timings));
  return source;
}

std::vector<TimingSource> shipped_sources() {
  static const std::vector<TimingSource> all = [] {
    std::vector<TimingSource> sources;
    for (const Timings& t : shipped_timings()) sources.push_back(source_of(t.recorded, t));
    return sources;
  }();
  return all;
}

std::string short_text(const TimingSource& s, bool with_date) {
  if (s.live) return tr("this computer, live");
  const std::string &machine = machine_of(*s.timings), &name = machine.empty() ? s.name : machine;
  return name + tr(", recorded") + (with_date && !s.timings->date.empty() ? " " + day(*s.timings) : "");
}

std::string origin_line(const TimingSource& s) {
  const Timings& t = *s.timings;
  const std::string& machine = machine_of(t);
  std::string line = s.live ? tr("measured here") : tr("recorded");
  if (!machine.empty()) line += (s.live ? ", " : tr(" on ")) + machine;
  if (!t.date.empty()) line += tr(", ") + day(t);
  if (!t.driver.empty()) line += tr(" · driver ") + t.driver;
  if (!t.program.empty()) line += tr(" · Upsweep ") + t.program;
  return line;
}

}  // namespace upsweep
