// Defines a recording: the trace of one run, and everything that is derived from the trace.
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
  // The work (number of operations), the steps and the span that the catalogue's formulas predict for this n;
  // -1 if there is no formula. These numbers are compared with the counts of the run.
  double expected_operations = -1, expected_steps = -1, expected_span = -1;
  // True if the recording comes from a file. Such a recording cannot run again.
  bool is_opened = false;
  bool is_part =
      false;  // true if the later steps are hidden until the user answers a question; totals leave them out
  // The mean of the input: the sum divided by n. Set only for a reduction with the operator `sum`. Empty if
  // the sum is wrong, or if the sum has wrapped around.
  std::optional<double> mean;
  // With these values, the window also shows the other kind of scan: inclusive if the run was an exclusive
  // scan, and exclusive if the run was an inclusive scan. Set only if the run is a scan whose result is
  // correct.
  struct OtherScan {
    bool is_exclusive = false;  // whether the run was an exclusive scan
    Value identity, total;      // the first value of an exclusive scan; the last value of an inclusive scan
  };
  std::optional<OtherScan> other_scan;
  // The shape of the picture, if the run made the picture's summed-area table.
  std::optional<PictureShape> picture;
  std::optional<Signal> signal;        // set for a linear recurrence
  std::optional<Allotment> allotment;  // set for an allocation
  Message mistake;                     // says where the output is wrong; empty if the output is correct
  std::optional<WrongResult> wrong;    // the first wrong element, and the place where the run goes wrong
  std::string title;                   // "Blelloch scan"
  // The title and the task for a reader who looks for the kernel's mistake. Empty if the kernel is not broken
  // on purpose.
  Message puzzle_title, puzzle;
  // The kind of result, from the field `Gives` of the kernel's file: "sorting". Empty if the kind is unknown.
  std::string result;
  // True if the output has only elements of the input, because the kernel computes nothing.
  bool only_moves = false;
  // Set only for a sort. The numbers by which the elements of the input are sorted (their order bits).
  std::vector<std::uint32_t> order;
  // The kernel's text, including the barriers that the user has taken out. If this text is empty, views show
  // Trace::text.
  std::string text;
  const std::string& shown_text() const { return text.empty() ? trace.text : text; }
  std::vector<int> barriers;  // the lines with a barrier that a user can take out

  // A recording may hide the last steps of the run. In this case, `rows` has the rows that the hidden steps
  // add to the tree, but without nodes. tree() adds these rows, so that the size of the tree does not change
  // when the hidden steps are shown.
  struct LaterRows {
    int grid = -1;  // the grid of these rows; -1 if nothing is hidden
    int columns = 0;
    std::vector<TreeRow> rows;
  } later_rows;

  // These functions return the tree of one block, the index of one block, the index of one step, and the
  // actions of one step. Each function, and worst_steps(), keeps its last 64 results. A returned reference is
  // valid until the same function has been called with 64 other arguments.
  const Tree& tree(int grid = 0, int block = 0) const;
  const BlockIndex& block(int grid, int block) const;
  const StepIndex& step(int block, int step) const;
  // Returns the totals of the launch that contains `step`, see Facts::launches.
  const Totals& launch_totals(int step) const;
  const std::vector<StepAction>& actions(int block, int step) const;
  // Returns the time line of all blocks: when each block begins and ends, and what the blocks exchange.
  // Throws Cancelled if the job is cancelled meanwhile.
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
  // Returns the places to which the elements of the input move.
  const Moves& moves() const;
  // Returns the pass of a sort to which a step belongs, see upsweep::key_pass(). Keeps its last 64 results.
  // Throws Cancelled if the job is cancelled meanwhile.
  const std::optional<KeyPass>& key_pass(int block, int step, const Job* job = nullptr) const;
  // Returns whether key_pass() takes less time than one frame of the window.
  bool has_key_pass(int block, int step) const;
  // Divides the steps into groups of `together` steps, and returns the worst step of each group (see
  // RunIndex::worst_step).
  const std::vector<int>& worst_steps(int together) const;

  // Computes in advance the results that may take longer than one frame of the window:
  // - run(), table() and moves(), and for a run with look-back also time_line(),
  // - the tree and the index of each grid's first block,
  // - the steps and actions of these blocks (of all blocks, if `all_blocks` is true).
  // Throws Cancelled if the job is cancelled meanwhile.
  void prepare(Job* job, bool all_blocks) const;

  // Returns the hazards, or null if find_hazards() has not ended yet. Finding hazards takes longer than all
  // other analyses, so the first picture is drawn without hazards.
  const Hazards* hazards() const noexcept;
  // Returns the hazards. If the hazards are not known yet, finds them in the caller's thread. Throws
  // Cancelled if the job is cancelled meanwhile. After a cancelled call, the next call starts again.
  const Hazards& find_hazards(Job* job = nullptr) const;
  // Returns more facts about each finding, in the order of hazards()->findings. Requires that hazards() is
  // not null.
  const std::vector<Incident>& incidents() const;

 private:
  struct Later;
  std::unique_ptr<Later> later_;
};

// Returns the tree that a place shows. This is the tree of the place's block, in the grid of the place's
// step.
const Tree& tree_at(const Recording& recording, const Place& place);

}  // namespace upsweep
