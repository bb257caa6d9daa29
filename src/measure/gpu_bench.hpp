// Timing on a GPU. Memory is allocated once. Runs are queued in a stream, without work of the host between
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

// Thrown if a kernel does not end. Only the end of the process can end the kernel, so the process cannot use
// the GPU any more.
struct EndlessKernel : WorkError {
  using WorkError::WorkError;
};

// A run that can be repeated.
struct GpuRun {
  std::function<void(int rotation)> queue;  // queues the run on this copy of the data
  int calls = 1;                            // the number of driver calls in each run
  std::function<void()> begin = {};         // if set: queued once before the first of several runs
  // If set: queued before each run and not timed. Fills memory that the run overwrites.
  std::function<void(int rotation)> prepare = {};
};

class GpuBench {
 public:
  GpuBench();  // Throws RequestError, which says what is missing.
  ~GpuBench();

  std::string device() const;  // "NVIDIA H200"
  std::string driver_version() const;
  double memory_bandwidth() const;  // bytes per second of the data sheet; 0 if unknown
  std::uint64_t free_memory() const;
  std::uint64_t l2_bytes() const;
  int multiprocessors() const;
  const Cub& cub() const;

  // Allocates memory for `rotations` copies of n elements of input and as many results, and `scratch_bytes`
  // of scratch memory for all runs. Fills the input. Throws WorkError if there is not enough memory.
  void prepare_data(const Settings& kind, int results, int rotations, std::uint64_t scratch_bytes,
                    Filling filling = Filling::digits);
  // Returns the n elements of the first copy, read from the GPU's memory.
  std::vector<Value> input(const Settings& kind) const;
  static std::uint64_t scratch_bytes(const Settings& kernel);
  std::uint64_t scratch_bytes(const Settings& s, const Result& what) const;

  // These functions return a run of a kernel of the catalogue, of the driver's copy, of our own copy kernel
  // or of CUB, on n elements of the prepared data. Requires n up to the prepared size. A run is valid until
  // other data is prepared. It includes clearing the kernel's words of scratch memory, as CUB's runs do. A
  // kernel that overwrites its input works on a copy in scratch memory, which is made before each run. The
  // functions throw WorkError or RequestError.
  GpuRun kernel(const Settings& s);
  GpuRun driver_copy(const Settings& s);
  GpuRun own_copy(const Settings& s);
  GpuRun library(const Settings& s, const Result& what);
  GpuRun empty();

  // Runs a kernel, or CUB with the type, operator and n of the settings, on random data, and compares the
  // output with a sequential result. Returns an empty message if they agree, else a sentence. `s.n` may be
  // small.
  Message mistake(const Settings& kernel);
  Message mistake(const Settings& s, const Result& of_library);

  // Returns the seconds of each run. Before every cold run, L2 is filled with other data. If `stop` is
  // requested, ends early and returns the runs so far; at most 50 ms of work (or one run) are queued at a
  // time. `expected` is a rough estimate of one run in seconds. Throws WorkError if the GPU fails, and
  // EndlessKernel if it does not respond.
  std::vector<double> time(const GpuRun& run, int count, Cache cache, double expected,
                           const std::stop_token& stop);
  // Returns the seconds of preparation for one cold run.
  double flush_seconds(const std::stop_token& stop);
  bool stuck() const;  // returns whether an EndlessKernel was thrown

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
