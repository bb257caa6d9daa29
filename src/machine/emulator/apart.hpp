// Blocks that cannot influence each other, run apart: each from its beginning to its end, as many at a time
// as the computer has cores.
//
// On the emulator, blocks of a launch take turns. A block that nobody influences does the same, whoever runs
// in between, so that it can run apart, and faster: its memory stays in the cache. Whether blocks influence
// each other is found out by running them. They may not touch global memory by atomics or volatile accesses,
// start child grids, or wait for what does not come; and no block may have read or written what another one
// wrote. If they do, global memory becomes what it was before, and blocks take turns.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

struct BlockApart {
  BlockRecording recording;
  std::vector<std::uint32_t> turns;  // Run::clock went on by so much in each turn, had it taken turns
};

// How a launch is run apart.
struct ApartOptions {
  std::uint32_t first_focus = 0, focus = 64;          // blocks recorded in full
  std::size_t likely_events = 0, likely_lanes = 0;    // of the first block; 0: not known
  Job* job = nullptr;                                 // may be null
  std::int64_t blocks_before = 0, blocks_in_all = 0;  // for the job's progress
};

// Runs all blocks of a launch, one thread of the computer for each pool. Fills in the launch's counts and
// steps, takes from its run's room, and returns what the blocks did, in their order. Returns nothing if they
// may have influenced each other: `memory`, all of global memory, is then as it was. Throws Unwanted.
std::optional<std::vector<BlockApart>> run_apart(Launch& launch, const ApartOptions& options,
                                                 std::vector<BlockPool>& pools,
                                                 std::vector<std::vector<std::byte>>& memory);

// Whether two blocks touched the same bytes and one of them wrote.
bool influence_each_other(std::vector<Stretch> touched);

}  // namespace upsweep
