// A recording: the trace of one run, and everything that is derived from it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/allotment.hpp"
#include "analysis/facts.hpp"
#include "analysis/global_state.hpp"
#include "analysis/hazards.hpp"
#include "analysis/place.hpp"
#include "analysis/recorded_table.hpp"
#include "analysis/signal.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "analysis/wrong_result.hpp"
#include "base/message.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class BlockIndex;
struct Incident;
struct KeyPass;
struct Moves;
struct StepAction;
class RunIndex;
struct StepIndex;
struct TimeLine;

// A trace and everything that is derived from it, shared by all views. Trees, indices and hazards are
// computed in the thread that uses them first.
struct Recording {
  Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  Trace trace;
  Facts facts;
  Work work;
  // The predictions of the catalogue's formulas for this n, which are compared with the counts; -1 without a
  // formula.
  double expected_operations = -1, expected_steps = -1, expected_span = -1;
  // The mean of the input, which is the sum divided by n, for a reduction with the operator sum. Empty if the
  // sum is wrong, or if it wrapped because it was too large for its type.
  std::optional<double> mean;
  // The values with which the window also shows the other kind of scan: inclusive for an exclusive scan, and
  // the reverse. Set only if a scan's result is right.
  struct OtherScan {
    bool is_exclusive = false;  // whether the run was an exclusive scan
    Value identity, total;      // the first value of an exclusive scan; the last value of an inclusive scan
  };
  std::optional<OtherScan> other_scan;
  // The shape of the picture, if the run made its summed-area table.
  std::optional<PictureShape> picture;
  std::optional<Signal> signal;        // set for a linear recurrence
  std::optional<Allotment> allotment;  // set for an allocation
  Message mistake;                     // says where the output is wrong; empty if it is right
  std::optional<WrongResult> wrong;    // which element differs first, and where the run goes wrong
  std::string title;                   // "Blelloch scan"
  // The title and the task for a reader who looks for the mistake, if the kernel is broken on purpose.
  Message puzzle_title, puzzle;
  // The kind of result, as the field Gives of the kernel's file names it: "sorting". Empty if it is not
  // known.
  std::string result;
  bool only_moves = false;  // the output has elements of the input, and nothing is computed
  // Set only for a sort. The numbers by which the elements of the input are sorted (their order bits).
  std::vector<std::uint32_t> order;
  std::string text;  // the kernel's text with all its barriers; if it is empty, views show Trace::text
  const std::string& shown_text() const { return text.empty() ? trace.text : text; }
  std::vector<int> barriers;  // lines with a barrier that can be taken out

  // The later rows of the tree, without nodes, if the recording ends before a hidden step. tree() adds these
  // rows, so that the tree keeps its size when the steps are shown.
  struct LaterRows {
    int grid = -1;  // the grid of these rows; -1 if nothing is hidden
    int columns = 0;
    std::vector<TreeRow> rows;
  } later_rows;

  // These functions return the tree of one block, the index of one block, the index of one step, and the
  // actions of one step. Each function, and worst_steps(), keeps its last 64 results. A returned reference is
  // valid until that function has been called with 64 other arguments.
  const Tree& tree(int grid = 0, int block = 0) const;
  const BlockIndex& block(int grid, int block) const;
  const StepIndex& step(int block, int step) const;
  const std::vector<StepAction>& actions(int block, int step) const;
  // Returns what the blocks of all grids do to each other over time. Throws Cancelled if the job is cancelled
  // meanwhile.
  const TimeLine& time_line(const Job* job = nullptr) const;
  // Returns whether time_line() takes less time than one frame of the window.
  bool has_time_line() const;
  // Returns the contents of a buffer of global memory after a step, see global_state(). Keeps only its last 8
  // results, because a buffer may be large. Throws Cancelled if the job is cancelled meanwhile.
  const GlobalState& global(int buffer, int step, const Job* job = nullptr) const;
  // Returns the picture and the table. Requires that `picture` has a value.
  const RecordedTable& table() const;
  // Returns the index of all steps and blocks.
  const RunIndex& run() const;
  // Returns where the elements of the input go.
  const Moves& moves() const;
  // Returns the pass of a sort to which a step belongs, with the keys of the block or of all blocks. Keeps
  // its last 64 results, as the functions above do. Throws Cancelled if the job is cancelled meanwhile.
  const std::optional<KeyPass>& key_pass(int block, int step, const Job* job = nullptr) const;
  // Returns whether key_pass() takes less time than one frame of the window.
  bool has_key_pass(int block, int step) const;
  // Divides the steps into groups of `together` steps, and returns the worst step of each group (see
  // RunIndex::worst_step).
  const std::vector<int>& worst_steps(int together) const;

  // Computes in advance the results that may take longer than one frame of the window. These are run(),
  // table(), moves(), the tree and index of each grid's first block, and the steps and actions of these
  // blocks or of all blocks. Throws Cancelled if the job is cancelled meanwhile.
  void prepare(Job* job, bool all_blocks) const;

  // Returns the hazards, or null if find_hazards() has not ended yet. Finding hazards takes longer than the
  // rest of the analysis, so the first picture is drawn without them.
  const Hazards* hazards() const noexcept;
  // Returns the hazards. If they are not known yet, finds them in the caller's thread. Throws Cancelled if
  // the job is cancelled meanwhile; a later call then starts again.
  const Hazards& find_hazards(Job* job = nullptr) const;
  // Returns what the recording tells about each finding, in the order of hazards()->findings. Requires that
  // hazards() is not null.
  const std::vector<Incident>& incidents() const;

 private:
  struct Later;
  std::unique_ptr<Later> later_;
};

// Returns the tree that a place shows. This is the tree of the place's block, in the grid of the place's
// step.
const Tree& tree_at(const Recording& recording, const Place& place);

}  // namespace upsweep
