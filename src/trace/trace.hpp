// A recording of one kernel run: raw events and snapshots, nothing derived.
//
// An event is one warp request: what the lanes of one warp that ran together did at one place of
// the source. Lane data lies in two parallel arrays, one entry per active lane in lane order, so
// that an event of five lanes takes five entries; a barrier has no lane data and takes none.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/settings.hpp"

namespace upsweep {

enum class Kind : std::uint8_t {
  shared_load,
  shared_store,
  global_load,
  global_store,
  operation,  // one application of the operator in each lane
  barrier,    // arrival at a block-wide barrier
};

inline bool is_shared(Kind k) { return k == Kind::shared_load || k == Kind::shared_store; }
inline bool is_global(Kind k) { return k == Kind::global_load || k == Kind::global_store; }
inline bool is_load(Kind k) { return k == Kind::shared_load || k == Kind::global_load; }
inline bool is_store(Kind k) { return k == Kind::shared_store || k == Kind::global_store; }

enum class Phase : std::uint8_t { load, reduce, up_sweep, clear, down_sweep, reverse, scan, store };
inline constexpr std::string_view phase_names[] = {"load",       "reduce",  "up_sweep", "clear",
                                                   "down_sweep", "reverse", "scan",     "store"};
inline std::string_view name(Phase p) { return phase_names[static_cast<int>(p)]; }

// One row of the recording: what happens between two barriers (a kernel may open one sooner, with
// a step mark, where no barrier is needed).
struct Step {
  Phase phase = Phase::load;
  int stride = 0;  // elements; 0 where the step has none
  bool operator==(const Step&) const = default;
};

// Which value a lane used: the number of the event, plus one, that produced it in that lane; 0 for a
// constant (an identity, a literal).
using Origin = std::uint32_t;

struct Event {
  Kind kind;
  std::uint8_t width;   // bytes per lane: 4, 8 or 16
  std::uint8_t buffer;  // global accesses: 0 is the input, 1 the output; else 0
  std::uint16_t warp;   // within the block
  std::uint16_t line;   // of the kernel text, from 1
  std::uint32_t block;
  std::uint32_t step;   // index into Trace::steps
  std::uint32_t mask;   // active lanes, bit l for lane l
  std::uint32_t first;  // index of the lowest active lane's entry in Trace::lanes and Trace::values (a barrier: where it would lie)
  bool operator==(const Event&) const = default;
};

struct Lane {
  std::uint32_t address = 0;  // accesses: byte offset in shared memory or in the global buffer
  Origin left = 0;            // stores: origin of the value stored; operations: of the left operand
  Origin right = 0;           // operations: of the right operand
  bool operator==(const Lane&) const = default;
};

// Raw bits of one element, little-endian, the unused rest zero.
using Value = std::array<std::uint32_t, 4>;

// All shared memory of a block as it was when a barrier released it into a step.
struct Snapshot {
  std::uint32_t block = 0;
  std::uint32_t step = 0;  // the step that begins with this memory
  std::vector<std::uint8_t> bytes;
  bool operator==(const Snapshot&) const = default;
};

// How elements lie in shared memory.
struct SharedShape {
  int elements = 0;                // elements of one buffer: the columns of a tree
  int buffers = 1;                 // 2 for a double buffer; buffer b holds its element i in cell b * cells_per_buffer + cell[i]
  int cells_per_buffer = 0;        // elements plus padding, in cells of one element each
  std::vector<std::uint32_t> cell; // cell[i]: where element i lies, 0 <= i < elements
  bool operator==(const SharedShape&) const = default;
};

struct Trace {
  Settings settings;
  std::string machine;  // "gpu" or "emulated"
  std::string device;   // a GPU's name, or "emulator"
  std::string file;     // the kernel's file, such as kernels/scan_blelloch.cuh
  std::string text;     // the very text that was compiled
  int blocks = 1;

  std::vector<Step> steps;
  // In canonical order: by block, step, warp, then the order in which the warp issued them.
  std::vector<Event> events;
  std::vector<Lane> lanes;
  std::vector<Value> values;  // loaded, stored or computed
  std::vector<Snapshot> snapshots;
  SharedShape shared;

  std::vector<Value> input, output;
  std::uint64_t dropped = 0;  // records that did not fit the recorder's buffer

  int element_bytes() const { return upsweep::element_bytes(settings); }
  int warps() const { return (settings.block + 31) / 32; }
};

// Calls f(lane, entry) for every active lane of an event, in lane order; entry indexes Trace::lanes and ::values.
template <class F>
void for_each_lane(const Event& e, F f) {
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) f(std::countr_zero(m), entry++);
}

// Entry of one active lane of an event.
inline std::uint32_t entry_of(const Event& e, int lane) {
  return e.first + std::popcount(e.mask & ((1u << lane) - 1u));
}

}  // namespace upsweep
