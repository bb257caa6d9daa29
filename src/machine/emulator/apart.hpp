// Runs blocks of a launch without turns. They leave the same recording as blocks that take turns.
//
// On the emulator, blocks of a launch take turns from barrier to barrier. A block that no other block
// influences does the same, whoever runs in between. So it can run apart: from its beginning to its end,
// while others run on other cores. It also runs faster, because its memory stays in the cache. A block
// talks to others by atomics and by volatile accesses to global memory. Such a block can still run ahead,
// up to where it talks next; it talks in its turn.
//
// Running the blocks shows whether they influence each other: whether one starts child grids, waits for
// what does not come, or reads or writes what another wrote otherwise than by talking. If so, global
// memory becomes what it was before, and the blocks take turns.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

// How blocks of a launch influence each other, as far as it is known: not at all, only by talking, or in
// other ways.
enum class Influence { none, talk, other };

struct BlockApart {
  BlockRecording recording;
  std::vector<std::uint32_t> turns;  // Run::clock went on by so much in each turn
};

struct ApartResult {
  Influence influence = Influence::none;
  std::vector<BlockApart> blocks{};  // in order; empty if blocks have to take turns
};

struct ApartOptions {
  std::uint32_t first_focus = 0, focus = 64;          // blocks recorded in full
  std::size_t likely_events = 0, likely_lanes = 0;    // of the first block; 0: not known
  Job* job = nullptr;                                 // may be null
  std::int64_t blocks_before = 0, blocks_in_all = 0;  // for the job's progress
};

// Both functions run all blocks of a launch, fill in the launch's counts and steps, and take from its
// run's room. `memory` is all of global memory. It is as it was if the blocks have to take turns. Both
// throw Unwanted. run_apart() runs blocks apart, on one thread of the computer for each pool; if blocks
// talk, it returns Influence::talk and no blocks.
ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);
// Runs blocks ahead, on one thread of the computer for each pool.
ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);

// Returns whether one more block fits beside so many others that take turns. `threads` counts the threads of
// all of them and its own.
bool fits_beside(std::size_t blocks, std::size_t threads);

// Returns whether two blocks touched the same bytes, at least one of them wrote them, and not both of them
// talked.
bool influence_each_other(const std::vector<Stretch>& touched);

}  // namespace upsweep
