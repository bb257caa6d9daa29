// Describes why a run was stopped before its end.
#pragma once
#include <cstdint>
#include <vector>

#include "base/message.hpp"

namespace upsweep {

// The reasons why a run was stopped. Files store these values as numbers, so the order must not change.
enum class Stop : std::uint8_t {
  none,          // the run came to its end
  unknown,       // the run was stopped, and the reason is unknown
  deadlock,      // threads waited for something that could no longer happen
  endless_loop,  // a loop can never end
  misaligned,    // the address of a vector access is not allowed on any GPU
  // A loop reached the largest number of iterations that the run allows. The loop is not always endless.
  round_limit,
  launch_limit,  // threads launched more grids than the run allows
  not_resident,  // blocks wait for blocks that cannot start while the waiting blocks run
};

// The activity of a thread at the moment when the run was stopped.
enum class Wait : std::uint8_t {
  none,
  value,         // the thread polls for a value that no thread will write
  lanes,         // the thread waits at an instruction that other lanes of its warp must also reach
  barrier,       // the thread waits at the barrier of its block
  warp_barrier,  // the thread waits at __syncwarp()
  loop,          // the thread is in a loop that waits for other threads
  statement,     // the thread waits after a statement that other lanes of its warp still execute
};

// Threads of one block that were at the same place in the kernel when the run was stopped.
struct StoppedThreads {
  Wait wait = Wait::none;
  std::uint32_t line = 0;  // 0 if the line is not known
  std::uint32_t grid = 0, block = 0;
  std::vector<std::uint32_t> threads;  // indices in the block, ascending
  bool operator==(const StoppedThreads&) const = default;
};

struct Stopped {
  Stop kind = Stop::none;
  // The threads that were running or waiting when the run was stopped, grouped by place. If a loop, a launch
  // or a misaligned access stopped the run, the list has one thread. For a deadlock on the emulator, the list
  // has one waiting thread, and sometimes also one thread for which the waiting thread waits.
  std::vector<StoppedThreads> places{};
  // A number that explains `kind`: how many iterations the loop had, how many grids were launched, or how
  // many blocks can be resident at the same time. 0 if this number was not counted.
  std::uint64_t rounds = 0;
  // For a misaligned access: the number of elements that the thread accesses at once, and the index of the
  // first of these elements.
  std::uint32_t elements = 0;
  std::int64_t first_element = 0;
  explicit operator bool() const { return kind != Stop::none; }
  bool operator==(const Stopped&) const = default;
};

// Returns the reason as a message. The message is empty if the run came to its end.
Message stop_message(const Stopped& stopped);

}  // namespace upsweep
