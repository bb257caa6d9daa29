// Indexes one block's events. Views use this index in every frame, so that no look-up has to replay the block
// from its beginning.
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class BlockIndex {
 public:
  BlockIndex(const Trace& trace, int grid, int block);

  // Functions with a parameter `trace` require the trace from which this index was made. The trace may have
  // been moved to another address since then.
  const std::vector<CellPlace>& places() const { return places_; }
  // Returns all cells of shared memory after the first `event_count` events of the trace. The result is equal
  // to the result of upsweep::memory_at().
  std::vector<Cell> memory_at(const Trace& trace, std::size_t event_count) const;
  // Returns one cell of memory_at(); `cell` is an index into places().
  Cell cell_at(const Trace& trace, std::size_t cell, std::size_t event_count) const;
  // Returns the state of the lanes, one entry per warp. The result is equal to the result of
  // upsweep::warp_lanes(). The step must be a step of the block's grid.
  std::vector<WarpLanes> warp_lanes(const Trace& trace, int step) const;

 private:
  struct Store {
    std::uint32_t event, value;  // indices into Trace::events and Trace::values
    std::uint16_t thread;
  };
  // The last snapshot before a given event, and the first event after that snapshot.
  struct LastSnapshot {
    const Snapshot* snapshot = nullptr;
    std::size_t first_event = 0;
  };
  std::size_t end_of(std::size_t event_count) const;
  LastSnapshot last_snapshot(const Trace& trace, std::size_t end) const;
  Cell cell(const Trace& trace, std::size_t index, std::size_t end, const LastSnapshot& taken) const;

  int grid_, block_;
  EventRange events_;
  std::vector<CellPlace> places_;
  // For each cell: the index of its first store in stores_. An extra last entry holds stores_.size().
  std::vector<std::uint32_t> first_store_;
  std::vector<Store> stores_;             // sorted by cell, then by event
  std::vector<std::uint32_t> snapshots_;  // indices into Trace::snapshots, sorted by step
  std::vector<std::uint32_t> live_;       // the result of live_lanes()
};

}  // namespace upsweep
