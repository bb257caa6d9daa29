// Reductions and scans on the CPU, as peers of the kernels: the standard library's sequential algorithms, and
// the same on all cores, each thread with a range of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"

namespace upsweep {

class Processor {
 public:
  Processor();  // starts a thread for each core
  ~Processor();
  static std::string name();                // the CPU's own
  static std::uint64_t available_memory();  // bytes
  int threads() const;

  // Takes memory for n elements of input and output and fills the input as the GPU's is filled; false where
  // `stop` was asked for. Throws WorkError where there is not enough.
  bool prepare(const Settings& kind, const std::stop_token& stop);
  // Fills the caches with other data.
  void flush();
  // One run over the first s.n elements: its seconds, or nothing where `stop` was asked for (it is looked at
  // after every 2^18 elements of a thread). `what` is no copy.
  std::optional<double> run(const Settings& s, Result what, bool parallel, const std::stop_token& stop);
  const std::byte* output() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
