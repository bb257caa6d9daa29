// Computes in another thread the data that a view needs to draw a place, so that the window's thread need not
// wait.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "scene/views/views.hpp"
#include "study/worker.hpp"

namespace upsweep {

class ViewFinder {
 public:
  // `wake` is called from another thread when View::find has ended.
  explicit ViewFinder(std::function<void()> wake) : wake_(std::move(wake)) {}

  // If the view cannot draw the place yet, begins View::find in another thread, unless the latest View::find
  // was for the same place. Then waits at most this many seconds for the end of View::find. Returns whether
  // the view can now draw the place.
  bool is_ready(const View& view, const std::shared_ptr<const Recording>& recording, const Cursor& at,
                double seconds);
  // Returns whether View::find has ended since the last call of tick().
  bool tick();
  // Returns a sentence that says why the latest View::find failed. Returns an empty text if it has not
  // failed.
  const std::string& failure() const { return failure_; }
  void wait(double seconds) {
    if (worker_) worker_->wait(seconds);
  }

 private:
  struct Order {
    const View* view;
    std::shared_ptr<const Recording> recording;
    Cursor at;
  };
  bool is_last(const Order& order) const;

  std::function<void()> wake_;
  // The view, the recording and the place of the latest View::find. The pointer to the recording is weak, so
  // that the recording can be deleted.
  const View* view_ = nullptr;
  std::weak_ptr<const Recording> recording_;
  Place at_;
  std::string failure_;
  std::unique_ptr<Worker<Order, std::string>> worker_;  // null before the first View::find
};

}  // namespace upsweep
