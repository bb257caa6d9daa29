// Runs View::find in another thread, so that the window's thread need not wait. View::find computes the data
// that a view needs to draw a step.
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

  // Returns whether the view can draw the place `at`. If not, first begins View::find for this place in
  // another thread, and waits at most this many seconds for its end. Does not begin View::find again if the
  // latest View::find was for the same place.
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
