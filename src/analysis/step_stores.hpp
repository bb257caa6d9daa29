// Finds the stores to shared memory in one step of a block. Also finds the load that read the words of a
// store.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/cancellable.hpp"
#include "analysis/memory.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class StepStores {
 public:
  // `block` has all events of the block in its grid, and `step` has the block's events in the step.
  StepStores(const Trace& trace, EventRange block, EventRange step)
      : trace_(trace), block_(block), step_(step) {}

  // Returns whether a thread stored to an address of shared memory in the step's events [from, to).
  bool overwritten(std::size_t from, std::size_t to, int thread, std::int64_t address,
                   CancelCheck& check_cancelled);

  // Returns the load from which a store of words certainly got its numbers. Returns null if no load is
  // certain. Origins of words are not recorded, so the numbers are compared. The result is the last load of
  // the same numbers by the same lanes.
  //
  // The load must be in the same line as the store, or at least two of the numbers must be different. Looks
  // only at the warp's last 64 loads of words.
  const Event* copied_by(std::size_t store, CancelCheck& check_cancelled) const;

 private:
  const Trace& trace_;
  const EventRange block_, step_;
  bool known_ = false;  // whether by_place_ has been filled
  // For each thread and address: the events in which the thread stores to this address, ascending.
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_place_;
};

}  // namespace upsweep
