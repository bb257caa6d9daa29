#include "machine/emulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <utility>

#include "base/error.hpp"
#include "machine/emulated_thread.hpp"
#include "machine/fiber.hpp"
#include "machine/merge.hpp"

namespace upsweep {

constinit thread_local Thread* Thread::current = nullptr;

namespace {

thread_local Fiber* running = nullptr;  // the fiber of Thread::current

// A block on the machine: its threads, their fibers, its shared memory.
class Block {
 public:
  explicit Block(int threads)
      : threads_(static_cast<std::size_t>(threads)),
        warps_((threads_.size() + 31) / 32),
        fibers_(threads_.size()) {}

  void start(Launch& launch, std::uint32_t index, Emulated::Body body) {
    index_ = index;
    shared_.assign(static_cast<std::size_t>(launch.shape.buffers * launch.shape.cells_per_buffer *
                                            element_bytes(launch.settings)),
                   std::byte{});
    for (Warp& warp : warps_) warp.flow.clear(), warp.pending = 0;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Thread& thread = threads_[t];
      thread.thread_index.x = static_cast<unsigned>(t);
      thread.block_index.x = index;
      thread.launch = &launch;
      thread.shared = shared_;
      thread.warp = &warps_[t / 32];
      thread.node = ControlFlow::root;
      thread.step = 0;
      thread.fresh = true;
      thread.state = Thread::State::ready;
      thread.log.clear();
      thread.recorded = 0;
      thread.event_of.clear();
      fibers_[t].start(body);
    }
  }

  // Lets every thread run until it waits or ends; releases the barrier once all live threads wait there.
  // False when all have ended.
  bool advance(Trace& trace) {
    bool ready = false, waiting = false;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Thread& thread = threads_[t];
      if (thread.state == Thread::State::ready) {
        Thread::current = &thread;
        running = &fibers_[t];
        fibers_[t].resume();
        if (fibers_[t].finished()) thread.state = Thread::State::finished;
      }
      ready = ready || thread.state == Thread::State::ready;
      waiting = waiting || thread.state == Thread::State::at_barrier;
    }
    if (ready) return true;
    merge(threads_, warps_, index_, trace);
    if (!waiting) return false;
    std::uint32_t step = 0;
    for (Thread& thread : threads_) {
      if (thread.state != Thread::State::at_barrier) continue;
      thread.state = Thread::State::ready;
      thread.fresh = true;
      step = ++thread.step;
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(shared_.data());
    trace.snapshots.push_back({index_, step, std::vector<std::uint8_t>(bytes, bytes + shared_.size())});
    return true;
  }

  std::size_t size() const { return threads_.size(); }

 private:
  std::uint32_t index_ = 0;
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::deque<Fiber> fibers_;
};

std::vector<std::byte> bytes_of(const std::vector<Value>& values, std::size_t width) {
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes.data() + i * width, values[i].data(), width);
  return bytes;
}

std::vector<Value> values_of(const std::vector<std::byte>& bytes, std::size_t width) {
  std::vector<Value> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(values[i].data(), bytes.data() + i * width, width);
  return values;
}

// Events of blocks that ran interleaved, brought into canonical order; origins follow.
void sort_by_block(Trace& trace) {
  std::vector<std::uint32_t> order(trace.events.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return trace.events[a].block < trace.events[b].block; });
  std::vector<std::uint32_t> position(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  Trace sorted;
  for (const std::uint32_t from : order) {
    Event e = trace.events[from];
    const auto lanes = e.kind == Kind::barrier ? 0u : static_cast<std::uint32_t>(std::popcount(e.mask));
    const std::uint32_t first = std::exchange(e.first, static_cast<std::uint32_t>(sorted.lanes.size()));
    for (std::uint32_t i = first; i < first + lanes; ++i) {
      Lane lane = trace.lanes[i];
      for (Origin* o : {&lane.left, &lane.right})
        if (*o != 0) *o = position[*o - 1] + 1;
      sorted.lanes.push_back(lane);
      sorted.values.push_back(trace.values[i]);
    }
    sorted.events.push_back(e);
  }
  trace.events = std::move(sorted.events);
  trace.lanes = std::move(sorted.lanes);
  trace.values = std::move(sorted.values);
  std::stable_sort(trace.snapshots.begin(), trace.snapshots.end(),
                   [](const Snapshot& a, const Snapshot& b) { return a.block < b.block; });
}

}  // namespace

void Thread::barrier(Place place) {
  state = State::at_barrier;
  barrier_place = place;
  running->suspend();
}

void Thread::pause() { running->suspend(); }

void Thread::label_step(Phase phase, int stride) {
  std::vector<Step>& steps = launch->steps;
  while (steps.size() <= step) steps.push_back(steps.empty() ? Step{} : steps.back());
  steps[step] = {phase, stride};
}

void Thread::out_of_bounds(Kind kind, Place place, std::int64_t index, std::size_t count) const {
  throw WorkError(fmt::format("Line {}: thread {} of block {} {} element {} of {} memory, which holds {}.",
                              place.line, thread_index.x, block_index.x, is_load(kind) ? "reads" : "writes",
                              index, is_shared(kind) ? "shared" : "global", count));
}

struct Emulator::State {
  std::vector<std::unique_ptr<Block>>
      blocks;  // kept from launch to launch: their fibers' stacks are costly to make
};

Emulator::Emulator() : state_(std::make_unique<State>()) {}
Emulator::~Emulator() = default;

Trace Emulator::record(const Settings& s, const std::vector<Value>& input) {
  const Algorithm& a = algorithm(s.algorithm);
  return record(a, *emulated_kernel(a.name), s, input, a.gives == "reduction" ? 1 : s.n);
}

Trace Emulator::record(const Algorithm& algorithm, const Emulated& kernel, const Settings& s,
                       const std::vector<Value>& input, int output, int blocks, int resident) {
  const auto width = static_cast<std::size_t>(element_bytes(s));
  std::vector<std::byte> in = bytes_of(input, width), out(static_cast<std::size_t>(output) * width);
  Launch launch{.settings = s,
                .shape = shared_shape(algorithm, s),
                .layout = Formula(layout_formula(s.layout), 'i'),
                .global = {in, out},
                .blocks = blocks,
                .neighbours = s.load_pattern == "neighbours",
                .steps = {}};

  Trace trace;
  trace.settings = s;
  trace.machine = name();
  trace.device = device();
  trace.file = algorithm.file;
  trace.text = algorithm.text;
  trace.blocks = blocks;
  trace.shared = launch.shape;
  trace.input = input;

  // A launch that throws leaves fibers in the middle of a kernel; they are given up with it.
  std::vector<std::unique_ptr<Block>> pool = std::exchange(state_->blocks, {});
  std::erase_if(pool, [&](const auto& b) { return b->size() != static_cast<std::size_t>(s.block); });
  while (pool.size() < static_cast<std::size_t>(std::min(resident, blocks)))
    pool.push_back(std::make_unique<Block>(s.block));

  const Emulated::Body body = kernel.bodies[static_cast<int>(s.type)][s.op == Operator::affine];
  std::vector<Block*> running_blocks;
  int started = 0;
  for (int i = 0; i < std::min(resident, blocks); ++i) {
    running_blocks.push_back(pool[static_cast<std::size_t>(i)].get());
    running_blocks.back()->start(launch, static_cast<std::uint32_t>(started++), body);
  }
  while (!running_blocks.empty()) {
    for (std::size_t i = 0; i < running_blocks.size();) {
      if (running_blocks[i]->advance(trace)) {
        ++i;
      } else if (started < blocks) {
        running_blocks[i]->start(launch, static_cast<std::uint32_t>(started++), body);
        ++i;
      } else {
        running_blocks.erase(running_blocks.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
  if (resident > 1) sort_by_block(trace);

  state_->blocks = std::move(pool);
  trace.steps = std::move(launch.steps);
  trace.output = values_of(out, width);
  return trace;
}

}  // namespace upsweep
