// Why a run was stopped before it came to its end.
#pragma once
#include <cstdint>
#include <vector>

#include "base/message.hpp"

namespace upsweep {

// As files number them.
enum class Stop : std::uint8_t {
  none,          // it came to its end
  unknown,       // it was stopped, and nothing more is known
  deadlock,      // threads waited for what could no longer come
  endless_loop,  // a loop went round more often than any that ends
  misaligned,    // a vector access began where no GPU lets one begin
};

// What threads were found doing.
enum class Wait : std::uint8_t {
  none,
  value,         // reading, again and again, a value that no thread will write
  lanes,         // at an instruction that other lanes of the warp must reach
  barrier,       // at the barrier of the block
  warp_barrier,  // at __syncwarp()
  loop,          // in a loop that waits for other threads
  statement,     // behind a statement, for lanes of the warp that are still in it
};

// Threads of one block that were found at one place.
struct StoppedThreads {
  Wait wait = Wait::none;
  std::uint32_t line = 0;  // 0: not known
  std::uint32_t grid = 0, block = 0;
  std::vector<std::uint32_t> threads;  // of the block, ascending
  bool operator==(const StoppedThreads&) const = default;
};

struct Stopped {
  Stop kind = Stop::none;
  // Who was found where. An endless loop and a misaligned access have one place with one thread. Of a
  // deadlock on the emulator the first waits for what the second, if there is one, keeps from happening.
  std::vector<StoppedThreads> places{};
  std::uint64_t rounds = 0;  // of an endless loop; 0: not counted
  // Of a misaligned access: so many elements at once, and the index of the first.
  std::uint32_t elements = 0;
  std::int64_t first_element = 0;
  explicit operator bool() const { return kind != Stop::none; }
  bool operator==(const Stopped&) const = default;
};

// Why, as a message; none where it came to its end.
Message stop_message(const Stopped& stopped);

}  // namespace upsweep
