#include "machine/emulator/apart.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace upsweep {
namespace {

// What the threads of the computer that run one launch share.
struct Shared {
  const Launch& launch;
  const ApartOptions& options;
  std::vector<BlockApart>& blocks;
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> given_up = false;
};

// Sorts one block's stretches and joins those that touch, so that those of a kind do not overlap.
void tidy(std::vector<Stretch>& touched) {
  const auto kind = [](const Stretch& s) { return std::tuple(s.buffer, s.store); };
  std::ranges::sort(touched, {}, [&](const Stretch& s) { return std::tuple(s.buffer, s.store, s.begin); });
  std::size_t kept = 0;
  for (const Stretch& s : touched) {
    if (kept > 0 && kind(touched[kept - 1]) == kind(s) && s.begin <= touched[kept - 1].end)
      touched[kept - 1].end = std::max(touched[kept - 1].end, s.end);
    else touched[kept++] = s;
  }
  touched.resize(kept);
}

// Takes over the labels of steps of one more block. False if it calls a step something else.
bool join(std::vector<Step>& steps, const std::vector<Step>& more) {
  if (!std::equal(steps.begin(),
                  steps.begin() + static_cast<std::ptrdiff_t>(std::min(steps.size(), more.size())),
                  more.begin()))
    return false;
  if (more.size() > steps.size()) steps = more;
  return true;
}

// One thread of the computer.
class Worker {
 public:
  Worker(Shared& shared, BlockPool& pool)
      : shared_(shared), pool_(pool), run_(run_like(*shared.launch.run)), room_(run_.room) {
    run_.wanted.given_up = &shared.given_up;
    scheduler_.next = run_.scheduler = &scheduler_;
    launch_.run = &run_;
    launch_.grid = shared.launch.grid;
    launch_.grid_dim = launch_.grid.grid_dim();
    launch_.block_dim = launch_.grid.block_dim();
    launch_.body = shared.launch.body;
  }

  void work() noexcept {
    try {
      auto block = pool_.take(static_cast<std::size_t>(launch_.grid.threads));
      for (std::size_t i; (i = shared_.next++) < shared_.blocks.size() && run_.wanted.is();) {
        if (!run(*block, i)) shared_.given_up = true;
        const std::size_t finished = ++shared_.finished;
        const ApartOptions& o = shared_.options;
        if (o.job != nullptr && o.blocks_in_all > 0)
          o.job->set_progress(static_cast<double>(o.blocks_before + static_cast<std::int64_t>(finished)) /
                              static_cast<double>(o.blocks_in_all));
      }
      pool_.give_back(std::move(block));
    } catch (...) { shared_.given_up = true; }  // whatever it is: taking turns will show it again
  }

  // Adds what its blocks did to the launch. False if that depends on who came first.
  bool add_to(Launch& launch) {
    if (run_.dropped > 0 || room_ - run_.room > launch.run->room || !join(launch.steps, steps_)) return false;
    launch.run->room -= room_ - run_.room;
    launch.run->several_turns = launch.run->several_turns || run_.several_turns;
    launch.last_step = std::max(launch.last_step, launch_.last_step);
    for (const Count& c : launch_.counts.sorted()) {
      Count& to = launch.counts.of(c.step, c.line, c.kind, c.detail);
      to.requests += c.requests;
      to.lanes += c.lanes;
      to.units += c.units;
      to.ideal += c.ideal;
    }
    return true;
  }
  const std::vector<Stretch>& touched() const { return touched_; }

 private:
  static Run run_like(const Run& run) {
    return {.settings = run.settings,
            .identity = run.identity,
            .combine = run.combine,
            .constants = run.constants,
            .layout = run.layout,
            .barrier_trips = run.barrier_trips,
            .trips = run.trips,
            .room = run.room,
            .wanted = run.wanted,
            .apart = true};
  }

  bool run(Block& block, std::size_t index) {
    const ApartOptions& o = shared_.options;
    const auto number = static_cast<std::uint32_t>(index);
    BlockApart& out = shared_.blocks[index];
    out.recording = {.launch = &launch_,
                     .block = number,
                     .in_focus = number >= o.first_focus && number - o.first_focus < o.focus};
    if (index == 0) {
      out.recording.events.reserve(o.likely_events);
      out.recording.lanes.reserve(o.likely_lanes);
      out.recording.values.reserve(o.likely_lanes);
    }
    launch_.steps.clear();
    launch_.labelled = 0;
    run_.clock = 0;
    run_.touched.clear();
    block.start(launch_, out.recording);
    constexpr int most_idle = 300;  // turns that change nothing: it waits for others
    int idle = 0;
    for (bool goes_on = true; goes_on;) {
      const std::uint32_t clock = run_.clock;
      const std::uint64_t progress = run_.progress;
      goes_on = block.advance();
      out.turns.push_back(run_.clock - clock);
      idle = run_.progress == progress ? idle + 1 : 0;
      if (run_.talks || !run_.children.empty() || idle > most_idle || !run_.wanted.is()) return false;
    }
    out.recording.launch = const_cast<Launch*>(&shared_.launch);
    tidy(run_.touched);
    for (Stretch& s : run_.touched) s.block = number;
    touched_.insert(touched_.end(), run_.touched.begin(), run_.touched.end());
    return join(steps_, launch_.steps);
  }

  Shared& shared_;
  BlockPool& pool_;
  Run run_;
  std::uint64_t room_;
  Thread scheduler_;
  Launch launch_;
  std::vector<Step> steps_;
  std::vector<Stretch> touched_;
};

}  // namespace

bool influence_each_other(std::vector<Stretch> touched) {
  const auto stores = std::ranges::partition(touched, [](const Stretch& s) { return !s.store; });
  const std::span loads(touched.begin(), stores.begin());
  std::ranges::sort(stores, {}, [](const Stretch& s) { return std::pair(s.buffer, s.begin); });
  for (std::size_t i = 1; i < stores.size(); ++i)
    if (stores[i].buffer == stores[i - 1].buffer && stores[i].begin < stores[i - 1].end) return true;
  for (const Stretch& load : loads) {
    // Stores do not overlap: the first that ends behind the load's beginning, and those that follow.
    auto store = std::ranges::upper_bound(stores, std::pair(load.buffer, load.begin), {},
                                          [](const Stretch& s) { return std::pair(s.buffer, s.end); });
    for (; store != stores.end() && store->buffer == load.buffer && store->begin < load.end; ++store)
      if (store->block != load.block) return true;
  }
  return false;
}

std::optional<std::vector<BlockApart>> run_apart(Launch& launch, const ApartOptions& options,
                                                 std::vector<BlockPool>& pools,
                                                 std::vector<std::vector<std::byte>>& memory) {
  const std::vector<std::vector<std::byte>> before = memory;
  std::vector<BlockApart> blocks(static_cast<std::size_t>(launch.grid.blocks));
  Shared shared{launch, options, blocks};
  // A thread of the computer has to be worth its start.
  constexpr std::size_t least_threads = 4096;
  const std::size_t count =
      std::clamp<std::size_t>(blocks.size() * static_cast<std::size_t>(launch.grid.threads) / least_threads,
                              1, std::min(pools.size(), blocks.size()));
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t i = 0; i < count; ++i) workers.push_back(std::make_unique<Worker>(shared, pools[i]));
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < count; ++i)
        threads.emplace_back([&worker = *workers[i]] { worker.work(); });
    } catch (const std::system_error&) {}  // there are no more threads: those that run do all
    workers[0]->work();
  }
  if (launch.run->wanted.job != nullptr && launch.run->wanted.job->cancelled()) throw Unwanted();

  std::vector<Stretch> touched;
  bool good = !shared.given_up;
  for (const auto& worker : workers)
    if (good) touched.insert(touched.end(), worker->touched().begin(), worker->touched().end());
  good = good && !influence_each_other(std::move(touched));
  const Launch empty = {};
  for (const auto& worker : workers) good = good && worker->add_to(launch);
  if (good) return blocks;
  launch.counts = empty.counts;
  launch.steps = empty.steps;
  launch.last_step = 0;
  for (std::size_t i = 0; i < memory.size(); ++i) std::ranges::copy(before[i], memory[i].begin());
  return {};
}

}  // namespace upsweep
