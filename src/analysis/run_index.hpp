// Indexes all steps and all blocks of a run. Views use this index in every frame, because the index finds a
// step or the run of a block in logarithmic time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/facts.hpp"
#include "analysis/peaks.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class RunIndex {
 public:
  RunIndex(const Trace& trace, const Facts& facts);

  // The greatest degree of any step (see worst_step()), and the largest number of active lanes of any step.
  int max_degree() const { return max_degree_; }
  int max_active_lanes() const { return max_active_lanes_; }
  // The number of operations in the first `steps` steps.
  std::int64_t operations_of_first(int steps) const { return operations_[static_cast<std::size_t>(steps)]; }
  // Returns the step in [begin, end) with the greatest degree. The degree of a step is the n of the step's
  // worst n-way bank conflict. If several steps have the greatest degree, returns the one with the most
  // active lanes, or the first of several such steps. Requires begin < end.
  int worst_step(int begin, int end) const;
  // Returns the step in [begin, end) with the most operations, or the first of several such steps. Requires
  // begin < end.
  int busiest_step(int begin, int end) const;
  // Returns the steps at which a phase of a launch begins, ascending. The last entry is the number of all
  // steps.
  const std::vector<int>& phases() const { return phases_; }

  // The runs of blocks on one multiprocessor.
  struct Row {
    int sm = 0;
    std::vector<std::uint32_t> runs;  // indices into Trace::runs, ascending
    Peaks by_begin, by_end;
    // Returns the smallest index i >= `at` of a run that fits, or the number of runs if no run fits. A run
    // fits if begins() is true for the run's begin, or if ends() is true for the run's end. Requires that
    // begins() and ends() are monotonic: a function that is true for a time is true for all later times.
    // `trace` must be the trace that was indexed.
    template <class Begins, class Ends>
    std::size_t first_from(const Trace& trace, std::size_t at, Begins begins, Ends ends) const {
      const auto run = [&](std::size_t i) -> const BlockRun& { return trace.runs[runs[i]]; };
      const std::size_t first = by_end.first_from(at, [&](std::size_t i) { return ends(run(i).end); });
      return std::min(first, by_begin.first_from(at, [&](std::size_t i) { return begins(run(i).begin); }));
    }
  };
  // Chooses the runs that a picture draws as boxes in its first `rows` rows. Returns each run with its row,
  // sorted by run. A run is left out if its box would extend less than `least` beyond the previous boxes in
  // the same row. The run `chosen` is never left out; `chosen` may be null.
  //
  // x(time) is the position of a time, and every box is at least `least_box` wide.
  static constexpr float least_box = 1.5f;
  template <class X>
  std::vector<std::pair<std::uint32_t, int>> with_room(const Trace& trace, int rows, float least,
                                                       const BlockRun* chosen, X x) const {
    std::vector<std::pair<std::uint32_t, int>> all;
    for (int k = 0; k < rows; ++k) {
      const Row& row = rows_[static_cast<std::size_t>(k)];
      const std::size_t count = row.runs.size();
      std::size_t special = count;
      if (chosen && chosen->sm == row.sm)
        special = static_cast<std::size_t>(
            std::lower_bound(row.runs.begin(), row.runs.end(), chosen - trace.runs.data()) -
            row.runs.begin());
      float drawn_to = 0;  // the right end of the boxes that were chosen already
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t next = row.first_from(
            trace, i, [&](std::uint64_t begin) { return x(begin) + least_box - drawn_to >= least; },
            [&](std::uint64_t end) { return x(end) - drawn_to >= least; });
        i = i <= special ? std::min(next, special) : next;
        if (i == count) break;
        const BlockRun& r = trace.runs[row.runs[i]];
        drawn_to = std::max({drawn_to, x(r.end), x(r.begin) + least_box});
        all.emplace_back(row.runs[i], k);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  // Sorted by multiprocessor. A multiprocessor without runs has no row.
  const std::vector<Row>& rows() const { return rows_; }
  // Returns the time at which the first run begins; UINT64_MAX if there are no runs.
  std::uint64_t begin() const { return begin_; }
  // Returns the time at which the last run ends; 0 if there are no runs.
  std::uint64_t end() const { return end_; }
  // The number of runs whose blocks are in focus.
  std::size_t in_focus() const { return in_focus_; }

 private:
  int max_degree_ = 0, max_active_lanes_ = 0;
  std::vector<std::pair<int, int>> degrees_;  // for each step: the degree and the number of active lanes
  // The number of operations before each step; the last entry counts the operations of all steps.
  std::vector<std::int64_t> operations_;
  Peaks by_degree_, by_operations_;
  std::vector<int> phases_;
  std::vector<Row> rows_;
  std::uint64_t begin_ = UINT64_MAX, end_ = 0;
  std::size_t in_focus_ = 0;
};

}  // namespace upsweep
