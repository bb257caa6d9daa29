// Defines the data that the recorder on a GPU writes and the host reads: plain structs of whole numbers and device addresses, compiled for the GPU and the host.
#pragma once

// One warp request: the action of the lanes that ran together at one place of the text. The events of all blocks are sorted by the order in which the
// requests were issued.
struct LogEvent {
  unsigned long long first;  // the position of the lanes' data in Log::pool, counted in words of 4 bytes (see LogShape)
  unsigned block, step;      // `step` is the step within the block's grid
  unsigned mask;             // active lanes
  unsigned base;             // shared memory: the first byte of the accessed view
  unsigned short warp, line, grid;
  // These fields mean the same as in trace/trace.hpp. An event whose kind is 0xff was never written.
  unsigned char kind, detail, flags, parts, width, buffer;
  unsigned clock;  // the low 32 bits of the GPU's clock, in ns
};

// The positions of an event's arrays, in words from LogEvent::first. An array has LogEvent::parts entries for each active lane, lane by lane.
struct LogShape {
  unsigned addresses, left, right, values, words;  // `words` is the total
};
// Each value begins at a new word.
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned
    log_value_words(unsigned value_bytes) {
  return (value_bytes + 3) / 4;
}
// Returns the positions of an event's lane data. `entries` is the number of active lanes times the parts; `value_bytes` is the size of a value. `given` is
// true if the event has one input value for each lane, such as a stored value. `two` is true if the event has two values for each lane.
#ifdef __CUDACC__
__device__
#endif
    inline LogShape
    log_shape(unsigned entries, unsigned value_bytes, bool addressed, bool given, bool two) {
  LogShape s;
  s.addresses = 0;  // each entry is a byte address, a lane or a grid, and takes 2 words. Operations have no such entries
  s.left = addressed ? 2 * entries : 0;  // the origin of the given value (see Origin in gpu_recorder.cuh)
  s.right = s.left + (given ? entries : 0);  // as `left`, for the second value of an operation
  s.values = s.right + (two ? entries : 0);
  s.words = (s.values + entries * log_value_words(value_bytes) + 3) / 4 * 4;
  return s;
}

// An entry of the hash table that has the totals of all blocks. The key contains grid, step, line and kind. The bits above the kind contain the detail.
//
// An entry with line 0 and kind `log_step` says that a step began, and contains the step's label. `lanes` is the stride. `requests` is 0 if the step has no
// label, 1 + the phase for a phase of the enum Phase, and log_phase() for any other phase.
struct LogCount {
  unsigned long long key;  // 0 if the entry is free
  unsigned long long requests, lanes, units, ideal;
};
enum : unsigned { log_step = 0xff, log_kind_bits = 5, log_kind_mask = 0x1f };

// Returns a number for a phase that is not in the enum Phase: a hash of the phase's name in the kernel's text (FNV-1a). This number is larger than all numbers of the enum.
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned long long
    log_phase(const char* name, unsigned length) {
  unsigned hash = 2166136261u;
  for (unsigned i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 16777619u;
  return 1ull << 32 | hash;
}

// The place and the time of a block's run, in ns of the GPU's clock.
struct LogRun {
  unsigned grid, block, sm, in_focus;
  unsigned long long begin, end;  // end is 0 if the block was stopped
};

// A child grid. Grids that the host launches have lower indices; their entries are not used.
struct LogGrid {
  unsigned parent;  // the grid that started this grid
  unsigned slot;    // the index of the launch's event; ~0 if the launch was not recorded
  unsigned kernel;  // the kernel's index, in the order of the text
  unsigned blocks, threads;
};

struct LogSnapshot {
  unsigned grid, block, step, unused;
  unsigned long long first;  // the position of the snapshot's first word in the pool
};

// A thread that was stopped while it waited or looped.
struct LogStop {
  unsigned grid, block, thread, line, why;  // `why` is one of the values below
};
enum : unsigned {
  stopped_at_barrier,       // waits for the block's other threads
  stopped_at_warp_barrier,  // waits for the other lanes of a mask
  stopped_in_loop,          // waits in a loop for another thread
  stopped_behind_lanes,     // waits for other lanes of the warp at the end of a statement, or before an else
  stopped_for_trips,        // a loop has exceeded its limit of iterations and the limit of time
};

// The values of `want_stop`.
enum : unsigned { run_on, stop_hopeless, stop_endless };

struct Log {
  LogEvent* events;
  unsigned* pool;
  LogCount* counts;
  LogRun* runs;
  LogGrid* grids;
  LogSnapshot* snapshots;
  LogStop* stops;
  // The recorder counts data beyond these capacities, but does not write such data.
  unsigned long long pool_capacity;  // in words
  unsigned event_capacity, count_capacity /* a power of two */, run_capacity, grid_capacity, snapshot_capacity, stop_capacity;
  unsigned first_focus, focus;  // in every grid, `focus` blocks from the block `first_focus` on are recorded in full
  unsigned trips, barrier_trips;  // a loop may be stopped after `trips` iterations without a wait, or after `barrier_trips` iterations with a block barrier
  unsigned patience;  // such a loop is stopped when this time in ms has passed since the loop began
  unsigned unused[3];
  // The recorder's own state. All fields except `grids_known` are zero before the run.
  unsigned long long next;  // low `log_pool_bits` bits: the number of used words of the pool; high bits: the number of events
  unsigned counts_lost, runs_known, grids_known, snapshots_known, stops_known;
  unsigned lock_drawn, lock_served;
  unsigned want_stop;  // also written by the host while the kernels run
  unsigned progress;   // changes as long as the kernels make progress
  unsigned overflowed;  // 1 if `next` could not hold the number of events or of words
  unsigned unused2[2];
};
// `next` counts the events in 28 bits and the words in 36 bits.
enum : unsigned { log_pool_bits = 36, log_most_events = (1u << 28) - 1 };

// LogStart is the first parameter of upsweep_entry(). LogMemory describes a buffer of global memory.
struct LogStart {
  unsigned grid;
  unsigned shared_bytes;  // the kernel's own shared memory
};
struct LogMemory {
  unsigned long long address;
  long long count;  // the number of cells
  unsigned buffer, unused;
};

// The recorder's part of a block's shared memory. This part follows the kernel's part and begins at a multiple of 16 bytes.
enum : unsigned { log_warp_words = 40, log_block_words = 16 };
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned
    log_shared_bytes(unsigned threads) {
  return (4 * (3 * threads + (threads + 31) / 32 * log_warp_words + log_block_words) + 15) / 16 * 16;
}
