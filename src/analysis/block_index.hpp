// What views ask about one block again and again: found once, in time in proportion to the block's events.
// Each answer then takes time in proportion to what it shows, wherever the step lies.
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

  // Every `trace` below is the one that was indexed. It may have been moved meanwhile.
  const std::vector<CellPlace>& places() const { return places_; }
  // All cells of shared memory after the first `event_count` events of the trace, as memory_at() returns
  // them.
  std::vector<Cell> memory_at(const Trace& trace, std::size_t event_count) const;
  // One of them; `cell` is an index into places().
  Cell cell_at(const Trace& trace, std::size_t cell, std::size_t event_count) const;
  // One entry per warp, as warp_lanes() returns them. The step is one of the block's grid.
  std::vector<WarpLanes> warp_lanes(const Trace& trace, int step) const;

 private:
  struct Store {
    std::uint32_t event, value;  // the entry of Trace::values
    std::uint16_t thread;
  };
  // The last snapshot no later than the last of some events, and the first event that comes after it.
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
  std::vector<std::uint32_t> first_store_;  // by cell: index into stores_; one more at the end
  std::vector<Store> stores_;               // by cell, then by event
  std::vector<std::uint32_t> snapshots_;    // indices of Trace::snapshots, by step
  std::vector<std::uint32_t> live_;         // see live_lanes()
};

}  // namespace upsweep
