#include "machine/emulator/emulator.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/emulated_kernels.hpp"
#include "machine/emulator/emulated_launches.hpp"
#include "trace/value.hpp"

namespace upsweep {

struct Emulator::State {
  BlockPool blocks;
  std::size_t events = 0, lanes = 0;  // of the last recording's first block: what the next most likely needs
};

// Traces come and go with every launch. By default their memory goes back to the system, and the next one's
// page faults would take 0.1 ms of its time.
Emulator::Emulator() : state_(std::make_unique<State>()) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}
Emulator::~Emulator() = default;

namespace {

void set_constants(KernelConstants& to, const Algorithm& algorithm, const Settings& s) {
  for (const Constant& c : constants(algorithm, s)) {
#define UPSWEEP_CONSTANT(type, constant) \
  if (c.name == #constant) to.constant = static_cast<type>(c.value);
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT
  }
}

// Global memory of a run.
struct GlobalMemory {
  std::vector<std::vector<std::byte>> buffers;

  GlobalMemory(const Plan& plan, const Settings& s, const std::vector<Value>& input) {
    for (const GlobalBuffer& b : plan.buffers)
      // What is not initialised holds anything but zeros.
      buffers.emplace_back(
          static_cast<std::size_t>(b.count) * static_cast<std::size_t>(cell_bytes(b.cells, element_bytes(s))),
          b.cells == Cells::elements ? std::byte{0xA5} : std::byte{});
    buffers[0] = packed(input, static_cast<std::size_t>(element_bytes(s)));
  }
};

std::unique_ptr<Launch> prepared(const PlannedLaunch& planned, const EmulatedKernel& kernel, Run& run,
                                 GlobalMemory& memory) {
  auto launch = std::make_unique<Launch>();
  launch->run = &run;
  launch->grid = {.kernel = planned.kernel,
                  .blocks = planned.blocks,
                  .threads = planned.threads,
                  .shared = planned.shared,
                  .blocks_across = planned.blocks_across,
                  .threads_across = planned.threads_across};
  std::vector<GivenArgument> given;
  for (const Argument& a : planned.arguments) {
    GivenArgument g{.memory = {}, .number = static_cast<int>(a.number)};
    if (a.buffer >= 0) {
      auto& bytes = memory.buffers[static_cast<std::size_t>(a.buffer)];
      g.memory = {bytes.data(), static_cast<std::int64_t>(bytes.size()), static_cast<std::uint8_t>(a.buffer)};
    }
    given.push_back(g);
  }
  const auto body = kernel.bodies[std::bit_width(static_cast<unsigned>(element_bytes(run.settings))) - 2];
  if (body == nullptr)
    throw WorkError(fmt::format("The kernel {} was not compiled for {} of {}.", planned.kernel,
                                name(run.settings.op), name(run.settings.type)));
  launch->body = [body, given] { body(given); };
  return launch;
}

const EmulatedKernel& kernel_of(const Emulated& file, const std::string& name) {
  for (const EmulatedKernel& k : file.kernels)
    if (k.name == name) return k;
  throw WorkError(fmt::format("There is no kernel {} to launch.", name));
}

void set_limits(Run& run, const Plan& plan) {
  const auto n = static_cast<std::int64_t>(run.settings.n);
  std::int64_t threads = 1024;
  for (const PlannedLaunch& l : plan.launches)
    threads = std::min<std::int64_t>(threads, std::max(1, l.threads));
  const auto limited = [](std::int64_t x) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(x, 1 << 27));
  };
  run.barrier_trips = limited(std::min(n, std::max<std::int64_t>(4096, 4 * n / threads)) + 64);
  run.trips = limited(4 * n + 1024);
}

const Emulated& registered(const Algorithm& a) { return *emulated_kernels(a.name); }

}  // namespace

std::vector<Value> Emulator::run(const Settings& s, const std::vector<Value>& input) {
  const Algorithm& a = algorithm(s.algorithm);
  return run(a, registered(a), s, input);
}
Trace Emulator::record(const Settings& s, const std::vector<Value>& input, const RecordOptions& options) {
  const Algorithm& a = algorithm(s.algorithm);
  return record(a, registered(a), s, input, options);
}

std::vector<Value> Emulator::run(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                                 const std::vector<Value>& input) {
  Trace trace;
  execute(algorithm, kernels, s, input, {}, false, trace);
  if (trace.stopped) throw WorkError(stop_message(trace.stopped));
  return std::move(trace.output);
}

Trace Emulator::record(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const std::vector<Value>& input, const RecordOptions& options) {
  Trace trace;
  trace.settings = s;
  trace.machine = kind();
  trace.device = device();
  trace.file = algorithm.file;
  trace.text = text_to_compile(algorithm, s);
  trace.input = input;
  execute(algorithm, kernels, s, input, options, true, trace);
  return trace;
}

void Emulator::execute(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const std::vector<Value>& input, const RecordOptions& options, bool recording,
                       Trace& trace) {
  const Plan planned = plan(algorithm, s);
  GlobalMemory memory(planned, s, input);
  Run run{.settings = s,
          .identity = identity(s),
          .combine = combination(s),
          .layout = Formula(layout_formula(s.layout), 'i'),
          .recording = recording,
          .stepped = options.schedule != 0};
  set_constants(run.constants, algorithm, s);
  set_limits(run, planned);

  Launches launches(run, state_->blocks, options);
  launches.likely_events = state_->events;
  launches.likely_lanes = state_->lanes;
  for (const PlannedLaunch& l : planned.launches)
    if (!launches.run(prepared(l, kernel_of(kernels, l.kernel), run, memory))) break;

  trace.stopped = run.stopped;
  trace.output = unpacked(memory.buffers[1], static_cast<std::size_t>(element_bytes(s)));
  if (!recording) return;
  trace.buffers = planned.buffers;
  launches.fill_in(trace);
  state_->events = launches.likely_events;
  state_->lanes = launches.likely_lanes;
}

}  // namespace upsweep
