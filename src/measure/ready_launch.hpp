// Kernels of a module, and launches of them that can be repeated.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "machine/driver.hpp"
#include "machine/gpu_device.hpp"

namespace upsweep {

// A launch with its parameters, ready to be repeated.
struct ReadyLaunch {
  void* function = nullptr;
  unsigned blocks = 1, threads = 1, shared_bytes = 0;
  std::vector<std::uint64_t> slots;  // an address, or an int in its first four bytes
  std::vector<bool> is_run = {};  // of a kernel of the catalogue: the slots that take the number of the run

  void queue(void* stream, std::uint64_t run = 0) const {
    void* parameters[32];
    for (std::size_t i = 0; i < slots.size(); ++i)
      parameters[i] = i < is_run.size() && is_run[i] ? &run : const_cast<std::uint64_t*>(&slots[i]);
    check(driver().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared_bytes, stream, parameters,
                                  nullptr),
          "Starting the kernel on the GPU");
  }
};

// An int as such a parameter.
inline std::uint64_t slot(int number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof number);
  return bits;
}

// A module with its kernels.
struct Loaded {
  Module module;
  std::map<std::string, void*> functions;  // by the kernels' own names
};

}  // namespace upsweep
