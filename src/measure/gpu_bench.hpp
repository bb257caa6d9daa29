// Timing on a GPU. Many runs are queued in a stream, so that the host does nothing between them. CUDA events
// before and after each run, or around some of its launches, measure its time.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/message.hpp"
#include "measure/peer_library.hpp"
#include "measure/ready_launch.hpp"
#include "measure/sweep.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// Thrown if a kernel does not end. The kernel ends only when the process ends, so the process can no longer
// use the GPU.
struct EndlessKernel : WorkError {
  using WorkError::WorkError;
};

// A run that can be repeated.
struct GpuRun {
  // Queues the run on the copy of the data with this index. Calls `mark` before and after each part that is
  // timed.
  std::function<void(int rotation, const MarkTime& mark)> queue;
  int calls = 1;                     // the number of driver calls in each run, without marks
  std::function<void()> begin = {};  // if set, queues work once before the first of several runs
  // If set, this function is called before each run. The function queues work that is not timed. This work
  // fills memory that the run overwrites.
  std::function<void(int rotation)> prepare = {};
  int marks = 2;  // how often each run calls `mark`
};

class GpuBench {
 public:
  GpuBench();  // throws RequestError if no GPU can be used; the error says what is missing
  ~GpuBench();

  std::string device() const;  // "NVIDIA H200"
  std::string driver_version() const;
  double memory_bandwidth() const;  // bytes per second as in the data sheet; 0 if unknown
  std::uint64_t free_memory() const;
  std::uint64_t l2_bytes() const;
  int multiprocessors() const;
  // Returns the library that computes results of this kind.
  const PeerLibrary& library_of(const Result& what) const;

  // These functions return the sizes in bytes of the data of a run. The run is a kernel, a library's
  // algorithm that computes `what`, or a copy that reads moved / 2 bytes and writes moved / 2 bytes.
  static DataBytes data_bytes(const Settings& kernel);
  DataBytes data_bytes(const Settings& s, const Result& what) const;
  static DataBytes copied_bytes(double moved);

  // Allocates `rotations` copies of the inputs and outputs. Also allocates `scratch_bytes` of scratch memory,
  // which all runs share. Fills the first input with numbers of the type kind.type, and all further inputs
  // with the numbers 0, 1, 2, ... Throws WorkError if there is not enough memory.
  void prepare_data(const Settings& kind, DataBytes data, int rotations, std::uint64_t scratch_bytes,
                    Filling filling = Filling::digits);
  // Returns the n elements of the input's first copy, read from the GPU's memory.
  std::vector<Value> input(const Settings& kind) const;
  static std::uint64_t scratch_bytes(const Settings& kernel);
  std::uint64_t scratch_bytes(const Settings& s, const Result& what) const;

  // These functions return runs: of a kernel of the catalogue, of the driver's copy, of our own copy kernel,
  // of a library, and of an empty kernel. A copy reads `bytes` bytes. The other runs use n elements of the
  // prepared data, so n must not be larger than the prepared size. A run is valid until other data is
  // prepared. The functions throw WorkError or RequestError.
  //
  // The time of a kernel includes the time to clear a part of its scratch memory, because CUB's runs also
  // clear memory. A kernel that overwrites its input works on a copy in scratch memory. The copy is made
  // before each run. If `part` is not empty, only the launches of these kernels are timed, and their times
  // are added.
  GpuRun kernel(const Settings& s, const std::vector<std::string>& part = {});
  GpuRun driver_copy(std::size_t bytes);
  GpuRun own_copy(std::size_t bytes);
  GpuRun library(const Settings& s, const Result& what);
  GpuRun empty();

  // The first function runs a kernel. The second function runs the library for the result `of_library`. Both
  // functions compare the output with a sequential result. They return an empty message if the output is
  // correct, else a message about the difference.
  Message mistake(const Settings& kernel);
  Message mistake(const Settings& s, const Result& of_library);

  // Executes `count` runs, and returns the seconds of each run. Before every cold run, L2 is filled with
  // other data. `expected` is a rough estimate of the seconds of one run. At most about 50 ms of work is
  // queued at a time, unless a single run takes longer.
  //
  // If `stop` is requested, ends early and returns the times so far. Throws WorkError if the GPU fails, and
  // EndlessKernel if the GPU does not respond.
  std::vector<double> time(const GpuRun& run, int count, Cache cache, double expected,
                           const std::stop_token& stop);
  // Returns how many seconds it takes to fill L2 with other data before a cold run.
  double flush_seconds(const std::stop_token& stop);
  bool stuck() const;  // whether EndlessKernel was thrown; if so, the GPU cannot be used

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
