// Finds the hazards of a run. Hazards are everything that is wrong with a run, even if its result is correct.
// They include races, barriers that some threads do not reach, accesses out of bounds, reads of cells that no
// thread has written, and runs that never end. Hazards are found in the recorded events, which may come from
// the emulator or a GPU.
//
// Two accesses of one cell by two threads are a race if at least one access is a store, and if nothing orders
// the accesses (see happens_before.hpp). Two stores of the same value are no race.
//
// Threads wait for each other by atomics, and by volatile accesses to words and messages (see Cells). These
// accesses do not race with each other.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/job.hpp"
#include "base/language.hpp"
#include "trace/trace.hpp"

namespace upsweep {

enum class Hazard : std::uint8_t {
  shared_race,
  global_race,
  divergent_barrier,  // some threads of the block do not reach the barrier
  out_of_bounds,
  uninitialised_read,  // a cell that no thread has written is read
  absent_lane,  // a shuffle, a vote or a warp barrier needs a lane that does not execute the instruction
  endless_loop,
  deadlock,          // threads wait for something that never happens
  misaligned,        // a vector access at an address that is not a multiple of its size
  endless_launches,  // threads never stop launching grids
  wrong_mask,        // the mask of a shuffle, a vote or a warp barrier leaves out an executing lane
};
inline constexpr std::string_view hazard_names[] = {
    tr_noop("shared race"),      tr_noop("global race"),        tr_noop("divergent barrier"),
    tr_noop("out of bounds"),    tr_noop("uninitialised read"), tr_noop("absent lane"),
    tr_noop("endless loop"),     tr_noop("deadlock"),           tr_noop("misaligned access"),
    tr_noop("endless launches"), tr_noop("wrong mask")};
inline bool is_race(Hazard h) { return h == Hazard::shared_race || h == Hazard::global_race; }
inline std::string_view name(Hazard h) { return hazard_names[static_cast<int>(h)]; }

// The distance between two threads: the smallest group (request, warp, block or grid) that contains both
// threads. `grids` means that the threads are in different grids.
enum class Apart : std::uint8_t { request, warp, block, grid, grids };

// Advice for removing a hazard.
enum class Advice : std::uint8_t {
  none,
  race_first,        // remove another race first, because this hazard may follow from that race
  write_alone,       // let only one thread write the cell
  sync_warp,         // put a __syncwarp() between the lines of `interval`
  sync_block,        // put a __syncthreads() between the lines of `interval`
  sync_or_atomic,    // put a __syncthreads() between the lines of `interval`, or make both accesses atomic
  split_branch,      // end the branch, put a barrier between the lines of `interval`, begin the branch again
  sync_lanes,        // put a __syncwarp() for the lanes of the branch between the lines of `interval`
  order_by_flag,     // the threads use a flag or a lock: let the flag and fences order the accesses
  split_line,        // split the line: read into a variable, call __syncthreads(), write
  order_blocks,      // blocks run in any order, so a flag or another launch must order the accesses
  order_grids,       // make one grid wait for the other, because neither grid waits now
  move_barrier,      // move the barrier out of the branch or loop
  do_not_return,     // no thread should return before the barrier
  guard,             // test the index, or make the memory larger
  initialise,        // write the cell before any thread reads the cell
  shuffle_together,  // let all lanes reach the shuffle
  end_loop,          // let every iteration change the loop's condition
  raise_rounds,      // let every iteration change the loop's condition, or allow more iterations
  end_launches,      // launch a grid only if there is work left
  fewer_blocks,      // launch no more blocks than are resident at once
  name_callers,      // let the mask name every lane that executes the instruction
  reach_all,         // let every thread reach the barrier or the store for which other threads wait
  align,             // begin the access at a multiple of its size
};

// The place for a barrier: after the line `from` and before the line `to`.
struct LineInterval {
  int from = 0, to = 0;
  bool next_round = false;  // `to` belongs to the next iteration of a loop
  int loop = 0;             // the line of this loop; 0 if there is no loop
  bool operator==(const LineInterval&) const = default;
};

// One side of a hazard: a thread at a line.
struct HazardParty {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t event = none;  // index into Trace::events, or none if the thread has no recorded event
  int line = 0;                // 0 if there is no line
  std::uint32_t grid = 0, block = 0, step = 0;
  int thread = -1;  // the thread's index in the block, or -1 if there is no thread
  bool operator==(const HazardParty&) const = default;
};

// Says which loops of the kernel's text begin another iteration between an earlier and a later access.
enum class TextOrder : std::uint8_t {
  one_round,    // both accesses are in the same iteration of every loop around both accesses
  next_round,   // the loop around both accesses begins another iteration between the accesses
  later_round,  // the loop around both accesses begins two or more iterations between the accesses
  // A loop contains the earlier access, but not the later access, and begins another iteration between them.
  earlier_repeats,
  // A loop contains the later access, but not the earlier access, and begins another iteration between them.
  later_repeats,
  // The accesses are in two different loops, and both loops begin another iteration between the accesses.
  both_repeat,
};
// A set of orders, as bits. Each order has two bits. The higher bit means that the earlier access is in the
// line with the smaller number. The lower bit means that the earlier access is in the other line.
//
// Two more bits describe two accesses of one line in one iteration: `same_line` means two stores, and
// `load_and_store` means a load and a store.
using TextOrders = std::uint16_t;
constexpr TextOrders order_bit(TextOrder order, bool smaller_line_first) {
  return static_cast<TextOrders>(1 << (2 * static_cast<int>(order) + smaller_line_first));
}
inline constexpr TextOrders same_line = 1 << 14, load_and_store = 1 << 15;

// A hazard as found in the events.
struct HazardNote {
  Hazard kind = Hazard::shared_race;
  HazardParty party;  // race: the later access; barrier: a thread that waits at the barrier
  // For a race, the earlier access. For a divergent barrier, a thread that does not reach the barrier.
  HazardParty other;
  Apart apart = Apart::request;
  bool party_stores = false, other_stores = false;  // for a race: which accesses are stores
  bool shared = false;                              // the cell is in shared memory
  int buffer = 0;          // the buffer of global memory, or the region of shared memory
  std::int64_t cell = -1;  // the cell's index in `buffer`; in region 0, padding cells are counted, too
  // Says which of the two lines comes first in the kernel's text, and which loops begin another iteration
  // between the accesses. Set only for a race within a block, and for an uninitialised read that should have
  // come after a store.
  TextOrders orders = 0;
  // For uninitialised reads: the number of reads that should have come after a store.
  std::uint64_t early = 0;
  // The number of times that the hazard happened in these lines, in all threads, cells and steps together.
  std::uint64_t count = 1;
};

// A hazard and the advice for removing it.
struct HazardFinding : HazardNote {
  // If padding has moved the element in the cell: the element's index before padding. Otherwise, and for a
  // double buffer, -1.
  std::int64_t element = -1;
  std::int64_t cells = 0;  // if an access is out of bounds: the number of cells that the memory has
  bool has_cell = false;   // false for hazards without a cell, such as a deadlock
  // `lockstep` is true if the hazard exists when the lanes of a warp run in lockstep. `independent` is true
  // if the hazard exists when the lanes run independently.
  bool lockstep = true, independent = true;
  Advice advice = Advice::none;
  // The place of the barrier that removes the hazard. Both lines are 0 if no barrier removes the hazard.
  LineInterval interval;
  // The place of a second barrier, if one barrier cannot order all accesses. Otherwise, both lines are 0.
  LineInterval second;
  bool warp_barrier = false;  // whether the barrier may be a __syncwarp()
  int branch = 0;             // for split_branch and sync_lanes: the line of the branch or loop
  bool branch_is_loop = false;
  // If the advice is race_first: the two lines of the race that must be removed first. Otherwise 0.
  int cause = 0, other_cause = 0;
};

struct Hazards {
  // The findings are in the order in which the hazards were found. There is one finding for each kind of
  // hazard and each pair of lines.
  std::vector<HazardFinding> findings;
  bool complete = true;  // false if records were dropped, so some events could not be examined
};

// Finds all hazards of the trace. If `job` is not null, reports the progress to the job, and throws Cancelled
// soon after the job is cancelled.
Hazards hazards(const Trace& trace, Job* job = nullptr);

// Adds the findings of another run of the same kernel. If both runs have a finding of the same kind and
// lines, joins both findings and adds their counts. In the joined finding, `lockstep` and `independent` are
// true if they are true in at least one of the two findings.
void add(Hazards& all, const Hazards& more);

}  // namespace upsweep
