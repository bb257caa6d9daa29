// What the emulator runs: launches with their children, and the blocks of them that are on the machine at a
// time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

// Blocks kept from launch to launch: their stacks are costly to make.
class BlockPool {
 public:
  std::unique_ptr<Block> take(std::size_t threads);
  void give_back(std::unique_ptr<Block> block);

 private:
  static constexpr std::size_t most_threads = 16 * 1024;
  std::vector<std::unique_ptr<Block>> free_;  // smallest first
};

// Runs launches, each with all its children, and keeps what their blocks did.
class Launches {
 public:
  Launches(Run& run, BlockPool& pool, const RecordOptions& options)
      : run_(run), pool_(pool), options_(options), schedule_(options) {
    scheduler_.next = run.scheduler = &scheduler_;
  }

  // Runs a launch of the host to its end. False if the run was stopped.
  bool run(std::unique_ptr<Launch> launch);

  // The trace's part that comes from the blocks: everything in the order of grids, blocks, steps, warps.
  void fill_in(Trace& trace);

  std::size_t likely_events = 0, likely_lanes = 0;  // of the first block

 private:
  struct Resident {
    std::unique_ptr<Block> block;
    std::size_t run;  // index into runs_
  };
  struct Ran {
    BlockRun run;
    BlockRecording* recording;
  };

  void begin(std::unique_ptr<Launch> launch);

  // Starts blocks of the launches that have begun, as many as there is room for. False if there is none left.
  bool fill();
  static constexpr std::size_t most_blocks = 16, least_blocks = 4, most_threads = 8 * 1024;

  void start(Launch& launch);

  // Every resident block's turn.
  void round();

  // By a schedule: one access of one warp, most often of the one that ran last.
  void one_step();
  void settle(std::size_t i);

  void end(std::size_t i);

  // Child grids that threads have started.
  void take_children();

  // A grid ends when its blocks and the grids they started have; then those begin that wait for its end, one
  // after another.
  void end_if_done(Launch* launch);

  // Rounds, or steps of a schedule, without anything that a waiting thread could wait for.
  int most_idle() const;
  [[noreturn]] void hopeless();

  Run& run_;
  BlockPool& pool_;
  RecordOptions options_;
  Schedule schedule_;
  Thread scheduler_;
  std::deque<Launch*> waiting_;  // with blocks that have not started
  std::vector<Resident> resident_;
  std::vector<std::unique_ptr<Launch>> launches_;  // in the order in which they began
  std::deque<BlockRecording> recordings_;
  std::vector<Ran> runs_;
  std::size_t last_ = SIZE_MAX;  // by a schedule: the warp that ran last, counted over the resident blocks
  int idle_ = 0;
};

}  // namespace upsweep
