// What the recorder on a GPU writes and the host reads: plain structs of whole numbers and device addresses,
// compiled by both.
#pragma once

// One warp request: what the lanes that ran together did at one place of the source. Its place in the array is the order in which requests
// were issued, over all blocks.
struct LogEvent {
  unsigned long long first;  // of its lanes' data: words of the pool (see LogShape)
  unsigned block, step;      // step within its grid
  unsigned mask;             // active lanes
  unsigned base;             // shared memory: the byte at which the view begins that was accessed
  unsigned short warp, line, grid;
  // As in trace/trace.hpp. A kind of 0xff was never written.
  unsigned char kind, detail, flags, parts, width, buffer;
};

// Where an event's lane data lies, in words from its first: every array has one entry for each active lane and part, lane by lane.
struct LogShape {
  unsigned addresses, left, right, values, words;  // `words` is all of it
};
// Each value begins with a word of its own.
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned
    log_value_words(unsigned value_bytes) {
  return (value_bytes + 3) / 4;
}
// `width`: bytes per lane as in LogEvent, of atomics one element's; `given`, `two`: whether values were given, and a second one.
#ifdef __CUDACC__
__device__
#endif
    inline LogShape
    log_shape(unsigned entries, unsigned value_bytes, bool addressed, bool given, bool two) {
  LogShape s;
  s.addresses = 0;  // 2 words each: bytes in memory, a lane, a grid; none of operations
  s.left = addressed ? 2 * entries : 0;  // 1 + the event that produced the value given, its part in the two highest bits; 0: a constant
  s.right = s.left + (given ? entries : 0);  // of operations
  s.values = s.right + (two ? entries : 0);
  s.words = (s.values + entries * log_value_words(value_bytes) + 3) / 4 * 4;
  return s;
}

// What all blocks did, by grid, step, line, kind and detail (above the kind's bits): a hash table. An entry of line 0 and kind `log_step` says that a step began, and its
// label: requests is 1 + the phase, log_phase() of a phase that has no number, or 0 without a label; lanes the stride.
struct LogCount {
  unsigned long long key;  // 0: free
  unsigned long long requests, lanes, units, ideal;
};
enum : unsigned { log_step = 0xff, log_kind_bits = 5, log_kind_mask = 0x1f };

// A phase that the kernel's text names: a hash of the name (FNV-1a), beyond all numbers of phases.
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned long long
    log_phase(const char* name, unsigned length) {
  unsigned hash = 2166136261u;
  for (unsigned i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 16777619u;
  return 1ull << 32 | hash;
}

// Where and when a block ran; ns of the GPU's clock.
struct LogRun {
  unsigned grid, block, sm, in_focus;
  unsigned long long begin, end;  // end is 0 where it was stopped
};

// A child grid; the host's launches come before, and are known to it.
struct LogGrid {
  unsigned parent;  // grid
  unsigned slot;    // of the launch event; ~0 if that was not recorded
  unsigned kernel;  // in the order of the text
  unsigned blocks, threads;
};

struct LogSnapshot {
  unsigned grid, block, step, unused;
  unsigned long long first;  // word of the pool
};

// A thread that was stopped while it waited or looped.
struct LogStop {
  unsigned grid, block, thread, line, why;  // why: see below
};
enum : unsigned {
  stopped_at_barrier,       // waits for the block's other threads
  stopped_at_warp_barrier,  // waits for the other lanes of a mask
  stopped_in_loop,          // waits for another thread, turn by turn
  stopped_behind_lanes,     // its warp's other lanes are in a statement that it has left
  stopped_for_trips,        // its loop has gone round too often
};

// `want_stop`
enum : unsigned { run_on, stop_hopeless, stop_endless };

struct Log {
  LogEvent* events;
  unsigned* pool;
  LogCount* counts;
  LogRun* runs;
  LogGrid* grids;
  LogSnapshot* snapshots;
  LogStop* stops;
  // What is beyond these is counted, not written.
  unsigned long long pool_capacity;  // words
  unsigned event_capacity, count_capacity /* a power of two */, run_capacity, grid_capacity, snapshot_capacity, stop_capacity;
  unsigned first_focus, focus;  // blocks recorded in full, of every grid
  unsigned trips, barrier_trips;  // of a loop that never waits, and of one with a block barrier in it, at most
  unsigned unused[4];
  // The recorder's own; zero before the run, but for `grids_known`.
  unsigned long long next;  // events begun, and below `log_pool_bits` words of the pool taken
  unsigned counts_lost, runs_known, grids_known, snapshots_known, stops_known;
  unsigned lock_drawn, lock_served;
  unsigned want_stop;  // also written by the host while the kernels run
  unsigned progress;   // changes as long as there is some
  unsigned overflowed;  // 1 if `next` could not hold the number of events or of words
  unsigned unused2[2];
};
// `next` counts the events in 28 bits and the words in 36.
enum : unsigned { log_pool_bits = 36, log_most_events = (1u << 28) - 1 };

// How an entry's first parameter is given, and a buffer.
struct LogStart {
  unsigned grid;
  unsigned shared_bytes;  // the kernel's own
};
struct LogMemory {
  unsigned long long address;
  long long count;  // cells
  unsigned buffer, unused;
};

// The recorder's own part of a block's shared memory, behind the kernel's, which it begins at a multiple of 16 bytes.
enum : unsigned { log_warp_words = 40, log_block_words = 16 };
#ifdef __CUDACC__
__device__
#endif
    constexpr inline unsigned
    log_shared_bytes(unsigned threads) {
  return (4 * (3 * threads + (threads + 31) / 32 * log_warp_words + log_block_words) + 15) / 16 * 16;
}
