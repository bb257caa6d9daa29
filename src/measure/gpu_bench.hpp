// Timing on a GPU: memory that is taken once, runs that are put into a stream without any work of the host in
// between, and events around each.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/message.hpp"
#include "measure/cub.hpp"
#include "measure/sweep.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// Thrown where a kernel does not end. Nothing but the end of the process can end it, so the GPU is of no use
// any more.
struct EndlessKernel : WorkError {
  using WorkError::WorkError;
};

// One run that can be repeated.
struct GpuRun {
  std::function<void(int rotation)> queue;  // puts it into the stream, on that copy of the data
  int calls = 1;                            // of the driver, for each run
  std::function<void()> begin = {};         // queued once, before the first of several runs, if there is any
};

class GpuBench {
 public:
  GpuBench();  // Throws RequestError saying what is missing.
  ~GpuBench();

  std::string device() const;  // "NVIDIA H200"
  std::string driver_version() const;
  double memory_bandwidth() const;  // bytes a second, of the data sheet; 0 where it is not known
  std::uint64_t free_memory() const;
  std::uint64_t l2_bytes() const;
  int multiprocessors() const;
  const Cub& cub() const;

  // Takes memory for so many copies of n elements of input and of so many results, and so many bytes of
  // scratch memory for all that is run on them; fills the input. Throws WorkError where there is not enough.
  void prepare_data(const Settings& kind, int results, int rotations, std::uint64_t scratch_bytes,
                    Filling filling = Filling::digits);
  // The n elements of the first copy of it, as they lie in the GPU's memory.
  std::vector<Value> input(const Settings& kind) const;
  static std::uint64_t scratch_bytes(const Settings& kernel);
  std::uint64_t scratch_bytes(const Settings& s, const Result& what) const;

  // What one of the catalogue's kernels, the driver's copy, our own copy kernel or CUB does with n elements
  // of the prepared data, n being at most what was prepared; of no use once other data is prepared. A
  // kernel's words of scratch memory are zeroed as a part of the run, as CUB's are. Throw WorkError or
  // RequestError.
  GpuRun kernel(const Settings& s);
  GpuRun driver_copy(const Settings& s);
  GpuRun own_copy(const Settings& s);
  GpuRun library(const Settings& s, const Result& what);
  GpuRun empty();

  // Runs a kernel, or CUB at the type, operator and n of the settings, on random data, and compares with a
  // sequential one's result: empty, or a sentence. `s.n` may be small.
  Message mistake(const Settings& kernel);
  Message mistake(const Settings& s, const Result& of_library);

  // Seconds of each run. Before every cold one L2 is filled with other data. Ends early, with what it has,
  // once `stop` is asked for; no more than 50 ms of work (or one run) is queued at a time. `expected`:
  // seconds of one run, roughly. Throws WorkError if the GPU fails, EndlessKernel if it does not answer.
  std::vector<double> time(const GpuRun& run, int count, Cache cache, double expected,
                           const std::stop_token& stop);
  // Seconds that the preparation of one cold run takes.
  double flush_seconds(const std::stop_token& stop);
  bool stuck() const;  // an EndlessKernel was thrown

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
