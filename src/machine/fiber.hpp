// One coroutine that runs task after task on a stack of its own (Boost.Context's bare switch: a block of 512 threads makes
// 12,000 switches, and boost::context::fiber's bookkeeping doubles their cost).
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace upsweep {

class Fiber {
 public:
  using Task = void (*)();
  Fiber();
  // A task that has not finished is given up where it stands: what lies on its stack is not destroyed.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Begins a task; it runs at the next resume().
  void start(Task task);
  // Runs the task until it suspends or ends. Throws what the task threw.
  [[gnu::always_inline]] void resume() {
    switch_to(inside_, this, stack_, stack_bytes);
    if (task_ == nullptr) end_task();
  }
  bool finished() const { return task_ == nullptr; }
  // Called inside a task: back to resume()'s caller.
  [[gnu::always_inline]] void suspend() { switch_to(outside_, nullptr, caller_bottom, caller_size); }
  // Fetches what resume() will touch into the cache.
  void prefetch() const {
    const char* top = static_cast<const char*>(inside_);
    for (int line = 0; line < 4; ++line) __builtin_prefetch(top + 64 * line);
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t stack_bytes = 256 * 1024;
#else
  static constexpr std::size_t stack_bytes = 16 * 1024;
#endif

  // Inlined whatever the optimiser thinks: a return after a switch is always mispredicted (a third of the time of a switch each).
  [[gnu::always_inline]] static void switch_to(boost::context::detail::fcontext_t& there, void* data,
                                               [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, bottom, size);
#endif
    there = boost::context::detail::jump_fcontext(there, data).fctx;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, data ? nullptr : &caller_bottom, data ? nullptr : &caller_size);
#endif
  }
  void end_task();
  static void loop(boost::context::detail::transfer_t caller);

  boost::context::detail::fcontext_t inside_ = nullptr, outside_ = nullptr;  // where to go on in the task, and at resume()'s caller
  Task task_ = nullptr;
  char* stack_;  // lowest byte

  // Of resume()'s caller, for AddressSanitizer.
  static constinit thread_local const void* caller_bottom;
  static constinit thread_local std::size_t caller_size;
};

}  // namespace upsweep
