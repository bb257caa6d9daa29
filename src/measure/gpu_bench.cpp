#include "measure/gpu_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/inputs.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/helper_kernels.hpp"
#include "measure/ready_launch.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr double most_queued = 0.05;  // seconds of work that may wait in the queue
constexpr int most_calls = 600;  // driver calls that may wait; the driver's queue has room for about 1,000
constexpr double call_seconds = 5e-6;        // an upper estimate of the time of one call on the host
constexpr std::chrono::seconds patience{3};  // how long to wait in addition to the expected time

// Returns the exponent bits of a float type, or 0 for integers. In infinities and NaN, all of these bits are
// set.
std::uint64_t exponent_bits(Scalar type) {
  switch (type) {
    case Scalar::float16: return 0x7c00;
    case Scalar::float32: return 0x7f800000;
    case Scalar::float64: return 0x7ff0000000000000;
    default: return 0;
  }
}

}  // namespace

struct GpuBench::State {
  Device device;
  Stream stream;
  LoadedKernels kernels{device};
  Module helpers{compile_helpers()};
  Cub cub;
  Buffer input, output, scratch, flushed, check_input, check_output, check_scratch;
  std::size_t flush_bytes = aligned(2 * std::max<std::size_t>(device.l2_bytes(), 1 << 20));
  ReadyLaunch reading;  // reads the memory whose filling flushed L2
  DataBytes each;       // bytes of one copy of the data
  int copies = 1;
  int next_copy = 0;
  int runs = 0;  // how many runs of the catalogue's kernels there were
  std::vector<TimeMark> begins, ends;
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

  // Queues kernels that fill this many bytes with data.
  void fill(DeviceAddress to, std::size_t bytes, const Settings& kind, Filling filling) const {
    const auto width = static_cast<std::size_t>(scalar_bytes(kind.type));
    if (filling == Filling::keys)
      return helper(fmt::format("keys_{}", width).c_str(), wide_grid(), 256,
                    {to, bytes / width, exponent_bits(kind.type)})
          .queue(stream);
    const bool pairs = kind.op == Operator::affine, ones = kind.op == Operator::product;
    helper(fmt::format("fill_{}", name(kind.type)).c_str(), wide_grid(), 256,
           {to, bytes / width, slot(pairs), slot(ones)})
        .queue(stream);
  }

  // Fills the input of a check with random data, and fills an output of the same size with wrong values.
  std::vector<Value> data_to_check(const Settings& s) {
    constexpr std::uint64_t exact = 2;  // an even seed makes every sum of floats in random_data() exact
    std::vector<Value> data = random_data(s, exact);
    const std::vector<std::byte> bytes = packed(data, static_cast<std::size_t>(element_bytes(s)));
    check_input.write(bytes.data(), bytes.size());
    check_output.reserve_filled(bytes.size(), 0xA5);
    return data;
  }
  // Does the same for a kernel, which may have several inputs and outputs.
  std::vector<Value> kernel_data_to_check(const Settings& s, const Plan& planned) {
    const MemoryLayout layout = memory_layout(planned, element_bytes(s));
    check_input.reserve(layout.inputs);
    std::vector<Value> data = data_to_check(s);
    check_output.reserve_filled(layout.outputs, 0xA5);
    const Contents more = more_inputs(planned, s, data);
    for (std::size_t b = 0; b < more.size(); ++b) {
      const auto width = static_cast<std::size_t>(cell_bytes(planned.buffers[b + 1].cells, element_bytes(s)));
      const std::vector<std::byte> bytes = packed(more[b], width);
      if (!bytes.empty())
        check(driver().cuMemcpyHtoD_v2(check_input.address() + layout.at[b + 1], bytes.data(), bytes.size()),
              MessageId::copying_to_gpu);
    }
    return data;
  }
  // Fills the input of a check with the same keys as for timing. The operation must only compare elements, as
  // sorting does.
  std::vector<Value> keys_to_check(const Settings& s) {
    const auto bytes = static_cast<std::size_t>(s.n) * static_cast<std::size_t>(element_bytes(s));
    check_input.reserve(bytes);
    check_output.reserve_filled(bytes, 0xA5);
    fill(check_input.address(), bytes, s, Filling::keys);
    wait(0.1, MessageId::filling_memory);
    return read(check_input, s, s.n);
  }
  static std::vector<Value> read(const Buffer& from, const Settings& s, int count) {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * width);
    from.read(bytes.data(), bytes.size());
    return unpacked(bytes, width);
  }

  // Fills L2 with other data. The data is first written and then read from the beginning, so that L2 need not
  // write anything back to memory during the next timed run.
  void flush() {
    check(driver().cuMemsetD8Async(flushed.address(), 0, flush_bytes, stream), MessageId::emptying_cache);
    reading.queue(stream);
  }

  // Waits until all queued work has ended.
  void wait(double expected, MessageId doing) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto most =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(20 * expected)) + patience;
    while (!stream.done(doing)) {
      const auto waited = Clock::now() - begin;
      if (waited > most) {
        stuck = true;
        throw EndlessKernel(say::endless_kernel(std::chrono::duration<double>(waited).count()));
      }
      if (waited > std::chrono::milliseconds(1)) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
};

GpuBench::GpuBench() : state_(std::make_unique<State>()) {}

GpuBench::~GpuBench() {
  // If a kernel never ends, its memory is not freed, because freeing would wait for the end of the kernel.
  if (state_->stuck) static_cast<void>(state_.release());
  else state_->device.use_quietly();
}

std::string GpuBench::device() const { return state_->device.name(); }

std::string GpuBench::driver_version() const {
  std::string version;
  if (std::ifstream("/sys/module/nvidia/version") >> version) return version;
  int cuda = 0;
  check(driver().cuDriverGetVersion(&cuda), MessageId::asking_version);
  return fmt::format("for CUDA {}.{}", cuda / 1000, cuda % 1000 / 10);
}

double GpuBench::memory_bandwidth() const {
  // The bandwidths from data sheets. The driver reports slightly different numbers, because data sheets round
  // or use a lower clock rate.
  static const std::map<std::string, double> known = {{"NVIDIA H200", 4.8e12},
                                                      {"NVIDIA H100 80GB HBM3", 3.35e12},
                                                      {"NVIDIA A100-SXM4-80GB", 2.039e12},
                                                      {"NVIDIA A100-SXM4-40GB", 1.555e12}};
  const auto found = known.find(device());
  return found != known.end() ? found->second : state_->device.memory_bandwidth();
}

std::uint64_t GpuBench::free_memory() const { return state_->device.free_memory(); }
std::uint64_t GpuBench::l2_bytes() const { return state_->device.l2_bytes(); }
int GpuBench::multiprocessors() const { return state_->device.multiprocessors(); }
const Cub& GpuBench::cub() const { return state_->cub; }
bool GpuBench::stuck() const { return state_->stuck; }

std::uint64_t GpuBench::scratch_bytes(const Settings& kernel) {
  const MemoryLayout layout = memory_layout(plan(kernel), element_bytes(kernel));
  return layout.scratch + (algorithm(kernel.algorithm).writes_input ? layout.inputs : 0);
}

std::uint64_t GpuBench::scratch_bytes(const Settings& s, const Result& what) const {
  state_->device.use();
  // The size must not be 0, because then CUB would not run, but only return the size that it needs.
  return std::max<std::uint64_t>(state_->cub.scratch_bytes(what, s.type, s.n), 1);
}

GpuBench::DataBytes GpuBench::data_bytes(const Settings& kernel) {
  const MemoryLayout layout = memory_layout(plan(kernel), element_bytes(kernel));
  return {layout.inputs, layout.outputs};
}

GpuBench::DataBytes GpuBench::data_bytes(const Settings& s, const Result& what) {
  const auto width = static_cast<std::size_t>(element_bytes(s));
  return {aligned(static_cast<std::size_t>(s.n) * width),
          aligned(static_cast<std::size_t>(what.size(s)) * width)};
}

void GpuBench::prepare_data(const Settings& kind, DataBytes data, int rotations, std::uint64_t scratch_bytes,
                            Filling filling) {
  State& g = *state_;
  g.device.use();
  g.each = data;
  g.copies = rotations;
  const std::size_t all = g.each.inputs * static_cast<std::size_t>(rotations);
  g.input.reserve(all);
  g.output.reserve(g.each.outputs * static_cast<std::size_t>(rotations));
  g.scratch.reserve(scratch_bytes);
  g.flushed.reserve(g.flush_bytes);
  g.reading =
      g.helper("read_bytes", g.wide_grid(), 256, {g.flushed.address(), g.flush_bytes, g.flushed.address()});
  g.fill(g.input.address(), all, kind, filling);
  g.wait(0.1, MessageId::filling_memory);
}

std::vector<Value> GpuBench::input(const Settings& kind) const {
  state_->device.use();
  return State::read(state_->input, kind, kind.n);
}

GpuRun GpuBench::kernel(const Settings& s) {
  State& g = *state_;
  g.device.use();
  std::vector<ReadyKernel> all;
  const bool copies_input = algorithm(s.algorithm).writes_input;
  const std::uint64_t input_bytes = data_bytes(s).inputs;
  const DeviceAddress own_input = g.scratch.address() + scratch_bytes(s) - input_bytes;
  for (int copy = 0; copy < g.copies; ++copy)
    all.push_back(g.ready(s, copies_input ? own_input : g.in(copy), g.out(copy), g.scratch));
  std::function<void(int)> prepare;
  if (copies_input)
    prepare = [&g, own_input, bytes = input_bytes](int rotation) {
      check(driver().cuMemcpyDtoDAsync_v2(own_input, g.in(rotation), bytes, g.stream),
            MessageId::copying_on_gpu);
    };
  const int calls = static_cast<int>(all[0].launches.size()) + (all[0].word_bytes > 0 ? 1 : 0);
  const ReadyKernel first = all[0];  // all copies of the data share the same scratch memory
  return {[&g, all = std::move(all)](int rotation) {
            all[static_cast<std::size_t>(rotation) % all.size()].queue(g.stream, ++g.runs);
          },
          calls, [&g, first] { first.begin(g.stream); }, prepare};
}

GpuRun GpuBench::driver_copy(const Settings& s) {
  State& g = *state_;
  const auto bytes = static_cast<std::size_t>(s.n) * static_cast<std::size_t>(element_bytes(s));
  return {[&g, bytes](int rotation) {
    check(driver().cuMemcpyDtoDAsync_v2(g.out(rotation), g.in(rotation), bytes, g.stream),
          MessageId::copying_on_gpu);
  }};
}

GpuRun GpuBench::own_copy(const Settings& s) {
  State& g = *state_;
  const auto bytes = static_cast<std::size_t>(s.n) * static_cast<std::size_t>(element_bytes(s));
  constexpr std::size_t tile = 256 * 4 * 16;
  const auto blocks = static_cast<unsigned>(std::max<std::size_t>(1, (bytes + tile - 1) / tile));
  std::vector<ReadyLaunch> all;
  for (int copy = 0; copy < g.copies; ++copy)
    all.push_back(g.helper("copy_bytes", blocks, 256, {g.in(copy), g.out(copy), bytes}));
  return {[&g, all = std::move(all)](int rotation) {
    all[static_cast<std::size_t>(rotation) % all.size()].queue(g.stream);
  }};
}

GpuRun GpuBench::library(const Settings& s, const Result& what) {
  State& g = *state_;
  g.device.use();
  const std::uint64_t bytes = scratch_bytes(s, what);
  return {[&g, bytes, what, type = s.type, n = s.n](int rotation) {
            g.cub.run(what, type, g.scratch.address(), bytes, g.in(rotation), g.out(rotation), n, g.stream);
          },
          Cub::calls(what, s)};
}

GpuRun GpuBench::empty() {
  State& g = *state_;
  return {[&g, launch = g.helper("empty", 1, 32, {})](int) { launch.queue(g.stream); }};
}

Message GpuBench::mistake(const Settings& s) {
  State& g = *state_;
  g.device.use();
  const std::vector<Value> data = g.kernel_data_to_check(s, plan(s));
  g.check_scratch.reserve(scratch_bytes(s));
  const ReadyKernel run = g.ready(s, g.check_input.address(), g.check_output.address(), g.check_scratch);
  run.begin(g.stream);
  run.queue(g.stream, ++g.runs);
  g.wait(0, MessageId::running_kernel);
  return check(s, data, State::read(g.check_output, s, output_size(algorithm(s.algorithm), s)));
}

Message GpuBench::mistake(const Settings& s, const Result& of_library) {
  State& g = *state_;
  g.device.use();
  const bool sums = of_library != Result::selection && of_library != Result::sorting;
  const std::vector<Value> data = sums ? g.data_to_check(s) : g.keys_to_check(s);
  const std::uint64_t room = scratch_bytes(s, of_library);
  g.check_scratch.reserve(room);
  g.cub.run(of_library, s.type, g.check_scratch.address(), room, g.check_input.address(),
            g.check_output.address(), s.n, g.stream);
  g.wait(0, MessageId::running_library);
  int count = of_library.size(s);
  if (of_library == Result::selection) g.check_scratch.read(&count, sizeof count);
  if (count < 0 || count > s.n) return say::library_counts(count, s.n);
  return check(of_library, s, data, State::read(g.check_output, s, count));
}

std::vector<double> GpuBench::time(const GpuRun& run, int count, Cache cache, double expected,
                                   const std::stop_token& stop) {
  State& g = *state_;
  g.device.use();
  const bool cold = cache == Cache::cold;
  const double flush = cold ? 2.5 * static_cast<double>(g.flush_bytes) / 1e12 : 0;  // assuming about 1 TB/s
  const int calls = run.calls + (cold ? 4 : 2) + (run.prepare ? 1 : 0);
  const int at_once = std::clamp(static_cast<int>(most_queued / (expected + flush + calls * call_seconds)), 1,
                                 std::max(1, most_calls / calls - 1));
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < count && !stop.stop_requested()) {
    const int batch = std::min(at_once, count - static_cast<int>(seconds.size()));
    while (g.begins.size() < static_cast<std::size_t>(batch)) g.begins.emplace_back(), g.ends.emplace_back();
    const double queueing = (batch + 1) * calls * call_seconds;
    g.helper("spin", 1, 1, {static_cast<std::uint64_t>(1e9 * queueing)}).queue(g.stream);
    if (run.begin) run.begin();
    if (run.prepare) run.prepare(0);
    run.queue(0);  // one run without timing warms up the clock, the code and, for warm runs, the cache
    for (int i = 0; i < batch; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const int copy = cold ? g.next_copy++ % g.copies : 0;
      if (run.prepare) run.prepare(copy);
      if (cold) g.flush();
      g.begins[k].record(g.stream);
      run.queue(copy);
      g.ends[k].record(g.stream);
    }
    g.wait(queueing + (batch + 1) * (expected + flush), MessageId::running_kernel);
    for (int i = 0; i < batch; ++i)
      seconds.push_back(g.ends[static_cast<std::size_t>(i)].since(g.begins[static_cast<std::size_t>(i)]));
  }
  return seconds;
}

double GpuBench::flush_seconds(const std::stop_token& stop) {
  State& g = *state_;
  return spread_of(time({[&g](int) { g.flush(); }, 2}, 3, Cache::warm, 1e-3, stop)).median;
}

}  // namespace upsweep
