// CUB, if this program was built with CUB. It is in a small library beside the program (cub_module.cu), which
// is opened at run time.
#pragma once
#include <cstddef>
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/gpu/driver.hpp"
#include "measure/cub_module.hpp"

namespace upsweep {

class Cub {
 public:
  Cub();                                               // searches for the library beside the program
  const Message& missing() const { return missing_; }  // why CUB is missing; an empty message if it is there
  std::string version() const;                         // "3.0.1"; empty if CUB is missing
  // Returns an upper estimate of the driver calls for one run.
  static int calls(const Result& what, const Settings& s);

  // Returns why CUB cannot be measured with these settings. Returns an empty message if it can.
  static Message refusal(const Result& what, const Settings& s);

  // The addresses of a run's data. Only a sort of pairs has values.
  struct Data {
    DeviceAddress in = 0, out = 0, values_in = 0, values_out = 0;
  };
  // scratch_bytes() returns how many bytes of scratch memory CUB needs for s.n elements. run() runs CUB.
  // After a selection, the first int of the scratch memory is the number of selected elements. For a
  // recurrence, CUB scans affine maps, so that the output has pairs. Both functions throw WorkError if CUB
  // fails.
  std::size_t scratch_bytes(const Result& what, const Settings& s) const;
  void run(const Result& what, const Settings& s, DeviceAddress scratch, std::size_t scratch_bytes,
           const Data& data, void* stream) const;

 private:
  std::size_t compute(CubRun& r) const;
  Message missing_;
  int (*version_)() = nullptr;
  int (*compute_)(CubRun*) = nullptr;
  const char* (*error_)(int error) = nullptr;
};

}  // namespace upsweep
