// Finds more facts about each hazard in a recording, such as the values that the hazard's two threads read
// and wrote. For a race, finds the results of both orders of the two accesses. For a barrier, finds the
// threads that wait and the threads that do not reach the barrier. For an endless loop, finds the recorded
// iterations.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/hazards.hpp"
#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The access of one thread to the cell of a hazard.
struct IncidentAccess {
  enum class How : std::uint8_t { none, reads, writes, changes } how = How::none;  // changes: an atomic
  bool known = false;  // whether the recording contains the value
  Value value{};       // the value that was read, or the cell's value after the access
  Value before{};      // for an atomic: the cell's value before the atomic
};

// The result of a race if its two accesses happen in one of the two possible orders. The result assumes that
// the accesses happen directly one after the other, and that all other values are as recorded.
struct OrderResult {
  enum class What : std::uint8_t {
    value,
    unwritten,  // the thread reads a cell that no thread has written
    unknown,    // the recording does not contain the value
  } what = What::unknown;
  Value value{};
  bool recorded = false;  // whether the recorded run had this order
};

// The results of two accesses of the same cell, in both orders.
struct TwoOrders {
  enum class Reader : std::uint8_t { none, party, other } reader = Reader::none;
  // If one of the two threads only reads, each result is the value that this thread reads. Otherwise, each
  // result is the cell's value after both accesses.
  OrderResult other_first, party_first;
  // Which of the two accesses comes first in the kernel's text. A barrier between the accesses would enforce
  // this order.
  enum class Required : std::uint8_t { unknown, other_first, party_first } required = Required::unknown;

  // Returns whether both results are known and equal.
  bool agree() const {
    return other_first.what == party_first.what && other_first.what != OrderResult::What::unknown &&
           other_first.value == party_first.value;
  }
};

// Threads of one block that were at one place of the kernel's text.
struct ThreadGroup {
  std::uint32_t grid = 0, block = 0;
  std::vector<int> threads;  // sorted by thread
  Wait wait = Wait::none;    // none: the threads do not wait, because they have left the kernel
  // The line in which the threads wait. If they have left the kernel, the line of their last event. 0 if the
  // line is not known.
  int line = 0;
};

// The recorded iterations of an endless loop, in the thread that Trace::stopped names.
struct LoopRounds {
  // The first and the last line of the loop in the kernel's text; 0 if the loop was not found.
  int first_line = 0, last_line = 0;
  std::vector<int> steps;  // the block's steps with events in the loop: the first three, and the last one
  std::int64_t step_count = 0;  // the number of the block's steps with events in the loop
  bool one_number = true;       // whether all these steps have the same label (phase and stride)
  // The values that the thread loaded in the line with the loop's condition: the first three, and the last
  // one.
  std::vector<Value> loaded;
  std::int64_t load_count = 0;
  std::uint32_t load = HazardParty::none;  // index into Trace::events: the last of these loads
};

struct Incident {
  IncidentAccess party, other;  // the accesses of the finding's two threads
  Cells cells = Cells::elements;
  // Has a value for a race. Also has a value for a read of an uninitialised cell if a thread stores to this
  // cell later.
  std::optional<TwoOrders> orders;
  // For a divergent barrier: first the groups that wait, sorted by line, and then the groups that do not
  // reach the barrier. For a deadlock: the groups that waited when the run was stopped.
  std::vector<ThreadGroup> groups;
  std::optional<LoopRounds> loop;
};

// Returns one incident for each finding, in the same order. `hazards` must be the hazards of this trace. For
// each finding, takes time in proportion to the length of the recording. Throws Cancelled if the job is
// cancelled meanwhile.
std::vector<Incident> incidents(const Trace& trace, const Hazards& hazards, Job* job = nullptr);

}  // namespace upsweep
