#include "measure/run_cost.hpp"

#include <algorithm>

#include "catalogue/plan.hpp"

namespace upsweep {

double in_a_row(const Algorithm& a, const Settings& s) {
  double threads = 1;
  double each = 0;  // the number of elements per thread, added over all launches
  for (const PlannedLaunch& l : plan(a, s).launches) {
    threads = std::max(threads, 1. * l.blocks * l.threads);
    each += s.n / (1. * l.blocks * l.threads);
  }
  // If some of the launched threads never work, the number of steps is a better estimate than operations per
  // thread.
  const double steps = static_cast<double>(Formula(a.steps, a.variables)(quantities(a, s, s.n)));
  return std::max({steps, applications(a, s) / threads, each});
}

}  // namespace upsweep
