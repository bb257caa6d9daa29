// Implements fibers: coroutines that have their own stacks. A block of 512 threads needs 12,000 switches
// between coroutines. So on x86-64 a switch is seven inlined instructions. On other processors a switch is
// Boost.Context's jump.
//
// On x86-64, Boost's jump would add 0.04 ms to a block, for two reasons. First, Boost's jump also saves the
// floating-point modes, which kernels never change. Second, Boost's jump returns by a jump instruction, which
// the processor predicts wrongly.
#pragma once
#include <cstddef>

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace upsweep {

// AVX-512 has more registers. A switch also changes these registers, so the compiler must know about them.
#if defined(__AVX512F__)
#define UPSWEEP_MORE_REGISTERS                                                                         \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
      "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define UPSWEEP_MORE_REGISTERS
#endif

// A point at which some code can continue. This code runs on its own stack, or is the code that made the
// first switch.
class Fiber {
 public:
#if defined(__SANITIZE_THREAD__)
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() {
    if (started_) __tsan_destroy_fiber(tsan_);
  }
#endif
  // Sets the code of this fiber: the next switch to the fiber starts `body` on this stack. `body` must not
  // return. The fiber abandons its earlier work, and no destructors run. The addresses of the stack's
  // beginning and end must be multiples of 64.
  template <void (*body)()>
  void start(char* stack, std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(stack, size);
    stack_ = stack, size_ = size;
#endif
#if defined(__SANITIZE_THREAD__)
    if (started_) __tsan_destroy_fiber(tsan_);
    tsan_ = __tsan_create_fiber(0);
    started_ = true;
#endif
    const auto first = [] {
      arrived(nullptr);
      body();
    };
#if defined(__x86_64__)
    void** return_address = reinterpret_cast<void**>(stack + size) - 1;
    *return_address = nullptr;  // marks the end for a backtrace: this code has no caller
    stack_pointer_ = return_address;
    frame_pointer_ = nullptr;
    code_ = static_cast<void (*)()>(first);
#else
    context_ = boost::context::detail::make_fcontext(stack + size, size,
                                                     [](boost::context::detail::transfer_t from) {
                                                       static_cast<Fiber*>(from.data)->context_ = from.fctx;
                                                       decltype(first){}();
                                                     });
#endif
  }

  // Leaves the running code here and continues in `to`. Returns when other code switches back to this fiber.
  [[gnu::always_inline]] void switch_to(Fiber& to) {
    void* fake_stack = nullptr;
#if defined(__SANITIZE_ADDRESS__)
    left_ = this;
    __sanitizer_start_switch_fiber(&fake_stack, to.stack_, to.size_);
#endif
#if defined(__SANITIZE_THREAD__)
    if (!started_) tsan_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.tsan_, 0);
#endif
#if defined(__x86_64__)
    Fiber *from = this, *there = &to;
    asm volatile(
        "movq %%rsp, %c[sp](%[from])\n\t"
        "movq %%rbp, %c[fp](%[from])\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rax, %c[code](%[from])\n\t"
        "movq %c[sp](%[there]), %%rsp\n\t"
        "movq %c[fp](%[there]), %%rbp\n\t"
        "jmpq *%c[code](%[there])\n"
        "1:"
        : [from] "+D"(from), [there] "+S"(there)
        : [sp] "i"(offsetof(Fiber, stack_pointer_)), [fp] "i"(offsetof(Fiber, frame_pointer_)),
          [code] "i"(offsetof(Fiber, code_))
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
          "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)",
          "st(7)" UPSWEEP_MORE_REGISTERS);
#else
    const auto from = boost::context::detail::jump_fcontext(to.context_, this);
    static_cast<Fiber*>(from.data)->context_ = from.fctx;
#endif
    arrived(fake_stack);
  }

 private:
  static void arrived([[maybe_unused]] void* fake_stack) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, &left_->stack_, &left_->size_);
#endif
  }

#if defined(__x86_64__)
  void *stack_pointer_ = nullptr, *frame_pointer_ = nullptr;
  void (*code_)() = nullptr;
#else
  boost::context::detail::fcontext_t context_ = nullptr;
#endif
#if defined(__SANITIZE_ADDRESS__)
  const void* stack_ = nullptr;
  std::size_t size_ = 0;
  static inline constinit thread_local Fiber* left_ = nullptr;  // the fiber that called switch_to() last
#endif
#if defined(__SANITIZE_THREAD__)
  void* tsan_ = nullptr;
  bool started_ = false;  // false only for the code that made the first switch
#endif
};

#undef UPSWEEP_MORE_REGISTERS

}  // namespace upsweep
