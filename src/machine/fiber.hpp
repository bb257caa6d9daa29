// One coroutine that runs task after task on a stack of its own (Boost.Context).
#pragma once
#include <boost/context/fiber.hpp>
#include <exception>

namespace upsweep {

class Fiber {
 public:
  using Task = void (*)();
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Begins a task; it runs at the next resume().
  void start(Task task) { task_ = task; }
  // Runs the task until it suspends or ends. Throws what the task threw.
  void resume();
  bool finished() const { return task_ == nullptr; }
  // Called inside a task: back to resume()'s caller.
  void suspend();

 private:
  boost::context::fiber loop(boost::context::fiber&& caller);

  Task task_ = nullptr;
  std::exception_ptr error_;
  void* stack_bottom_ = nullptr;  // lowest byte; of the caller below: AddressSanitizer wants to know
  std::size_t stack_size_ = 0;
  const void* caller_bottom_ = nullptr;
  std::size_t caller_size_ = 0;
  boost::context::fiber inside_, outside_;
};

}  // namespace upsweep
