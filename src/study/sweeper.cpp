#include "study/sweeper.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "study/give_way.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds least_pause(100);  // between two calls of wake_

}  // namespace

Sweeper::Sweeper(Measure measure, std::function<void()> wake)
    : measure_(std::move(measure)), wake_(std::move(wake)) {}

bool Sweeper::begin(SweepRequest request) {
  {
    std::lock_guard lock(mutex_);
    if (busy_) return false;
    news_.reset();
    told_rows_ = 0;
    busy_ = true;
  }
  try {
    // The previous thread has finished its work, so joining it takes no time.
    thread_ = std::jthread(
        [this, request = std::move(request)](const std::stop_token& stop) { work(request, stop); });
  } catch (const std::exception&) {
    std::lock_guard lock(mutex_);
    busy_ = false;
    throw WorkError(tr("The sweep cannot begin: this computer cannot start more threads."));
  }
  return true;
}

void Sweeper::cancel() { thread_.request_stop(); }

std::optional<Sweeper::News> Sweeper::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void Sweeper::tell(const SweepProgress& p) {
  std::lock_guard lock(mutex_);
  if (!news_) news_.emplace();
  news_->progress = {p.done, p.all, p.what ? in_words(p.what) : std::move(news_->progress.what)};
  if (p.so_far.rows.size() == told_rows_) return;
  told_rows_ = p.so_far.rows.size();
  news_->timings = std::make_shared<const Timings>(p.so_far);
}

void Sweeper::work(const SweepRequest& request, const std::stop_token& stop) {
  News last;
  last.over = true;
  Clock::time_point woken{};
  give_way();
  try {
    last.timings = std::make_shared<const Timings>(measure_(
        request,
        [&](const SweepProgress& p) {
          tell(p);
          last.progress = {p.done, p.all, {}};
          if (Clock::now() - woken < least_pause) return;
          woken = Clock::now();
          if (wake_) wake_();
        },
        stop));
  } catch (const std::exception& e) { last.error = in_words(e); }
  {
    std::lock_guard lock(mutex_);
    if (!last.timings && news_) last.timings = news_->timings;
    news_ = std::move(last);
    busy_ = false;
  }
  if (wake_) wake_();
}

}  // namespace upsweep
