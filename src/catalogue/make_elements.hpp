// Makes long lists of elements, and reports the progress to a job.
#pragma once
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns n elements: element(0), element(1), ... in this order. Reports progress to the job, and throws
// Cancelled if the job is cancelled.
template <class F>
std::vector<Value> make_elements(int n, Job* job, F element) {
  constexpr int at_a_time = 1 << 14;  // elements between two checks of the job: about a millisecond
  std::vector<Value> data;
  data.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    if (job && i % at_a_time == 0) {
      job->check();
      job->set_progress(static_cast<double>(i) / n);
    }
    data.push_back(element(i));
  }
  return data;
}

}  // namespace upsweep
