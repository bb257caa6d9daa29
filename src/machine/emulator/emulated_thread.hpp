// One emulated CUDA thread, as the kernel vocabulary (kernels/vocabulary/host.hpp) sees it: who it is, its
// memory, and its log.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/job.hpp"
#include "catalogue/data.hpp"
#include "catalogue/formula.hpp"
#include "machine/emulator/control_flow.hpp"
#include "machine/emulator/fiber.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// What a record is of: a word that is a constant wherever a kernel's text is compiled.
class What {
 public:
  constexpr What() = default;
  constexpr What(Kind kind, std::size_t width, int parts = 1, int detail = 0, bool is_volatile = false)
      : bits_(static_cast<std::uint16_t>(
            static_cast<int>(kind) | detail << 4 |
            (width == 0 ? 0 : static_cast<int>(std::bit_width(width)) - 1) << 7 |
            (static_cast<int>(std::bit_width(static_cast<unsigned>(parts))) - 1) << 10 | is_volatile << 12 |
            (is_volatile || kind == Kind::shared_atomic || kind == Kind::global_atomic || meets(kind))
                << 14)) {}
  constexpr Kind kind() const { return static_cast<Kind>(bits_ & 15); }
  constexpr std::uint8_t detail() const { return bits_ >> 4 & 7; }
  constexpr std::uint8_t width() const {
    const int code = bits_ >> 7 & 7;
    return static_cast<std::uint8_t>(code == 0 ? 0 : 1 << code);
  }
  constexpr std::uint8_t parts() const { return static_cast<std::uint8_t>(1 << (bits_ >> 10 & 3)); }
  constexpr bool volatile_access() const { return (bits_ & 1 << 12) != 0; }
  // Its lane's address lies beyond its memory.
  constexpr bool outside() const { return (bits_ & outside_bit) != 0; }
  constexpr What outside(bool is) const {
    What w = *this;
    if (is) w.bits_ |= outside_bit;
    return w;
  }
  // What lanes do at one time or not at all: volatile accesses, atomics and what a warp does together.
  constexpr bool timed() const { return (bits_ & 1 << 14) != 0; }
  constexpr bool is_collective() const { return meets(kind()); }
  bool operator==(const What&) const = default;
  static constexpr std::uint16_t outside_bit = 1 << 13;

 private:
  static constexpr bool meets(Kind k) {
    return k == Kind::shuffle || k == Kind::vote || k == Kind::warp_barrier;
  }
  std::uint16_t bits_ = 0;
};

// What stands at a place of the text, and who did it: one word, so that two are compared at once.
struct Access {
  TextPlace place;
  What what;
  std::uint8_t buffer = 0, lane = 0;
};

// One access or operation of one thread, before its warp's lanes are merged into events. A record of several
// parts is followed by one record for each other part.
struct Record {
  Value value{};
  // Accesses: the cell of the buffer or of shared memory. Shuffles: the lane that the value came from.
  // Launches: which child. Operations: the right operand's origin.
  std::int32_t cell = 0;
  // Here: 1 + the position of the producing record in this thread's run; of a shuffle, in that of the lane
  // that gave.
  Origin left = 0;
  std::uint32_t step = 0;
  std::uint32_t time = 0;  // Run::clock
  ControlFlow::Node node = nullptr;
  Access access;
};

// Records in a row: a vector whose push_back is short enough to stand in line at every access of a kernel (a
// block takes 0.03 ms less). It makes room a piece at a time, so that a long run often looks whether it is
// still wanted.
class ThreadLog {
 public:
  void push_back(const Record& record) {
    if (end_ == limit_) grow();
    *end_++ = record;
  }
  void clear() {
    end_ = records_.get();
    limit_ = end_ + std::min(capacity_, piece);
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - records_.get()); }
  const Record* begin() const { return records_.get(); }
  // Where the next record will lie, in bytes from the first.
  std::ptrdiff_t offset() const {
    return reinterpret_cast<const std::byte*>(end_) - reinterpret_cast<const std::byte*>(records_.get());
  }
  operator std::span<const Record>() const { return {records_.get(), end_}; }

 private:
  static constexpr std::size_t piece = 1 << 14;
  void grow();
  // From realloc(), which moves the pages of a long log and does not copy them.
  struct Free {
    void operator()(Record* records) const { std::free(records); }
  };
  std::unique_ptr<Record, Free> records_;
  std::size_t capacity_ = 0;
  Record *end_ = nullptr, *limit_ = nullptr;
};

// Memory that a view looks at.
struct Memory {
  std::byte* bytes = nullptr;
  std::int64_t size = 0;    // bytes
  std::uint8_t buffer = 0;  // global: index into Trace::buffers; shared: region
};

// What a parameter of a kernel takes.
struct GivenArgument {
  Memory memory;
  int number = 0;
};

// The build of one kernel for every size of an element.
struct EmulatedKernel {
  using Body = void (*)(std::span<const GivenArgument>);
  std::string_view name;
  Body bodies[4];  // for 2, 4, 8 and 16 bytes
};

// The kernels of one file.
struct Emulated {
  std::vector<EmulatedKernel> kernels;
};

// The constants that a kernel's text may name.
struct KernelConstants {
#define UPSWEEP_CONSTANT(type, name) type name = type();
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT
};

struct Launch;
struct Thread;

// What a run that is no longer wanted, or no longer makes sense, is asked to do: stop.
struct StillWanted {
  const Job* job = nullptr;                     // of the recording; may be null
  const std::atomic<bool>* given_up = nullptr;  // by another thread of the emulator; may be null
  bool is() const { return !(job != nullptr && job->cancelled()) && !(given_up != nullptr && *given_up); }
};

// Stretches of global memory that a block read or wrote, in bytes.
struct Stretch {
  std::int64_t begin = 0, end = 0;
  std::uint32_t block = 0;
  std::uint8_t buffer = 0;
  bool store = false;
  bool talk = false;  // by an atomic or a volatile access, which come in the order in which blocks take turns
};

// What all launches of a run share; blocks that run apart have one each.
struct Run {
  Settings settings;
  Value identity{};
  Combination combine = nullptr;
  KernelConstants constants{};
  Formula layout{"i", 'i'};
  bool recording = true;
  bool stepped = false;  // every access waits for its turn; else lanes run from barrier to barrier
  // Loops that go round more often without end stop the run: with a block barrier in them, and others.
  std::uint32_t barrier_trips = UINT32_MAX, trips = UINT32_MAX;

  // Of the warp that runs: its lanes run one after another, so each one's records lie together.
  ThreadLog log{};
  bool several_turns = false;    // of a warp between two barriers: what was recorded came out of order
  std::uint32_t clock = 0;       // orders what is recorded
  std::uint64_t room = 1 << 25;  // lane entries that may still be recorded: 1 GiB of them
  std::uint64_t dropped = 0;     // events for which there was no room
  std::uint64_t progress = 0;    // changes of memory, and all else that a waiting thread may wait for
  Thread* scheduler = nullptr;   // what starts a warp, and goes on when its last lane waits or ends
  std::exception_ptr thrown{};   // by a thread: ends the run
  Stopped stopped{};             // why it was stopped
  StillWanted wanted{};
  bool unwanted = false;  // a thread has seen that the run is no longer wanted
  // Of blocks that run apart: what they touch, and whether they did what other blocks may see at once.
  bool apart = false, talks = false;
  std::vector<Stretch> touched{};
  std::uint32_t children_started = 0;
  std::vector<std::unique_ptr<Launch>> children{};  // started by threads, not yet taken over
};

// Counts of what all blocks of a launch did; steps count from the launch's first.
class Counts {
 public:
  Count& of(std::uint32_t step, std::uint16_t line, Kind kind, std::uint8_t detail = 0) {
    if (step >= steps_.size()) steps_.resize(step + 1);
    std::vector<Count>& in_step = steps_[step];
    const auto is = [&](const Count& c) { return c.line == line && c.kind == kind && c.detail == detail; };
    // Warps do the same things one after another: most often it is the next.
    if (++last_ < in_step.size() && is(in_step[last_])) return in_step[last_];
    for (last_ = 0; last_ < in_step.size(); ++last_)
      if (is(in_step[last_])) return in_step[last_];
    in_step.push_back({.step = step, .line = line, .kind = kind, .detail = detail});
    return in_step.back();
  }
  std::vector<Count> sorted() const;  // by step, line, kind and detail

 private:
  std::vector<std::vector<Count>> steps_;
  std::size_t last_ = 0;
};

// What all threads of a launch share.
struct Launch {
  Run* run = nullptr;
  Grid grid;                 // as the trace has it
  Dim3 grid_dim, block_dim;  // of it, from when it begins
  std::function<void()> body;
  ChildLaunch how = ChildLaunch::fire_and_forget;
  Launch* parent = nullptr;
  std::uint32_t index = 0;                      // of a child: which one of the run, from 1
  int number = 0;                               // in the order in which launches began
  int started = 0, running = 0;                 // blocks
  int children = 0;                             // begun, and not ended
  std::deque<std::unique_ptr<Launch>> tails{};  // that begin one after another when all else has ended
  std::vector<Step> steps{};                    // labels, as the kernel's step marks give them
  std::uint32_t labelled = 0;                   // steps.size()
  std::uint32_t last_step = 0;                  // that any block came to
  Counts counts{};
};

// What the lanes of a warp share.
struct Warp {
  ControlFlow flow;
  std::uint32_t live = 0;                // lanes that have not ended
  std::uint32_t ready = 0, waiting = 0;  // lanes that can run; that have come to a block barrier
  std::uint32_t paused = 0;              // lanes that let others go first
  std::uint32_t met = 0;                 // lanes that stand where the warp decides who goes on (Thread::meet)
  std::uint32_t went = 0;                // by a schedule: lanes that went on last
  bool stuck = false;                    // none of those that met can go on
  bool spinning = false;                 // its last turn ended because it was long
  std::uint32_t linked = 0;              // lanes that go on one after another, by Thread::next
  Thread* first_waiting = nullptr;       // the lane that came to a barrier first
  bool apart = false;                    // the waiting lanes came to different steps or places
  std::uint32_t last_time = 0;           // of its events
  std::array<std::uint32_t, 32> merged{};  // by lane: records that are part of an event
  // [lane][o]: the number that the trace gives to the lane's own origin o (see Record); 0 stays 0.
  std::array<std::vector<Origin>, 32> origins;
};

struct alignas(64) Thread {
  // What a barrier and an access touch lies in two lines of the cache.
  Run* run_of = nullptr;
  Launch* launch = nullptr;
  Warp* warp = nullptr;
  // What changes often lies apart from its neighbours, or the compiler would load it together with them just
  // after it was stored alone, and that stalls.
  ControlFlow::Node node = nullptr;
  std::uint32_t recorded = 0;  // records of the whole run
  std::uint32_t step = 0;
  bool fresh = true;  // no step mark since the last barrier
  std::uint8_t lane = 0;
  bool recording = true, stepped = false;  // as Run has it
  bool careful = false;                    // stepped, or not recording
  TextPlace barrier_place;                 // where it waits, if it does
  std::uint32_t arrived = 0;               // Run::clock when it last came to a block barrier
  std::ptrdiff_t logged = 0;               // ThreadLog::offset() when it last left
  Thread* next = nullptr;                  // goes on when this one waits, pauses or ends
  Fiber fiber;

  Dim3 thread_index{0, 0, 0}, block_index{0, 0, 0};
  std::uint32_t number = 0, block = 0;  // of the thread in its block, of the block in its grid
  std::span<std::byte> shared;
  std::uint32_t meetings = 0;                         // stops other than at block barriers
  std::uint32_t arrived_then = 0, meetings_then = 0;  // when a loop was looked at

  // Where it stands since it met, and what it gives to the lanes it meets there.
  What meeting;
  TextPlace meeting_place;
  std::uint32_t meeting_mask = 0;
  int parameter = 0;  // of a shuffle: lane, distance or bits
  Value given{}, taken{};
  int taken_from = 0;                         // lane
  Origin given_origin = 0, taken_origin = 0;  // that of what it took, in the lane that gave it
  std::uint32_t last_went = 0;                // Run::clock when it last went on

  // Appends a record and gives its origin.
  [[gnu::always_inline]] Origin append(What what, TextPlace place, std::int32_t cell, Origin left,
                                       const Value& value, int buffer = 0) {
    run_of->log.push_back({value,
                           cell,
                           left,
                           step,
                           run_of->clock,
                           node,
                           {place, what, static_cast<std::uint8_t>(buffer), lane}});
    return ++recorded;
  }
  // The same if anything is recorded; else 0.
  Origin note(What what, TextPlace place, std::int32_t cell, Origin left, const Value& value,
              int buffer = 0) {
    return recording ? append(what, place, cell, left, value, buffer) : 0;
  }
  // Whether both wait at the same barrier.
  bool waits_with(const Thread& other) const {
    return step == other.step && node == other.node && barrier_place == other.barrier_place;
  }
  // The whole life of a thread, on its own stack.
  static void run();
  // __syncthreads(): waits for the block's other threads, then begins the next step. In line, so that
  // only what the kernel itself needs is saved; with lanes in a chain this takes a block from 0.37 ms to 0.30
  // ms.
  [[gnu::always_inline]] void barrier(TextPlace place) {
    if (place.line == run_of->settings.without_barrier) return;
    barrier_place = place;
    arrived = run_of->clock;
    if (warp->waiting == 0) {
      warp->first_waiting = this;
      warp->apart = false;
    } else if (!waits_with(*warp->first_waiting)) {
      warp->apart = true;
    }
    warp->waiting |= 1u << lane;
    leave();
    fresh = true;
    ++step;
  }
  // Waits until its warp's lanes do this: those that stand at one place do it together, and those go first
  // whose place comes first; __shfl_sync and the like once all lanes of the mask have come.
  void meet(What what, TextPlace place, std::uint32_t mask = 0);
  // Lets all other threads, of other blocks too, run on first.
  void pause();
  // A step mark: names the step that a barrier has just begun, or begins one.
  void begin_step(const Phase& phase, int stride) {
    if (!fresh) ++step;
    fresh = false;
    if (step >= launch->labelled) label_step(phase, stride);
  }
  // Where element i lies in shared memory.
  int pad(int i) const {
    const auto& cell = launch->grid.shared.cell;
    return static_cast<std::size_t>(i) < cell.size() ? static_cast<int>(cell[static_cast<std::size_t>(i)])
                                                     : static_cast<int>(run_of->layout(i));
  }
  // The region of shared memory that begins at that byte.
  std::uint8_t region_at(std::int64_t first_byte) const;
  // Where nothing is recorded: the statement at `place`, which lies on the thread's own stack.
  void enter(ControlFlow::Statement& statement, TextPlace place);
  // Starts a child grid; the record of the launch gives its index.
  void start_child(TextPlace place, ChildLaunch how, std::string_view kernel, int blocks, int threads,
                   std::function<void()> body);
  // The loop that it is in has gone round that often: stops the run if there is no end in sight, else gives
  // the count to ask again at.
  std::uint32_t look_at_loop(std::uint32_t trips);
  // Leaves for good if the run is no longer wanted. Called every few thousand records and iterations.
  void check_wanted();
  // Where it was found, for Run::stopped.
  StoppedThreads found(Wait wait, std::uint32_t line) const;
  // Ends the run; run_of->stopped says why. Nothing that owns memory may lie on this fiber's stack,
  // because the stack is never unwound.
  void stop();
  // The same: that many cells from there on do not begin at a multiple of their size, as a GPU wants it.
  void stop_misaligned(TextPlace place, std::int64_t index, int cells);

  static constinit thread_local Thread* current;

 private:
  // Goes on in the warp's next lane that can run, after the last in the scheduler; returns when its turn
  // comes again.
  [[gnu::always_inline]] void leave() {
    logged = run_of->log.offset();
    current = next;
    fiber.switch_to(next->fiber);
  }
  void label_step(const Phase& phase, int stride);
};

}  // namespace upsweep
