// A recording: the trace of one run, and everything that is derived from it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/block_protocol.hpp"
#include "analysis/facts.hpp"
#include "analysis/hazards.hpp"
#include "analysis/place.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "analysis/wrong_result.hpp"
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class BlockIndex;
struct StepAction;
class RunIndex;
struct StepIndex;

// A trace and everything that is derived from it, shared by all views. Trees, indices and hazards are
// computed on first use, by any of several threads.
struct Recording {
  Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  Trace trace;
  Facts facts;
  Work work;
  // The results of the catalogue's formulas for this n, for comparison with the counts; -1 without a formula.
  double expected_operations = -1, expected_steps = -1, expected_span = -1;
  // The mean of the input, for a reduction to its sum: the sum divided by n. None if the sum is wrong or
  // wrapped.
  std::optional<double> mean;
  // If a scan is right: the values that turn its output into the output of the other kind of scan.
  struct OtherScan {
    bool is_exclusive = false;  // the output comes from an exclusive scan
    Value identity, total;      // the first value of an exclusive scan; the last value of an inclusive scan
  };
  std::optional<OtherScan> other_scan;
  Message mistake;  // says where the output differs from a sequential loop's; empty if the output is right
  std::optional<WrongResult> wrong;  // which element differs first, and where the run goes wrong
  std::string title;                 // "Blelloch scan"
  std::string text;                  // the kernel's text with all its barriers; empty if it is the trace's
  std::vector<int> barriers;         // lines with a barrier that can be taken out

  // The tree of one block, the index of one block, the index of one step, the actions of one step, and the
  // words that the blocks of a grid exchange. A returned reference is valid until the same function has been
  // called with 64 other arguments; this holds for worst_steps(), too.
  const Tree& tree(int grid = 0, int block = 0) const;
  const BlockIndex& block(int grid, int block) const;
  const StepIndex& step(int block, int step) const;
  const std::vector<StepAction>& actions(int block, int step) const;
  const BlockProtocol& talk(int grid) const;
  // Returns the index of all steps and blocks.
  const RunIndex& run() const;
  // The worst step of the first `together` steps, of the next `together` steps, and so on (see
  // RunIndex::worst_step).
  const std::vector<int>& worst_steps(int together) const;

  // Computes in advance everything above that takes longer than a frame, for all blocks or only for the
  // first block of each grid. Throws Cancelled if the job is cancelled meanwhile.
  void prepare(Job* job, bool all_blocks) const;

  // Returns the hazards, or null until find_hazards() has ended. The first picture must not wait for them,
  // because they take longer than the rest of the analysis.
  const Hazards* hazards() const noexcept;
  // Returns the hazards. If they are not known yet, finds them in the caller's thread. Throws Cancelled if
  // the job is cancelled meanwhile; a later call then starts again.
  const Hazards& find_hazards(Job* job = nullptr) const;

 private:
  struct Later;
  std::unique_ptr<Later> later_;
};

// Returns the tree at a place: the tree of its block in the grid of its step.
const Tree& tree_at(const Recording& recording, const Place& place);

}  // namespace upsweep
