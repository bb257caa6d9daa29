// Coroutines on stacks of their own, switched by Boost.Context's bare jump.
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace upsweep {

// A place to go on at: in code that runs on a stack of its own, or in the code that made the first switch.
class Fiber {
 public:
  // The next switch to this fiber runs `body`, which must not return, from its beginning on that stack.
  // Whatever the fiber did before is given up where it stands, without destructors.
  template <void (*body)()>
  void start(char* stack, std::size_t size) {
    context_ = boost::context::detail::make_fcontext(stack + size, size, [](Transfer from) {
      arrive(from, nullptr);
      body();
    });
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(stack, size);
    stack_ = stack, size_ = size;
#endif
  }

  // Leaves the running code here and goes on in `to`; returns when something switches to this fiber.
  [[gnu::always_inline]] void switch_to(Fiber& to) {
    void* fake_stack = nullptr;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fake_stack, to.stack_, to.size_);
#endif
    arrive(boost::context::detail::jump_fcontext(to.context_, this), fake_stack);
  }

 private:
  using Transfer = boost::context::detail::transfer_t;

  static void arrive(Transfer from, [[maybe_unused]] void* fake_stack) {
    auto* source = static_cast<Fiber*>(from.data);
    source->context_ = from.fctx;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, &source->stack_, &source->size_);
#endif
  }

  boost::context::detail::fcontext_t context_ = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  const void* stack_ = nullptr;
  std::size_t size_ = 0;
#endif
};

}  // namespace upsweep
