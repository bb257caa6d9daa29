// Reductions and scans on the CPU, as peers of the kernels: the standard library's sequential algorithms, the
// same on all cores, each thread with a range of its own, and the standard library's own parallel ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// On which cores: one, all by a thread for each, or as std::execution::par_unseq has it.
enum class Cores { one, threads, par_unseq };

class Processor {
 public:
  Processor();  // starts a thread for each core
  ~Processor();
  static std::string name();                // the CPU's own
  static std::uint64_t available_memory();  // bytes
  int threads() const;
  // Why the standard library's parallel algorithms cannot be measured: at all, and for that result and
  // operator; no message if they can.
  static Message no_par();
  static Message par_refusal(const Result& what, Operator op);

  // Takes memory for n elements of input and output and fills the input as the GPU's is filled; false where
  // `stop` was asked for. Throws WorkError where there is not enough.
  bool prepare(const Settings& kind, const std::stop_token& stop);
  // Fills the caches with other data.
  void flush();
  // One run over the first s.n elements: its seconds, or nothing where `stop` was asked for (it is looked at
  // after every 2^18 elements of a thread, or 2^24 of par_unseq's). `what` is a reduction or a scan. Throws
  // WorkError for par_unseq where it is not built or refused.
  std::optional<double> run(const Settings& s, const Result& what, Cores cores, const std::stop_token& stop);
  std::byte* input();  // as it was prepared; other elements may be put there
  const std::byte* output() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
