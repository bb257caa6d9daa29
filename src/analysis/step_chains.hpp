// Finds the events of one step of a block, and the chains of operations in this step (see Chain).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/cancellable.hpp"
#include "analysis/chain.hpp"
#include "analysis/memory.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The cell that an access touches: the index of the cell, and the buffer of global memory or the region of
// shared memory.
struct TouchedCell {
  int index = -1, buffer = 0, region = 0;
};

class StepEvents {
 public:
  StepEvents(const Trace& trace, int block, int step);

  const Trace& trace() const { return trace_; }
  EventRange events() const { return events_; }       // the events of the step
  EventRange block_events() const { return block_; }  // all events of the block in this grid
  // entries() returns the number of the step's entries in Trace::lanes. local() returns the index of an entry
  // among the step's entries. For an event and a lane, local() uses the lane's first entry.
  std::size_t entries() const { return entries_.count; }
  std::size_t local(std::uint32_t entry) const { return entry - entries_.first; }
  std::size_t local(const Event& e, int lane) const { return local(entry_of(e, lane)); }

  bool holds(const Event& e) const { return static_cast<int>(e.step) == step_; }
  bool is_after(const Event& e) const { return static_cast<int>(e.step) < step_; }
  TouchedCell touched(const Event& e, std::uint32_t entry) const;
  // Returns the event that produced the value with origin `o` in this lane. Returns null for a constant and
  // for an event that is not recorded.
  const Event* source(Origin o, int lane) const;
  // A vector access of a lane has several parts, one for each element. Returns the index of the part of `e`
  // that gave the value with origin `o`. Returns 0 if `e` is no vector access.
  static int part_of(const Event& e, Origin o);

 private:
  const Trace& trace_;
  const int step_;
  const EventRange events_, block_;
  const EntryRange entries_;
  const std::vector<CellPlace> places_;
};

class StepChains {
 public:
  // Finds the chains of all operations of the step.
  StepChains(const StepEvents& step, CancelCheck& check_cancelled);

  // Returns the chain that ends with a lane's operation.
  const Chain& at(const Event& operation, int lane) const { return chains_[step_.local(operation, lane)]; }

 private:
  Chain chain_of(Origin o, int lane, std::size_t before) const;

  const StepEvents& step_;
  std::vector<Chain> chains_;  // one chain for each entry of the step, see StepEvents::local()
};

}  // namespace upsweep
