#include "machine/gpu/gpu.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/formula.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_log.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "machine/gpu/recorder_memory.hpp"
#include "machine/loop_limits.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

void show_progress(Job* job, double share) {
  if (job != nullptr) job->set_progress(share);
}

// Returns whether a run of the algorithm might never end.
bool may_hang(const Algorithm& a, const Settings& s) { return is_unsafe(a, s) || s.without_barrier != 0; }

// Returns the capacity of the table of counts. The capacity is a power of two with several entries per step,
// so that the table is seldom full.
std::uint32_t count_capacity(const Algorithm& a, const Settings& s) {
  constexpr std::int64_t least = Capacity().counts, most = 1 << 24;
  const std::int64_t steps = Formula(a.steps, a.variables)(quantities(a, s, s.n));
  return std::bit_ceil(static_cast<std::uint32_t>(std::clamp(16 * steps, least, most)));
}

}  // namespace

// Everything that a Gpu owns. The mutex makes sure that only one run uses the GPU at a time, because the
// window records in a separate thread.
struct Gpu::State {
  std::mutex busy;
  Device device;
  Stream stream, control{Stream::apart};
  LoadedKernels kernels{device};
  std::vector<Buffer> buffers;  // one for each buffer of the plan
  RecorderMemory log;
  Capacity room;     // the capacity of the most recent recording
  Settings counted;  // the settings of the most recent recording

  // Copies the inputs into global memory. If a kernel expects a buffer to be zero (see is_initialised()),
  // fills the buffer with zeros. Fills all other buffers with the byte 0xA5, as the emulator does, so that no
  // kernel finds values of an earlier run.
  void fill(const Plan& plan, const Settings& s, const std::vector<Value>& input, const Contents& more) {
    if (buffers.size() < plan.buffers.size()) buffers.resize(plan.buffers.size());
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      const GlobalBuffer& planned = plan.buffers[b];
      const BufferRole role = plan.roles.of(static_cast<int>(b));
      if (role == BufferRole::input) {
        const std::vector<std::byte> bytes = packed(b == 0 ? input : more[b - 1], width(planned, s));
        buffers[b].write(bytes.data(), bytes.size());
      } else {
        buffers[b].reserve_filled(static_cast<std::size_t>(planned.count) * width(planned, s),
                                  is_initialised(role, planned.cells) ? 0 : 0xA5);
      }
    }
  }
  void fill(const Plan& plan, const Settings& s, const Inputs& inputs) {
    fill(plan, s, inputs.first, more_inputs(plan, s, inputs));
  }

  Contents outputs(const Plan& plan, const Settings& s) const {
    Contents all;
    for (int b = plan.roles.first_output(); b < plan.roles.first_scratch(); ++b) {
      const GlobalBuffer& planned = plan.buffers[static_cast<std::size_t>(b)];
      std::vector<std::byte> bytes(static_cast<std::size_t>(planned.count) * width(planned, s));
      buffers[static_cast<std::size_t>(b)].read(bytes.data(), bytes.size());
      all.push_back(unpacked(bytes, width(planned, s)));
    }
    return all;
  }
  static std::size_t width(const GlobalBuffer& b, const Settings& s) {
    return static_cast<std::size_t>(cell_bytes(b.cells, element_bytes(s)));
  }

  // Launches a kernel. In each block, the recorder itself needs `own` bytes of shared memory.
  void launch(void* function, const PlannedLaunch& l, unsigned own, std::vector<void*>& parameters) {
    const std::uint32_t bytes = own == 0 ? l.shared.bytes : (l.shared.bytes + 15) / 16 * 16 + own;
    if (bytes > static_cast<std::uint32_t>(device.largest_shared()))
      throw RequestError(own == 0
                             ? say::too_much_shared_memory(bytes, device.name(), device.largest_shared())
                             : say::too_much_shared_to_record(bytes, device.name(), device.largest_shared()));
    if (bytes > shared_without_asking)
      check(driver().cuFuncSetAttribute(function, max_dynamic_shared, static_cast<int>(bytes)),
            MessageId::asking_shared_memory);
    upsweep::launch(function, l.grid_dim(), l.block_dim(), bytes, stream, parameters.data());
  }

  void launch_fast(const Loaded& program, const Plan& plan) {
    for (const PlannedLaunch& l : plan.launches) {
      std::vector<DeviceAddress> addresses(l.arguments.size());
      std::vector<int> numbers(l.arguments.size());
      std::vector<void*> parameters;
      for (std::size_t i = 0; i < l.arguments.size(); ++i) {
        const Argument& a = l.arguments[i];
        if (a.buffer >= 0) {
          addresses[i] = buffers[static_cast<std::size_t>(a.buffer)].address();
          parameters.push_back(&addresses[i]);
        } else {
          numbers[i] = static_cast<int>(a.number);
          parameters.push_back(&numbers[i]);
        }
      }
      launch(program.functions.at(l.kernel), l, 0, parameters);
    }
  }

  void launch_traced(const Loaded& program, const Plan& plan) {
    unsigned grid = 0;
    for (const PlannedLaunch& l : plan.launches) {
      LogStart start{grid++, l.shared.bytes};
      std::vector<LogMemory> memories(l.arguments.size());
      std::vector<int> numbers(l.arguments.size());
      std::vector<void*> parameters = {&start};
      for (std::size_t i = 0; i < l.arguments.size(); ++i) {
        const Argument& a = l.arguments[i];
        if (a.buffer >= 0) {
          const auto b = static_cast<std::size_t>(a.buffer);
          memories[i] = {buffers[b].address(), plan.buffers[b].count, static_cast<unsigned>(b), 0};
          parameters.push_back(&memories[i]);
        } else {
          numbers[i] = static_cast<int>(a.number);
          parameters.push_back(&numbers[i]);
        }
      }
      launch(program.functions.at(l.kernel), l, log_shared_bytes(static_cast<unsigned>(l.threads)),
             parameters);
    }
  }

  // Waits for the end of the run. Tells the run to stop if the run no longer makes progress, or if the result
  // is no longer needed.
  void watch(DeviceAddress log_address, const Job* job) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds patience{400}, look_every{50}, until_lost{20000};
    constexpr MessageId running = MessageId::running_kernel;
    const auto began = Clock::now();
    auto changed = began, looked = began;
    unsigned progress = 0;
    bool stopping = false;
    while (!stream.done(running)) {
      const auto now = Clock::now();
      if (now - began > std::chrono::milliseconds(2))
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      const bool wanted = job == nullptr || !job->cancelled();
      if (now - looked < look_every && (wanted || stopping)) continue;
      looked = now;
      unsigned at = 0;
      control.read(&at, log_address + offsetof(Log, progress), sizeof at);
      if (std::exchange(progress, at) != at) {
        changed = now;
        if (wanted) continue;
      }
      if (!stopping && (!wanted || now - changed > patience)) {
        const unsigned hopeless = stop_hopeless;
        control.write(log_address + offsetof(Log, want_stop), &hopeless, sizeof hopeless);
        stopping = true;
      }
      if (stopping && now - changed > until_lost) throw WorkError(say::gpu_does_not_stop());
    }
  }

  // Records a run. Returns the state of the log after the run.
  Log record(const Loaded& program, const Plan& plan, const Settings& s, const std::vector<Value>& input,
             const Contents& more, const RecordOptions& options, std::uint32_t patience) {
    expect_wanted(options.job);
    fill(plan, s, input, more);
    expect_wanted(options.job);
    Log state = log.prepare(room);
    state.first_focus = options.first_block;
    state.focus = options.blocks;
    state.grids_known = static_cast<unsigned>(plan.launches.size());
    const LoopLimits limits = loop_limits(plan, s.n);
    state.trips = limits.trips;
    state.barrier_trips = limits.barrier_trips;
    state.patience = patience;
    const DeviceAddress address = program.module.variable("upsweep_log");
    check(driver().cuMemcpyHtoD_v2(address, &state, sizeof state), MessageId::setting_up_recorder);
    launch_traced(program, plan);
    watch(address, options.job);
    expect_wanted(options.job);
    check(driver().cuMemcpyDtoH_v2(&state, address, sizeof state), MessageId::reading_recording);
    expect_countable(state);
    return state;
  }

  // Returns true if everything was recorded, or if the GPU's memory is too small for a larger log. Otherwise
  // increases `room` for another recording, and returns false.
  bool enough(const Log& state) {
    constexpr std::size_t most_bytes = std::size_t{4} << 30;
    static_assert(most_bytes / sizeof(LogEvent) < log_most_events);
    const Capacity had = room;
    const auto grow = [](auto& capacity, std::uint64_t needed) {
      if (needed > capacity)
        capacity = static_cast<std::remove_reference_t<decltype(capacity)>>(needed + needed / 8);
    };
    grow(room.events, std::min<std::uint64_t>(state.next >> log_pool_bits, 1u << 29));
    grow(room.words, state.next & ((1ull << log_pool_bits) - 1));
    grow(room.runs, state.runs_known);
    grow(room.grids, std::min<std::uint64_t>(state.grids_known, UINT16_MAX - 1));
    grow(room.snapshots, state.snapshots_known);
    if (state.counts_lost > 0 && room.counts < 1u << 24) room.counts *= 8;
    if (room.grids > UINT16_MAX - 1) room.grids = UINT16_MAX - 1;
    const bool same = room.events == had.events && room.words == had.words && room.runs == had.runs &&
                      room.grids == had.grids && room.snapshots == had.snapshots && room.counts == had.counts;
    if (same) return true;
    if (room.bytes() > std::min(most_bytes, had.bytes() + device.free_memory() / 2)) {
      room.events = std::max(had.events, 4u << 20);
      room.words = std::max<std::uint64_t>(had.words, 256u << 20);
      if (room.events == had.events && room.words == had.words && state.counts_lost == 0) return true;
    }
    return false;
  }
};

Gpu::Gpu() : state_(std::make_unique<State>()) {}
Gpu::~Gpu() { state_->device.use_quietly(); }  // the members are freed next, and need the device's context

std::string Gpu::device() const { return state_->device.name(); }

void Gpu::prepare(const std::vector<Settings>& runs) {
  std::vector<Program> programs;
  for (const Settings& s : runs)
    for (const Mode mode : {Mode::fast, Mode::traced})
      programs.push_back(program(algorithm(s.algorithm), s, mode));
  std::unique_lock lock(state_->busy);
  programs = state_->kernels.missing(std::move(programs));
  lock.unlock();
  const auto compiled = compile_all(programs, state_->kernels.architecture());
  lock.lock();
  state_->device.use();
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (compiled[i]) state_->kernels.load(std::move(programs[i]), *compiled[i]);
}

Trace Gpu::record(const Settings& s, const Inputs& inputs, const RecordOptions& options) {
  return record(algorithm(s.algorithm), s, inputs, options);
}

Contents Gpu::run_all(const Settings& s, const Inputs& inputs, Job* job) {
  if (job) job->check();
  return run_all(algorithm(s.algorithm), s, inputs);
}

Contents Gpu::run_all(const Algorithm& algorithm, const Settings& s, const Inputs& inputs) {
  if (may_hang(algorithm, s))
    if (const Trace trace = record(algorithm, s, inputs, {.blocks = 0}); trace.stopped)
      throw WorkError(stop_message(trace.stopped));
  const std::lock_guard lock(state_->busy);
  state_->device.use();
  const Plan planned = plan(algorithm, s);
  const Loaded& program = state_->kernels.of(algorithm, s, Mode::fast);
  state_->fill(planned, s, inputs);
  state_->launch_fast(program, planned);
  state_->stream.wait(MessageId::running_kernel);
  return state_->outputs(planned, s);
}

void Gpu::fill(const Algorithm& algorithm, const Settings& s, const Inputs& inputs) {
  const std::lock_guard lock(state_->busy);
  state_->device.use();
  state_->fill(plan(algorithm, s), s, inputs);
  check(driver().cuCtxSynchronize(), MessageId::filling_memory);
}

std::vector<Value> Gpu::run_delayed(const Settings& s, const Inputs& inputs, std::uint32_t seed) {
  const Algorithm& a = algorithm(s.algorithm);
  const std::lock_guard lock(state_->busy);
  state_->device.use();
  const Plan planned = plan(a, s);
  const Loaded& program = state_->kernels.of(a, s, Mode::delayed);
  state_->fill(planned, s, inputs);
  check(driver().cuMemcpyHtoD_v2(program.module.variable("upsweep_delays"), &seed, sizeof seed),
        MessageId::copying_to_gpu);
  state_->launch_fast(program, planned);
  const auto begin = std::chrono::steady_clock::now();
  while (!state_->stream.done(MessageId::running_kernel))
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(10))
      throw WorkError(say::hangs_with_delays(s.algorithm, seed));
  return std::move(state_->outputs(planned, s)[0]);
}

Trace Gpu::record(const Algorithm& algorithm, const Settings& s, const Inputs& inputs,
                  const RecordOptions& options) {
  std::unique_lock lock(state_->busy);
  state_->device.use();
  const Plan planned = plan(algorithm, s);
  Trace trace;
  trace.more_inputs = more_inputs(planned, s, inputs);
  expect_wanted(options.job);
  const Loaded& program = state_->kernels.of(algorithm, s, Mode::traced);
  show_progress(options.job, 0.25);
  state_->room.grids =
      std::max<std::uint32_t>(state_->room.grids, static_cast<std::uint32_t>(planned.launches.size() + 1));

  // The whole table of counts is copied from the GPU, so a large table takes time. If an earlier run enlarged
  // the table, this run keeps the large table only for the same algorithm and the same or a larger n.
  if (algorithm.name != state_->counted.algorithm || s.n < state_->counted.n)
    state_->room.counts = count_capacity(algorithm, s);
  state_->counted = s;

  const std::uint32_t patience = patience_with_loops(algorithm.text, options.rounds);
  const auto record = [&] {
    return state_->record(program, planned, s, inputs.first, trace.more_inputs, options, patience);
  };
  Log log = record();
  constexpr int most_tries = 4;
  for (int tries = 1; tries < most_tries && log.want_stop == run_on && !state_->enough(log); ++tries)
    log = record();
  if (log.want_stop == run_on && log.counts_lost > 0) throw WorkError(say::too_many_counts());

  const GpuLog copied = state_->log.read(log, options.job);
  trace.more_outputs = state_->outputs(planned, s);
  trace.output = std::move(trace.more_outputs.front());
  trace.more_outputs.erase(trace.more_outputs.begin());
  lock.unlock();  // the remaining code needs no GPU

  trace.settings = s;
  trace.machine = kind();
  trace.device = state_->device.name();
  trace.driver = state_->device.driver_version();
  trace.nvrtc = state_->device.nvrtc_version();
  trace.file = algorithm.file;
  trace.text = text_to_compile(algorithm, s);
  trace.buffers = planned.buffers;
  trace.grids.clear();
  for (const PlannedLaunch& l : planned.launches)
    trace.grids.push_back({.kernel = l.kernel,
                           .blocks = l.blocks,
                           .threads = l.threads,
                           .shared = l.shared,
                           .blocks_across = l.blocks_across,
                           .threads_across = l.threads_across});
  trace.input = inputs.first;
  std::vector<std::string> kernels;
  for (const KernelSignature& k : kernels_of(algorithm.file, algorithm.text)) kernels.push_back(k.name);
  read_log(copied, kernels, trace);
  expect_wanted(options.job);
  show_progress(options.job, 1);
  return trace;
}

}  // namespace upsweep
