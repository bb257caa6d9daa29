#include "measure/gpu_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "measure/gpu_bench_state.hpp"
#include "measure/peers.hpp"

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

// Returns a function for GpuRun::queue that calls `mark` at the beginning and at the end of the run.
template <class Queue>
auto whole(Queue queue) {
  return [queue = std::move(queue)](int rotation, const MarkTime& mark) {
    mark();
    queue(rotation);
    mark();
  };
}

}  // namespace

void GpuBench::State::fill(DeviceAddress to, std::size_t bytes, const Settings& kind, Filling filling) {
  const auto width = static_cast<std::size_t>(scalar_bytes(kind.type));
  const auto queue = [&](const std::string& name, std::vector<std::uint64_t> slots) {
    helper(name.c_str(), wide_grid(), 256, std::move(slots)).queue(stream);
  };
  if (filling == Filling::keys)
    return queue(fmt::format("keys_{}", width), {to, bytes / width, exponent_bits(kind.type)});
  if (filling == Filling::halves) {
    const std::vector<Value> all = selection_data(kind).numbers;
    const std::vector<std::byte> packed_numbers = packed(all, width);
    numbers.write(packed_numbers.data(), packed_numbers.size());
    return queue(fmt::format("pick_{}", width), {to, bytes / width, numbers.address(), all.size()});
  }
  if (filling == Filling::maps && is_real(kind.type) && width >= 4)
    return queue(fmt::format("maps_{}", name(kind.type)), {to, bytes / (2 * width)});
  const bool pairs = kind.op == Operator::affine, ones = kind.op == Operator::product;
  queue(fmt::format("fill_{}", name(kind.type)), {to, bytes / width, slot(pairs), slot(ones)});
}

void GpuBench::State::wait(double expected, MessageId doing) {
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
const PeerLibrary& GpuBench::library_of(const Result& what) const {
  if (is_of_npp(what)) return state_->npp;
  return state_->cub;
}
bool GpuBench::stuck() const { return state_->stuck; }

std::uint64_t GpuBench::scratch_bytes(const Settings& kernel) {
  const MemoryLayout layout = memory_layout(plan(kernel), element_bytes(kernel));
  return layout.scratch + (algorithm(kernel.algorithm).writes_input ? layout.inputs : 0);
}

std::uint64_t GpuBench::scratch_bytes(const Settings& s, const Result& what) const {
  state_->device.use();
  return library_of(what).scratch_bytes(what, s);
}

DataBytes GpuBench::data_bytes(const Settings& kernel) {
  const Plan planned = plan(kernel);
  const MemoryLayout layout = memory_layout(planned, element_bytes(kernel));
  return {layout.inputs, layout.outputs, planned.inputs().size() > 1 ? layout.at[1] : layout.inputs};
}

DataBytes GpuBench::data_bytes(const Settings& s, const Result& what) const {
  return library_of(what).data_bytes(what, s);
}

DataBytes GpuBench::copied_bytes(double moved) {
  const std::size_t half = aligned(static_cast<std::size_t>(std::ceil(moved / 2)));
  return {half, half};
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
  for (int copy = 0; copy < rotations; ++copy)
    g.number(g.in(copy) + g.each.first, g.each.inputs - g.each.first);
  g.wait(0.1, MessageId::filling_memory);
}

std::vector<Value> GpuBench::input(const Settings& kind) const {
  state_->device.use();
  return State::read(state_->input, kind, kind.n);
}

GpuRun GpuBench::kernel(const Settings& s, const std::vector<std::string>& part) {
  State& g = *state_;
  g.device.use();
  const std::vector<bool> marked = launches_of(plan(s), part);
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
  const ReadyKernel first = all[0];  // begin() clears scratch memory, which all copies of the data share
  const auto begin = [&g, first] { first.begin(g.stream); };
  const auto ready = [all = std::move(all)](int rotation) -> const ReadyKernel& {
    return all[static_cast<std::size_t>(rotation) % all.size()];
  };
  if (part.empty())
    return {whole([&g, ready](int rotation) { ready(rotation).queue(g.stream, ++g.runs); }), calls, begin,
            prepare};
  const auto marks = 2 * std::count(marked.begin(), marked.end(), true);
  return {[&g, ready, marked](int rotation, const MarkTime& mark) {
            ready(rotation).queue(g.stream, ++g.runs, marked, mark);
          },
          calls, begin, prepare, static_cast<int>(marks)};
}

GpuRun GpuBench::driver_copy(std::size_t bytes) {
  State& g = *state_;
  return {whole([&g, bytes](int rotation) {
    check(driver().cuMemcpyDtoDAsync_v2(g.out(rotation), g.in(rotation), bytes, g.stream),
          MessageId::copying_on_gpu);
  })};
}

GpuRun GpuBench::own_copy(std::size_t bytes) {
  State& g = *state_;
  constexpr std::size_t tile = 256 * 4 * 16;
  const auto blocks = static_cast<unsigned>(std::max<std::size_t>(1, (bytes + tile - 1) / tile));
  std::vector<ReadyLaunch> all;
  for (int copy = 0; copy < g.copies; ++copy)
    all.push_back(g.helper("copy_bytes", blocks, 256, {g.in(copy), g.out(copy), bytes}));
  return {whole([&g, all = std::move(all)](int rotation) {
    all[static_cast<std::size_t>(rotation) % all.size()].queue(g.stream);
  })};
}

GpuRun GpuBench::library(const Settings& s, const Result& what) {
  State& g = *state_;
  g.device.use();
  const PeerLibrary& library = library_of(what);
  const std::uint64_t bytes = library.scratch_bytes(what, s);
  return {whole([&g, &library, bytes, what, s](int rotation) {
            library.run(what, s, {g.in(rotation), g.out(rotation), g.scratch.address(), bytes}, g.stream);
          }),
          library.calls(what, s)};
}

GpuRun GpuBench::empty() {
  State& g = *state_;
  return {whole([&g, launch = g.helper("empty", 1, 32, {})](int) { launch.queue(g.stream); })};
}

std::vector<double> GpuBench::time(const GpuRun& run, int count, Cache cache, double expected,
                                   const std::stop_token& stop) {
  State& g = *state_;
  g.device.use();
  const bool cold = cache == Cache::cold;
  const double flush = cold ? 2.5 * static_cast<double>(g.flush_bytes) / 1e12 : 0;  // assuming about 1 TB/s
  const int calls = run.calls + run.marks + (cold ? 2 : 0) + (run.prepare ? 1 : 0);
  const int at_once = std::clamp(static_cast<int>(most_queued / (expected + flush + calls * call_seconds)), 1,
                                 std::max(1, most_calls / calls - 1));
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < count && !stop.stop_requested()) {
    const int batch = std::min(at_once, count - static_cast<int>(seconds.size()));
    const auto marks = static_cast<std::size_t>(batch * run.marks);
    while (g.marks.size() < marks) g.marks.emplace_back();
    std::size_t used = 0;
    const MarkTime mark = [&] { g.marks.at(used++).record(g.stream); };
    const double queueing = (batch + 1) * calls * call_seconds;
    g.helper("spin", 1, 1, {static_cast<std::uint64_t>(1e9 * queueing)}).queue(g.stream);
    if (run.begin) run.begin();
    if (run.prepare) run.prepare(0);
    // A run without timing raises the clock rate and loads the code. Before warm runs, it also loads the data
    // into the cache.
    run.queue(0, [] {});
    for (int i = 0; i < batch; ++i) {
      const int copy = cold ? g.next_copy++ % g.copies : 0;
      if (run.prepare) run.prepare(copy);
      if (cold) g.flush();
      run.queue(copy, mark);
    }
    g.wait(queueing + (batch + 1) * (expected + flush), MessageId::running_kernel);
    for (std::size_t k = 0; k < marks; k += 2) {
      const double section = g.marks[k + 1].since(g.marks[k]);
      if (k % static_cast<std::size_t>(run.marks) == 0) seconds.push_back(section);
      else seconds.back() += section;
    }
  }
  return seconds;
}

double GpuBench::flush_seconds(const std::stop_token& stop) {
  State& g = *state_;
  return spread_of(time({whole([&g](int) { g.flush(); }), 2}, 3, Cache::warm, 1e-3, stop)).median;
}

}  // namespace upsweep
