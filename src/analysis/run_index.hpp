// What views ask about all steps and all blocks of a run, found once: each answer takes logarithmic time,
// however many there are.
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

  // Over all steps.
  int max_degree() const { return max_degree_; }
  int max_active_lanes() const { return max_active_lanes_; }
  // Operations of the first `steps` steps.
  std::int64_t operations_of_first(int steps) const { return operations_[static_cast<std::size_t>(steps)]; }
  // Of the steps [begin, end), which are some: the first with the greatest degree and, of those, the most
  // active lanes; the first with the most operations.
  int worst_step(int begin, int end) const;
  int busiest_step(int begin, int end) const;
  // The steps with which a phase or a launch begins, and the number of steps behind them.
  const std::vector<int>& phases() const { return phases_; }

  // What ran on one multiprocessor, as indices into Trace::runs, ascending.
  struct Row {
    int sm = 0;
    std::vector<std::uint32_t> runs;
    Peaks by_begin, by_end;
    // The first of `runs` from an index on that begins or ends at a time that fits; what fits a time fits
    // every later one. The trace is the one that was indexed.
    template <class Begins, class Ends>
    std::size_t first_from(const Trace& trace, std::size_t at, Begins begins, Ends ends) const {
      const auto run = [&](std::size_t i) -> const BlockRun& { return trace.runs[runs[i]]; };
      const std::size_t first = by_end.first_from(at, [&](std::size_t i) { return ends(run(i).end); });
      return std::min(first, by_begin.first_from(at, [&](std::size_t i) { return begins(run(i).begin); }));
    }
  };
  // What of the first `rows` rows gets a box where not everything has room: by run, each with its row, those
  // whose end lies at least this much beyond the boxes before them in their row; and the chosen one, which
  // may be null. x(time) is where a time lies; a box is at least `least_box` wide.
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
      float drawn_to = 0;  // what lies left of it is covered
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
  const std::vector<Row>& rows() const {
    return rows_;
  }                                                   // by multiprocessor; those without runs are left out
  std::uint64_t begin() const { return begin_; }      // of the first run; UINT64_MAX if there is none
  std::uint64_t end() const { return end_; }          // of the last
  std::size_t in_focus() const { return in_focus_; }  // runs

 private:
  int max_degree_ = 0, max_active_lanes_ = 0;
  std::vector<std::pair<int, int>> degrees_;  // by step: its degree and active lanes
  std::vector<std::int64_t> operations_;      // of all steps before; one more at the end
  Peaks by_degree_, by_operations_;
  std::vector<int> phases_;
  std::vector<Row> rows_;
  std::uint64_t begin_ = UINT64_MAX, end_ = 0;
  std::size_t in_focus_ = 0;
};

}  // namespace upsweep
