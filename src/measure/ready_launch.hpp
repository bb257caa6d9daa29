// Prepares kernel launches, so that they can be repeated.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "base/messages.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/driver.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"

namespace upsweep {

// A launch with the values of its parameters.
struct ReadyLaunch {
  void* function = nullptr;
  Dim3 grid, block;
  unsigned shared_bytes = 0;
  std::vector<std::uint64_t> slots;  // one for each parameter: an address, or an int in the first four bytes
  std::vector<bool> is_run = {};     // if is_run[i], parameter i is the argument `run` of queue()

  void queue(void* stream, std::uint64_t run = 0) const {
    void* parameters[32];
    for (std::size_t i = 0; i < slots.size(); ++i)
      parameters[i] = i < is_run.size() && is_run[i] ? &run : const_cast<std::uint64_t*>(&slots[i]);
    launch(function, grid, block, shared_bytes, stream, parameters);
  }
};

// Returns an int in the form of a parameter slot.
inline std::uint64_t slot(int number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof number);
  return bits;
}

// Rounds up a number of bytes, so that the next part of one allocation is aligned.
inline std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t line = 512;
  return (bytes + line - 1) / line * line;
}

// Queues a time mark. The work between two marks is timed.
using MarkTime = std::function<void()>;

// The launches of a kernel for one copy of its data, and the memory that must be cleared before a run.
struct ReadyKernel {
  std::vector<ReadyLaunch> launches;
  DeviceAddress words = 0;
  std::size_t word_bytes = 0,  // cleared before each run
      zero_bytes = 0;          // the bytes after the words, cleared only before the first run
  // Queues a run. Calls `mark` before and after each launch i for which marked[i] is true.
  void queue(void* stream, int run, const std::vector<bool>& marked = {}, const MarkTime& mark = {}) const {
    clear(words, word_bytes, stream);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const bool is_marked = i < marked.size() && marked[i];
      if (is_marked) mark();
      launches[i].queue(stream, slot(run));
      if (is_marked) mark();
    }
  }
  void begin(void* stream) const { clear(words + word_bytes, zero_bytes, stream); }
  static void clear(DeviceAddress from, std::size_t bytes, void* stream) {
    if (bytes > 0) check(driver().cuMemsetD8Async(from, 0, bytes, stream), MessageId::clearing_memory);
  }
};

// The layout of a kernel's global memory: one piece of memory for all inputs, one piece for all outputs, and
// one piece for all scratch buffers.
//
// The piece for scratch buffers begins with the buffers of words (Cells::words), which are cleared before
// each run. The buffers of messages (see is_message()) follow. They are cleared only before the first run,
// because each message contains the number of its run.
struct MemoryLayout {
  std::vector<std::size_t> at;                       // the offset of each buffer in its piece, in bytes
  std::size_t inputs = 0, outputs = 0, scratch = 0;  // the size of each piece, in bytes
  std::size_t word_bytes = 0;                        // the part that is cleared before each run, in bytes
  std::size_t zero_bytes = 0;  // the part that is cleared only before the first run, in bytes
};
MemoryLayout memory_layout(const Plan& planned, int width);

// Returns the launches of a loaded kernel of the catalogue. The launches read the inputs at `from`, write the
// outputs at `to`, and use scratch memory, all in the layout of memory_layout(). `width` is the number of
// bytes of an element. Throws RequestError if a block needs more shared memory than the device has, and
// WorkError if the driver fails.
ReadyKernel ready_kernel(const Device& device, const Loaded& loaded, const Plan& planned, int width,
                         DeviceAddress from, DeviceAddress to, DeviceAddress scratch);

}  // namespace upsweep
