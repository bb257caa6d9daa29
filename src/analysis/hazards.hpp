// What is wrong with a run, whatever it computed: races, barriers that not all reach, accesses out of bounds,
// reads of what nobody wrote, runs that never end. Found on the recorded events, from either machine.
//
// A race is two accesses of one cell by two threads, at least one of them a store, that nothing orders (see
// happens_before.hpp); it is found however the run went, even where the answer came out right. No race: two
// volatile accesses or atomics on a word (that is how threads meet), two atomics, two stores of the same
// value.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

enum class Hazard : std::uint8_t {
  shared_race,
  global_race,
  divergent_barrier,  // a barrier that not all threads it is meant for reach
  out_of_bounds,
  uninitialised_read,  // of a cell that nobody stored to
  absent_lane,         // a shuffle from a lane that takes no part in it
  endless_loop,
  deadlock,    // threads wait for what will never come
  misaligned,  // a vector access that begins where no GPU lets one begin
};
inline constexpr std::string_view hazard_names[] = {
    "shared race", "global race",  "divergent barrier", "out of bounds",    "uninitialised read",
    "absent lane", "endless loop", "deadlock",          "misaligned access"};
inline std::string_view name(Hazard h) { return hazard_names[static_cast<int>(h)]; }

// How far apart two threads are.
enum class Apart : std::uint8_t { request, warp, block, grid, grids };

// What to do about it.
enum class Advice : std::uint8_t {
  none,
  write_alone,       // let one thread alone write the cell
  sync_warp,         // put a __syncwarp() into the interval
  sync_block,        // put a __syncthreads() into the interval
  sync_or_atomic,    // that, or make both accesses atomic
  order_blocks,      // blocks run in any order
  order_grids,       // neither grid waits for the other
  move_barrier,      // out of the branch or loop
  guard,             // test the index, or make the memory larger
  initialise,        // write before reading
  shuffle_together,  // let all lanes reach the shuffle
  end_loop,          // let every round change the loop's condition
  reach_all,         // let every thread reach what others wait for
  align,             // begin at a multiple of the size
};

// Where a barrier belongs: between two lines, or between one round of a loop and the next.
struct LineInterval {
  int from = 0, to = 0;     // equal: between one round of this line and the next
  bool next_round = false;  // `to` is of the next round
  bool operator==(const LineInterval&) const = default;
};

// One side of a hazard: a thread at a line.
struct HazardParty {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t event = none;  // index into Trace::events; none where it did nothing that is recorded
  int line = 0;                // 0: none
  std::uint32_t grid = 0, block = 0, step = 0;
  int thread = -1;  // of the block; -1: there is no such thread
  bool operator==(const HazardParty&) const = default;
};

// What happened.
struct HazardNote {
  Hazard kind = Hazard::shared_race;
  HazardParty party;  // a race: the later access; a barrier: a thread that waits at it
  HazardParty other;  // a race: the earlier access; else the thread that does not come, if there is one
  Apart apart = Apart::request;
  bool party_stores = false, other_stores = false;  // a race: which accesses are stores
  bool shared = false;                              // the cell is in shared memory
  int buffer = 0;           // the buffer of global memory, or the region of shared memory
  std::int64_t cell = -1;   // the cell's index there; in region 0 padding counts, too
  std::uint64_t count = 1;  // how often it happened on the same lines, with any threads, cells and steps
};

// What happened, and what follows from it.
struct HazardFinding : HazardNote {
  std::int64_t element = -1;  // the element in a cell of region 0, if a layout has moved it
  std::int64_t cells = 0;     // an access out of bounds: how many cells there are
  bool has_cell = false;      // some hazards have no cell
  // Whether it is a hazard if the lanes of a warp run in lockstep, and if they run independently.
  bool lockstep = true, independent = true;
  Advice advice = Advice::none;
  LineInterval interval;  // the lines for sync_warp, sync_block and sync_or_atomic
};

struct Hazards {
  // By the order in which they first showed; of one kind and the same lines there is one.
  std::vector<HazardFinding> findings;
  bool complete = true;  // false where records were dropped: what came after them is not looked at
};

// Looks for hazards in the whole trace. If a job is given: reports its progress there, and throws Cancelled
// soon after the job is cancelled.
Hazards hazards(const Trace& trace, Job* job = nullptr);

// The findings of several runs of one kernel as one list: counts add up, models unite.
void add(Hazards& all, const Hazards& more);

}  // namespace upsweep
