// Carries out orders in another thread, so that the window's thread need not wait. A new order replaces the
// previous order.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/job.hpp"

namespace upsweep {

// Order and Result must be movable. Only the thread that made the worker may call the public functions.
template <class Order, class Result>
class Worker {
 public:
  // A function that carries out an order in the worker's thread. The function must check the job often, so
  // that cancelled work ends within 200 ms.
  //
  // If the function throws an error, there is no result and busy() becomes false. The function object is
  // destroyed in the worker's thread.
  using Work = std::function<Result(Order, Job&)>;

  // `wake` is called from the worker's thread when a result has come.
  Worker(Work work, std::function<void()> wake)
      : wake_(std::move(wake)), thread_([this, w = std::move(work)]() mutable { run(std::move(w)); }) {}
  // Cancels the running work and waits for its end.
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
      drop();
    }
    changed_.notify_all();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Begins an order. Running work is cancelled, and a result that take() has not returned is dropped.
  void begin(Order order) {
    {
      std::lock_guard lock(mutex_);
      drop();
      job_ = std::make_shared<Job>();
      waiting_.emplace(std::move(order));
    }
    changed_.notify_all();
  }
  // Cancels the newest order and drops its result. Returns immediately.
  void cancel() {
    std::lock_guard lock(mutex_);
    drop();
  }
  // Returns the result of the newest order, or nullopt if there is no result yet. A second call returns
  // nullopt.
  std::optional<Result> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(done_, std::nullopt);
  }
  // Returns whether the newest order has no result yet and was not cancelled.
  bool busy() const {
    std::lock_guard lock(mutex_);
    return is_wanted();
  }
  // Returns whether the thread is carrying out an order, or will carry out a waiting order. Also returns true
  // if the order was cancelled but its work has not ended.
  bool running() const {
    std::lock_guard lock(mutex_);
    return waiting_ || running_;
  }
  // Returns the progress of the newest order, from 0 to 1.
  double progress() const {
    std::lock_guard lock(mutex_);
    return job_ ? job_->progress() : 0;
  }
  // Waits at most this many seconds for the result of the newest order. Returns false if the result takes
  // longer.
  bool wait(double seconds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !is_wanted(); });
  }

 private:
  bool is_wanted() const { return waiting_ || (running_ && job_ && !job_->cancelled()); }

  void drop() {
    if (job_) job_->cancel();
    waiting_.reset();
    done_.reset();
  }

  void run(Work work) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stop_ || waiting_; });
      if (stop_) return;
      Order order = std::move(*waiting_);
      waiting_.reset();
      const std::shared_ptr<Job> job = job_;
      running_ = true;
      lock.unlock();
      std::optional<Result> result;
      try {
        result.emplace(work(std::move(order), *job));
      } catch (...) {}  // the work was cancelled or has failed, so there is no result
      lock.lock();
      running_ = false;
      const bool has_come = result && !job->cancelled();
      if (has_come) done_ = std::move(result);
      lock.unlock();
      changed_.notify_all();
      if (has_come && wake_) wake_();
      result.reset();
      lock.lock();
    }
  }

  const std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;  // the job of the newest order
  std::optional<Order> waiting_;
  std::optional<Result> done_;
  bool running_ = false, stop_ = false;
  std::thread thread_;  // declared last, so that the thread begins when all other members exist
};

}  // namespace upsweep
