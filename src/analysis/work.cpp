#include "analysis/work.hpp"

#include <algorithm>
#include <vector>

namespace upsweep {

Work work(const Trace& trace) {
  std::vector<int> in_step(trace.steps.size());
  for (const Event& e : trace.events)
    if (e.kind == Kind::operation) in_step[e.step] += std::popcount(e.mask);

  Work work;
  for (const int operations : in_step) {
    work.operations += operations;
    work.steps += operations > 0;
    work.peak = std::max(work.peak, operations);
  }
  if (work.steps > 0) work.average = static_cast<double>(work.operations) / work.steps;
  return work;
}

}  // namespace upsweep
