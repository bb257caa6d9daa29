// Measures times in a thread other than the window's. The window picks up the results when it draws a frame,
// and never waits for results.
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
  // The function measure() of src/measure, or a function that replaces it in tests.
  using Measure = std::function<Timings(const SweepRequest&, const std::function<void(const SweepProgress&)>&,
                                        std::stop_token)>;
  struct Progress {
    std::size_t done = 0, all = 0;  // measured rows, and all rows
    std::string what;               // the row that is measured now
  };
  struct News {
    Progress progress;
    std::shared_ptr<const Timings> timings;  // all measured rows; null if no row is new
    bool over = false;
    std::string error;  // a sentence that says why the sweep failed; empty if it did not fail
  };

  // `wake` is called from the measuring thread when there are new results: at most 10 times per second, and
  // at the end.
  Sweeper(Measure measure, std::function<void()> wake);
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  // Begins a sweep (the measurement of a list of rows). Returns false if another sweep is running. Throws
  // WorkError if no thread can be started; a later call may succeed.
  bool begin(SweepRequest request);
  // Asks the running sweep to end. The sweep ends within 200 ms and keeps the rows that were measured.
  void cancel();
  // Returns what is new since the last call, or nullopt if nothing is new.
  std::optional<News> take();

 private:
  void work(const SweepRequest& request, const std::stop_token& stop);
  void tell(const SweepProgress& progress);

  const Measure measure_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::optional<News> news_;
  bool busy_ = false;
  std::size_t told_rows_ = 0;  // the number of rows of the running sweep that were already put into news_
  std::jthread thread_;        // last, so that the thread ends before the members that it uses are destroyed
};

}  // namespace upsweep
