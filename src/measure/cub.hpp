// CUB, if this program was built with CUB. It is in a small library beside the program (cub_module.cu), which
// is opened at run time.
#pragma once
#include <cstddef>
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/gpu/driver.hpp"

namespace upsweep {

class Cub {
 public:
  Cub();                                               // searches for the library beside the program
  const Message& missing() const { return missing_; }  // why CUB is missing; an empty message if it is there
  std::string version() const;                         // "3.0.1"; empty if CUB is missing
  // Returns an upper estimate of the driver calls for one run.
  static int calls(const Result& what, const Settings& s);

  // Returns why CUB cannot be measured with this operator. Returns an empty message if it can.
  static Message refusal(Operator op);

  // scratch_bytes() returns how many bytes of scratch memory CUB needs for n elements. run() runs CUB. After
  // a selection, the first int of the scratch memory is the number of selected elements. Both functions throw
  // WorkError if CUB fails.
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
