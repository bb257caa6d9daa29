// Compiles kernels for a GPU and loads them onto the GPU. Each program is loaded only once.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_program.hpp"

namespace upsweep {

// A program that is loaded onto the GPU (a module), and its kernels.
struct Loaded {
  Module module;
  std::map<std::string, void*> functions;  // the functions, by the kernels' names in the text
};

class LoadedKernels {
 public:
  explicit LoadedKernels(const Device& device);

  // Returns the loaded kernels, which are valid until the next call. Throws the same errors as compile().
  // Also throws RequestError if kernels launch kernels, but this NVRTC cannot build such kernels for the
  // device.
  const Loaded& of(const Algorithm& algorithm, const Settings& s, Mode mode);
  // Returns the programs that are not loaded yet and can be built for the device, without duplicates.
  std::vector<Program> missing(std::vector<Program> programs) const;
  // Loads a compiled program. Returns the program's kernels, which are valid until the next call.
  const Loaded& load(Program program, const Compiled& compiled);
  const std::string& architecture() const { return architecture_; }

 private:
  // The largest number of loaded programs. The number needs a limit, because many programs are made while a
  // user types a formula.
  static constexpr std::size_t most_programs = 1000;
  void allow_launches();
  const Device& device_;
  std::string architecture_;
  std::map<Program, Loaded> programs_;
  bool many_launches_ = false;
};

// Compiles programs on all CPU cores. An entry of the result has no value if its program does not compile.
std::vector<std::optional<Compiled>> compile_all(const std::vector<Program>& programs,
                                                 const std::string& architecture);

}  // namespace upsweep
