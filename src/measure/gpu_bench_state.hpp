// The members of GpuBench: the GPU, the libraries and the memory. Only the files of GpuBench include this
// file.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/plan.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/bench_data.hpp"
#include "measure/cub.hpp"
#include "measure/gpu_bench.hpp"
#include "measure/helper_kernels.hpp"
#include "measure/npp.hpp"
#include "measure/ready_launch.hpp"
#include "trace/value.hpp"

namespace upsweep {

struct GpuBench::State {
  Device device;
  Stream stream;
  LoadedKernels kernels{device};
  Module helpers{compile_helpers()};
  Cub cub;
  Npp npp;
  Buffer input, output, scratch, flushed, numbers, check_input, check_output, check_scratch;
  std::size_t flush_bytes = aligned(2 * std::max<std::size_t>(device.l2_bytes(), 1 << 20));
  ReadyLaunch reading;  // reads the memory that was filled to flush L2
  DataBytes each;       // bytes of one copy of the data
  int copies = 1;
  int next_copy = 0;
  int runs = 0;  // the number of runs of the catalogue's kernels so far
  std::vector<TimeMark> marks;
  bool stuck = false;

  std::string compile_helpers() const {
    Program p;
    p.file = "helper_kernels.cu";
    p.text = helper_kernels;
    return compile(p, kernels.architecture()).image;
  }

  ReadyLaunch helper(const char* name, unsigned blocks, unsigned threads,
                     std::vector<std::uint64_t> slots) const {
    return {helpers.function(name), {blocks}, {threads}, 0, std::move(slots)};
  }
  unsigned wide_grid() const { return static_cast<unsigned>(8 * device.multiprocessors()); }

  DeviceAddress in(int copy) const {
    return input.address() + static_cast<std::uint64_t>(copy % copies) * each.inputs;
  }
  DeviceAddress out(int copy) const {
    return output.address() + static_cast<std::uint64_t>(copy % copies) * each.outputs;
  }

  ReadyKernel ready(const Settings& s, DeviceAddress from, DeviceAddress to, const Buffer& scratch) {
    const Algorithm& a = algorithm(s.algorithm);
    return ready_kernel(device, kernels.of(a, s, Mode::fast), plan(a, s), element_bytes(s), from, to,
                        scratch.address());
  }

  // Queues kernels that fill this many bytes with data for these settings.
  void fill(DeviceAddress to, std::size_t bytes, const Settings& kind, Filling filling);
  // Queues a kernel that writes the 32-bit numbers 0, 1, 2, ...
  void number(DeviceAddress to, std::size_t bytes) const {
    helper("number_words", wide_grid(), 256, {to, bytes / sizeof(unsigned)}).queue(stream);
  }

  // Each of these functions fills the inputs of a check, and returns the first input. Each function also
  // fills the outputs with wrong values.
  // - data_to_check() fills one input with random data. Each element has `width` bytes.
  // - kernel_data_to_check() fills all inputs of a kernel. The first input gets random data.
  // - measured_data_to_check() uses the data of a measurement. Selections and sorts are checked with this
  //   data.
  std::vector<Value> data_to_check(const Settings& s, DataBytes room, std::size_t width);
  std::vector<Value> kernel_data_to_check(const Settings& s, const Plan& planned);
  std::vector<Value> measured_data_to_check(const Settings& s, const Result& what, DataBytes room);
  // Compares NPP's table with a sequential loop.
  Message mistake_of_npp(const Settings& s);

  static std::vector<Value> read(const Buffer& from, const Settings& s, int count) {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * width);
    from.read(bytes.data(), bytes.size());
    return unpacked(bytes, width);
  }

  // Fills L2 with other data. The other data is first written and then read. After the read, L2 need not
  // write anything back to memory during the next timed run.
  void flush() {
    check(driver().cuMemsetD8Async(flushed.address(), 0, flush_bytes, stream), MessageId::emptying_cache);
    reading.queue(stream);
  }

  // Waits until all queued work has ended. Throws EndlessKernel if the work takes longer than 20 times
  // `expected` (in seconds) plus 3 s.
  void wait(double expected, MessageId doing);
};

}  // namespace upsweep
