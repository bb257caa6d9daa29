#include "ui/recording.hpp"

#include <utility>

#include "catalogue/catalogue.hpp"

namespace upsweep {

Recording make_recording(Trace trace) {
  Recording r;
  r.trace = std::move(trace);
  r.facts = facts(r.trace);
  r.work = work(r.trace);
  const Algorithm& a = algorithm(r.trace.settings.algorithm);
  r.title = a.title;
  r.text = a.text;
  r.barriers = barrier_lines(a);
  if (const auto promised = promise(a, r.trace.settings)) {
    r.expected_operations = static_cast<double>(promised->operations);
    r.expected_steps = static_cast<double>(promised->steps);
  }
  return r;
}

}  // namespace upsweep
