// Runs blocks of a launch without turns. The recording is the same as with turns.
//
// On the emulator, blocks of a launch take turns from barrier to barrier. A block that no other block
// influences does the same in any order of blocks. So such a block can run apart: from its beginning to its
// end, while other blocks run on other cores. It also runs faster, because its memory stays in the cache. A
// block talks to other blocks by atomics and by volatile accesses to global memory. A block that talks can
// still run ahead, up to the next access that talks; that access waits for the block's turn.
//
// Blocks that run apart may turn out to influence each other: one starts child grids, waits for something
// that never happens, or shares data with another block without talking. Then global memory is restored, and
// the blocks take turns.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

// How blocks of a launch influence each other, as far as is known: not at all, only by talking, or in other
// ways.
enum class Influence { none, talk, other };

struct BlockApart {
  BlockRecording recording;
  std::vector<std::uint32_t> turns;  // by turn: how far Run::clock advanced
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

// Both functions run all blocks of a launch, set the launch's counts and steps, and reduce Run::room.
// `memory` is all of global memory; it is restored if the blocks have to take turns. Both functions throw
// Unwanted. run_apart() uses one CPU thread for each pool. If blocks talk, it returns Influence::talk and no
// blocks.
ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);
// Runs blocks ahead, on one CPU thread for each pool.
ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);

// Returns whether one more block fits beside `blocks` blocks that take turns. `threads` counts the threads of
// all these blocks and of the new one.
bool fits_beside(std::size_t blocks, std::size_t threads);

// Returns whether two blocks touched the same bytes, at least one of them wrote, and at least one of them did
// not talk.
bool influence_each_other(const std::vector<Stretch>& touched);

}  // namespace upsweep
