#include "study/view_finder.hpp"

#include <exception>
#include <new>
#include <utility>

#include "base/language.hpp"
#include "words/in_words.hpp"

namespace upsweep {

bool ViewFinder::is_ready(const View& view, const std::shared_ptr<const Recording>& recording,
                          const Cursor& at, double seconds) {
  const auto there = [&] { return !view.is_ready || view.is_ready(*recording, at); };
  if (there()) return true;
  if (!worker_)
    worker_ = std::make_unique<Worker<Order, std::string>>(
        [](const Order& order, Job& job) -> std::string {
          try {
            order.view->find(*order.recording, order.at, job);
          } catch (const std::bad_alloc&) {
            return tr("There is not enough memory for this view.");
          } catch (const std::exception& e) { return in_words(e); }
          return {};
        },
        wake_);
  if (Order order{&view, recording, at}; !is_last(order)) {
    view_ = &view;
    recording_ = recording;
    at_ = at;
    failure_.clear();
    worker_->begin(std::move(order));
  }
  worker_->wait(seconds);
  return there();
}

bool ViewFinder::tick() {
  auto failure = worker_ ? worker_->take() : std::nullopt;
  if (failure) failure_ = std::move(*failure);
  return failure.has_value();
}

bool ViewFinder::is_last(const Order& order) const {
  const bool same = !recording_.owner_before(order.recording) && !order.recording.owner_before(recording_);
  return same && view_ == order.view && at_.step == order.at.step && at_.block == order.at.block;
}

}  // namespace upsweep
