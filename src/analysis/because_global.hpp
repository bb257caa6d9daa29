// Explains how many sectors one request to global memory moves, by the bytes and the sector of every lane.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "trace/trace.hpp"

namespace upsweep {

// The access of one lane in a request. A lane that is not active accesses nothing.
struct LaneBytes {
  bool active = false;
  bool inside = false;       // whether the access is inside the buffer
  std::int64_t element = 0;  // the index of the accessed cell, or of a vector access's first cell
  std::int64_t byte = 0;     // the index of the first accessed byte in the buffer
  std::int64_t sector = 0;   // byte / 32
};

struct BecauseGlobal {
  int event = -1;  // index into Trace::events
  std::array<LaneBytes, 32> lanes{};
  int active = 0;  // the number of active lanes
  int width = 4;   // the bytes that each lane accesses
  // The distance in bytes from each active lane to the next active lane. Has no value if the distances
  // differ, or if only one lane is active.
  std::optional<std::int64_t> stride_bytes{};
  int sectors = 0, fewest = 0;  // see SectorCost; both are 0 for an atomic
  int bytes = 0;                // the number of different bytes that the lanes access inside the buffer
  int contention = 0;           // for an atomic: the largest number of lanes that change one address
};

// `event` must be the index of a load, store or atomic of global memory.
BecauseGlobal because_global(const Trace& trace, int event);

// Returns the number of sectors that a full warp moves if each lane accesses `width` bytes and the addresses
// of neighbouring lanes are `bytes` apart. The first address is the beginning of a sector.
int sectors_apart(std::int64_t bytes, int width);

}  // namespace upsweep
