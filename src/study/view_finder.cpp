#include "study/view_finder.hpp"

#include <exception>

namespace upsweep {

bool ViewFinder::is_ready(const View& view, const std::shared_ptr<const Recording>& recording,
                          const Cursor& at, double seconds) {
  const auto there = [&] { return !view.is_ready || view.is_ready(*recording, at); };
  if (there()) return true;
  if (!worker_)
    worker_ = std::make_unique<Worker<Order, bool>>(
        [](const Order& order, Job& job) {
          try {
            order.view->find(*order.recording, order.at, job);
          } catch (const std::exception&) { return false; }  // there is no memory for it
          return true;
        },
        wake_);
  if (Order order{&view, recording, at}; !is_last(order)) {
    view_ = &view;
    recording_ = recording;
    at_ = at;
    worker_->begin(std::move(order));
  }
  worker_->wait(seconds);
  return there();
}

bool ViewFinder::is_last(const Order& order) const {
  const bool same = !recording_.owner_before(order.recording) && !order.recording.owner_before(recording_);
  return same && view_ == order.view && at_.step == order.at.step && at_.block == order.at.block;
}

}  // namespace upsweep
