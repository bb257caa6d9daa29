// Runs CUB's algorithms, if this program was built with CUB. CUB is in a small library beside the program
// (cub_module.cu), which is opened at run time.
#pragma once
#include <cstdint>
#include <string>

#include "measure/cub_module.hpp"
#include "measure/peer_library.hpp"

namespace upsweep {

class Cub : public PeerLibrary {
 public:
  Cub();                        // searches for the library beside the program
  std::string version() const;  // "3.0.1"; empty if CUB is missing

  // Returns why CUB cannot be measured with these settings. Returns an empty message if CUB can be measured.
  static Message refusal(const Result& what, const Settings& s);

  // After a selection, the first int of the scratch memory is the number of selected elements. For a
  // recurrence, CUB scans affine maps, so that the output has pairs. The values of sorted pairs come after
  // the keys. scratch_bytes() and run() throw WorkError if CUB fails.
  DataBytes data_bytes(const Result& what, const Settings& s) const override;
  std::uint64_t scratch_bytes(const Result& what, const Settings& s) const override;
  int calls(const Result& what, const Settings& s) const override;
  void run(const Result& what, const Settings& s, const Data& data, void* stream) const override;

 private:
  void compute(CubRun& r) const;
  int (*version_)() = nullptr;
  int (*compute_)(CubRun*) = nullptr;
  const char* (*error_)(int error) = nullptr;
};

}  // namespace upsweep
