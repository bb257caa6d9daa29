// Defines the recording (the trace) of one run: events, snapshots and totals. All other facts about a run are
// derived from its trace.
//
// An event is one warp request: the action that lanes of one warp did together at one place of the kernel.
// The lanes' data is in two parallel arrays, `lanes` and `values`. Both arrays have one entry per active
// lane, in the order of the lanes. A vector access has one entry for each element of each lane, and an atomic
// has two entries for each lane. Barriers and fences have no entries.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "trace/phase.hpp"
#include "trace/settings.hpp"
#include "trace/stopped.hpp"

namespace upsweep {

enum class Kind : std::uint8_t {
  shared_load,
  shared_store,
  global_load,
  global_store,
  operation,  // one application of the operator in each lane
  barrier,    // lanes arrive at a __syncthreads()
  shared_atomic,
  global_atomic,
  shuffle,       // a lane takes a value from another lane's register
  vote,          // the instructions ballot, any and all
  warp_barrier,  // __syncwarp(): all lanes in its mask have arrived
  fence,         // a thread that sees a store after the fence also sees the stores before the fence
  launch,        // a thread starts a child grid
};

inline bool is_shared(Kind k) {
  return k == Kind::shared_load || k == Kind::shared_store || k == Kind::shared_atomic;
}
inline bool is_global(Kind k) {
  return k == Kind::global_load || k == Kind::global_store || k == Kind::global_atomic;
}
inline bool is_load(Kind k) { return k == Kind::shared_load || k == Kind::global_load; }
inline bool is_store(Kind k) { return k == Kind::shared_store || k == Kind::global_store; }
constexpr bool is_atomic(Kind k) { return k == Kind::shared_atomic || k == Kind::global_atomic; }
inline bool is_access(Kind k) { return is_shared(k) || is_global(k); }
// Barriers and fences have no lane data.
inline bool has_lanes(Kind k) { return k != Kind::barrier && k != Kind::warp_barrier && k != Kind::fence; }

// The values of Event::detail, by kind.
enum class Atomic : std::uint8_t { combine, add, minimum, maximum, bit_or, exchange, compare_and_swap };
enum class Shuffle : std::uint8_t { index, up, down, exclusive_or, reduce_add };
enum class Vote : std::uint8_t { ballot, any, all };
// Returns how many times some requests of this kind applied the operator. `requests` is the number of
// requests. `lanes` is the number of active lanes in all requests together. An instruction that adds up the
// values of k lanes applies the operator k - 1 times.
constexpr std::int64_t applications(Kind kind, std::uint8_t detail, std::uint64_t requests,
                                    std::uint64_t lanes) {
  if (kind == Kind::operation || (is_atomic(kind) && static_cast<Atomic>(detail) == Atomic::combine))
    return static_cast<std::int64_t>(lanes);
  return kind == Kind::shuffle && static_cast<Shuffle>(detail) == Shuffle::reduce_add
             ? static_cast<std::int64_t>(lanes - requests)
             : 0;
}
enum class Scope : std::uint8_t { block, device };                // the scope of a fence
enum class ChildLaunch : std::uint8_t { tail, fire_and_forget };  // tail: waits for the parent's end

// The bits of Event::flags. is_volatile: the compiler must not omit the access or keep its value in a
// register.
inline constexpr std::uint8_t is_volatile = 1;
// For an access: the address of at least one lane is outside the memory, so the lane read zero or wrote
// nothing. For a shuffle, a vote or a warp barrier: the mask leaves out at least one lane that executes the
// instruction.
inline constexpr std::uint8_t is_outside = 2;
// For a shuffle, a vote or a warp barrier: the mask names lanes that have exited without executing the
// instruction.
inline constexpr std::uint8_t is_incomplete = 4;
// These bits say which kind of value an operation computes or a shuffle passes on: a count (is_count) or a
// number (is_number), see Cells. Without these bits, the value is an element.
inline constexpr std::uint8_t is_count = 8, is_number = 16;

// The label of a step. A step is everything between two barriers. A kernel can also begin a step without a
// barrier, by a call such as step(Phase::scan, stride).
struct Step {
  Phase phase = Phase::load;
  int stride = 0;  // a number of elements, or 0; for step("split", bit), the value of `bit`
  bool operator==(const Step&) const = default;
};

// The origin of a value that a lane used: 1 + the index of the event that produced the value in that lane.
// For a vector access, the highest bits are the index of the element in the vector (the part). The origin is
// 0 for a constant, such as an identity. The value that a shuffle takes was produced in lane Lane::address.
using Origin = std::uint32_t;
inline constexpr int origin_part_shift = 30;
inline Origin origin_of(std::uint32_t event, int part = 0) {
  return (event + 1) | static_cast<Origin>(part) << origin_part_shift;
}
// Requires o != 0.
inline std::uint32_t origin_event(Origin o) { return (o & ((1u << origin_part_shift) - 1)) - 1; }
inline int origin_part(Origin o) { return static_cast<int>(o >> origin_part_shift); }

struct Event {
  Kind kind = Kind::operation;
  std::uint8_t width;       // bytes per lane: 1 (pixels), 2, 4, 8 or 16
  std::uint8_t buffer;      // global: index into Trace::buffers; shared: the region (see SharedShape)
  std::uint8_t detail = 0;  // Atomic, Shuffle, Vote, Scope or ChildLaunch, by kind
  std::uint8_t flags = 0;   // is_volatile, is_outside, is_incomplete, is_count, is_number
  std::uint8_t parts = 1;   // entries per active lane: the elements of a vector, or 2 for an atomic
  std::uint16_t warp = 0;   // the index of the warp in the block
  std::uint16_t line = 0;   // the line of the kernel's text, from 1
  std::uint16_t grid = 0;   // index into Trace::grids
  std::uint32_t block = 0;  // the index of the block in the grid
  std::uint32_t step = 0;   // index into Trace::steps
  std::uint32_t mask = 0;   // the active lanes: bit l for lane l
  // The index of the first entry in Trace::lanes and Trace::values. For an event without entries, such as a
  // barrier, this is the index that its first entry would have.
  std::uint32_t first = 0;
  // The time of issue: a number that orders all events of the recording. The time ascends within a warp.
  // Between warps and blocks, `time` shows the order of this run: a load that read another thread's store has
  // a later time than the store.
  std::uint32_t time = 0;
  bool operator==(const Event&) const = default;
};

struct Lane {
  // Accesses: the byte offset in shared memory or in the global buffer (negative or too large if is_outside).
  // Shuffles: the lane that gave the value. Launches: an index into Trace::grids, or -1 if the recorder had
  // no room for the grid.
  std::int64_t address = 0;
  // Stores, atomics, shuffles, votes: the origin of the value that is stored, combined, taken or voted on.
  // Operations: the origin of the left operand.
  Origin left = 0;
  Origin right = 0;  // for an operation: the origin of the right operand
  bool operator==(const Lane&) const = default;
};

// The raw bits of the contents of one cell, little-endian; unused bits are zero. An atomic has two entries:
// the memory's values before and after the atomic.
using Value = std::array<std::uint32_t, 4>;

// All shared memory of a block at the beginning of a step, when a barrier released the block's threads.
struct Snapshot {
  std::uint32_t block = 0;
  std::uint32_t step = 0;  // the step that begins with this memory; the step also determines the grid
  std::vector<std::uint8_t> bytes;
  bool operator==(const Snapshot&) const = default;
};

// The kind of a memory's cells.
enum class Cells : std::uint8_t {
  elements,        // elements of the chosen type and operator
  words,           // 32-bit unsigned numbers, such as flags; the origins of their values are not known
  messages,        // an element followed by a word; both are read and written together
  counts,          // 32-bit unsigned numbers; their operator is always +
  numbers,         // single numbers of the chosen type; used only if an element is a pair of numbers
  count_messages,  // a count followed by a word
  pixels,          // elements that are whole numbers from 0 to 255 and take one byte each
};
inline constexpr Cells last_cells = Cells::pixels;
inline constexpr int most_message_element = 8;  // bytes; the message's word takes 8 more bytes

constexpr bool is_element(Cells c) { return c == Cells::elements || c == Cells::pixels; }
constexpr bool is_message(Cells c) { return c == Cells::messages || c == Cells::count_messages; }
// Returns whether blocks can use cells of this kind as signals: the cells are words, or messages with a word.
constexpr bool is_signal(Cells c) { return c == Cells::words || is_message(c); }
// Returns the kind of the data in a cell. For a message, this is the kind of the data before the word.
constexpr Cells value_kind(Cells c) {
  return c == Cells::messages || c == Cells::pixels ? Cells::elements
         : c == Cells::count_messages               ? Cells::counts
                                                    : c;
}

// The index of a message's word in the message, counted in 32-bit words. The data is before this word.
constexpr int mark_of_message(int element_bytes) { return element_bytes <= 4 ? 1 : 2; }
constexpr int mark_of_message(Cells c, int element_bytes) {
  return mark_of_message(c == Cells::count_messages ? 4 : element_bytes);
}
inline int cell_bytes(Cells cells, int element_bytes) {
  switch (cells) {
    case Cells::elements: return element_bytes;
    case Cells::numbers: return element_bytes / 2;
    case Cells::pixels: return 1;
    case Cells::messages:
    case Cells::count_messages: return 8 * mark_of_message(cells, element_bytes);
    default: return 4;
  }
}

// A region of a block's shared memory, except region 0 (see SharedShape).
struct SharedRegion {
  std::string name;
  Cells cells = Cells::elements;
  std::uint32_t first = 0;  // the index of the first byte in the block's shared memory
  std::uint32_t count = 0;  // the number of cells, including padding
  // For two dimensions: the elements in a row, and the cells from the beginning of one row to the beginning
  // of the next. For one dimension, both are 0.
  std::uint32_t columns = 0, pitch = 0;
  bool operator==(const SharedRegion&) const = default;
};

// The layout of a block's shared memory: first the elements (region 0), then other regions.
struct SharedShape {
  int elements = 0;  // the elements in one buffer; the tree (see Tree) has as many columns
  int buffers =
      1;  // 2 for a double buffer; buffer b holds its element i in cell b * cells_per_buffer + cell[i]
  int cells_per_buffer = 0;         // elements plus padding, in cells of one element each
  std::vector<std::uint32_t> cell;  // cell[i]: the cell of element i, 0 <= i < elements
  std::vector<SharedRegion> more;   // region r > 0 is more[r - 1]; region 0 is the buffers above
  // The bytes of all regions: the size of shared memory in the launch.
  std::uint32_t bytes = 0;
  std::string name;               // the kernel's name of region 0, such as temp; empty without a name
  int columns = 0;                // the number of elements in one row; 0 if region 0 has one dimension
  Cells cells = Cells::elements;  // the kind of region 0: elements, counts or numbers
  int bytes_of_buffers(int element_bytes) const {  // the bytes of region 0
    return buffers * cells_per_buffer * cell_bytes(cells, element_bytes);
  }
  bool operator==(const SharedShape&) const = default;
};

// The size of a grid in blocks, the size of a block in threads, or a position in a grid or block. Blocks and
// threads are numbered as in CUDA: along x first, then y, then z.
struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  Dim3 place(unsigned number) const { return {number % x, number / x % y, number / x / y}; }
  bool operator==(const Dim3&) const = default;
};

// The size of a grid or of a block along y and z. The size along x is the total number divided by y and z.
struct Across {
  int y = 1, z = 1;
  bool flat() const { return y == 1 && z == 1; }
  Dim3 extents(int count) const {
    return {static_cast<unsigned>(count / y / z), static_cast<unsigned>(y), static_cast<unsigned>(z)};
  }
  bool operator==(const Across&) const = default;
};

// One launch of one kernel.
struct Grid {
  std::string kernel;           // the kernel's name in the text
  int blocks = 1, threads = 0;  // the blocks of the grid; the threads of a block
  SharedShape shared;
  std::uint32_t first_step = 0, steps = 0;  // a range of Trace::steps
  // For a child grid: the grid whose thread started it, and the event of that launch (`none` if the event was
  // not recorded). For a launch of the host, `parent` is -1. A launch of the host waits for the ends of the
  // host's previous launch and of all child grids of that launch.
  int parent = -1;
  std::uint32_t parent_event = none;
  int depth = 0;  // 0 for launches of the host, 1 for their child grids, and so on
  Across blocks_across{}, threads_across{};
  int warps() const { return (threads + 31) / 32; }
  Dim3 grid_dim() const { return blocks_across.extents(blocks); }
  Dim3 block_dim() const { return threads_across.extents(threads); }
  bool operator==(const Grid&) const = default;
  static constexpr std::uint32_t none = UINT32_MAX;
};

// The time and the place of a block's run.
struct BlockRun {
  std::uint16_t grid = 0;
  std::uint16_t sm = 0;  // the multiprocessor; on the emulator, the block's place among the resident blocks
  std::uint32_t block = 0;
  bool in_focus = true;              // whether all events of the block are recorded (see RecordOptions)
  std::uint64_t begin = 0, end = 0;  // ns since the first block began; on the emulator, values of Run::clock
  bool operator==(const BlockRun&) const = default;
};

// Totals over all blocks, including blocks whose events were not all recorded. There is one Count for each
// step, source line, kind and detail of events.
struct Count {
  std::uint32_t step = 0;
  std::uint16_t line = 0;
  Kind kind = Kind::operation;
  std::uint8_t detail = 0;  // see Event::detail
  std::uint64_t requests = 0, lanes = 0;
  std::uint64_t units = 0, ideal = 0;  // units: wavefronts (shared memory) or sectors (global memory);
                                       // ideal: the number without conflicts, or the fewest possible sectors
  bool operator==(const Count&) const = default;
};

inline constexpr std::size_t most_buffers = 256;  // because Event::buffer has 8 bits
struct GlobalBuffer {
  std::string name;  // the kernel's name for the buffer: in, out, sums
  Cells cells = Cells::elements;
  std::int64_t count = 0;
  std::int64_t columns = 0;  // two-dimensional: the cells in a row, stored row by row; 0 otherwise
  bool operator==(const GlobalBuffer&) const = default;
};

// The role of a buffer of global memory in a run. A list of buffers is sorted by role: the inputs come first,
// then the outputs, then scratch memory.
enum class BufferRole : std::uint8_t { input, output, scratch };
struct BufferRoles {
  int inputs = 1, outputs = 1;
  BufferRole of(int buffer) const {
    return buffer < inputs             ? BufferRole::input
           : buffer < inputs + outputs ? BufferRole::output
                                       : BufferRole::scratch;
  }
  int first_output() const { return inputs; }
  int first_scratch() const { return inputs + outputs; }
  bool operator==(const BufferRoles&) const = default;
};
// Returns whether the cells of a buffer are initialised before a run. This is true for inputs, and for words
// and messages in scratch memory.
inline bool is_initialised(BufferRole role, Cells cells) {
  return role == BufferRole::input || (role == BufferRole::scratch && is_signal(cells));
}

enum class MachineKind : std::uint8_t { emulated, gpu, opengl };
inline constexpr std::string_view machine_kind_names[] = {"emulated", "gpu", "opengl"};
inline std::string_view name(MachineKind m) { return machine_kind_names[static_cast<int>(m)]; }

struct Trace {
  Settings settings;
  MachineKind machine = MachineKind::emulated;
  std::string device;                   // a GPU's name, OpenGL's renderer, or "emulator"
  std::uint32_t driver = 0, nvrtc = 0;  // a GPU's CUDA versions, as 1000 * major + 10 * minor; 0 if not known
  std::string date;                     // when the run was recorded, see add_provenance(); empty if not known
  std::string program;  // the version of Upsweep that recorded the run: "0.1.0"; empty if not known
  std::string file;     // the kernel's file, such as kernels/scan_blelloch.cuh
  std::string text;     // the text that was compiled
  std::string state;    // the place that a viewer shows first, see study/state_text.hpp; may be empty
  Stopped stopped;      // why the run was stopped; Stop::none if the run came to its end

  std::vector<GlobalBuffer> buffers;  // global memory, sorted by role (see roles())
  // Sorted by the time at which the launches began. There is at least one launch.
  std::vector<Grid> grids = std::vector<Grid>(1);
  std::vector<Step> steps;  // sorted by grid
  // Sorted by grid, block, step and warp. The events of one warp are in the order of issue.
  std::vector<Event> events;
  // The GPU's clock at each event: nanoseconds since the first block began, at most UINT32_MAX (4.29 s). The
  // clock never decreases in the order of Event::time. Empty if the machine has no such clock.
  std::vector<std::uint32_t> clock;
  std::vector<Lane> lanes;
  std::vector<Value> values;  // values that lanes loaded, stored or computed
  std::vector<Snapshot> snapshots;
  std::vector<BlockRun> runs;  // sorted by grid and block
  std::vector<Count> counts;   // sorted by step, line, kind and detail
  // Counts over all blocks. `span` is the length of the longest chain of operations in which each operation
  // uses the result of the previous operation; -1 if not counted. `operating` has, for each step, the number
  // of threads that applied the operator in this step; empty if not counted.
  std::int64_t span = -1;
  std::vector<std::uint32_t> operating;

  // The contents of the first input before the run, and of the first output after the run. `more_inputs` and
  // `more_outputs` have the contents of all other inputs and outputs, in the order of `buffers`.
  std::vector<Value> input, output;
  std::vector<std::vector<Value>> more_inputs, more_outputs;
  std::uint64_t dropped = 0;  // the number of records for which the recorder's buffer had no room

  bool operator==(const Trace&) const = default;
  int element_bytes() const { return upsweep::element_bytes(settings); }
  BufferRoles roles() const {
    return {1 + static_cast<int>(more_inputs.size()), 1 + static_cast<int>(more_outputs.size())};
  }
  // contents_before() returns the contents of an input before the run. contents_after() returns the contents
  // of an output after the run. Both functions take an index into `buffers`.
  const std::vector<Value>& contents_before(int buffer) const {
    return buffer == 0 ? input : more_inputs[static_cast<std::size_t>(buffer) - 1];
  }
  const std::vector<Value>& contents_after(int buffer) const {
    const auto index = static_cast<std::size_t>(buffer - roles().first_output());
    return index == 0 ? output : more_outputs[index - 1];
  }
  // Returns the kind of the cells that an access touches, or of the values that an operation computes or a
  // shuffle passes on.
  Cells cells_of(const Event& e) const {
    if (is_global(e.kind)) return e.buffer < buffers.size() ? buffers[e.buffer].cells : Cells::elements;
    if (!is_shared(e.kind))
      return (e.flags & is_count) != 0    ? Cells::counts
             : (e.flags & is_number) != 0 ? Cells::numbers
                                          : Cells::elements;
    const SharedShape& shape = grids[e.grid].shared;
    return e.buffer > 0 && e.buffer <= shape.more.size() ? shape.more[e.buffer - 1u].cells : shape.cells;
  }
  const Grid& grid_of(std::uint32_t step) const {
    return std::prev(std::upper_bound(grids.begin(), grids.end(), step,
                                      [](std::uint32_t s, const Grid& g) { return s < g.first_step; }))[0];
  }
};

// Calls f(lane, entry) for every entry of every active lane of an event, in lane order. `entry` is an index
// into Trace::lanes and Trace::values.
template <class F>
void for_each_lane(const Event& e, F f) {
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
    for (int part = 0; part < e.parts; ++part) f(std::countr_zero(m), entry++);
}

// Returns the entry of one part of one active lane of an event.
inline std::uint32_t entry_of(const Event& e, int lane, int part = 0) {
  return e.first + static_cast<std::uint32_t>(std::popcount(e.mask & ((1u << lane) - 1u)) * e.parts + part);
}

}  // namespace upsweep
