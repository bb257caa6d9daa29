// run_ahead() runs blocks on all cores at the same time. But the blocks take turns for the accesses by which
// they communicate (see apart.hpp): only one block at a time makes such accesses.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "machine/emulator/apart.hpp"
#include "machine/emulator/aside.hpp"

namespace upsweep {
namespace {

struct Runner;

// A block that has begun and has not ended. The mutex of Ahead guards the members from `state` on.
struct Resident {
  Aside* aside = nullptr;
  std::unique_ptr<Block> block;
  std::size_t index = 0;
  BlockApart* to = nullptr;
  Runner* runner = nullptr;
  bool begun = false;  // whether the block has run; only the CPU thread that runs the block uses this member

  // `ahead`: the block runs up to its next access by which it communicates with other blocks. `rests`: the
  // block does not run, because it has reached such an access, waits for other blocks or has ended. `asked`:
  // the block must now run its next turn, in which it may communicate.
  enum class State { ahead, rests, asked } state = State::ahead;
  bool ended = false;           // true if the block's last turn is complete
  std::size_t turns_run = 0;    // the number of complete turns of the block
  std::size_t turns_taken = 0;  // the number of these turns that take_turn() has counted
  bool was_asked = false;       // whether `state` was set to `asked` for the next turn
  std::uint64_t progress = 0, progress_when_asked = 0;
};

// A CPU thread and the blocks that it runs. A block never changes its CPU thread, because compiled code may
// keep the address of a thread-local variable. The mutex of Ahead guards all members except `hurry`.
struct Runner {
  std::vector<Resident*> blocks{};
  Resident* current = nullptr;  // the block that runs or ran last
  bool sleeps = false;
  std::atomic<bool> hurry = false;  // true if the thread must switch to another of its blocks
  std::condition_variable wake{};
};

class Ahead {
 public:
  Ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools)
      : launch_(launch),
        options_(options),
        pool_(pools.front()),
        blocks_(static_cast<std::size_t>(launch.grid.blocks)),
        runners_(runner_count(blocks_.size(), threads(), pools.size())) {}

  // Runs all blocks, on this CPU thread and on other CPU threads. Returns false if the blocks have to take
  // turns on one thread.
  bool run() {
    {
      std::vector<std::jthread> threads;
      std::unique_lock lock(mutex_);  // the new threads wait until all of them have started
      try {
        for (auto r = std::next(runners_.begin()); r != runners_.end(); ++r)
          threads.emplace_back([this, r] { serve(*r); });
      } catch (const std::exception&) {  // the computer cannot start more threads
        runners_.resize(threads.size() + 1);
      }
      lock.unlock();
      serve(runners_.front());
    }
    return !given_up_;
  }
  const Asides& asides() const { return asides_; }
  std::vector<BlockApart>& blocks() { return blocks_; }

 private:
  using State = Resident::State;

  std::size_t threads() const { return static_cast<std::size_t>(launch_.grid.threads); }

  // Runs the blocks of one thread until all blocks have ended, or until blocks have to take turns.
  void serve(Runner& me) {
    std::unique_lock lock(mutex_);
    while (true) {
      try {
        while (!done_ && take_turn()) {}
      } catch (...) { give_up(); }  // all blocks run again, in turns, and then throw this error again
      if (done_) break;
      me.hurry = false;
      if (Resident* r = choose(me)) {
        me.current = r;
        go_on(lock, me);
      } else {
        me.sleeps = true;
        me.wake.wait(lock);
        me.sleeps = false;
      }
    }
    for (Runner& r : runners_) r.wake.notify_one();
  }
  void give_up() { done_ = given_up_ = true; }

  // If the block `next_` has completed its turn, counts this turn, goes on to the next block and returns
  // true. Otherwise asks the block to run this turn, and returns false.
  bool take_turn() {
    if (next_ == residents_.end()) {
      idle_ = progress_ ? 0 : idle_ + 1;
      progress_ = false;
      if (idle_ > most_idle || !launch_.run->wanted.is()) give_up();
      else if (!fill()) done_ = true;
      next_ = residents_.begin();
      return true;
    }
    Resident& r = *next_;
    if (r.turns_taken == r.turns_run) {
      if (r.state == State::rests) {
        r.state = State::asked;
        r.was_asked = true;
        r.progress_when_asked = r.progress;
      }
      if (r.runner->current != &r) r.runner->hurry = true;
      if (r.runner->sleeps) r.runner->wake.notify_one();
      return false;
    }
    const bool idle = std::exchange(r.was_asked, false) && r.progress == r.progress_when_asked;
    progress_ = progress_ || !idle;
    if (++r.turns_taken < r.turns_run || !r.ended) ++next_;
    else end();
    return true;
  }

  // Begins as many blocks as fit at the same time. Returns false if all blocks have ended.
  bool fill() {
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
      r.block = pool_.take(threads());
      r.index = started_;
      r.to = &blocks_[started_];
      r.runner = &runner;
      free_.pop_back();
      runner.blocks.push_back(&r);
      if (runner.sleeps) runner.wake.notify_one();
    }
    return !residents_.empty();
  }

  // Removes the block `next_`, whose last turn is complete.
  void end() {
    Resident& r = *next_;
    std::erase(r.runner->blocks, &r);
    if (r.runner->current == &r) r.runner->current = nullptr;
    free_.push_back(r.aside);
    pool_.give_back(std::move(r.block));
    next_ = residents_.erase(next_);
    show_progress(options_, ++finished_);
  }

  // Returns the block that a CPU thread runs next, or null if all blocks of the thread rest. The first choice
  // is the block whose turn is next. The second choice is the block that the thread ran last, because the
  // data of this block is in the cache.
  Resident* choose(const Runner& me) const {
    Resident* other = nullptr;
    for (Resident* r : me.blocks) {
      if (r->state == State::rests) continue;
      if (r->state == State::asked || &*next_ == r) return r;
      if (other == nullptr || r == me.current) other = r;
    }
    return other;
  }

  // If the current block was asked to run its turn, runs this turn. Otherwise runs the block up to its next
  // access by which it communicates with other blocks (see apart.hpp).
  void go_on(std::unique_lock<std::mutex>& lock, Runner& me) {
    Resident& r = *me.current;
    const bool asked = r.state == State::asked;
    lock.unlock();
    Aside& a = *r.aside;
    bool failed = false, rests = false;
    try {
      if (!std::exchange(r.begun, true)) a.begin(*r.block, r.index, *r.to);
      const std::uint64_t before = a.progress();
      const Block::Advance advance = a.go_on(asked, asked ? nullptr : &me.hurry);
      // A block whose turn changed nothing also rests, because the block waits for other blocks.
      rests = a.ended() || advance == Block::Advance::talks ||
              (!asked && advance == Block::Advance::goes_on && a.progress() == before);
      failed = a.has_children() || !a.wanted() || (a.ended() && !a.end());
    } catch (...) { failed = true; }  // all blocks run again, in turns, and then throw this error again
    lock.lock();
    r.turns_run = a.turns();
    r.progress = a.progress();
    r.ended = a.ended();
    r.state = rests ? State::rests : State::ahead;
    if (failed) give_up();
  }

  Launch& launch_;
  const ApartOptions& options_;
  BlockPool& pool_;
  std::vector<BlockApart> blocks_;
  std::atomic<bool> given_up_ = false;

  std::mutex mutex_;  // guards all members below
  std::list<Runner> runners_;
  Asides asides_;
  std::vector<Aside*> free_;
  std::list<Resident> residents_;  // the blocks, in the order in which they take turns
  std::list<Resident>::iterator next_ = residents_.end();  // the block that takes the next turn
  std::size_t started_ = 0, finished_ = 0;
  bool progress_ = true;  // whether a turn of this round (one turn of every block) changed something
  int idle_ = 0;          // the number of successive rounds without progress
  bool done_ = false;
};

}  // namespace

ApartResult run_ahead(Launch& launch, const ApartOptions& options, std::vector<BlockPool>& pools,
                      GlobalBuffers& memory) {
  const KeptBuffers before(memory, options.buffers);
  Ahead ahead(launch, options, pools);
  const bool good = ahead.run();
  ApartResult r = result(launch, ahead.asides(), good, ahead.blocks(), options.focus, memory, before);
  if (good && r.influence == Influence::none) r.influence = Influence::talk;
  return r;
}

}  // namespace upsweep
