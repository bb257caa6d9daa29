#include "ui/recording.hpp"

#include <bit>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "catalogue/formula.hpp"

namespace upsweep {

Recording make_recording(Trace trace) {
  Recording r;
  r.trace = std::move(trace);
  r.facts = facts(r.trace);
  r.tree = tree(r.trace);
  r.work = work(r.trace);
  const Algorithm& a = algorithm(r.trace.settings.algorithm);
  r.title = a.title;
  // The formulas hold for powers of two: a tree is always filled up to one, other algorithms take n as it is.
  if (const auto n = static_cast<unsigned>(r.trace.grids.front().shared.elements); std::has_single_bit(n)) {
    r.expected_operations = static_cast<double>(Formula(a.operations, 'n')(n));
    r.expected_steps = static_cast<double>(Formula(a.steps, 'n')(n));
  }
  return r;
}

}  // namespace upsweep
