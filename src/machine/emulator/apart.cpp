#include "machine/emulator/apart.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace upsweep {
namespace {

using GlobalBuffers = std::vector<std::vector<std::byte>>;

// Sorts one block's stretches and joins those that touch.
void tidy(std::vector<Stretch>& touched) {
  const auto kind = [](const Stretch& s) { return std::tuple(s.buffer, s.store, s.talk); };
  std::ranges::sort(touched, {},
                    [&](const Stretch& s) { return std::tuple_cat(kind(s), std::tuple(s.begin)); });
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
  const auto common = static_cast<std::ptrdiff_t>(std::min(steps.size(), more.size()));
  if (!std::equal(steps.begin(), steps.begin() + common, more.begin())) return false;
  if (more.size() > steps.size()) steps = more;
  return true;
}

void show_progress(const ApartOptions& o, std::size_t finished) {
  if (o.job != nullptr && o.blocks_in_all > 0)
    o.job->set_progress(static_cast<double>(o.blocks_before + static_cast<std::int64_t>(finished)) /
                        static_cast<double>(o.blocks_in_all));
}

// A block with a run and a launch of its own, so that it can be run by anybody, one block after another.
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
  Aside(const Aside&) = delete;  // its parts point to each other
  Aside& operator=(const Aside&) = delete;

  void begin(Block& block, std::size_t index, BlockApart& to) {
    block_ = &block;
    to_ = &to;
    ended_ = false;
    const auto number = static_cast<std::uint32_t>(index);
    const bool in_focus = number >= options_.first_focus && number - options_.first_focus < options_.focus;
    to.recording = {.launch = &launch_, .block = number, .in_focus = in_focus};
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

  // Goes on with the block's turn. False if it would have to talk.
  bool go_on(bool may_talk) {
    const std::uint64_t before = run_.progress;
    const Block::Advance advance = block_->advance(may_talk);
    progress_ += run_.progress - before;
    if (advance == Block::Advance::waits) return false;
    to_->turns.push_back(run_.clock - turn_began_);
    turn_began_ = run_.clock;
    ended_ = advance == Block::Advance::ended;
    return true;
  }
  bool ended() const { return ended_; }
  bool wanted() const { return run_.wanted.is(); }
  bool talks() const { return run_.talks; }
  bool has_children() const { return !run_.children.empty(); }
  std::uint64_t progress() const { return progress_; }
  std::size_t turns() const { return to_->turns.size(); }

  // After the block's end. False if what it calls its steps contradicts a block before.
  bool end() {
    to_->recording.launch = &whole_;
    tidy(run_.touched);
    for (Stretch& s : run_.touched) s.block = to_->recording.block;
    touched_.insert(touched_.end(), run_.touched.begin(), run_.touched.end());
    return join(steps_, launch_.steps);
  }

  const std::vector<Stretch>& touched() const { return touched_; }
  // Adds what its blocks did to the launch. False if that depends on who came first.
  bool add_to_launch() {
    Run& run = *whole_.run;
    const std::uint64_t used = most_room_ - run_.room;
    if (run_.dropped > 0 || used > run.room || !join(whole_.steps, steps_)) return false;
    run.room -= used;
    run.several_turns = run.several_turns || run_.several_turns;
    whole_.last_step = std::max(whole_.last_step, launch_.last_step);
    for (const Count& c : launch_.counts.sorted()) {
      Count& to = whole_.counts.of(c.step, c.line, c.kind, c.detail);
      to.requests += c.requests;
      to.lanes += c.lanes;
      to.units += c.units;
      to.ideal += c.ideal;
    }
    return true;
  }

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

  Launch& whole_;
  const ApartOptions& options_;
  Run run_;
  const std::uint64_t most_room_ = run_.room;
  Thread scheduler_;
  Launch launch_;
  Block* block_ = nullptr;
  BlockApart* to_ = nullptr;
  bool ended_ = false;
  std::uint32_t turn_began_ = 0;
  std::uint64_t progress_ = 0;
  std::vector<Step> steps_;  // of all its blocks
  std::vector<Stretch> touched_;
};

using Asides = std::vector<std::unique_ptr<Aside>>;

// What came of them all, if all went well so far.
ApartResult result(Launch& launch, const Asides& asides, bool good, std::vector<BlockApart>& blocks,
                   GlobalBuffers& memory, const GlobalBuffers& before) {
  if (launch.run->wanted.job != nullptr && launch.run->wanted.job->cancelled()) throw Unwanted();
  if (good) {
    std::vector<Stretch> touched;
    for (const auto& a : asides) touched.insert(touched.end(), a->touched().begin(), a->touched().end());
    good = !influence_each_other(touched);
  }
  const std::uint64_t room = launch.run->room;
  for (const auto& a : asides) good = good && a->add_to_launch();
  if (good) return {.blocks = std::move(blocks)};
  launch.counts = {};
  launch.steps.clear();
  launch.last_step = 0;
  launch.run->room = room;
  for (std::size_t i = 0; i < memory.size(); ++i) std::ranges::copy(before[i], memory[i].begin());
  return {.influence = Influence::other};
}

// What the threads of the computer that run one launch share.
struct Together {
  std::vector<BlockApart>& blocks;
  const ApartOptions& options;
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> given_up = false, talks = false;
};

// Runs a block from its beginning to its end. False if it is not alone.
bool run_alone(Aside& aside) {
  constexpr int most_idle = 300;  // turns that change nothing: it waits for others
  for (int idle = 0; !aside.ended();) {
    const std::uint64_t progress = aside.progress();
    aside.go_on(true);
    idle = aside.progress() == progress ? idle + 1 : 0;
    if (aside.talks() || aside.has_children() || idle > most_idle || !aside.wanted()) return false;
  }
  return aside.end();
}

// What one thread of the computer does.
void work(Together& all, Aside& aside, BlockPool& pool, std::size_t threads) noexcept {
  try {
    auto block = pool.take(threads);
    for (std::size_t i; (i = all.next++) < all.blocks.size() && aside.wanted();) {
      aside.begin(*block, i, all.blocks[i]);
      if (!run_alone(aside)) {
        if (aside.talks()) all.talks = true;
        all.given_up = true;
      }
      show_progress(all.options, ++all.finished);
    }
    pool.give_back(std::move(block));
  } catch (...) { all.given_up = true; }  // whatever it is: taking turns will show it again
}

}  // namespace

bool fits_beside(std::size_t blocks, std::size_t threads) {
  constexpr std::size_t most_blocks = 16, least_blocks = 4, most_threads = 8 * 1024;
  return blocks < most_blocks && (blocks < least_blocks || threads <= most_threads);
}

ApartResult run_apart(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      GlobalBuffers& memory) {
  const GlobalBuffers before = memory;
  const auto block_threads = static_cast<std::size_t>(launch.grid.threads);
  std::vector<BlockApart> blocks(static_cast<std::size_t>(launch.grid.blocks));
  Together all{blocks, options};
  // A thread of the computer has to be worth its start.
  constexpr std::size_t least_threads = 4096;
  const std::size_t count = std::clamp<std::size_t>(blocks.size() * block_threads / least_threads, 1,
                                                    std::min(pools.size(), blocks.size()));
  Asides asides;
  for (std::size_t i = 0; i < count; ++i)
    asides.push_back(std::make_unique<Aside>(launch, options, all.given_up));
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < count; ++i)
        threads.emplace_back([&, i] { work(all, *asides[i], pools[i], block_threads); });
    } catch (const std::system_error&) {}  // there are no more threads: those that run do all
    work(all, *asides[0], pools[0], block_threads);
  }
  ApartResult r = result(launch, asides, !all.given_up, blocks, memory, before);
  if (all.talks) r.influence = Influence::talk;
  return r;
}

ApartResult run_ahead(Launch& launch, const ApartOptions& options, BlockPool& pool, GlobalBuffers& memory) {
  const GlobalBuffers before = memory;
  const auto threads = static_cast<std::size_t>(launch.grid.threads);
  std::vector<BlockApart> blocks(static_cast<std::size_t>(launch.grid.blocks));
  const std::atomic<bool> given_up = false;
  struct Resident {
    Aside* aside;
    std::unique_ptr<Block> block;
    std::size_t turns = 0;  // that have come
  };
  Asides asides;
  std::vector<Aside*> free;
  std::vector<Resident> resident;
  std::size_t started = 0, finished = 0;
  bool good = true;
  const auto fill = [&] {
    for (; started < blocks.size() && fits_beside(resident.size(), (resident.size() + 1) * threads);
         ++started) {
      if (free.empty()) {
        asides.push_back(std::make_unique<Aside>(launch, options, given_up));
        free.push_back(asides.back().get());
      }
      resident.push_back({free.back(), pool.take(threads)});
      free.pop_back();
      resident.back().aside->begin(*resident.back().block, started, blocks[started]);
    }
    return !resident.empty();
  };
  // A turn. If it has not been run before, it is now, and after it those that follow, up to where it talks.
  const auto turn = [&](Resident& r) {
    Aside& a = *r.aside;
    if (r.turns++ < a.turns()) return;
    a.go_on(true);
    for (bool goes_on = true; goes_on && !a.ended() && a.wanted();) {
      const std::uint64_t progress = a.progress();
      goes_on = a.go_on(false) && a.progress() != progress;
    }
    if (a.has_children()) good = false;
  };
  try {
    constexpr int most_idle = 300;
    int idle = 0;
    while (good && idle <= most_idle && fill()) {
      if (!launch.run->wanted.is()) throw Unwanted();
      bool progress = false;
      for (std::size_t i = 0; i < resident.size();) {
        Resident& r = resident[i];
        const std::uint64_t at = r.aside->progress();
        turn(r);
        progress = progress || r.aside->progress() != at || r.turns < r.aside->turns();
        if (!r.aside->ended() || r.turns < r.aside->turns()) {
          ++i;
          continue;
        }
        good = r.aside->end() && good;
        free.push_back(r.aside);
        pool.give_back(std::move(r.block));
        resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(i));
        show_progress(options, ++finished);
        progress = true;
      }
      idle = progress ? 0 : idle + 1;
    }
    good = good && resident.empty() && started == blocks.size();
  } catch (const Unwanted&) { throw; } catch (...) {
    good = false;
  }  // whatever it is: taking turns will show it again
  ApartResult r = result(launch, asides, good, blocks, memory, before);
  if (good && r.influence == Influence::none) r.influence = Influence::talk;
  return r;
}

}  // namespace upsweep
