// Runs launches with their child grids, and decides which of their blocks are on the machine at a time.
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
  // `memory`: all of global memory. `influences`: what is known about kernels; run() adds to it.
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

  // Runs a launch of the host to its end. Returns false if the run was stopped.
  bool run(std::unique_ptr<Launch> launch);

  // Writes the blocks' part of the trace, sorted by grids, blocks, steps and warps.
  void fill_in(Trace& trace);

  std::size_t likely_events = 0, likely_lanes = 0;  // the numbers of the first block
  std::int64_t blocks_in_all = 0;                   // the number of blocks of the host's launches
  bool blocks_apart = true;                         // blocks that cannot influence each other run apart

 private:
  struct Resident {
    Launch* launch = nullptr;
    std::size_t run = 0;             // index into runs_
    std::unique_ptr<Block> block{};  // null if it has run apart
    // For a block that has run apart: Run::clock at the beginning of each turn.
    std::vector<std::uint32_t> turns{};
  };
  struct Ran {
    BlockRun run;
    BlockRecording* recording;
  };

  void begin(std::unique_ptr<Launch> launch);

  // Starts as many blocks of the launches that have begun as there is room for. Returns false if no block is
  // left.
  bool fill();

  void start(Launch& launch);

  // Runs a launch of the host without turns. Returns the recordings of its blocks, or none if the blocks have
  // to take turns.
  std::vector<BlockApart> run_apart(Launch& launch);
  bool may_run_apart(const Launch& launch) const;

  // Runs one turn of every resident block.
  void round();
  // Runs the turn of a block that has run apart. Returns false if it was the last.
  bool replay(Resident& r);

  // Gives the events of a block their Event::time. It is the time of issue, but it ascends for each warp.
  void give_times(BlockRecording& r) const;

  // With a schedule: runs one access of one warp, usually of the one that ran last.
  void one_step();
  void settle(std::size_t i);

  void end(std::size_t i);

  // Begins child grids that threads have launched.
  void take_children();

  // Ends a grid when its blocks and its child grids have ended. Then the grids that wait for its end begin,
  // one after another.
  void end_if_done(Launch* launch);

  // The number of rounds, or steps of a schedule, without any progress that a waiting thread could wait for.
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
  std::vector<std::unique_ptr<Launch>> launches_;  // in the order in which they began
  std::deque<BlockRecording> recordings_;
  std::vector<Ran> runs_;
  // With a schedule: the warp that ran last, as an index over the resident blocks.
  std::size_t last_ = SIZE_MAX;
  int idle_ = 0;
  // As many blocks may be on the machine at a time if they wait for blocks that have not started. A GPU has
  // room for more, but each of these threads needs 16 KB.
  static constexpr std::size_t most_resident_blocks = 1024, most_resident_threads = 32 * 1024;
  std::size_t allowed_ = 0;
  std::span<BlockApart> apart_;  // the blocks of the host's running launch; empty if they take turns
  std::int64_t blocks_ended_ = 0;
};

}  // namespace upsweep
