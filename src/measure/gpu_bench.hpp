// Timing on a GPU: memory is allocated once, runs are queued in a stream without work of the host between
// them, and each run has an event before and after it.
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

// Thrown if a kernel does not end. Only the end of the process can end it, so the GPU cannot be used any
// more.
struct EndlessKernel : WorkError {
  using WorkError::WorkError;
};

// A run that can be repeated.
struct GpuRun {
  std::function<void(int rotation)> queue;  // queues the run, on this copy of the data
  int calls = 1;                            // driver calls of each run
  std::function<void()> begin = {};         // queued once before the first of several runs, if it is set
  // Queued before each run and not timed, if it is set: fills the memory that the run overwrites.
  std::function<void(int rotation)> prepare = {};
};

class GpuBench {
 public:
  GpuBench();  // Throws RequestError, which says what is missing.
  ~GpuBench();

  std::string device() const;  // "NVIDIA H200"
  std::string driver_version() const;
  double memory_bandwidth() const;  // bytes per second of the data sheet; 0 if it is not known
  std::uint64_t free_memory() const;
  std::uint64_t l2_bytes() const;
  int multiprocessors() const;
  const Cub& cub() const;

  // Allocates memory for `copies` copies of n elements of input and of as many results, and scratch memory of
  // this many bytes for all runs. Fills the input. Throws WorkError if there is not enough memory.
  void prepare_data(const Settings& kind, int results, int rotations, std::uint64_t scratch_bytes,
                    Filling filling = Filling::digits);
  // Returns the n elements of the first copy, as they are in the GPU's memory.
  std::vector<Value> input(const Settings& kind) const;
  static std::uint64_t scratch_bytes(const Settings& kernel);
  std::uint64_t scratch_bytes(const Settings& s, const Result& what) const;

  // Return a run of one of the catalogue's kernels, the driver's copy, our own copy kernel or CUB on n
  // elements of the prepared data. n must not be larger than the prepared size. The run is valid until other
  // data is prepared. A kernel's words of scratch memory are zeroed as part of the run, as CUB's are. A
  // kernel that overwrites its input works on a copy in scratch memory, which is made before each run. Throw
  // WorkError or RequestError.
  GpuRun kernel(const Settings& s);
  GpuRun driver_copy(const Settings& s);
  GpuRun own_copy(const Settings& s);
  GpuRun library(const Settings& s, const Result& what);
  GpuRun empty();

  // Runs a kernel, or CUB with the type, operator and n of the settings, on random data, and compares the
  // output with a sequential result. Returns an empty message if they agree, or a sentence. `s.n` may be
  // small.
  Message mistake(const Settings& kernel);
  Message mistake(const Settings& s, const Result& of_library);

  // Returns the seconds of each run. Before every cold run L2 is filled with other data. If `stop` is
  // requested, it ends early with the runs so far; at most 50 ms of work (or one run) are queued at a time.
  // `expected` is a rough estimate of one run in seconds. Throws WorkError if the GPU fails, and
  // EndlessKernel if it does not answer.
  std::vector<double> time(const GpuRun& run, int count, Cache cache, double expected,
                           const std::stop_token& stop);
  // Returns the seconds that the preparation of one cold run takes.
  double flush_seconds(const std::stop_token& stop);
  bool stuck() const;  // an EndlessKernel was thrown

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
