#include "machine/fiber.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace upsweep {
namespace {

// Stacks are cut from huge pages: a block's step touches every one of its stacks, and 1,024 small pages with guards between do not
// fit the TLB. They lie a power of two apart, so each begins a little lower than the one before, or their tops would all fall into
// the same few cache sets.
constexpr std::size_t huge_page = 2 * 1024 * 1024;
constexpr std::uint64_t canary = 0x5bd1e995c0de5afe;  // at the bottom of each stack, in place of a guard page

class StackSource {
 public:
  explicit StackSource(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}
  char* take() {
    if (!free_.empty()) {
      char* stack = free_.back();
      free_.pop_back();
      return stack;
    }
    if (left_ == 0) {
      void* pages = std::aligned_alloc(huge_page, huge_page);
      if (pages == nullptr) throw std::bad_alloc();
      madvise(pages, huge_page, MADV_HUGEPAGE);
      next_ = static_cast<char*>(pages);
      left_ = huge_page / stack_bytes_;
    }
    --left_;
    return std::exchange(next_, next_ + stack_bytes_);
  }
  void give(char* stack) { free_.push_back(stack); }
  std::size_t colour() { return colour_ = (colour_ + 128) % 4096; }

 private:
  std::size_t stack_bytes_;
  std::vector<char*> free_;
  char* next_ = nullptr;
  std::size_t left_ = 0, colour_ = 0;
};

StackSource& stacks(std::size_t stack_bytes) {
  // Never destroyed: fibers of other threads may outlive any of its owners.
  static thread_local StackSource* source = new StackSource(stack_bytes);
  return *source;
}

thread_local std::exception_ptr thrown;  // by the task that has just ended

}  // namespace

constinit thread_local const void* Fiber::caller_bottom = nullptr;
constinit thread_local std::size_t Fiber::caller_size = 0;

Fiber::Fiber() : stack_(stacks(stack_bytes).take()) {}

Fiber::~Fiber() { stacks(stack_bytes).give(stack_); }

void Fiber::start(Task task) {
  task_ = task;
  if (inside_ != nullptr) return;  // waits in loop() for its next task
  std::memcpy(stack_, &canary, sizeof canary);
  const std::size_t size = stack_bytes - stacks(stack_bytes).colour();
  inside_ = boost::context::detail::make_fcontext(stack_ + size, size, loop);
}

void Fiber::loop(boost::context::detail::transfer_t caller) {
  auto* self = static_cast<Fiber*>(caller.data);
  self->outside_ = caller.fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &caller_bottom, &caller_size);
#endif
  for (;;) {
    try {
      self->task_();
    } catch (...) {
      thrown = std::current_exception();
    }
    self->task_ = nullptr;
    self->suspend();
  }
}

void Fiber::end_task() {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  if (std::memcmp(stack_, &canary, sizeof canary) != 0)
    throw WorkError(fmt::format("The kernel needs more stack than an emulated thread has: {} KiB.", stack_bytes / 1024));
}

}  // namespace upsweep
