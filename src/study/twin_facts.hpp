// What shared memory costs one block of a recorded kernel and of the variant that it is compared with, on the
// same data: the variant is recorded off the window's thread, on the emulator, whose events are the GPU's.
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
  bool operator==(const BlockCost&) const = default;
};
// Of the first recorded block of the largest grid.
BlockCost block_cost(const Trace& trace);

class TwinFacts {
 public:
  // `wake` is called from another thread when tick() has something to pick up.
  explicit TwinFacts(std::function<void()> wake) : wake_(std::move(wake)) {}
  // Sees to it that the costs of `shown` and of a run of `twin` on its data are known soon.
  void follow(const std::shared_ptr<const Recording>& shown, const std::optional<Settings>& twin);
  // Picks up what has come. True if anything changed.
  bool tick();
  // Of what was followed last; nothing while it is not known, or if it cannot be.
  const std::optional<BlockCost>& shown_cost() const { return shown_cost_; }
  const std::optional<BlockCost>& twin_cost() const { return twin_cost_; }
  // Waits at most so many seconds for both.
  void wait(double seconds);

 private:
  struct Order {
    std::shared_ptr<const Recording> shown;
    std::optional<Settings> twin;  // empty: the cost of `shown` itself
  };
  struct Cost {
    Order of;
    std::optional<BlockCost> cost;
  };
  void find_next();

  std::function<void()> wake_;
  std::shared_ptr<const Recording> shown_;
  std::optional<Settings> twin_;
  std::optional<BlockCost> shown_cost_, twin_cost_;
  std::unique_ptr<Worker<Order, Cost>> worker_;  // from the first comparison on
};

}  // namespace upsweep
