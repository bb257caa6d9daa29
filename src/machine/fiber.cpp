#include "machine/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/error.hpp"

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
constexpr std::size_t stack_bytes = 16 * 1024;
void before_switch(void**, const void*, std::size_t) {}
void after_switch(void*, const void**, std::size_t*) {}
#endif

// Stacks are cut from huge pages: a block's step touches every one of its stacks, and 1,024 small pages do
// not fit the TLB (measured: 1.3 ms a block on small pages with guard pages between, 0.3 ms on huge ones).
// They lie a power of two apart, so each begins a little lower than the one before, or their tops would all
// fall into the same few cache sets.
constexpr std::size_t huge_page = 2 * 1024 * 1024;
constexpr std::uint64_t canary = 0x5bd1e995c0de5afe;  // at the bottom of each stack, in place of a guard page

class StackSource {
 public:
  void* take() {
    if (!free_.empty()) {
      void* stack = free_.back();
      free_.pop_back();
      return stack;
    }
    if (left_ == 0) {
      void* pages = std::aligned_alloc(huge_page, huge_page);
      if (pages == nullptr) throw std::bad_alloc();
      madvise(pages, huge_page, MADV_HUGEPAGE);
      next_ = static_cast<char*>(pages);
      left_ = huge_page / stack_bytes;
    }
    --left_;
    return std::exchange(next_, next_ + stack_bytes);
  }
  void give(void* stack) { free_.push_back(stack); }
  std::size_t colour() { return colour_ = (colour_ + 128) % 4096; }

 private:
  std::vector<void*> free_;
  char* next_ = nullptr;
  std::size_t left_ = 0, colour_ = 0;
};

StackSource& stacks() {
  // Never destroyed: fibers of other threads may outlive any of its owners.
  static thread_local StackSource* source = new StackSource;
  return *source;
}

struct Allocator {
  void deallocate(boost::context::stack_context&) noexcept {}  // the Fiber gives its stack back
};

}  // namespace

Fiber::Fiber() : stack_bottom_(stacks().take()), stack_size_(stack_bytes) {
  std::memcpy(stack_bottom_, &canary, sizeof canary);
  boost::context::stack_context stack;
  stack.sp = static_cast<char*>(stack_bottom_) + stack_bytes - stacks().colour();
  stack.size = static_cast<std::size_t>(static_cast<char*>(stack.sp) - static_cast<char*>(stack_bottom_));
  inside_ = boost::context::fiber(std::allocator_arg,
                                  boost::context::preallocated(stack.sp, stack.size, stack), Allocator{},
                                  [this](boost::context::fiber&& caller) { return loop(std::move(caller)); });
}

Fiber::~Fiber() {
  inside_ = {};  // unwinds what is left on the stack
  stacks().give(stack_bottom_);
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
  if (std::memcmp(stack_bottom_, &canary, sizeof canary) != 0)
    throw WorkError("The kernel needs more stack than an emulated thread has: 16 KiB.");
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Fiber::suspend() {
  void* fake = nullptr;
  before_switch(&fake, caller_bottom_, caller_size_);
  outside_ = std::move(outside_).resume();
  after_switch(fake, &caller_bottom_, &caller_size_);
}

}  // namespace upsweep
