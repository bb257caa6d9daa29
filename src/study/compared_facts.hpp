// Finds the numbers of shared-memory wavefronts of two runs: the recorded run, and a run of the compared
// variant.
//
// Another thread runs the variant on the same data. That thread uses the emulator, because the emulator
// records the same events as a GPU. If the variant is written for shaders, that thread uses OpenGL.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/recording.hpp"
#include "study/worker.hpp"

namespace upsweep {

// The shared-memory wavefronts of a whole run, summed over all launches and all blocks.
struct SharedCost {
  std::int64_t wavefronts = 0, excess = 0;
  bool operator==(const SharedCost&) const = default;
};
// Returns the wavefronts of the run that has these totals.
SharedCost shared_cost(const Totals& run);

class ComparedFacts {
 public:
  struct Order {
    std::shared_ptr<const Recording> shown;
    Settings compared;
  };
  // A function that finds the cost of the compared variant. If the function throws a std::exception, the cost
  // stays unknown.
  using Find = std::function<SharedCost(const Order&, Job&)>;
  // Returns the function that runs the compared variant on the emulator, or on OpenGL if the variant is
  // written for shaders.
  static Find find_on_emulator();

  // `wake` is called from another thread when tick() can pick up a result. `find` is called and destroyed in
  // this other thread.
  explicit ComparedFacts(std::function<void()> wake, Find find = find_on_emulator())
      : wake_(std::move(wake)), find_(std::move(find)) {}
  // Begins to find the cost of a run with the settings `compared` and the data of the recording `shown`.
  // tick() picks up the result.
  void follow(const std::shared_ptr<const Recording>& shown, const std::optional<Settings>& compared);
  // Picks up the result of the other thread. Returns true if there was a new result.
  bool tick();
  // These functions return the costs of the two runs of the latest follow(). A cost is empty until the cost
  // is known.
  const std::optional<SharedCost>& shown_cost() const { return shown_cost_; }
  const std::optional<SharedCost>& compared_cost() const { return compared_cost_; }
  // Waits for the compared variant's cost, at most this many seconds.
  void wait(double seconds);

 private:
  struct Cost {
    Order of;
    std::optional<SharedCost> cost;
  };
  void find_compared();

  std::function<void()> wake_;
  Find find_;  // empty after the first comparison, because the worker then owns the function
  std::shared_ptr<const Recording> shown_;
  std::optional<Settings> compared_;
  std::optional<SharedCost> shown_cost_, compared_cost_;
  std::unique_ptr<Worker<Order, Cost>> worker_;  // null until the first comparison
};

}  // namespace upsweep
