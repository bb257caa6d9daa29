// Blocks of a launch that do not take turns, and yet leave the same recording.
//
// On the emulator, blocks of a launch take turns from barrier to barrier. A block that nobody influences does
// the same whoever runs in between, so that it can run apart: from its beginning to its end, while others run
// on other cores; and faster, since its memory stays in the cache. A block that talks to others, by atomics
// or volatile accesses to global memory, can still run ahead: up to where it talks next, which it does in its
// turn.
//
// Whether blocks influence each other is found out by running them. They may not start child grids or wait
// for what does not come; and no block may otherwise have read or written what another one wrote. If they do,
// global memory becomes what it was before, and blocks take turns.
#pragma once
#include <cstdint>
#include <vector>

#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

// How blocks of a launch influence each other, as far as is known: not at all; where they talk; or in other
// ways.
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

// Both run all blocks of a launch, fill in the launch's counts and steps, and take from its run's room. If
// the blocks have to take turns, `memory`, all of global memory, is as it was. Both throw Unwanted.
// Runs blocks apart, on one thread of the computer for each pool; the influence `talk` says that they talk.
ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);
// Runs blocks ahead, on one thread of the computer for each pool.
ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      std::vector<std::vector<std::byte>>& memory);

// Whether one more block of a launch, with all of whose threads there would be so many, fits beside others.
bool fits_beside(std::size_t blocks, std::size_t threads);

// Whether two blocks touched the same bytes, one of them wrote, and one of them did not talk.
bool influence_each_other(const std::vector<Stretch>& touched);

}  // namespace upsweep
