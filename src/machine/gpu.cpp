#include "machine/gpu.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>

#include "base/error.hpp"
#include "machine/gpu_device.hpp"
#include "machine/gpu_log.hpp"
#include "machine/gpu_program.hpp"

namespace upsweep {

namespace {

constexpr int shared_without_asking =
    48 * 1024;                         // bytes a launch may use without raising the function's limit
constexpr int max_dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

struct Kernel {
  Module module;
  void* function;
};

// How much a recorder's log holds. What a block of 1,024 threads does at 1,024 elements fits several times
// over; whatever needs more is recorded again with as much as it needs.
struct Capacity {
  unsigned entries = 16384;
  unsigned steps = 128;
};

// The recorder's memory on the GPU.
struct LogMemory {
  Buffer entries, values, steps, snapshots, threads;

  Log prepare(const Capacity& room, const Settings& s, unsigned shared_words) {
    entries.reserve_zeroed(room.entries * sizeof(LogEntry));
    values.reserve_zeroed(std::size_t{room.entries} * 32 * static_cast<std::size_t>(element_bytes(s)));
    steps.reserve_zeroed(room.steps * sizeof(LogStep));
    snapshots.reserve_zeroed(std::size_t{room.steps} * shared_words * sizeof(unsigned));
    threads.reserve_zeroed(static_cast<std::size_t>(s.block) * sizeof(unsigned));
    Log log{};
    log.entries = reinterpret_cast<LogEntry*>(entries.address());
    log.values = reinterpret_cast<void*>(values.address());
    log.steps = reinterpret_cast<LogStep*>(steps.address());
    log.snapshots = reinterpret_cast<unsigned*>(snapshots.address());
    log.threads = reinterpret_cast<unsigned*>(threads.address());
    log.entry_capacity = room.entries;
    log.step_capacity = room.steps;
    log.shared_words = shared_words;
    return log;
  }

  GpuLog read(const Log& log, const Settings& s) const {
    GpuLog copy;
    copy.entries.resize(std::min(log.entry_count, log.entry_capacity));
    copy.values.resize(copy.entries.size() * 32 * static_cast<std::size_t>(element_bytes(s)));
    copy.steps.resize(std::min(log.last_step + 1, log.step_capacity));
    copy.snapshots.resize(copy.steps.size() * log.shared_words);
    copy.dropped = log.entry_count - copy.entries.size();
    entries.read(copy.entries.data(), copy.entries.size() * sizeof(LogEntry));
    values.read(copy.values.data(), copy.values.size());
    steps.read(copy.steps.data(), copy.steps.size() * sizeof(LogStep));
    snapshots.read(copy.snapshots.data(), copy.snapshots.size() * sizeof(std::uint32_t));
    return copy;
  }
};

std::vector<std::byte> packed(const std::vector<Value>& values, std::size_t width) {
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes.data() + i * width, values[i].data(), width);
  return bytes;
}

std::vector<Value> unpacked(const std::vector<std::byte>& bytes, std::size_t width) {
  std::vector<Value> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(values[i].data(), bytes.data() + i * width, width);
  return values;
}

// How many elements a registered algorithm puts out.
int output_elements(const Algorithm& a, const Settings& s) { return a.gives == "reduction" ? 1 : s.n; }

}  // namespace

// One run at a time: the window records on a thread of its own.
struct Gpu::State {
  std::mutex busy;
  Device device;
  std::string architecture = architecture_for(device.architecture());
  std::map<std::pair<Program, Mode>, Kernel> kernels;  // compiled and loaded
  Buffer input, output;
  LogMemory log;

  const Kernel& kernel(const Algorithm& algorithm, const Settings& s, Mode mode) {
    std::pair<Program, Mode> key(program(algorithm, s, mode), mode);
    const auto known = kernels.find(key);
    if (known != kernels.end()) return known->second;
    const Compiled compiled = compile(key.first, architecture);
    Module module(compiled.image);
    void* function = module.function(compiled.lowered_name.at(algorithm.name));
    constexpr std::size_t many = 1000;  // a formula being typed is a new program at every key
    if (kernels.size() >= many) kernels.clear();
    return kernels.emplace(std::move(key), Kernel{std::move(module), function}).first->second;
  }

  void copy_in(const Settings& s, const std::vector<Value>& values, int outputs) {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    const std::vector<std::byte> bytes = packed(values, width);
    input.write(bytes.data(), bytes.size());
    output.reserve_zeroed(static_cast<std::size_t>(outputs) * width);
  }

  std::vector<Value> copy_out(const Settings& s, int outputs) const {
    const auto width = static_cast<std::size_t>(element_bytes(s));
    std::vector<std::byte> bytes(static_cast<std::size_t>(outputs) * width);
    output.read(bytes.data(), bytes.size());
    return unpacked(bytes, width);
  }

  // Runs one block, to its end.
  void launch(const Kernel& kernel, const Settings& s, int shared_bytes) {
    if (shared_bytes > device.largest_shared())
      throw RequestError(
          fmt::format("This needs {} bytes of shared memory; a block on the {} has at most {}.", shared_bytes,
                      device.name(), device.largest_shared()));
    if (shared_bytes > shared_without_asking)
      check(driver().cuFuncSetAttribute(kernel.function, max_dynamic_shared, shared_bytes),
            "Asking for shared memory");
    DeviceAddress in = input.address(), out = output.address();
    int n = s.n;
    void* parameters[] = {&in, &out, &n};
    check(driver().cuLaunchKernel(kernel.function, 1, 1, 1, static_cast<unsigned>(s.block), 1, 1,
                                  static_cast<unsigned>(shared_bytes), nullptr, parameters, nullptr),
          "Starting the kernel on the GPU");
    check(driver().cuCtxSynchronize(), "Running the kernel on the GPU");
  }
};

Gpu::Gpu() : state_(std::make_unique<State>()) {}
Gpu::~Gpu() { state_->device.use_quietly(); }  // what is given back next belongs to its context

std::string Gpu::device() const { return state_->device.name(); }

Trace Gpu::record(const Settings& s, const std::vector<Value>& input, const RecordOptions&) {
  const Algorithm& a = algorithm(s.algorithm);
  return record(a, s, input, output_elements(a, s));
}

std::vector<Value> Gpu::run(const Settings& s, const std::vector<Value>& input) {
  const Algorithm& a = algorithm(s.algorithm);
  return run(a, s, input, output_elements(a, s));
}

std::vector<Value> Gpu::run(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input,
                            int output) {
  const std::lock_guard lock(state_->busy);
  state_->device.use();
  const SharedShape shape = shared_shape(algorithm, s);
  const Kernel& kernel = state_->kernel(algorithm, s, Mode::fast);
  state_->copy_in(s, input, output);
  state_->launch(kernel, s, shape.buffers * shape.cells_per_buffer * element_bytes(s));
  return state_->copy_out(s, output);
}

Trace Gpu::record(const Algorithm& algorithm, const Settings& s, const std::vector<Value>& input,
                  int output) {
  const std::lock_guard lock(state_->busy);
  state_->device.use();
  Trace trace;
  trace.settings = s;
  trace.machine = name();
  trace.device = state_->device.name();
  trace.file = algorithm.file;
  trace.text = algorithm.text;
  trace.grids = {{.kernel = algorithm.name, .threads = s.block, .shared = shared_shape(algorithm, s)}};
  trace.input = input;

  const Kernel& kernel = state_->kernel(algorithm, s, Mode::traced);
  const SharedShape& shape = trace.grids.front().shared;
  const int shared_bytes = shape.buffers * shape.cells_per_buffer * element_bytes(s);
  const DeviceAddress log_address = kernel.module.variable("upsweep_log");

  const auto recorded = [&](const Capacity& room) {
    state_->copy_in(s, input, output);
    Log log = state_->log.prepare(room, s, static_cast<unsigned>(shared_bytes) / 4);
    check(driver().cuMemcpyHtoD_v2(log_address, &log, sizeof log), "Setting up the recorder");
    state_->launch(kernel, s, shared_bytes);
    check(driver().cuMemcpyDtoH_v2(&log, log_address, sizeof log), "Reading what was recorded");
    return log;
  };
  Log log = recorded({});
  if (log.entry_count > log.entry_capacity || log.last_step >= log.step_capacity)
    log = recorded({.entries = std::max(log.entry_count, log.entry_capacity),
                    .steps = std::max(log.last_step + 1, log.step_capacity)});
  read_log(state_->log.read(log, s), trace);
  trace.output = state_->copy_out(s, output);
  return trace;
}

}  // namespace upsweep
