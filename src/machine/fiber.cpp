#include "machine/fiber.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace upsweep {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 * 1024;
void before_switch(void** fake, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake, bottom, size);
}
void after_switch(void* fake, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake, bottom, size);
}
#else
constexpr std::size_t stack_bytes = 64 * 1024;  // bytes; a guard page below catches a kernel that needs more
void before_switch(void**, const void*, std::size_t) {}
void after_switch(void*, const void**, std::size_t*) {}
#endif

}  // namespace

Fiber::Fiber() {
  boost::context::protected_fixedsize_stack allocator(stack_bytes);
  const boost::context::stack_context stack = allocator.allocate();
  stack_bottom_ = static_cast<const char*>(stack.sp) - stack.size;
  stack_size_ = stack.size;
  inside_ = boost::context::fiber(std::allocator_arg,
                                  boost::context::preallocated(stack.sp, stack.size, stack), allocator,
                                  [this](boost::context::fiber&& caller) { return loop(std::move(caller)); });
}

boost::context::fiber Fiber::loop(boost::context::fiber&& caller) {
  after_switch(nullptr, &caller_bottom_, &caller_size_);
  outside_ = std::move(caller);
  for (;;) {
    try {
      task_();
    } catch (const boost::context::detail::forced_unwind&) {
      throw;  // the fiber is being destroyed
    } catch (...) { error_ = std::current_exception(); }
    task_ = nullptr;
    suspend();
  }
}

void Fiber::resume() {
  void* fake = nullptr;
  before_switch(&fake, stack_bottom_, stack_size_);
  inside_ = std::move(inside_).resume();
  after_switch(fake, nullptr, nullptr);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Fiber::suspend() {
  void* fake = nullptr;
  before_switch(&fake, caller_bottom_, caller_size_);
  outside_ = std::move(outside_).resume();
  after_switch(fake, &caller_bottom_, &caller_size_);
}

}  // namespace upsweep
