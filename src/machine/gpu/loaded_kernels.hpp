// Kernels that are compiled for a GPU and loaded there. Each program is loaded only once.
#pragma once
#include <map>
#include <string>

#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_program.hpp"

namespace upsweep {

// A module with its kernels.
struct Loaded {
  Module module;
  std::map<std::string, void*> functions;  // by the kernels' own names
};

class LoadedKernels {
 public:
  explicit LoadedKernels(const Device& device);

  // Returns the loaded kernels, which are valid until the next call. Throws what compile() throws, and
  // RequestError if the algorithm's kernels launch kernels and this NVRTC cannot build such kernels for the
  // device.
  const Loaded& of(const Algorithm& algorithm, const Settings& s, Mode mode);
  const std::string& architecture() const { return architecture_; }

 private:
  const Device& device_;
  std::string architecture_;
  std::map<Program, Loaded> programs_;
  bool many_launches_ = false;
};

}  // namespace upsweep
