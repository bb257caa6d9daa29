// Finds more facts about each hazard in a recording, such as the values that its two threads read and wrote.
// For a race, finds the results of both orders. For a barrier, finds the threads that wait and the threads
// that do not reach the barrier. For an endless loop, finds its rounds.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/hazards.hpp"
#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// What one thread of a hazard did with the hazard's cell.
struct IncidentAccess {
  enum class How : std::uint8_t { none, reads, writes, changes } how = How::none;  // changes: an atomic
  bool known = false;  // whether the recording contains the value
  Value value{};       // what was read, or what the cell holds after the access
  Value before{};      // of an atomic: what the cell held before it
};

// The result of one order of a race's two accesses, if one comes right after the other and all other values
// are as recorded.
struct OrderResult {
  enum class What : std::uint8_t {
    value,
    unwritten,  // the thread reads a cell that no thread has written
    unknown,    // the recording does not contain the value
  } what = What::unknown;
  Value value{};
  bool recorded = false;  // the run had this order
};

// Both orders of two accesses.
struct TwoOrders {
  enum class Reader : std::uint8_t { none, party, other } reader = Reader::none;
  // If a thread only reads, the results are what this thread reads. Otherwise, they are what the cell holds
  // after both accesses.
  OrderResult other_first, party_first;
  // The order that the kernel's text requires. With a barrier between the accesses, only this order remains.
  enum class Required : std::uint8_t { unknown, other_first, party_first } required = Required::unknown;

  // Returns whether both results are known and equal.
  bool agree() const {
    return other_first.what == party_first.what && other_first.what != OrderResult::What::unknown &&
           other_first.value == party_first.value;
  }
};

// Threads of one block that stood at one place.
struct ThreadGroup {
  std::uint32_t grid = 0, block = 0;
  std::vector<int> threads;  // ascending
  Wait wait = Wait::none;    // none: the threads do not wait, because they have left the kernel
  int line = 0;              // the line where they wait, or of their last event if they left; 0 if unknown
};

// The recorded rounds of an endless loop, in the thread that the stop names.
struct LoopRounds {
  int first_line = 0, last_line = 0;  // of the loop in the kernel's text; 0 if the loop was not found
  std::vector<int> steps;       // the block's steps with events in the loop: the first ones and the last one
  std::int64_t step_count = 0;  // how many such steps the block has
  bool one_number = true;       // all these steps have the same number (see Step::stride)
  // The first values and the last value that the thread loaded in the line of the loop's head, which has the
  // condition.
  std::vector<Value> loaded;
  std::int64_t load_count = 0;
  std::uint32_t load = HazardParty::none;  // the event of the last such load
};

struct Incident {
  IncidentAccess party, other;  // the accesses of the finding's two threads
  Cells cells = Cells::elements;
  std::optional<TwoOrders> orders;  // of a race, and of a read that came before the store of its cell
  // For a divergent barrier, first the groups that wait, by line, and then the threads that do not come. For
  // a deadlock, the groups that were found waiting.
  std::vector<ThreadGroup> groups;
  std::optional<LoopRounds> loop;
};

// Returns one incident for each finding, in the same order. `hazards` must be the hazards of this trace.
// Takes time in proportion to the recording, for each finding. Throws Cancelled if the job is cancelled
// meanwhile.
std::vector<Incident> incidents(const Trace& trace, const Hazards& hazards, Job* job = nullptr);

}  // namespace upsweep
