// Hazards: everything that is wrong with a run, even if its result is right. These are races, barriers that
// some threads do not reach, accesses out of bounds, reads of cells that no thread has written, and runs that
// never end. They are found in the recorded events, which may come from the emulator or a GPU.
//
// A race is two accesses of one cell by two threads that nothing orders (see happens_before.hpp), at least
// one of them a store. It is found in every run, also in a run with the right result. These are no races: two
// volatile accesses or atomics on a word (threads meet through them), two atomics, and two stores of the same
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
  divergent_barrier,  // some threads for which the barrier is meant do not reach it
  out_of_bounds,
  uninitialised_read,  // a cell that no thread has written is read
  absent_lane,         // a shuffle or a vote needs a lane that does not execute it
  endless_loop,
  deadlock,          // threads wait for something that never happens
  misaligned,        // a vector access whose address is not allowed on any GPU
  endless_launches,  // threads launch grids without end
  wrong_mask,        // the mask of a shuffle, a vote or a warp barrier leaves out a lane that executes it
};
inline constexpr std::string_view hazard_names[] = {
    "shared race",        "global race",      "divergent barrier", "out of bounds",
    "uninitialised read", "absent lane",      "endless loop",      "deadlock",
    "misaligned access",  "endless launches", "wrong mask"};
inline bool is_race(Hazard h) { return h == Hazard::shared_race || h == Hazard::global_race; }
inline std::string_view name(Hazard h) { return hazard_names[static_cast<int>(h)]; }

// The distance of two threads: within one request, warp, block or grid, or in different grids.
enum class Apart : std::uint8_t { request, warp, block, grid, grids };

// Advice for removing a hazard.
enum class Advice : std::uint8_t {
  none,
  write_alone,       // let one thread alone write the cell
  sync_warp,         // put a __syncwarp() into the interval
  sync_block,        // put a __syncthreads() into the interval
  sync_or_atomic,    // put a __syncthreads() into the interval, or make both accesses atomic
  split_branch,      // end the branch, put a barrier into the interval, and begin the branch again
  sync_lanes,        // put a __syncwarp() for the lanes of the branch into the interval
  order_by_flag,     // the threads take turns by a flag or a lock: let it order the accesses, with fences
  split_line,        // read into a variable, then a __syncthreads(), then write
  order_blocks,      // blocks run in any order
  order_grids,       // neither grid waits for the other
  move_barrier,      // move the barrier out of the branch or loop
  do_not_return,     // let no thread return before the barrier
  guard,             // test the index, or make the memory larger
  initialise,        // write the cell before it is read
  shuffle_together,  // let all lanes reach the shuffle
  end_loop,          // let every round change the loop's condition
  raise_rounds,      // let every round change the loop's condition, or allow more rounds
  end_launches,      // launch only if there is work left
  fewer_blocks,      // launch no more blocks than are resident at once
  name_callers,      // name every lane in the mask that executes the instruction
  reach_all,         // let every thread reach what others wait for
  align,             // begin at a multiple of the size
};

// The place where a barrier belongs: after one line and before another.
struct LineInterval {
  int from = 0, to = 0;
  bool next_round = false;  // `to` belongs to the next round of a loop
  int loop = 0;             // the line of that loop, or 0
  bool operator==(const LineInterval&) const = default;
};

// One side of a hazard: a thread at a line.
struct HazardParty {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t event = none;  // index into Trace::events, or none if the thread has no recorded event
  int line = 0;                // 0 if there is no line
  std::uint32_t grid = 0, block = 0, step = 0;
  int thread = -1;  // the thread's number in the block, or -1 without a thread
  bool operator==(const HazardParty&) const = default;
};

// The order of two accesses by the text.
enum class TextOrder : std::uint8_t {
  one_round,        // both accesses are in the same round of all loops around both
  next_round,       // the loop around both begins another round between them
  later_round,      // the loop around both begins two or more rounds between them
  earlier_repeats,  // a loop around only the earlier access begins another round between them
  later_repeats,    // a loop around only the later access begins another round between them
  both_repeat,
};
// A set of orders for the accesses of two lines, in each direction, as bits. Two more bits are for accesses
// of one line in one round: two stores, or a load and a store.
using TextOrders = std::uint16_t;
constexpr TextOrders order_bit(TextOrder order, bool smaller_line_first) {
  return static_cast<TextOrders>(1 << (2 * static_cast<int>(order) + smaller_line_first));
}
inline constexpr TextOrders same_line = 1 << 14, load_and_store = 1 << 15;

// A hazard as found in the events.
struct HazardNote {
  Hazard kind = Hazard::shared_race;
  HazardParty party;  // a race: the later access; a barrier: a thread that waits at it
  HazardParty other;  // a race: the earlier access; a barrier: the thread that does not come, if any
  Apart apart = Apart::request;
  bool party_stores = false, other_stores = false;  // a race: which accesses are stores
  bool shared = false;                              // the cell is in shared memory
  int buffer = 0;          // the buffer of global memory, or the region of shared memory
  std::int64_t cell = -1;  // the cell's index there; in region 0 padding counts, too
  // For a race within a block, or a read before the store that should come first: how the text orders the
  // accesses in the two lines.
  TextOrders orders = 0;
  std::uint64_t early = 0;  // an uninitialised read: how many times a store that should come first came later
  std::uint64_t count = 1;  // how often it happened on these lines, with any threads, cells and steps
};

// A hazard, and the advice that follows from it.
struct HazardFinding : HazardNote {
  std::int64_t element = -1;  // the element in a cell of region 0, if a layout has moved it
  std::int64_t cells = 0;     // an access out of bounds: the number of cells of the memory
  bool has_cell = false;      // some hazards have no cell
  // True if it is a hazard when the lanes of a warp run in lockstep, and when they run independently.
  bool lockstep = true, independent = true;
  Advice advice = Advice::none;
  // A barrier after `from` and before `to` removes the hazard. Both are 0 if no barrier removes it.
  LineInterval interval;
  // The place of a second barrier, if one barrier cannot order all accesses of the two lines; else 0 and 0.
  LineInterval second;
  bool warp_barrier = false;  // a __syncwarp() is enough there
  int branch = 0;             // for split_branch and sync_lanes: the line of the branch or loop
  bool branch_is_loop = false;
};

struct Hazards {
  // Sorted by the order in which they were found. There is one finding for each kind and pair of lines.
  std::vector<HazardFinding> findings;
  bool complete = true;  // false if records were dropped; later events are then not examined
};

// Finds all hazards of the trace. If a job is given, reports its progress there, and throws Cancelled soon
// after the job is cancelled.
Hazards hazards(const Trace& trace, Job* job = nullptr);

// Adds the findings of another run of the same kernel. Counts are added, and a finding holds for a warp model
// if it holds in any run.
void add(Hazards& all, const Hazards& more);

}  // namespace upsweep
