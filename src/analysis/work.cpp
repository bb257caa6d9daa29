#include "analysis/work.hpp"

#include <algorithm>
#include <vector>

#include "analysis/span.hpp"

namespace upsweep {

Work work(const Trace& trace, Job* job) {
  std::vector<std::int64_t> in_step(trace.steps.size());
  const auto add = [&](std::uint32_t step, Kind kind, std::uint8_t detail, std::uint64_t requests,
                       std::uint64_t lanes) {
    if (kind != Kind::global_atomic && step < in_step.size())
      in_step[step] += applications(kind, detail, requests, lanes);
  };
  for (const Count& c : trace.counts) add(c.step, c.kind, c.detail, c.requests, c.lanes);
  for (const Event& e : trace.events) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(e.mask));
    if (trace.counts.empty()) add(e.step, e.kind, e.detail, 1, lanes);
    if (applies_operator(e)) in_step[e.step] += static_cast<std::int64_t>(lanes);
  }

  Work work;
  for (const std::int64_t operations : in_step) {
    work.operations += operations;
    work.steps += operations > 0;
  }
  if (const auto known = span(trace, job)) {
    work.span = known->length;
    if (known->widest >= 0) work.peak = known->widest;
    work.busiest = 0;
    for (const std::uint32_t threads : known->operating)
      work.busiest = std::max<std::int64_t>(*work.busiest, threads);
  }
  return work;
}

}  // namespace upsweep
