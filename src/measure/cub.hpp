// CUB, if it was built: a small library beside the program (cub_module.cu), opened at run time.
#pragma once
#include <cstddef>
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/gpu/driver.hpp"

namespace upsweep {

class Cub {
 public:
  Cub();                                               // looks for it beside the program
  const Message& missing() const { return missing_; }  // why there is none; no message if there is one
  std::string version() const;                         // "3.0.1"; empty without one
  // Calls of the driver for one run, rather too many than too few.
  static int calls(const Result& what, const Settings& s);

  // Why it is not measured at that; no message if it is.
  static Message refusal(Operator op);

  // Bytes of scratch memory for n elements. A selection's count is the first int in it after a run. Both
  // throw WorkError if CUB fails.
  std::size_t scratch_bytes(const Result& what, Scalar type, int n) const;
  void run(const Result& what, Scalar type, DeviceAddress scratch, std::size_t scratch_bytes,
           DeviceAddress in, DeviceAddress out, int n, void* stream) const;

 private:
  void check(int error) const;
  Message missing_;
  int (*version_)() = nullptr;
  int (*run_)(int what, int type, void* scratch, std::size_t* bytes, const void* in, void* out, int n,
              void* stream) = nullptr;
  const char* (*error_)(int error) = nullptr;
};

}  // namespace upsweep
