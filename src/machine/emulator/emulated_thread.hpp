// Defines an emulated CUDA thread for the kernel vocabulary (kernels/vocabulary/host.hpp): the thread's
// index, memory and log.
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
#include "catalogue/element_order.hpp"
#include "catalogue/formula.hpp"
#include "catalogue/predicate.hpp"
#include "machine/emulator/control_flow.hpp"
#include "machine/emulator/fiber.hpp"
#include "machine/emulator/record.hpp"
#include "trace/kernel_text.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The memory that a kernel uses through a view, such as Global<T> or Shared<T>.
struct Memory {
  std::byte* bytes = nullptr;
  std::int64_t size = 0;  // in bytes
  // The depth of each cell's value (see Thread::reach). Null if nothing is recorded, or if the memory holds
  // flags (Cells::words). Cells of shared memory may differ in size, so shared memory has one depth for every
  // two bytes.
  std::uint32_t* depths = nullptr;
  std::uint8_t buffer = 0;  // global memory: an index into Trace::buffers; shared memory: the region
};

// The argument of a launch for one parameter of a kernel: either memory or a number.
struct GivenArgument {
  Memory memory;
  int number = 0;
};

// The compiled versions of one kernel, one for each size of an element.
struct EmulatedKernel {
  using Body = void (*)(std::span<const GivenArgument>);
  std::string_view name;
  Body bodies[4];  // the versions for elements of 2, 4, 8 and 16 bytes
};

// The kernels of one file.
struct Emulated {
  std::vector<EmulatedKernel> kernels;
};

// The constants that a kernel's text may use.
struct KernelConstants {
#define UPSWEEP_CONSTANT(type, name) type name = type();
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT
};

struct Launch;
struct Thread;

// Says whether the result of a run is still needed. The run stops if the result is not needed.
struct StillWanted {
  const Job* job = nullptr;                     // the recording's job; may be null
  const std::atomic<bool>* given_up = nullptr;  // set by another thread of the emulator; may be null
  bool is() const { return !(job != nullptr && job->cancelled()) && !(given_up != nullptr && *given_up); }
};

// A range of bytes in global memory that a block read or wrote.
struct Stretch {
  std::int64_t begin = 0, end = 0;
  std::uint32_t block = 0;
  std::uint8_t buffer = 0;
  bool store = false;
  // True if atomics or volatile accesses read or wrote these bytes. Such accesses happen in the order of the
  // blocks' turns.
  bool talk = false;
};

// The data that all launches of a run share. While blocks run apart (see apart.hpp), each CPU thread has its
// own object.
struct Run {
  Settings settings;
  Value identity{};
  Combination combine{};
  Predicate keep{"1"};
  KernelConstants constants{};
  Formula layout{"i", 'i'};
  bool recording = true;
  bool stepped = false;  // true if the run has a schedule, so that every access waits for its turn
  // A loop with more iterations than these limits is examined (see Thread::look_at_loop). `barrier_trips` is
  // the limit for loops with a block barrier, and `trips` for other loops.
  std::uint32_t barrier_trips = UINT32_MAX, trips = UINT32_MAX;
  std::uint64_t rounds = UINT64_MAX;  // the limit for iterations of a loop, see RecordOptions::rounds
  // The largest number of launches that threads may make. If they make more launches, the run stops.
  std::uint32_t most_children = UINT32_MAX;
  const KernelText* text = nullptr;

  // The log of the running warp. The warp's lanes run one after another, so the records of each lane are
  // adjacent.
  ThreadLog log{};
  // True if the lanes of some warp ran in several groups, one group after another. In this case,
  // number_in_time() in launches_in_trace.cpp later numbers all events in the order of their times.
  bool several_turns = false;
  std::uint32_t clock = 0;  // increases with every record and every turn; gives records their times
  // The number of entries (see size_of()) that may still be recorded. The default is 2^25 entries (about 1
  // GiB).
  std::uint64_t room = 1 << 25;
  std::uint64_t dropped = 0;  // the number of events that were not recorded, because `room` was too small
  std::uint32_t span = 0;     // the largest depth of a value so far (see Thread::apply)
  // Increases with everything that a waiting thread may wait for, such as changes of memory.
  std::uint64_t progress = 0;
  // The fiber of `scheduler` starts a warp. After the warp's last lane waits or ends, this fiber goes on.
  Thread* scheduler = nullptr;
  std::exception_ptr thrown{};  // an exception of a thread, which ends the run
  Stopped stopped{};            // the reason why the run was stopped
  StillWanted wanted{};
  bool unwanted = false;  // true after a thread has found that the result is no longer needed
  // `apart` is true while blocks run apart (see apart.hpp). While `apart` is true, `talks` says whether a
  // block has communicated with other blocks, and `touched` lists the memory that blocks have accessed.
  bool apart = false, talks = false;
  std::vector<Stretch> touched{};
  std::uint32_t children_started = 0;
  std::vector<std::unique_ptr<Launch>>
      children{};  // grids that threads have launched, but that have not begun yet
};

// The counts of all blocks of a launch. Step numbers start at the launch's first step.
class Counts {
 public:
  Count& of(std::uint32_t step, std::uint16_t line, Kind kind, std::uint8_t detail = 0) {
    if (step >= steps_.size()) steps_.resize(step + 1);
    std::vector<Count>& in_step = steps_[step];
    const auto is = [&](const Count& c) { return c.line == line && c.kind == kind && c.detail == detail; };
    // Warps repeat the same actions in the same order. So the wanted entry is usually the entry after the
    // last used entry.
    if (++last_ < in_step.size() && is(in_step[last_])) return in_step[last_];
    for (last_ = 0; last_ < in_step.size(); ++last_)
      if (is(in_step[last_])) return in_step[last_];
    in_step.push_back({.step = step, .line = line, .kind = kind, .detail = detail});
    return in_step.back();
  }
  std::vector<Count> sorted() const;  // returns the counts, sorted by step, line, kind and detail

 private:
  std::vector<std::vector<Count>> steps_;
  std::size_t last_ = 0;
};

// The data that all threads of a launch share.
struct Launch {
  Run* run = nullptr;
  Grid grid;                 // the grid as the trace describes it
  Dim3 grid_dim, block_dim;  // the grid's dimensions, set when the launch begins
  std::function<void()> body;
  ChildLaunch how = ChildLaunch::fire_and_forget;
  Launch* parent = nullptr;
  std::uint32_t index = 0;       // for a child grid: its number among all child grids of the run, from 1
  int number = 0;                // the launch's number in the order in which launches began
  int started = 0, running = 0;  // the number of blocks that have started, and the number that run now
  int children = 0;              // the number of child grids that have begun and not ended
  // The tail launches. They begin one after another, after this launch's blocks and its other child grids
  // have ended.
  std::deque<std::unique_ptr<Launch>> tails{};
  std::vector<Step> steps{};    // the labels of the kernel's step marks
  std::uint32_t labelled = 0;   // always equal to steps.size()
  std::uint32_t last_step = 0;  // the last step that any block has reached
  Counts counts{};
  std::vector<std::uint32_t> operating{};  // by step: the number of threads that applied the operator
};

// The data that the lanes of a warp share.
struct Warp {
  ControlFlow flow;
  std::uint32_t live = 0;                // lanes that have not ended
  std::uint32_t ready = 0, waiting = 0;  // lanes that can run, and lanes at a block barrier
  std::uint32_t paused = 0;              // lanes that called pause()
  std::uint32_t met = 0;     // lanes that wait until the warp decides which lanes go on (Thread::meet)
  std::uint32_t went = 0;    // with a schedule: the lanes that ran in the warp's previous turn
  bool stuck = false;        // true if none of the lanes in `met` can go on
  bool spinning = false;     // true if the warp's previous turn was stopped because the turn was too long
  std::uint32_t linked = 0;  // the lanes in the chain of Thread::next, which go on one after another
  Thread* first_waiting = nullptr;         // the lane that reached a barrier first
  bool apart = false;                      // true if the lanes at barriers differ in step or place
  std::uint32_t last_time = 0;             // the time of the warp's last event
  std::array<std::uint32_t, 32> merged{};  // by lane: the number of records that are part of an event
  // A record's origin is 1 + the index of the lane's record that produced the value (see Record::left).
  // origins[lane] converts this number into an origin that names an event, and converts 0 into 0.
  std::array<std::vector<Origin>, 32> origins;
};

struct alignas(64) Thread {
  // The members are ordered so that a barrier and an access touch only two cache lines.
  Run* run_of = nullptr;
  Launch* launch = nullptr;
  Warp* warp = nullptr;
  // Members that change often are not next to each other. Otherwise, one instruction might load two members
  // just after the program has stored one of these members. Such a load stalls the processor.
  ControlFlow::Open* open = nullptr;  // the innermost statement around the thread's position
  std::uint32_t recorded = 0;         // the number of records that this thread has made
  std::uint32_t step = 0;
  std::uint32_t operated = none;  // the last step in which the thread applied the operator
  bool fresh = true;              // true if the thread has passed no step mark since its last barrier
  std::uint8_t lane = 0;
  bool recording = true, stepped = false;  // copies of Run::recording and Run::stepped
  bool careful = false;                    // true if the run has a schedule or is not recorded
  std::uint16_t acted = 0;                 // the line of the thread's last recorded action
  TextPlace barrier_place;                 // the place of the barrier at which the thread waits
  std::uint32_t arrived = 0;               // Run::clock when the thread last reached a block barrier
  std::ptrdiff_t logged = 0;               // ThreadLog::offset() when the thread last called leave()
  Thread* next = nullptr;                  // the thread that goes on when this thread waits, pauses or ends
  Fiber fiber;

  Dim3 thread_index{0, 0, 0}, block_index{0, 0, 0};
  std::uint32_t number = 0, block = 0;  // the index of the thread in its block, and of the block in its grid
  std::span<std::byte> shared;
  std::uint32_t* shared_depths = nullptr;  // see Memory::depths
  std::uint32_t meetings = 0;              // the number of timed actions (What::timed) and calls of pause()
  // The values of `arrived` and `meetings` at the last call of look_at_loop().
  std::uint32_t arrived_then = 0, meetings_then = 0;

  // The place at which the thread meets other lanes, and the values that the lanes exchange there.
  ControlFlow::Node node = nullptr;  // the innermost statement around the place of the meeting
  What meeting;
  TextPlace meeting_place;
  std::uint32_t meeting_mask = 0;
  bool incomplete = false;  // true if lanes in the mask have ended without reaching this place
  int parameter = 0;        // for a shuffle: the source lane, the distance, or the bits that differ
  Value given{}, taken{};
  int taken_from = 0;  // the lane that gave the taken value
  // Each origin is 1 + the index of the record that produced the value (see Record::left). `taken_origin`
  // counts the records of the lane that gave the value.
  Origin given_origin = 0, taken_origin = 0;
  std::uint32_t given_depth = 0, taken_depth = 0;
  std::uint32_t last_went = 0;  // Run::clock when the thread last went on

  // Returns the node of the thread's innermost statement.
  [[gnu::always_inline]] ControlFlow::Node here() const {
    return open->node != nullptr ? open->node : warp->flow.find(*open);
  }
  // Appends a record and returns its origin. `buffer` is the accessed buffer or region. For an operation or a
  // shuffle, `buffer` contains the event's flags that describe the resulting value.
  [[gnu::always_inline]] Origin append(What what, TextPlace place, std::int32_t cell, Origin left,
                                       const Value& value, int buffer = 0) {
    acted = place.line;
    run_of->log.push_back({value,
                           cell,
                           left,
                           step,
                           run_of->clock,
                           here(),
                           {place, what, static_cast<std::uint8_t>(buffer), lane}});
    return ++recorded;
  }
  // Calls append() if the run is recorded. Otherwise does nothing and returns 0.
  Origin note(What what, TextPlace place, std::int32_t cell, Origin left, const Value& value,
              int buffer = 0) {
    return recording ? append(what, place, cell, left, value, buffer) : 0;
  }
  // Records that this thread applies the operator and gets a value of this depth. The depth of a value is the
  // length of the longest chain of operations that led to it.
  [[gnu::always_inline]] void reach(std::uint32_t depth) {
    if (depth > run_of->span) run_of->span = depth;
    if (operated != step) [[unlikely]]
      begin_to_operate();
  }
  // Records that the thread applies the operator to values of these depths. Returns the depth of the result.
  // If the run is not recorded, only returns 0.
  [[gnu::always_inline]] std::uint32_t apply(std::uint32_t left, std::uint32_t right) {
    if (!recording) return 0;
    const std::uint32_t depth = (left < right ? right : left) + 1;
    reach(depth);
    return depth;
  }
  // Returns whether both threads wait at the same barrier.
  bool waits_with(const Thread& other) const {
    return step == other.step && node == other.node && barrier_place == other.barrier_place;
  }
  // Runs the thread from its beginning to its end, on its own stack.
  static void run();
  // __syncthreads() waits for the block's other threads, then begins the next step. The function is inlined,
  // so only the registers that the kernel needs are saved. Inlining and the chain of lanes (Thread::next)
  // together reduce the time of a block from 0.37 ms to 0.30 ms.
  [[gnu::always_inline]] void barrier(TextPlace place) {
    if (place.line == run_of->settings.without_barrier) return;
    barrier_place = place;
    node = here();
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
  // Waits until it is this lane's turn to do the action. Lanes that wait at the same place of the kernel's
  // text act together. If lanes wait at several places, the lanes at the earliest place go first.
  //
  // __shfl_sync and similar functions wait for all lanes of the mask.
  void meet(What what, TextPlace place, std::uint32_t mask = 0);
  // Lets all other threads run first, even threads of other blocks.
  void pause();
  // Called for a step mark. Just after a barrier, the mark names the step that the barrier began. Elsewhere,
  // the mark begins a new step.
  void begin_step(const Phase& phase, int stride) {
    if (!fresh) ++step;
    fresh = false;
    if (step >= launch->labelled) label_step(phase, stride);
  }
  // Returns the index of element i in padded shared memory.
  int pad(int i) const {
    const auto& cell = launch->grid.shared.cell;
    return static_cast<std::size_t>(i) < cell.size() ? static_cast<int>(cell[static_cast<std::size_t>(i)])
                                                     : static_cast<int>(run_of->layout(i));
  }
  // Returns the region of shared memory that begins at this byte.
  std::uint8_t region_at(std::int64_t first_byte) const;
  // Starts a child grid. The record of the launch contains the child's index.
  void start_child(TextPlace place, ChildLaunch how, std::string_view kernel, int blocks, int threads,
                   std::function<void()> body);
  // Called when a loop of the thread has had `trips` iterations. Stops the run if the loop never ends, or if
  // the loop has reached a limit of the run. Otherwise returns the value of `trips` at which the loop must
  // call this function again.
  //
  // At the first call for a loop, `began` must be 0. The first call sets `began` to the amount of work that
  // the run has done so far.
  std::uint32_t look_at_loop(std::uint32_t trips, std::uint64_t& began);
  // Returns whether the thread is in a loop that only other threads can end.
  bool only_waits() const;
  // Stops the thread if the run is no longer needed. Called every few thousand records and iterations.
  void check_wanted();
  // Returns a description of this thread for Run::stopped: the thread's place, and the given reason and line.
  StoppedThreads found(Wait wait, std::uint32_t line) const;
  // Ends the run; run_of->stopped says why. Requires that no object on this fiber's stack owns memory,
  // because no destructors are called.
  void stop();
  // Stops the run, because an access of `cells` cells begins at an address that is not a multiple of the
  // access's size. A GPU does not allow such an access.
  void stop_misaligned(TextPlace place, std::int64_t index, int cells);

  static constexpr std::size_t bytes_per_depth = 2;  // see Memory::depths
  static constexpr std::uint32_t none = UINT32_MAX;
  static constinit thread_local Thread* current;

 private:
  // Continues with the warp's next lane that can run, or with the scheduler after the last lane. Returns when
  // this thread goes on.
  [[gnu::always_inline]] void leave() {
    logged = run_of->log.offset();
    current = next;
    fiber.switch_to(next->fiber);
  }
  void label_step(const Phase& phase, int stride);
  void begin_to_operate();
};

}  // namespace upsweep
