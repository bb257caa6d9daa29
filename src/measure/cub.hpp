// CUB, if it was built: a small library beside the program (cub_module.cu), opened at run time.
#pragma once
#include <cstddef>
#include <string>

#include "machine/driver.hpp"
#include "trace/settings.hpp"

namespace upsweep {

enum class CubSum { reduce, inclusive_scan, exclusive_scan };

class Cub {
 public:
  Cub();  // looks for it beside the program
  const std::string& missing() const {
    return missing_;
  }                             // why there is none, as a sentence; empty if there is one
  std::string version() const;  // "3.0.1"; empty without one

  // Bytes of scratch memory for n sums. Both throw WorkError if CUB fails.
  std::size_t scratch_bytes(CubSum what, Scalar type, int n) const;
  void run(CubSum what, Scalar type, DeviceAddress scratch, std::size_t scratch_bytes, DeviceAddress in,
           DeviceAddress out, int n, void* stream) const;

 private:
  void check(int error) const;
  std::string missing_;
  int (*version_)() = nullptr;
  int (*run_)(int what, int type, void* scratch, std::size_t* bytes, const void* in, void* out, int n,
              void* stream) = nullptr;
  const char* (*error_)(int error) = nullptr;
};

}  // namespace upsweep
