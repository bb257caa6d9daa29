// Finds the accesses that a recorded barrier of a block (__syncthreads) keeps in order. These are pairs of
// accesses by two threads to one cell, one access before the barrier and one after the barrier.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/recording.hpp"

namespace upsweep {

// Two accesses of one cell by two threads of a block, the first before a barrier and the second after this
// barrier.
struct Crossing {
  std::uint32_t before = 0, after = 0;  // indices into Trace::events
  int before_lane = 0, after_lane = 0;
  std::uint32_t before_value = 0, after_value = 0;  // indices into Trace::values
  std::int64_t address = 0;                         // the cell's address, as in Lane::address
};

struct BarrierUse {
  int line = 0;
  int step = 0;  // the step that ends with this barrier
  // The number of pairs of accesses in which the first access stores a value before the barrier, and the
  // second access reads this value after the barrier. `read` is the first of these pairs.
  std::int64_t reads = 0;
  std::optional<Crossing> read{};
  // The number of pairs in which the first access reads a cell before the barrier, and the second access
  // stores to this cell after the barrier. `overwrite` is the first of these pairs.
  std::int64_t overwrites = 0;
  std::optional<Crossing> overwrite{};
  // The number of pairs in which one access stores to a cell before the barrier, and the other access stores
  // to this cell after the barrier. `rewrite` is the first of these pairs.
  std::int64_t rewrites = 0;
  std::optional<Crossing> rewrite{};
  bool within_warps = true;  // whether the two threads of every counted pair are in one warp
};

// Returns the use of the barrier that ends a step of a block. Looks at the accesses between the previous
// barrier and the next barrier. Returns nullopt if the step does not end with a barrier, or if there are more
// than `most` accesses.
std::optional<BarrierUse> barrier_use(const Recording& recording, int block, int step,
                                      std::size_t most = SIZE_MAX);

// Both functions look for a step that ends with a barrier of the block, in the launch of `step`.
// barrier_before() returns the last such step before `step`. barrier_after() returns `step` itself, or the
// first such step after `step`. Both functions return -1 if they find no step.
int barrier_before(const Recording& recording, int block, int step);
int barrier_after(const Recording& recording, int block, int step);

}  // namespace upsweep
