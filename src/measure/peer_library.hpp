// Declares the interface to a library of the CUDA toolkit that computes the same results as our kernels: CUB
// or NPP.
#pragma once
#include <cstdint>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/gpu/driver.hpp"

namespace upsweep {

// The bytes of all inputs of a run, of all its outputs, and of its first input. `first` is rounded up, so
// that the second input, which follows the first input, is aligned.
struct DataBytes {
  std::uint64_t inputs = 0, outputs = 0, first = 0;
};

class PeerLibrary {
 public:
  PeerLibrary() = default;
  PeerLibrary(const PeerLibrary&) = delete;
  PeerLibrary& operator=(const PeerLibrary&) = delete;
  virtual ~PeerLibrary() = default;
  const Message& missing() const { return missing_; }  // why the library is missing; else empty

  // These functions describe one run that computes this result with these settings. data_bytes() returns the
  // sizes of the inputs and outputs. scratch_bytes() returns the size of the scratch memory. calls() returns
  // an upper estimate of the number of driver calls.
  virtual DataBytes data_bytes(const Result& what, const Settings& s) const = 0;
  virtual std::uint64_t scratch_bytes(const Result& what, const Settings& s) const = 0;
  virtual int calls(const Result& what, const Settings& s) const = 0;

  // The places of a run's data.
  struct Data {
    DeviceAddress in = 0, out = 0, scratch = 0;
    std::uint64_t scratch_bytes = 0;
  };
  // Queues one run. Throws WorkError if the library fails.
  virtual void run(const Result& what, const Settings& s, const Data& data, void* stream) const = 0;

 protected:
  Message missing_;
};

}  // namespace upsweep
