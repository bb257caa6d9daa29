// Measures off the window's thread: what has come is picked up when the window draws, and nobody waits.
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
  // As measure() of src/measure.
  using Measure = std::function<Timings(const SweepRequest&, const std::function<void(const SweepProgress&)>&,
                                        std::stop_token)>;
  struct Progress {
    std::size_t done = 0, all = 0;  // rows
    std::string what;               // is measured now
  };
  struct News {
    Progress progress;
    std::shared_ptr<const Timings> timings;  // all that is finished; null where nothing has been added
    bool over = false;
    std::string error;  // the sentence why it ended early, if it was not cancelled
  };

  // `wake` is called from the measuring thread when there is news, a few times a second.
  Sweeper(Measure measure, std::function<void()> wake);
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  // Begins; false while another sweep is under way. Throws WorkError if no thread can be started; a later
  // call then may succeed.
  bool begin(SweepRequest request);
  // Asks the sweep under way to end: it does so within 200 ms, with what it has.
  void cancel();
  // What has changed since it was last asked for.
  std::optional<News> take();

 private:
  void work(const SweepRequest& request, const std::stop_token& stop);
  void tell(const SweepProgress& progress);

  const Measure measure_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::optional<News> news_;
  bool busy_ = false;
  std::size_t told_rows_ = 0;  // of the sweep under way
  std::jthread thread_;        // last: it ends before what it uses
};

}  // namespace upsweep
