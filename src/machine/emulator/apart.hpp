// Runs blocks of a launch on several cores instead of in turns on one core. The recording is the same in both
// cases.
//
// Usually the emulator lets the blocks of a launch take turns. In a turn, each thread of the block runs until
// it reaches a barrier, waits for other threads or ends. If no other block influences a block, the order of
// the blocks makes no difference to that block. Such a block can run apart: it runs from its beginning to its
// end, while other blocks run on other cores. Running apart also keeps the block's memory in the cache.
//
// Blocks communicate by atomics and by volatile accesses to global memory. In the code's names, such an
// access "talks". A block with such accesses can still run ahead: it runs up to its next access that talks,
// and this access waits for the block's turn.
//
// Sometimes blocks that run apart influence each other. A block may start child grids, wait for something
// that never happens, or share data with another block by ordinary accesses. In these cases, the emulator
// restores global memory and lets the blocks take turns.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"
#include "machine/emulator/focus.hpp"

namespace upsweep {

// The known influences between the blocks of a launch. `none`: no influence. `talk`: only by atomics
// and volatile accesses to global memory. `other`: also in other ways.
enum class Influence { none, talk, other };

struct BlockApart {
  BlockRecording recording;
  std::vector<std::uint32_t> turns;  // for each turn: the increase of Run::clock during the turn
  std::uint64_t dropped = 0;         // the number of events that were not recorded, because memory was full
};

struct ApartResult {
  Influence influence = Influence::none;
  std::vector<BlockApart> blocks{};  // in the order of the blocks; empty if blocks have to take turns
};

struct ApartOptions {
  Focus& focus;  // the blocks that are recorded in full
  // The indices of the buffers that are arguments of the launch.
  std::vector<std::size_t> buffers;
  // The estimated numbers of entries that the first block adds to Trace::events and Trace::lanes. Both are 0
  // without an estimate.
  std::size_t likely_events = 0, likely_lanes = 0;
  Job* job = nullptr;                                 // the job of the recording; may be null
  std::int64_t blocks_before = 0, blocks_in_all = 0;  // used to report the progress to the job
};

// Runs each block of a launch from its beginning to its end, while other blocks run on other cores. Uses at
// most one CPU thread for each pool. Sets the launch's counts and steps, and reduces Run::room. `memory` is
// all of global memory.
//
// If the blocks have to take turns, restores the old contents of `memory`. If blocks communicate, returns
// Influence::talk and no blocks. Throws Unwanted if the run is no longer needed.
ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);
// Does the same as run_apart(), but for blocks that communicate. Runs each block ahead, up to its next access
// by which it communicates.
ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);

// Returns whether one more block can be resident if `blocks` blocks already take turns. `threads` counts the
// threads of all these blocks and of the new block.
bool fits_beside(std::size_t blocks, std::size_t threads);

// Returns true if two blocks access the same bytes, at least one of their accesses is a store, and at least
// one of their accesses is neither an atomic nor volatile.
bool influence_each_other(const std::vector<Stretch>& touched);

}  // namespace upsweep
