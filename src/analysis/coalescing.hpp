// Global-memory requests: how many 32-byte sectors they touch against the fewest that could hold their bytes.
// Buffers begin on a sector boundary, so offsets within a buffer decide.
// Hardware counters: l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum.
#pragma once
#include "trace/trace.hpp"

namespace upsweep {

inline constexpr int sector_bytes = 32;

struct SectorCost {
  int sectors = 0;  // different sectors touched by the active lanes
  int ideal = 0;    // sectors that would hold the different bytes asked for, packed: ceil(bytes / 32)
};

SectorCost sector_cost(const Trace& trace, const Event& event);

}  // namespace upsweep
