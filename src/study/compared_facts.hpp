// Finds what one block of a recorded kernel costs in shared memory, and what one block of the compared
// variant costs. The variant runs on the same data in another thread, on the emulator, which records the same
// events as a GPU. A variant that is written for shaders runs on OpenGL.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/recording.hpp"
#include "study/worker.hpp"

namespace upsweep {

struct BlockCost {
  std::int64_t wavefronts = 0, excess = 0;
  // `blocks` counts the blocks of the largest grid. The other two are totals of the whole run.
  std::int64_t blocks = 1, run_wavefronts = 0, run_excess = 0;
  bool operator==(const BlockCost&) const = default;
};
// Returns the cost of a block of the largest grid: the first block that was recorded in full. `wavefronts` is
// 0 if there is no such block. `run` must be the totals of the whole run.
BlockCost block_cost(const Trace& trace, const Totals& run);
// Returns whether both costs are known and the runs have different numbers of blocks. A block of one run then
// does more work than a block of the other run, so only the costs of the whole runs can be compared.
bool differ_in_blocks(const std::optional<BlockCost>& one, const std::optional<BlockCost>& other);

class ComparedFacts {
 public:
  struct Order {
    std::shared_ptr<const Recording> shown;
    std::optional<Settings> compared;  // if empty, the cost of `shown` itself is wanted
  };
  // Finds a cost. If it throws a std::exception, the cost cannot be found.
  using Find = std::function<BlockCost(const Order&, Job&)>;
  // Returns the function that runs the compared variant on the emulator, or on OpenGL if the variant is
  // written for shaders.
  static Find find_on_emulator();

  // `wake` is called from another thread when tick() has something to pick up. `find` is called and destroyed
  // in that thread.
  explicit ComparedFacts(std::function<void()> wake, Find find = find_on_emulator())
      : wake_(std::move(wake)), find_(std::move(find)) {}
  // Begins to find the costs of `shown`, and of a run of `compared` on the same data. tick() picks up the
  // results.
  void follow(const std::shared_ptr<const Recording>& shown, const std::optional<Settings>& compared);
  // Picks up the results of the other thread. Returns whether there were any.
  bool tick();
  // Each returns a cost for the last follow(), or nothing if this cost is not yet known or cannot be found.
  const std::optional<BlockCost>& shown_cost() const { return shown_cost_; }
  const std::optional<BlockCost>& compared_cost() const { return compared_cost_; }
  // Waits for both costs, at most this many seconds for each.
  void wait(double seconds);

 private:
  struct Cost {
    Order of;
    std::optional<BlockCost> cost;
  };
  void find_next();

  std::function<void()> wake_;
  Find find_;  // empty after the first comparison, because the worker owns it
  std::shared_ptr<const Recording> shown_;
  std::optional<Settings> compared_;
  std::optional<BlockCost> shown_cost_, compared_cost_;
  bool has_tried_shown_ = false;                 // the search for shown_cost_ has ended
  std::unique_ptr<Worker<Order, Cost>> worker_;  // null until the first comparison
};

}  // namespace upsweep
