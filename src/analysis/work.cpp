#include "analysis/work.hpp"

#include <algorithm>
#include <vector>

namespace upsweep {

Work work(const Trace& trace) {
  std::vector<std::int64_t> in_step(trace.steps.size());
  if (trace.counts.empty()) {
    for (const Event& e : trace.events)
      if (e.kind == Kind::operation) in_step[e.step] += std::popcount(e.mask);
  } else {
    for (const Count& c : trace.counts)
      if (c.kind == Kind::operation && c.step < in_step.size())
        in_step[c.step] += static_cast<std::int64_t>(c.lanes);
  }
  for (const Event& e : trace.events)
    if (applies_operator(e)) in_step[e.step] += std::popcount(e.mask);

  Work work;
  for (const std::int64_t operations : in_step) {
    work.operations += operations;
    work.steps += operations > 0;
    work.peak = std::max(work.peak, operations);
  }
  if (work.steps > 0) work.average = static_cast<double>(work.operations) / work.steps;
  return work;
}

}  // namespace upsweep
