// Measures in a thread other than the window's. The window picks up the results when it draws, and never
// waits for them.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "measure/measure.hpp"

namespace upsweep {

class Sweeper {
 public:
  // The function measure() of src/measure, or a replacement of it.
  using Measure = std::function<Timings(const SweepRequest&, const std::function<void(const SweepProgress&)>&,
                                        std::stop_token)>;
  struct Progress {
    std::size_t done = 0, all = 0;  // rows
    std::string what;               // the row that is measured now
  };
  struct News {
    Progress progress;
    std::shared_ptr<const Timings> timings;  // all finished rows; null if nothing has been added
    bool over = false;
    std::string error;  // a sentence that says why the sweep ended early, if it was not cancelled
  };

  // `wake` is called from the measuring thread when there are new results, a few times per second.
  Sweeper(Measure measure, std::function<void()> wake);
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  // Begins a sweep. Returns false if another sweep is under way. Throws WorkError if no thread can be
  // started; a later call may succeed.
  bool begin(SweepRequest request);
  // Asks the sweep under way to end. It ends within 200 ms, with the results so far.
  void cancel();
  // Returns what has changed since the last call.
  std::optional<News> take();

 private:
  void work(const SweepRequest& request, const std::stop_token& stop);
  void tell(const SweepProgress& progress);

  const Measure measure_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::optional<News> news_;
  bool busy_ = false;
  std::size_t told_rows_ = 0;  // rows of the sweep under way that were returned
  std::jthread thread_;        // last, so that it ends before the members that it uses
};

}  // namespace upsweep
