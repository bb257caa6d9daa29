// Lets analyses end soon after their job is cancelled.
#pragma once
#include "analysis/tree.hpp"
#include "base/job.hpp"

namespace upsweep {

// Returns the same tree as tree(trace, grid, block). Throws Cancelled soon after the job is cancelled.
Tree tree(const Trace& trace, int grid, int block, const Job* job);

// Throws Cancelled if the job is cancelled. Only every 4,096th call looks at the job, because each look takes
// time.
class CancelCheck {
 public:
  explicit CancelCheck(const Job* job) : job_(job) {}
  void operator()() {
    if (++calls_ % 4096 == 0 && job_) job_->check();
  }

 private:
  const Job* job_;
  unsigned calls_ = 0;
};

}  // namespace upsweep
