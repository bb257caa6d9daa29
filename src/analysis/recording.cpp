#include "analysis/recording.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "analysis/actions.hpp"
#include "analysis/block_index.hpp"
#include "analysis/cancellable.hpp"
#include "analysis/incidents.hpp"
#include "analysis/key_pass.hpp"
#include "analysis/memory.hpp"
#include "analysis/moves.hpp"
#include "analysis/run_index.hpp"
#include "analysis/step_index.hpp"
#include "analysis/time_line.hpp"

namespace upsweep {

namespace {

// A cache of values. Each value has a key, and all threads share the value of a key. For each thread, the
// cache keeps the last `most` values that the thread used.
//
// A thread never removes a value that another thread may still read. For example, an export may go through
// all steps while the window draws. 64 values are enough, because a user looks at only a few blocks at a
// time.
template <class Key, class T, std::size_t most = 64>
class LastAskedFor {
 public:
  // Returns the value of a key. If the key has no value yet, calls make() first. If `keep` is true, the value
  // is never removed.
  //
  // If another thread is making this value, waits for that thread, but never waits for values of other keys.
  // If make() throws, a later call makes the value again.
  template <class Make>
  const T& get(const Key& key, Make make, bool keep = false) {
    std::shared_ptr<Entry> entry;
    {
      const std::lock_guard lock(mutex_);
      OfThread& mine = threads_[std::this_thread::get_id()];
      auto at = mine.uses.find(key);
      if (at == mine.uses.end()) {
        entry = find(key);
        if (!entry) entry = std::make_shared<Entry>();
        if (mine.uses.size() - mine.kept >= most)
          mine.uses.erase(std::min_element(
              mine.uses.begin(), mine.uses.end(),
              [](const auto& a, const auto& b) { return a.second.asked_for < b.second.asked_for; }));
        at = mine.uses.try_emplace(key, Use{entry}).first;
        mine.kept += keep;
      }
      at->second.asked_for = keep ? UINT64_MAX : ++questions_;
      entry = at->second.entry;
    }
    std::call_once(entry->once, [&] {
      entry->what = std::make_unique<const T>(make());
      entry->is_complete = true;
    });
    return *entry->what;
  }

  // Returns whether get() would return the value of this key without delay.
  bool has(const Key& key) {
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<Entry> entry = find(key);
    return entry && entry->is_complete;
  }

 private:
  struct Entry {
    std::once_flag once;
    std::unique_ptr<const T> what;
    std::atomic<bool> is_complete = false;
  };
  struct Use {
    std::shared_ptr<Entry> entry;
    std::uint64_t asked_for = 0;  // the number of the last get() for this key; UINT64_MAX with `keep`
  };
  struct OfThread {
    std::map<Key, Use> uses;
    std::size_t kept = 0;
  };

  // Returns the entry of a key if any thread uses this entry. Otherwise, returns null. Requires the lock.
  std::shared_ptr<Entry> find(const Key& key) const {
    for (const auto& [thread, of] : threads_)
      if (const auto at = of.uses.find(key); at != of.uses.end()) return at->second.entry;
    return nullptr;
  }

  std::mutex mutex_;
  std::map<std::thread::id, OfThread> threads_;
  std::uint64_t questions_ = 0;
};

// An analysis of this many entries of Trace::lanes takes longer than one frame of the window. So prepare()
// computes the results of such analyses in advance.
constexpr std::size_t many_lanes = 1 << 16;

bool has_many_lanes(const Trace& trace, int block, int step) {
  return lane_entries(trace, step_events(trace, block, step)).count >= many_lanes;
}

}  // namespace

// Everything that is computed on first use.
struct Recording::Later {
  const Tree& tree(const Recording& r, int grid, int block, const Job* job);
  const std::vector<StepAction>& actions_of(const Trace& trace, int block, int step, const Job* job);

  LastAskedFor<std::pair<int, int>, Tree> trees;                       // the key is the grid and the block
  LastAskedFor<std::pair<int, int>, BlockIndex> blocks;                // the key is the grid and the block
  LastAskedFor<std::pair<int, int>, StepIndex> steps;                  // the key is the block and the step
  LastAskedFor<std::pair<int, int>, std::vector<StepAction>> actions;  // the key is the block and the step
  LastAskedFor<int, TimeLine> time_lines;                              // the only key is 0
  LastAskedFor<std::pair<int, int>, GlobalState, 8> globals;           // the key is the buffer and the step
  LastAskedFor<int, RecordedTable> tables;                             // the only key is 0
  LastAskedFor<int, RunIndex> runs;                                    // the only key is 0
  LastAskedFor<int, Moves> moves;                                      // the only key is 0
  LastAskedFor<std::pair<int, int>, std::optional<KeyPass>> passes;    // the key is the block and the step
  LastAskedFor<int, std::vector<int>> worst_steps;                     // key: the number of steps in a group

  std::mutex looking;
  std::unique_ptr<const Hazards> found;
  std::vector<Incident> incidents;                // the incidents of `found`
  std::atomic<const Hazards*> hazards = nullptr;  // points to `found` when the hazards are complete
};

Recording::Recording() : later_(std::make_unique<Later>()) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

// Returns the tree of a block. A grid's first block is shown often. If this block has many lanes, its tree is
// never removed, because making the tree again would take too long.
const Tree& Recording::Later::tree(const Recording& r, int grid, int block, const Job* job) {
  const Trace& trace = r.trace;
  const EventRange range = block_events(trace, grid, block);
  return trees.get(
      {grid, block},
      [&] {
        Tree tree = upsweep::tree(trace, grid, block, job);
        if (r.later_rows.grid != grid) return tree;
        tree.columns = std::max(tree.columns, r.later_rows.columns);
        tree.rows.insert(tree.rows.end(), r.later_rows.rows.begin(), r.later_rows.rows.end());
        return tree;
      },
      block == 0 && lane_entries(trace, range).count >= many_lanes);
}

const std::vector<StepAction>& Recording::Later::actions_of(const Trace& trace, int block, int step,
                                                            const Job* job) {
  return actions.get(
      {block, step}, [&] { return upsweep::actions(trace, block, step, job); },
      has_many_lanes(trace, block, step));
}

const Tree& Recording::tree(int grid, int block) const { return later_->tree(*this, grid, block, nullptr); }

const BlockIndex& Recording::block(int grid, int block) const {
  return later_->blocks.get({grid, block}, [&] { return BlockIndex(trace, grid, block); });
}

const Totals& Recording::launch_totals(int step) const {
  if (facts.launches.size() == 1) return facts.launches[0];
  return facts.launches[static_cast<std::size_t>(grid_index(trace, step))];
}

const StepIndex& Recording::step(int block, int step) const {
  return later_->steps.get(
      {block, step}, [&] { return StepIndex(trace, block, step); }, has_many_lanes(trace, block, step));
}

const std::vector<StepAction>& Recording::actions(int block, int step) const {
  return later_->actions_of(trace, block, step, nullptr);
}

const RunIndex& Recording::run() const {
  return later_->runs.get(0, [&] { return RunIndex(trace, facts); });
}

const Moves& Recording::moves() const {
  return later_->moves.get(0, [&] { return upsweep::moves(trace); });
}

const std::optional<KeyPass>& Recording::key_pass(int block, int step, const Job* job) const {
  return later_->passes.get({block, step}, [&] { return upsweep::key_pass(*this, block, step, job); });
}

bool Recording::has_key_pass(int block, int step) const {
  return trace.lanes.size() < many_lanes || later_->passes.has({block, step});
}

const std::vector<int>& Recording::worst_steps(int together) const {
  return later_->worst_steps.get(together, [&] {
    const int count = static_cast<int>(trace.steps.size());
    std::vector<int> worst;
    for (int s = 0; s < count; s += together)
      worst.push_back(run().worst_step(s, std::min(s + together, count)));
    return worst;
  });
}

const TimeLine& Recording::time_line(const Job* job) const {
  return later_->time_lines.get(0, [&] { return upsweep::time_line(trace, job); });
}

bool Recording::has_time_line() const { return trace.lanes.size() < many_lanes || later_->time_lines.has(0); }

const GlobalState& Recording::global(int buffer, int step, const Job* job) const {
  return later_->globals.get({buffer, step}, [&] { return global_state(trace, buffer, step, job); });
}

const RecordedTable& Recording::table() const {
  return later_->tables.get(0, [&] { return RecordedTable(trace, *picture); });
}

void Recording::prepare(Job* job, bool all_blocks) const {
  run();
  if (picture) table();
  // The window first shows the block that looks back over the most tiles. To find this block, the window
  // needs the time line.
  if (std::ranges::any_of(trace.steps, [](const Step& s) { return s.phase == Phase::look_back; }))
    time_line(job);
  if (only_moves && trace.lanes.size() >= many_lanes)
    later_->moves.get(0, [&] { return upsweep::moves(trace, job); });
  const std::vector<Event>& events = trace.events;
  for (std::size_t first = 0, last = 0; first < events.size(); first = last) {
    const Event& e = events[first];
    if (job) job->check();
    const int grid = e.grid, block = static_cast<int>(e.block);
    last = block_events(trace, grid, block).last;
    if ((!all_blocks && block != 0) || lane_entries(trace, {first, last}).count < many_lanes) continue;
    if (block == 0) {
      later_->tree(*this, grid, block, job);
      this->block(grid, block);
    }
    for (std::size_t i = first, next = first; i < last; i = next) {
      const std::uint32_t step = events[i].step;
      while (next < last && events[next].step == step) ++next;
      if (lane_entries(trace, {i, next}).count < many_lanes) continue;
      if (job) job->check();
      this->step(block, static_cast<int>(step));
      later_->actions_of(trace, block, static_cast<int>(step), job);
    }
  }
}

const Hazards* Recording::hazards() const noexcept { return later_->hazards; }

const Hazards& Recording::find_hazards(Job* job) const {
  const std::lock_guard lock(later_->looking);
  if (!later_->found) {
    auto found = std::make_unique<const Hazards>(upsweep::hazards(trace, job));
    later_->incidents = upsweep::incidents(trace, *found, job);
    later_->found = std::move(found);
    later_->hazards = later_->found.get();
  }
  return *later_->found;
}

const std::vector<Incident>& Recording::incidents() const { return later_->incidents; }

const Tree& tree_at(const Recording& recording, const Place& place) {
  return recording.tree(grid_index(recording.trace, place.step), place.block);
}

}  // namespace upsweep
