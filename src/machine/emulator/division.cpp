// Ends a run in which a kernel divides an integer by zero. A GPU does not stop such a kernel, and the
// quotient is undefined.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/emulator/emulated_thread.hpp"

// A build with UndefinedBehaviorSanitizer in all files uses the sanitizer's own function.
#if !defined(__SANITIZE_ADDRESS__)

// The compiler's description of a place in the source.
struct SourcePlace {
  const char* file;
  std::uint32_t line, column;
};

// With the option -fsanitize=integer-divide-by-zero (see cmake/embed.cmake), a kernel calls this function
// before it divides by zero. The compiler assumes that the function neither returns nor throws. So the
// function switches to the emulator's scheduler, which then throws the error.
extern "C" [[noreturn]] void __ubsan_handle_divrem_overflow_abort(const SourcePlace* place, std::uintptr_t,
                                                                  std::uintptr_t) {
  using namespace upsweep;
  if (Thread::current == nullptr) {  // no kernel runs: memory_tests also check the program's own divisions
    std::fprintf(stderr, "%s:%u: n / 0\n", place->file, place->line);
    std::abort();
  }
  Thread& thread = *Thread::current;
  thread.run_of->thrown = std::make_exception_ptr(WorkError(say::divides_by_zero(
      place->line, static_cast<std::int64_t>(thread.number), static_cast<std::int64_t>(thread.block))));
  thread.fiber.switch_to(thread.run_of->scheduler->fiber);
  std::terminate();  // the scheduler never goes on with this thread
}

#endif
