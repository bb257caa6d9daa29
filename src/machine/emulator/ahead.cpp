// run_ahead(): the turns in which blocks talk come in order; what blocks do between them runs on all cores.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "machine/emulator/apart.hpp"
#include "machine/emulator/aside.hpp"

namespace upsweep {
namespace {

struct Runner;

// A block that has begun and not ended. The mutex of Ahead guards the members from `asked` on; the thread
// that runs the block writes `begun`.
struct Resident {
  Aside* aside = nullptr;
  std::unique_ptr<Block> block;
  std::size_t index = 0;
  BlockApart* to = nullptr;
  Runner* runner = nullptr;
  std::size_t turns = 0;  // those that have come, in the order in which blocks take turns
  bool begun = false;
  bool asked = false;   // the caller wants a turn, in which the block may talk
  bool rests = false;   // it runs only when it is asked
  bool failed = false;  // the blocks of the launch have to take turns
  bool ended = false;   // its last turn has run
  std::size_t run = 0;  // turns that have run
  std::uint64_t progress = 0;
};

// A thread of the computer and the blocks that it runs. A block stays on the thread that it began on, because
// compilers may keep the address of a thread-local variable.
struct Runner {
  std::vector<Resident*> blocks{};
  const Resident* current = nullptr;
  std::atomic<bool> hurry = false;  // the caller waits for another of its blocks
  std::condition_variable wake{};
  std::thread thread{};
};

class Ahead {
 public:
  Ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools)
      : launch_(launch),
        options_(options),
        pools_(pools),
        blocks_(static_cast<std::size_t>(launch.grid.blocks)) {
    const std::size_t count =
        std::min({pools.size(), blocks_.size(), blocks_.size() * threads() / least_threads});
    try {
      for (std::size_t i = 0; count > 1 && i < count; ++i) {
        Runner& runner = runners_.emplace_back();
        runner.thread = std::thread([this, &runner] { serve(runner); });
      }
    } catch (const std::system_error&) { runners_.pop_back(); }  // there are no more threads
    if (runners_.empty()) runners_.emplace_back();
  }
  ~Ahead() { stop(); }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  // Runs all blocks. False if they have to take turns.
  bool run() {
    int idle = 0;
    std::size_t finished = 0;
    while (idle <= most_idle && fill()) {
      if (!launch_.run->wanted.is()) break;
      bool progress = false;
      for (auto r = residents_.begin(); r != residents_.end();) {
        const Turn turn = take_turn(*r);
        if (turn == Turn::failed) return false;
        progress = progress || turn != Turn::idle;
        if (turn != Turn::last) {
          ++r;
          continue;
        }
        if (!end(*r)) return false;
        r = residents_.erase(r);
        show_progress(options_, ++finished);
      }
      idle = progress ? 0 : idle + 1;
    }
    return residents_.empty() && started_ == blocks_.size();
  }
  // Ends the threads. From then on only the caller uses the asides.
  void stop() {
    given_up_ = true;
    {
      const std::lock_guard lock(mutex_);
      quits_ = true;
      for (Runner& r : runners_) r.wake.notify_one();
    }
    for (Runner& r : runners_)
      if (r.thread.joinable()) r.thread.join();
  }
  const Asides& asides() const { return asides_; }
  std::vector<BlockApart>& blocks() { return blocks_; }

 private:
  enum class Turn { goes_on, idle, last, failed };

  std::size_t threads() const { return static_cast<std::size_t>(launch_.grid.threads); }
  bool has_threads() const { return runners_.front().thread.joinable(); }

  // Begins as many blocks as fit beside each other. False if all have ended.
  bool fill() {
    const std::lock_guard lock(mutex_);
    for (; started_ < blocks_.size() && fits_beside(residents_.size(), (residents_.size() + 1) * threads());
         ++started_) {
      if (free_.empty()) {
        asides_.push_back(std::make_unique<Aside>(launch_, options_, given_up_));
        free_.push_back(asides_.back().get());
      }
      Runner& runner =
          *std::ranges::min_element(runners_, {}, [](const Runner& r) { return r.blocks.size(); });
      Resident& r = residents_.emplace_back();
      r.aside = free_.back();
      r.block = pools_.front().take(threads());
      r.index = started_;
      r.to = &blocks_[started_];
      r.runner = &runner;
      free_.pop_back();
      runner.blocks.push_back(&r);
      runner.wake.notify_one();
    }
    return !residents_.empty();
  }

  bool end(Resident& r) {
    {
      const std::lock_guard lock(mutex_);
      std::erase(r.runner->blocks, &r);
    }
    const bool good = r.aside->end();
    free_.push_back(r.aside);
    pools_.front().give_back(std::move(r.block));
    return good;
  }

  // The block's next turn. If it has not run, it does now.
  Turn take_turn(Resident& r) {
    std::unique_lock lock(mutex_);
    wait(lock, r, [&] { return r.turns < r.run || r.rests; });
    Turn turn = Turn::goes_on;
    if (r.turns == r.run && !r.failed) {
      const std::uint64_t before = r.progress;
      r.asked = true;
      r.rests = false;
      wait(lock, r, [&] { return !r.asked; });
      if (r.progress == before) turn = Turn::idle;
      if (!has_threads()) wait(lock, r, [&] { return r.rests; });  // while it is in the cache
    }
    if (r.failed) return Turn::failed;
    return ++r.turns == r.run && r.ended ? Turn::last : turn;
  }

  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, Resident& r, Done done) {
    while (!done()) {
      if (!has_threads()) {
        go_on(lock, r);
        continue;
      }
      wanted_ = &r;
      if (r.runner->current != &r) r.runner->hurry = true;
      r.runner->wake.notify_one();
      changed_.wait(lock);
    }
    wanted_ = nullptr;
  }

  // What a runner's thread does.
  void serve(Runner& me) {
    std::unique_lock lock(mutex_);
    while (!quits_) {
      const auto can_run = [](const Resident* r) { return !r->rests; };
      const auto is_wanted = [&](const Resident* r) { return can_run(r) && r == wanted_; };
      auto next = std::ranges::find_if(me.blocks, is_wanted);
      if (next == me.blocks.end()) next = std::ranges::find_if(me.blocks, can_run);
      if (next == me.blocks.end()) {
        me.wake.wait(lock);
        continue;
      }
      Resident& r = **next;
      me.current = &r;
      me.hurry = false;
      go_on(lock, r);
      me.current = nullptr;
      if (&r == wanted_) changed_.notify_one();
    }
  }

  // Runs the turn that the block is asked for, or else a piece of what comes before the next one.
  void go_on(std::unique_lock<std::mutex>& lock, Resident& r) {
    const bool asked = r.asked;
    lock.unlock();
    Aside& a = *r.aside;
    bool failed = false, rests = false;
    std::uint64_t before = 0;
    try {
      if (!r.begun) a.begin(*r.block, r.index, *r.to);
      r.begun = true;
      before = a.progress();
      const Block::Advance advance = a.go_on(asked, asked ? nullptr : &r.runner->hurry);
      // A turn that changed nothing waits for other blocks.
      rests = a.ended() || advance == Block::Advance::talks ||
              (!asked && advance == Block::Advance::goes_on && a.progress() == before);
      failed = a.has_children() || !a.wanted();
    } catch (...) { failed = true; }  // whatever it is: taking turns will show it again
    lock.lock();
    r.run = failed ? r.run : a.turns();
    r.progress = a.progress();
    r.ended = a.ended();
    r.rests = rests || failed;
    r.failed = failed;
    if (asked) r.asked = false;
  }

  Launch& launch_;
  const ApartOptions& options_;
  std::vector<BlockPool>& pools_;
  std::vector<BlockApart> blocks_;
  Asides asides_;
  std::vector<Aside*> free_;
  std::list<Resident> residents_;  // in the order in which they take turns
  std::size_t started_ = 0;
  std::atomic<bool> given_up_ = false;

  std::mutex mutex_;
  std::list<Runner> runners_;         // if there is only one, it has no thread: the caller does its work
  const Resident* wanted_ = nullptr;  // the caller waits for it
  std::condition_variable changed_;   // what the caller waits for
  bool quits_ = false;
};

}  // namespace

ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      GlobalBuffers& memory) {
  const GlobalBuffers before = memory;
  Ahead ahead(launch, options, pools);
  const bool good = ahead.run();
  ahead.stop();
  ApartResult r = result(launch, ahead.asides(), good, ahead.blocks(), memory, before);
  if (good && r.influence == Influence::none) r.influence = Influence::talk;
  return r;
}

}  // namespace upsweep
