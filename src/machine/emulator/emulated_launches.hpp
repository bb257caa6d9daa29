// Runs launches with their child grids, and decides which blocks are resident at the same time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/emulator/apart.hpp"
#include "machine/emulator/block_pool.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

// Runs launches with all their children, and keeps the recordings of their blocks.
class Launches {
 public:
  // `memory` is all of global memory. `influences` contains the known influences between the blocks of each
  // kernel. run() adds the influences that it finds.
  Launches(Run& run, std::vector<BlockPool>& pools, std::vector<std::vector<std::byte>>& memory,
           std::map<std::string, Influence>& influences, const RecordOptions& options)
      : run_(run),
        pools_(pools),
        memory_(memory),
        influences_(influences),
        options_(options),
        schedule_(options) {
    scheduler_.next = run.scheduler = &scheduler_;
  }

  // Runs a launch of the host until the launch ends. `buffers` has the indices of the buffers that the launch
  // may change. Returns false if the run was stopped.
  bool run(std::unique_ptr<Launch> launch, const std::vector<std::size_t>& buffers);

  // Writes the recordings of the blocks into the trace, sorted by grid, block, step and warp.
  void fill_in(Trace& trace);

  // The numbers of entries that the first block adds to Trace::events and Trace::lanes. Before run(), these
  // numbers are estimates.
  std::size_t likely_events = 0, likely_lanes = 0;
  std::int64_t blocks_in_all = 0;     // the number of blocks of the host's launches
  std::uint64_t launches_in_all = 0;  // the number of the host's launches
  // The approximate number of entries (see size_of()) that all blocks in focus (recorded in full) together
  // may have.
  std::uint64_t room_for_focus = 0;
  bool blocks_apart = true;  // whether blocks may run apart (see apart.hpp)

 private:
  struct Resident {
    Launch* launch = nullptr;
    std::size_t run = 0;             // index into runs_
    std::unique_ptr<Block> block{};  // null if the block has run apart
    // Run::clock at the beginning of each turn, if the block has run apart.
    std::vector<std::uint32_t> turns{};
  };
  struct Ran {
    BlockRun run;
    BlockRecording* recording;
  };

  // Chooses the focus (the blocks that are recorded in full) of the launch that begins next. Divides
  // room_for_focus equally among this launch and the host's later launches.
  void choose_focus();
  Focus& focus_of(const Launch& launch) { return focuses_[static_cast<std::size_t>(launch.number)]; }

  void begin(std::unique_ptr<Launch> launch);

  // Starts blocks of the launches that have begun, until no more blocks may be resident. Returns false if no
  // block is resident at the end.
  bool fill();

  void start(Launch& launch);

  // Runs each block of a host's launch apart from the other blocks (see apart.hpp). Returns the recordings of
  // the blocks. Returns an empty list if the blocks have to take turns.
  std::vector<BlockApart> run_apart(Launch& launch, const std::vector<std::size_t>& buffers);
  bool may_run_apart(const Launch& launch) const;

  // Runs one turn of every resident block.
  void round();
  // Replays one turn of a block that has already run apart: only advances the time by the duration of this
  // turn. Returns false after the last turn.
  bool replay(Resident& r);

  // Without a schedule, increases Event::time of some events of a block, so that the times of each warp
  // ascend.
  void give_times(BlockRecording& r) const;

  // Runs one access of one warp, usually of the warp that ran last. Used only with a schedule.
  void one_step();
  void settle(std::size_t i);

  void end(std::size_t i);

  // Begins the child grids that threads have launched.
  void take_children();

  // Ends a grid if its blocks and its child grids have ended. Then begins the grids that waited for this
  // grid, one after another.
  void end_if_done(Launch* launch);

  // Returns how many rounds may pass without any change before the threads are examined for a deadlock. In a
  // round, every block runs one turn. With a schedule, calls of one_step() are counted instead of rounds.
  int most_idle() const;
  void wait_longer();
  [[noreturn]] void hopeless();

  Run& run_;
  std::vector<BlockPool>& pools_;
  std::vector<std::vector<std::byte>>& memory_;
  std::map<std::string, Influence>& influences_;
  RecordOptions options_;
  Schedule schedule_;
  Thread scheduler_;
  std::deque<Launch*> waiting_;  // launches with blocks that have not started
  std::vector<Resident> resident_;
  std::vector<std::unique_ptr<Launch>> launches_;  // the launches, in the order in which they began
  std::deque<Focus> focuses_;                      // the focus of each launch
  std::deque<BlockRecording> recordings_;
  std::vector<Ran> runs_;
  // With a schedule: the index of the warp that had the last turn. The index counts the warps of all resident
  // blocks.
  std::size_t last_ = SIZE_MAX;
  int idle_ = 0;
  // If the resident blocks wait for blocks that have not started, the emulator starts more blocks, up to
  // these limits. A GPU may have more resident blocks, but here each thread needs a stack of 16 KB.
  static constexpr std::size_t most_resident_blocks = 1024, most_resident_threads = 32 * 1024;
  std::size_t allowed_ = 0;
  std::span<BlockApart> apart_;  // the blocks of the host's running launch; empty if the blocks take turns
  std::int64_t blocks_ended_ = 0;
  std::uint64_t host_launches_ = 0;  // the number of the host's launches that have begun
};

}  // namespace upsweep
