// One emulated CUDA thread, as the kernel vocabulary (kernels/vocabulary/host.hpp) sees it: who it is, its
// memory, and its log.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "catalogue/formula.hpp"
#include "machine/control_flow.hpp"
#include "machine/fiber.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// What stands at a place of the text, and who did it: one word, so that two are compared at once.
struct Access {
  Place place;
  Kind kind = Kind::barrier;
  std::uint8_t width = 0, buffer = 0, lane = 0;
};

// One access or operation of one thread, before its warp's lanes are merged into events.
struct Record {
  Value value{};
  std::uint32_t address = 0;
  Origin left = 0, right = 0;  // here: 1 + the position of the producing record in this thread's run
  std::uint32_t step = 0;
  ControlFlow::Node node = nullptr;
  Access access;
};

// Records in a row: a vector whose push_back is short enough to stand in line at every access of a kernel (a
// block takes 0.03 ms less).
class Log {
 public:
  void push_back(const Record& record) {
    if (end_ == limit_) grow();
    *end_++ = record;
  }
  void clear() { end_ = records_.data(); }
  operator std::span<const Record>() const { return {records_.data(), end_}; }

 private:
  void grow();
  std::vector<Record> records_;
  Record *end_ = nullptr, *limit_ = nullptr;
};

// What all threads of a launch share.
struct Launch {
  Settings settings;
  SharedShape shape;
  Formula layout{"i", 'i'};
  std::span<std::byte> global[2];  // input, output
  int blocks = 1;
  bool neighbours = false;  // the load pattern
  void (*body)() = nullptr;
  std::vector<Step> steps{};   // labels, as the kernel's step marks give them
  std::uint32_t labelled = 0;  // steps.size()
  // Of the warp that runs: its lanes run one after another, so each one's records lie together.
  Log log{};
  struct Thread* scheduler = nullptr;  // what starts a warp, and goes on when its last lane waits or ends
  std::exception_ptr thrown{};         // by a thread: ends the launch
};

// What the lanes of a warp share.
struct Warp {
  ControlFlow flow;
  std::uint32_t ready = 0, waiting = 0;    // lanes that can run; that have come to a barrier
  std::uint32_t linked = 0;                // lanes that go on one after another, by Thread::next
  struct Thread* first_waiting = nullptr;  // the lane that came to a barrier first
  bool apart = false;                      // the waiting lanes came to different steps or places
  std::array<std::uint32_t, 32> merged{};  // by lane: records that are part of an event
  // [32 * o + lane]: as the trace numbers it, the lane's own origin o (see Record); 0 stays 0.
  std::vector<Origin> origins;
};

struct Thread {
  struct Index {
    unsigned x = 0, y = 0, z = 0;
  };

  Launch* launch = nullptr;
  Warp* warp = nullptr;
  // What changes often lies apart from its neighbours, or the compiler would load it together with them just
  // after it was stored alone, and that stalls.
  ControlFlow::Node node = nullptr;
  std::uint32_t recorded = 0;  // records of the whole run
  std::uint32_t step = 0;
  bool fresh = true;  // no step mark since the last barrier
  std::uint8_t lane = 0;
  Place barrier_place;     // where it waits, if it does
  Thread* next = nullptr;  // goes on when this one waits, pauses or ends
  Fiber fiber;
  Index thread_index, block_index;
  std::span<std::byte> shared;

  // Appends a record and gives its origin.
  Origin note(Kind kind, Place place, std::uint32_t address, Origin left, Origin right, const Value& value,
              int width, int buffer = 0) {
    launch->log.push_back(
        {value,
         address,
         left,
         right,
         step,
         node,
         {place, kind, static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(buffer), lane}});
    return ++recorded;
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
  [[gnu::always_inline]] void barrier(Place place) {
    barrier_place = place;
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
  // Lets all other threads, of other blocks too, run on first.
  void pause();
  // A step mark: names the step that a barrier has just begun, or begins one.
  void begin_step(Phase phase, int stride) {
    if (!fresh) ++step;
    fresh = false;
    if (step >= launch->labelled) label_step(phase, stride);
  }
  // Where element i lies in shared memory.
  int pad(int i) const {
    const auto& cell = launch->shape.cell;
    return static_cast<std::size_t>(i) < cell.size() ? static_cast<int>(cell[static_cast<std::size_t>(i)])
                                                     : static_cast<int>(launch->layout(i));
  }
  // Throws WorkError naming line, thread and address of an access that left its memory.
  [[noreturn]] void out_of_bounds(Kind kind, Place place, std::int64_t index, std::size_t count) const;

  static constinit thread_local Thread* current;

 private:
  // Goes on in the warp's next lane that can run, after the last in the scheduler; returns when its turn
  // comes again.
  [[gnu::always_inline]] void leave() {
    current = next;
    fiber.switch_to(next->fiber);
  }
  void label_step(Phase phase, int stride);
};

// The kernel's emulated build, one body per element type.
struct Emulated {
  using Body = void (*)();
  Body bodies[4][2];  // [Scalar][0: numbers, 1: affine maps]
};

// The emulated build of a registered algorithm, or nullptr.
const Emulated* emulated_kernel(std::string_view name);

}  // namespace upsweep
