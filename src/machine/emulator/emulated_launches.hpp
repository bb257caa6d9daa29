// What the emulator runs: launches with their children, and the blocks of them that are on the machine at a
// time.
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

// Runs launches, each with all its children, and keeps what their blocks did.
class Launches {
 public:
  // `memory`: all of global memory. `influences`: what is known of kernels; grows.
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

  // Runs a launch of the host to its end. False if the run was stopped.
  bool run(std::unique_ptr<Launch> launch);

  // The trace's part that comes from the blocks: everything in the order of grids, blocks, steps, warps.
  void fill_in(Trace& trace);

  std::size_t likely_events = 0, likely_lanes = 0;  // of the first block
  std::int64_t blocks_in_all = 0;                   // of the host's launches
  bool blocks_apart = true;                         // those that cannot influence each other run apart

 private:
  struct Resident {
    Launch* launch = nullptr;
    std::size_t run = 0;                 // index into runs_
    std::unique_ptr<Block> block{};      // null: it has run apart
    std::vector<std::uint32_t> turns{};  // of one that has run apart: Run::clock when each of them began
  };
  struct Ran {
    BlockRun run;
    BlockRecording* recording;
  };

  void begin(std::unique_ptr<Launch> launch);

  // Starts blocks of the launches that have begun, as many as there is room for. False if there is none left.
  bool fill();

  void start(Launch& launch);

  // What the blocks of a launch of the host do, if that can be found out without their taking turns; else
  // none.
  std::vector<BlockApart> run_apart(Launch& launch);
  bool may_run_apart(const Launch& launch) const;

  // Every resident block's turn.
  void round();
  // The turn of one that has run apart. False if it was the last.
  bool replay(Resident& r);

  // Event::time, of a block's events in order: when they were issued, but for each warp ascending.
  void give_times(BlockRecording& r) const;

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
  std::vector<BlockPool>& pools_;
  std::vector<std::vector<std::byte>>& memory_;
  std::map<std::string, Influence>& influences_;
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
  std::span<BlockApart> apart_;  // of the host's launch that runs; empty: its blocks take turns
  std::int64_t blocks_ended_ = 0;
};

}  // namespace upsweep
