// Runs blocks of a launch apart from the other blocks (see apart.hpp). run_apart() and run_ahead() share this
// code.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "machine/emulator/apart.hpp"
#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

using GlobalBuffers = std::vector<std::vector<std::byte>>;

// A copy of the contents of a launch's buffers. restore() writes the contents back.
class KeptBuffers {
 public:
  // Copies the entries `chosen` of `memory`. These entries are the buffers that may change, and the depths of
  // the buffers' cells (see Memory::depths).
  KeptBuffers(const GlobalBuffers& memory, const std::vector<std::size_t>& chosen);
  void restore(GlobalBuffers& memory) const;

 private:
  std::vector<std::pair<std::size_t, std::vector<std::byte>>> kept_;
};

// Runs one block after another. Each object has its own Run and Launch, so that several objects can work at
// the same time.
class Aside {
 public:
  Aside(Launch& launch, const ApartOptions& options, const std::atomic<bool>& given_up)
      : whole_(launch), options_(options), run_(run_like(*launch.run)) {
    run_.wanted.given_up = &given_up;
    scheduler_.next = run_.scheduler = &scheduler_;
    launch_.run = &run_;
    launch_.grid = launch.grid;
    launch_.grid_dim = launch_.grid.grid_dim();
    launch_.block_dim = launch_.grid.block_dim();
    launch_.body = launch.body;
  }
  Aside(const Aside&) = delete;  // the object's members point to each other
  Aside& operator=(const Aside&) = delete;

  void begin(Block& block, std::size_t index, BlockApart& to) {
    block_ = &block;
    to_ = &to;
    ended_ = false;
    const auto number = static_cast<std::uint32_t>(index);
    to.recording = {.launch = &launch_, .block = number, .in_focus = options_.focus.has(number)};
    run_.room = whole_.run->room;
    run_.dropped = 0;
    if (index == 0) {
      to.recording.events.reserve(options_.likely_events);
      to.recording.lanes.reserve(options_.likely_lanes);
      to.recording.values.reserve(options_.likely_lanes);
    }
    launch_.steps.clear();
    launch_.labelled = 0;
    run_.clock = turn_began_ = 0;
    run_.talks = false;
    run_.touched.clear();
    block.start(launch_, to.recording);
  }

  // Runs one turn of the block, or completes a turn that has stopped early.
  Block::Advance go_on(bool may_talk, const std::atomic<bool>* hurry = nullptr) {
    const std::uint64_t before = run_.progress;
    const Block::Advance advance = block_->advance(may_talk, hurry);
    progress_ += run_.progress - before;
    if (advance == Block::Advance::talks || advance == Block::Advance::gives_way) return advance;
    to_->turns.push_back(run_.clock - turn_began_);
    turn_began_ = run_.clock;
    ended_ = advance == Block::Advance::ended;
    return advance;
  }
  bool ended() const { return ended_; }
  bool wanted() const { return run_.wanted.is(); }
  bool talks() const { return run_.talks; }
  bool has_children() const { return !run_.children.empty(); }
  std::uint64_t progress() const { return progress_; }
  std::size_t turns() const { return to_->turns.size(); }

  // Must be called after the block has ended. Returns false if this block and an earlier block give different
  // labels to one step.
  bool end();

  const std::vector<Stretch>& touched() const { return touched_; }
  // Adds the counts and steps of the blocks to the launch. Returns false if the recording would depend on the
  // order of the blocks.
  bool add_to_launch();

 private:
  static Run run_like(const Run& run) {
    return {.settings = run.settings,
            .identity = run.identity,
            .combine = run.combine,
            .keep = run.keep,
            .constants = run.constants,
            .layout = run.layout,
            .barrier_trips = run.barrier_trips,
            .trips = run.trips,
            .rounds = run.rounds,
            .most_children = run.most_children,
            .text = run.text,
            .room = run.room,
            .wanted = run.wanted,
            .apart = true};
  }

  Launch& whole_;
  const ApartOptions& options_;
  Run run_;
  Thread scheduler_;
  Launch launch_;
  Block* block_ = nullptr;
  BlockApart* to_ = nullptr;
  bool ended_ = false;
  std::uint32_t turn_began_ = 0;
  std::uint64_t progress_ = 0;
  std::vector<Step> steps_;  // the steps of all blocks that this object ran
  std::vector<Stretch> touched_;
};

using Asides = std::vector<std::unique_ptr<Aside>>;

// Returns the blocks if `good` is true and the blocks influenced each other only by atomics and volatile
// accesses. Otherwise restores the launch and `memory`, and returns no blocks.
ApartResult result(Launch& launch, const Asides& asides, bool good, std::vector<BlockApart>& blocks,
                   const Focus& focus, GlobalBuffers& memory, const KeptBuffers& before);

// Returns the number of CPU threads for a launch with this many blocks. A launch gets one CPU thread for
// every 4,096 CUDA threads, because starting a CPU thread takes time.
std::size_t runner_count(std::size_t blocks, std::size_t threads_of_block, std::size_t pools);
// After this many turns without any change, the program assumes that the block waits for something that never
// happens.
constexpr int most_idle = 300;

// Reports to the job, if there is a job, how many blocks of the launch have ended.
void show_progress(const ApartOptions& options, std::size_t finished);

}  // namespace upsweep
