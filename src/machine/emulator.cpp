#include "machine/emulator.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "machine/emulated_thread.hpp"
#include "machine/merge.hpp"

namespace upsweep {

constinit thread_local Thread* Thread::current = nullptr;

namespace {

// The stacks of a block's threads. They lie in huge pages (every step touches all of them, more small pages
// than the TLB holds), and not a power of two apart, or their tops would share a few sets of the cache: a
// block of 512 threads takes 0.36 ms on stacks 16 KiB apart, 0.25 ms so.
class Stacks {
 public:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t size = 256 * 1024;
#else
  static constexpr std::size_t size = 16 * 1024 + 5 * 64;
#endif
  explicit Stacks(std::size_t count) : bytes_(allocate(count)) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy((*this)[i], &canary, sizeof canary);
  }
  char* operator[](std::size_t i) const { return bytes_.get() + i * size; }
  // Whether that stack was ever used up to its end.
  bool overflown(std::size_t i) const { return std::memcmp((*this)[i], &canary, sizeof canary) != 0; }

 private:
  static constexpr std::uint64_t canary =
      0x5bd1e995c0de5afe;  // lowest on each stack, in place of a guard page
  static char* allocate(std::size_t count) {
    constexpr std::size_t huge_page = 2 * 1024 * 1024;
    const std::size_t bytes = (count * size + huge_page - 1) / huge_page * huge_page;
    void* stacks = std::aligned_alloc(huge_page, bytes);
    if (stacks == nullptr) throw std::bad_alloc();
    madvise(stacks, bytes, MADV_HUGEPAGE);
    return static_cast<char*>(stacks);
  }
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
};

// A block on the machine: its threads, their stacks, its shared memory.
class Block {
 public:
  explicit Block(int threads)
      : threads_(static_cast<std::size_t>(threads)),
        warps_((threads_.size() + 31) / 32),
        kept_(warps_.size()),
        stacks_(threads_.size()) {}

  void start(Launch& launch, std::uint32_t index) {
    launch_ = &launch;
    index_ = index;
    shared_.assign(static_cast<std::size_t>(launch.shape.buffers * launch.shape.cells_per_buffer *
                                            element_bytes(launch.settings)),
                   std::byte{});
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      warp.flow.clear();
      warp.waiting = warp.linked = 0;
      warp.ready = ~0u >> (32 - lanes_of(w).size());
      warp.merged.fill(0);
      kept_[w].clear();
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Thread& thread = threads_[t];
      thread.thread_index.x = static_cast<unsigned>(t);
      thread.block_index.x = index;
      thread.launch = &launch;
      thread.shared = shared_;
      thread.warp = &warps_[t / 32];
      thread.lane = t % 32;
      thread.node = thread.warp->flow.root();
      thread.step = 0;
      thread.fresh = true;
      thread.recorded = 0;
      thread.fiber.start<Thread::run>(stacks_[t], Stacks::size);
    }
    begin_period(0);
  }

  // Lets every thread run until it waits, pauses or ends; releases the barrier once all live threads wait
  // there. False when all have ended.
  bool advance(Trace& trace) {
    bool ready = false;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (warps_[w].ready == 0) continue;
      run(w, trace);
      ready = ready || warps_[w].ready != 0;
    }
    if (ready) return true;
    merge_kept(trace);
    std::uint32_t next_step = UINT32_MAX, last_arrival = 0;
    bool waiting = false;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      for_each_arrival(w, [&](std::uint32_t step) {
        waiting = true;
        next_step = std::min(next_step, step + 1);
        last_arrival = step;
      });
      warps_[w].ready = std::exchange(warps_[w].waiting, 0);
    }
    if (!waiting) return check_stacks(), false;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(shared_.data());
    trace.snapshots.push_back(
        {index_, last_arrival + 1, std::vector<std::uint8_t>(bytes, bytes + shared_.size())});
    begin_period(next_step);
    return true;
  }

  std::size_t size() const { return threads_.size(); }

 private:
  std::span<Thread> lanes_of(std::size_t w) {
    return std::span(threads_).subspan(w * 32, std::min<std::size_t>(32, threads_.size() - w * 32));
  }

  // A period is what lies between two barriers. Most often all of it belongs to one step, and a warp is
  // merged as soon as it has run, while its records are in the nearest cache. Records of later steps, and
  // those of warps from the first on that pauses, are kept until all threads have come to the period's end:
  // the trace is in order of steps, then warps.
  void begin_period(std::uint32_t step) {
    first_step_ = last_step_ = step;
    first_kept_warp_ = warps_.size();
  }

  void run(std::size_t w, Trace& trace) {
    Warp& warp = warps_[w];
    launch_->log.clear();
    if (warp.linked != warp.ready) link(w);
    Thread::current = &lanes_of(w)[static_cast<std::size_t>(std::countr_zero(warp.ready))];
    warp.ready = 0;
    launch_->scheduler->fiber.switch_to(Thread::current->fiber);
    if (launch_->thrown) std::rethrow_exception(launch_->thrown);

    Lanes lanes(lanes_of(w), index_, launch_->log);
    if (warp.ready != 0) first_kept_warp_ = std::min(first_kept_warp_, w);
    if (w < first_kept_warp_) lanes.merge(first_step_, trace);
    last_step_ = std::max(last_step_, lanes.keep(kept_[w]));
    for_each_arrival(w, [&](std::uint32_t step) { last_step_ = std::max(last_step_, step); });
  }

  // Chains the lanes that can run.
  void link(std::size_t w) {
    Thread* next = launch_->scheduler;
    const std::uint32_t ready = warps_[w].linked = warps_[w].ready;
    for (std::size_t lane = lanes_of(w).size(); lane-- > 0;) {
      if ((ready >> lane & 1) == 0) continue;
      Thread& thread = lanes_of(w)[lane];
      thread.next = next;
      next = &thread;
    }
  }

  // Calls f(step) for the step of each barrier that lanes of the warp wait at.
  template <class F>
  void for_each_arrival(std::size_t w, F f) {
    const Warp& warp = warps_[w];
    for (std::uint32_t rest = warp.waiting; rest != 0; rest &= rest - 1) {
      f(lanes_of(w)[static_cast<std::size_t>(std::countr_zero(rest))].step);
      if (!warp.apart) break;
    }
  }

  void merge_kept(Trace& trace) {
    if (last_step_ == first_step_ && first_kept_warp_ == warps_.size()) return;
    std::vector<Lanes> lanes;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      // A lane that has paused has a piece for each time that it ran.
      std::ranges::stable_sort(kept_[w], {}, [](const Record& r) { return r.access.lane; });
      lanes.emplace_back(lanes_of(w), index_, kept_[w]);
    }
    for (std::uint32_t step = first_step_; step <= last_step_; ++step)
      for (std::size_t w = step == first_step_ ? first_kept_warp_ : 0; w < warps_.size(); ++w)
        lanes[w].merge(step, trace);
    for (auto& records : kept_) records.clear();
  }

  void check_stacks() const {
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (stacks_.overflown(t))
        throw WorkError(fmt::format("The kernel needs more stack than an emulated thread has: {} KiB.",
                                    Stacks::size / 1024));
  }

  Launch* launch_ = nullptr;
  std::uint32_t index_ = 0;
  std::vector<std::byte> shared_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<std::vector<Record>> kept_;         // by warp
  std::uint32_t first_step_ = 0, last_step_ = 0;  // of the period
  std::size_t first_kept_warp_ = 0;
  Stacks stacks_;
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

void Thread::run() {
  Thread& self = *current;
  try {
    self.launch->body();
  } catch (...) { self.launch->thrown = std::current_exception(); }
  if (self.launch->thrown) self.fiber.switch_to(self.launch->scheduler->fiber);
  self.leave();
}

void Log::grow() {
  const auto used = static_cast<std::size_t>(end_ - records_.data());
  records_.resize(std::max<std::size_t>(256, 2 * used));
  end_ = records_.data() + used;
  limit_ = records_.data() + records_.size();
}

void Thread::pause() {
  warp->ready |= 1u << lane;
  leave();
}

void Thread::label_step(Phase phase, int stride) {
  std::vector<Step>& steps = launch->steps;
  while (steps.size() <= step) steps.push_back(steps.empty() ? Step{} : steps.back());
  steps[step] = {phase, stride};
  launch->labelled = static_cast<std::uint32_t>(steps.size());
}

void Thread::out_of_bounds(Kind kind, Place place, std::int64_t index, std::size_t count) const {
  throw WorkError(fmt::format("Line {}: thread {} of block {} {} element {} of {} memory, which holds {}.",
                              place.line, thread_index.x, block_index.x, is_load(kind) ? "reads" : "writes",
                              index, is_shared(kind) ? "shared" : "global", count));
}

struct Emulator::State {
  std::vector<std::unique_ptr<Block>> blocks;  // kept from launch to launch: their stacks are costly to make
  std::size_t events = 0, lanes = 0;           // of the last launch: what the next one most likely needs
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

std::vector<Value> Emulator::run(const Settings& s, const std::vector<Value>& input) { return record(s, input).output; }

Trace Emulator::record(const Settings& s, const std::vector<Value>& input, const RecordOptions&) {
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
                .body = kernel.bodies[static_cast<int>(s.type)][s.op == Operator::affine]};

  Thread scheduler;
  scheduler.next = launch.scheduler = &scheduler;

  Trace trace;
  trace.settings = s;
  trace.machine = name();
  trace.device = device();
  trace.file = algorithm.file;
  trace.text = algorithm.text;
  trace.grids = {{.kernel = algorithm.name, .blocks = blocks, .threads = s.block, .shared = launch.shape}};
  trace.input = input;
  trace.events.reserve(state_->events);
  trace.lanes.reserve(state_->lanes);
  trace.values.reserve(state_->lanes);

  std::vector<std::unique_ptr<Block>>& pool = state_->blocks;
  std::erase_if(pool, [&](const auto& b) { return b->size() != static_cast<std::size_t>(s.block); });
  while (pool.size() < static_cast<std::size_t>(std::min(resident, blocks)))
    pool.push_back(std::make_unique<Block>(s.block));

  std::vector<Block*> running_blocks;
  int started = 0;
  for (int i = 0; i < std::min(resident, blocks); ++i) {
    running_blocks.push_back(pool[static_cast<std::size_t>(i)].get());
    running_blocks.back()->start(launch, static_cast<std::uint32_t>(started++));
  }
  while (!running_blocks.empty()) {
    for (std::size_t i = 0; i < running_blocks.size();) {
      if (running_blocks[i]->advance(trace)) {
        ++i;
      } else if (started < blocks) {
        running_blocks[i]->start(launch, static_cast<std::uint32_t>(started++));
        ++i;
      } else {
        running_blocks.erase(running_blocks.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
  if (resident > 1) sort_by_block(trace);

  state_->events = trace.events.size();
  state_->lanes = trace.lanes.size();
  trace.steps = std::move(launch.steps);
  trace.output = values_of(out, width);
  return trace;
}

}  // namespace upsweep
