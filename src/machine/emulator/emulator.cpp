#include "machine/emulator/emulator.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <span>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/emulated_kernels.hpp"
#include "machine/emulator/emulated_launches.hpp"
#include "machine/loop_limits.hpp"
#include "trace/value.hpp"

namespace upsweep {

struct Emulator::State {
  explicit State(const EmulatorOptions& o)
      : options(o), pools(o.threads > 0 ? o.threads : std::max(1u, std::thread::hardware_concurrency())) {}
  EmulatorOptions options;
  std::vector<BlockPool> pools;                                        // one for each CPU thread
  std::map<std::string, std::map<std::string, Influence>> influences;  // known influences, by file and kernel
  std::map<std::string, KernelText> texts;  // the parsed kernels; the keys are the kernels' texts
  // Estimates for the next recording: the numbers of entries that the first block of the last recording added
  // to Trace::events and Trace::lanes.
  std::size_t events = 0, lanes = 0;
};

Emulator::Emulator(const EmulatorOptions& options) : state_(std::make_unique<State>(options)) {}
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

// Values are copied in pieces of this size, so that a job can be cancelled between two pieces.
constexpr std::size_t piece = 1 << 18;
void check(const Job* job) {
  if (job != nullptr) job->check();
}
template <class T>
void fill(std::vector<T>& to, std::size_t count, const T& with, const Job* job) {
  to.reserve(count);
  for (check(job); to.size() < count; check(job)) to.resize(std::min(count, to.size() + piece), with);
}
template <class T>
void append(std::vector<T>& to, std::span<const T> from, const Job* job) {
  to.reserve(to.size() + from.size());
  for (check(job); !from.empty(); check(job)) {
    const auto first = from.first(std::min(piece, from.size()));
    to.insert(to.end(), first.begin(), first.end());
    from = from.subspan(first.size());
  }
}

// The global memory of a run. The first `count` entries of `buffers` are the buffers of the run. If the run
// is recorded, one more entry for each buffer follows. This entry has the depths of the buffer's cells (see
// Memory::depths), and is empty for a buffer of flags (Cells::words). So one copy of `buffers` saves or
// restores the contents and the depths.
struct GlobalMemory {
  std::vector<std::vector<std::byte>> buffers;
  std::size_t count;  // the number of buffers, without the depths

  GlobalMemory(const Plan& plan, const Settings& s, const std::vector<Value>& input, const Contents& more,
               bool recording, const Job* job)
      : count(plan.buffers.size()) {
    for (std::size_t b = 0; b < count; ++b) {
      const GlobalBuffer& planned = plan.buffers[b];
      const BufferRole role = plan.roles.of(static_cast<int>(b));
      if (role == BufferRole::input) {
        copy(b == 0 ? input : more[b - 1], buffers.emplace_back(), width(planned, s), job);
        continue;
      }
      // Uninitialised memory is filled with a pattern that is not zero. So a kernel that reads uninitialised
      // memory has a wrong result.
      fill(buffers.emplace_back(), static_cast<std::size_t>(planned.count) * width(planned, s),
           is_initialised(role, planned.cells) ? std::byte{} : std::byte{0xA5}, job);
    }
    for (std::size_t b = 0; b < count && recording; ++b)
      fill(buffers.emplace_back(),
           plan.buffers[b].cells == Cells::words
               ? 0
               : static_cast<std::size_t>(plan.buffers[b].count) * sizeof(std::uint32_t),
           std::byte{}, job);
  }

  // Returns buffer `b` as an argument for a kernel.
  Memory of(int b) {
    const auto index = static_cast<std::size_t>(b);
    std::vector<std::byte>& bytes = buffers[index];
    std::byte* const depths = buffers.size() > count ? buffers[count + index].data() : nullptr;
    return {bytes.data(), static_cast<std::int64_t>(bytes.size()), reinterpret_cast<std::uint32_t*>(depths),
            static_cast<std::uint8_t>(b)};
  }

  // Returns indices into the vector `buffers`: the entries of the launch's arguments, and the entries of the
  // arguments' depths (see Memory::depths).
  std::vector<std::size_t> arguments_of(const PlannedLaunch& launch) const {
    std::vector<std::size_t> all;
    for (const Argument& a : launch.arguments) {
      if (a.buffer < 0) continue;
      const auto b = static_cast<std::size_t>(a.buffer);
      if (std::ranges::find(all, b) != all.end()) continue;
      all.push_back(b);
      if (buffers.size() > count) all.push_back(count + b);
    }
    return all;
  }

  Contents outputs(const Plan& plan, const Settings& s, const Job* job) const {
    Contents all;
    for (int b = plan.roles.first_output(); b < plan.roles.first_scratch(); ++b) {
      const auto index = static_cast<std::size_t>(b);
      const std::size_t bytes = width(plan.buffers[index], s);
      std::vector<Value>& values = all.emplace_back();
      fill(values, buffers[index].size() / bytes, Value{}, job);
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::memcpy(values[i].data(), buffers[index].data() + i * bytes, bytes);
        if (i % piece == 0) check(job);
      }
    }
    return all;
  }

 private:
  static std::size_t width(const GlobalBuffer& b, const Settings& s) {
    return static_cast<std::size_t>(cell_bytes(b.cells, element_bytes(s)));
  }
  static void copy(const std::vector<Value>& from, std::vector<std::byte>& to, std::size_t bytes,
                   const Job* job) {
    to.resize(from.size() * bytes);
    for (std::size_t i = 0; i < from.size(); ++i) {
      std::memcpy(to.data() + i * bytes, from[i].data(), bytes);
      if (i % piece == 0) check(job);
    }
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
    if (a.buffer >= 0) g.memory = memory.of(a.buffer);
    given.push_back(g);
  }
  const auto body = kernel.bodies[std::bit_width(static_cast<unsigned>(element_bytes(run.settings))) - 2];
  if (body == nullptr)
    throw WorkError(say::kernel_not_emulated(planned.kernel, name(run.settings.op), name(run.settings.type)));
  launch->body = [body, given] { body(given); };
  return launch;
}

// The largest numbers of entries (see size_of()): `all` for the whole recording, and `focus` for all blocks
// in focus (recorded in full). One block of each launch is always in focus, even if it has more entries than
// `focus`. An entry has 32 to 40 bytes.
struct Room {
  std::uint64_t all, focus;
};
// Some views of the window need all blocks. So if n is small, the limits allow the emulator to record all
// blocks in full.
Room room_for(int n) {
  constexpr int few = 1 << 16;
  return n <= few ? Room{1 << 25, 1 << 25} : Room{1 << 23, 1 << 22};
}

const EmulatedKernel& kernel_of(const Emulated& file, const std::string& name) {
  for (const EmulatedKernel& k : file.kernels)
    if (k.name == name) return k;
  throw WorkError(say::no_kernel(name));
}

const Emulated& registered(const Algorithm& a) {
  expect_language(a, MachineKind::emulated);
  return *emulated_kernels(a.name);
}

}  // namespace

Contents Emulator::run_all(const Settings& s, const Inputs& inputs, Job* job) {
  const Algorithm& a = algorithm(s.algorithm);
  return run_all(a, registered(a), s, inputs, job);
}
Trace Emulator::record(const Settings& s, const Inputs& inputs, const RecordOptions& options) {
  const Algorithm& a = algorithm(s.algorithm);
  return record(a, registered(a), s, inputs, options);
}

Contents Emulator::run_all(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                           const Inputs& inputs, Job* job) {
  Trace trace;
  execute(algorithm, kernels, s, inputs, {.job = job}, false, trace);
  if (trace.stopped) throw WorkError(stop_message(trace.stopped));
  Contents all = std::move(trace.more_outputs);
  all.insert(all.begin(), std::move(trace.output));
  return all;
}

Trace Emulator::record(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const Inputs& inputs, const RecordOptions& options) {
  Trace trace;
  trace.settings = s;
  trace.machine = kind();
  trace.device = device();
  trace.file = algorithm.file;
  trace.text = text_to_compile(algorithm, s);
  append(trace.input, std::span(inputs.first), options.job);
  execute(algorithm, kernels, s, inputs, options, true, trace);
  return trace;
}

void Emulator::execute(const Algorithm& algorithm, const Emulated& kernels, const Settings& s,
                       const Inputs& inputs, const RecordOptions& options, bool recording, Trace& trace) try {
  const Plan planned = plan(algorithm, s);
  trace.more_inputs = more_inputs(planned, s, inputs);
  GlobalMemory memory(planned, s, inputs.first, trace.more_inputs, recording, options.job);
  Run run{.settings = s,
          .identity = identity(s),
          .combine = combination(s),
          .keep = predicate_of(s),
          .layout = Formula(layout_formula(s.choice("layout")), 'i'),
          .recording = recording,
          .stepped = options.schedule != 0};
  run.wanted.job = options.job;
  const Room room = room_for(s.n);
  run.room = room.all;
  set_constants(run.constants, algorithm, s);
  const LoopLimits limits = loop_limits(planned, run.settings.n);
  run.trips = limits.trips;
  run.barrier_trips = limits.barrier_trips;
  run.rounds = std::max<std::uint64_t>(options.rounds, limits.trips);
  run.most_children = limits.launches;
  run.text = &state_->texts.try_emplace(algorithm.text, algorithm.text).first->second;

  Launches launches(run, state_->pools, memory.buffers, state_->influences[algorithm.file], options);
  launches.blocks_apart = state_->options.blocks_apart;
  launches.launches_in_all = planned.launches.size();
  launches.room_for_focus = state_->options.room_for_focus > 0 ? state_->options.room_for_focus : room.focus;
  for (const PlannedLaunch& l : planned.launches) launches.blocks_in_all += l.blocks;
  launches.likely_events = state_->events;
  launches.likely_lanes = state_->lanes;
  for (const PlannedLaunch& l : planned.launches)
    if (!launches.run(prepared(l, kernel_of(kernels, l.kernel), run, memory), memory.arguments_of(l))) break;

  trace.stopped = run.stopped;
  trace.more_outputs = memory.outputs(planned, s, options.job);
  trace.output = std::move(trace.more_outputs.front());
  trace.more_outputs.erase(trace.more_outputs.begin());
  if (!recording) return;
  trace.buffers = planned.buffers;
  trace.span = run.span;
  launches.fill_in(trace);
  state_->events = launches.likely_events;
  state_->lanes = launches.likely_lanes;
} catch (const Unwanted&) { throw Cancelled(); }

}  // namespace upsweep
