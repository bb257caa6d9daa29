#include "analysis/run_index.hpp"

#include <algorithm>
#include <utility>

#include "analysis/memory.hpp"

namespace upsweep {

RunIndex::RunIndex(const Trace& trace, const Facts& facts) {
  degrees_.reserve(facts.steps.size());
  operations_.reserve(facts.steps.size() + 1);
  operations_.push_back(0);
  for (const StepFacts& f : facts.steps) {
    operations_.push_back(operations_.back() + f.totals.operations);
    degrees_.emplace_back(f.max_degree, f.active_lanes);
    max_degree_ = std::max(max_degree_, f.max_degree);
    max_active_lanes_ = std::max(max_active_lanes_, f.active_lanes);
  }
  by_degree_ = Peaks(degrees_.size(), [&](std::size_t s) { return degrees_[s]; });
  by_operations_ = Peaks(degrees_.size(), [&](std::size_t s) { return operations_[s + 1] - operations_[s]; });

  const int steps = static_cast<int>(trace.steps.size());
  for (int g = 0; g < static_cast<int>(trace.grids.size()); ++g) {
    const int first = static_cast<int>(trace.grids[static_cast<std::size_t>(g)].first_step);
    for (int s = first; s < std::min(steps, end_step(trace, g)); ++s)
      if (s == first || trace.steps[static_cast<std::size_t>(s)].phase !=
                            trace.steps[static_cast<std::size_t>(s) - 1].phase)
        phases_.push_back(s);
  }
  phases_.push_back(steps);

  std::vector<int> row_of;  // the row of each multiprocessor, or -1 if the multiprocessor ran no block
  for (const BlockRun& r : trace.runs) {
    if (r.sm >= row_of.size()) row_of.resize(r.sm + 1u, -1);
    row_of[r.sm] = 0;
    begin_ = std::min(begin_, r.begin);
    end_ = std::max(end_, r.end);
    in_focus_ += r.in_focus;
  }
  for (std::size_t sm = 0; sm < row_of.size(); ++sm)
    if (row_of[sm] >= 0) {
      row_of[sm] = static_cast<int>(rows_.size());
      rows_.push_back({static_cast<int>(sm), {}, {}, {}});
    }
  for (std::uint32_t i = 0; i < trace.runs.size(); ++i)
    rows_[static_cast<std::size_t>(row_of[trace.runs[i].sm])].runs.push_back(i);
  for (Row& row : rows_) {
    const auto run = [&](std::size_t i) -> const BlockRun& { return trace.runs[row.runs[i]]; };
    row.by_begin = Peaks(row.runs.size(), [&](std::size_t i) { return run(i).begin; });
    row.by_end = Peaks(row.runs.size(), [&](std::size_t i) { return run(i).end; });
  }
}

int RunIndex::worst_step(int begin, int end) const {
  return static_cast<int>(by_degree_.first_greatest(static_cast<std::size_t>(begin),
                                                    static_cast<std::size_t>(end),
                                                    [&](std::size_t s) { return degrees_[s]; }));
}

int RunIndex::busiest_step(int begin, int end) const {
  return static_cast<int>(
      by_operations_.first_greatest(static_cast<std::size_t>(begin), static_cast<std::size_t>(end),
                                    [&](std::size_t s) { return operations_[s + 1] - operations_[s]; }));
}

}  // namespace upsweep
