// Computes reductions and scans on the CPU, for comparison with the kernels. There are three ways to compute
// a result:
// - the standard library's sequential algorithms on one core;
// - the same algorithms on all cores, with one range for each thread;
// - the standard library's parallel algorithms.
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

// The cores to use: one core; all cores with one thread each; or the cores that std::execution::par_unseq
// chooses.
enum class Cores { one, threads, par_unseq };

class Processor {
 public:
  Processor();  // starts a thread for each core
  ~Processor();
  static std::string name();                // the CPU's name
  static std::uint64_t available_memory();  // bytes
  int threads() const;
  // no_par() returns why the standard library's parallel algorithms cannot be measured at all. par_refusal()
  // returns why they cannot be measured for this result and operator. An empty message means that these
  // algorithms can be measured.
  static Message no_par();
  static Message par_refusal(const Result& what, Operator op);

  // Allocates memory for n elements of input and n elements of output. Fills the input with the same data as
  // on the GPU. Returns false if `stop` was requested. Throws WorkError if there is not enough memory.
  bool prepare(const Settings& kind, const std::stop_token& stop);
  // Fills the caches with other data.
  void flush();
  // Runs the reduction or scan on the first s.n elements, and returns the seconds. `what` must be a reduction
  // or a scan. Throws WorkError if par_unseq was not built or cannot compute this result.
  //
  // Returns nullopt if `stop` was requested. Checks `stop` after every 2^18 elements of a thread, or every
  // 2^24 elements with par_unseq.
  std::optional<double> run(const Settings& s, const Result& what, Cores cores, const std::stop_token& stop);
  std::byte* input();  // the prepared input; the caller may replace elements
  const std::byte* output() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
