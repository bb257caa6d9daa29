// What the recorder on a GPU writes and the host reads: plain structs of 4-byte words and device addresses,
// compiled by both.
#pragma once

// One warp request: what the lanes that ran together did at one place of the source. Lane l owns the l-th of
// each array.
struct LogEntry {
  unsigned kind;    // as in trace/trace.hpp
  unsigned buffer;  // global accesses: 0 is the input, 1 the output
  unsigned warp, block, line, step;
  unsigned mask;  // active lanes
  unsigned unused;
  unsigned address[32];  // accesses: byte offset in shared memory or in the buffer
  unsigned left[32];  // 1 + the entry that produced the stored value or the left operand in this lane; 0 for
                      // a constant
  unsigned right[32];
};

// What is known of a step. All zero before the run.
struct LogStep {
  unsigned arrived;  // threads that came to the barrier that opens it
  unsigned marked;   // 1 if its first thread gave it a label
  unsigned phase;
  int stride;
};

struct Log {
  LogEntry* entries;
  void* values;  // 32 elements per entry: loaded, stored or computed
  LogStep* steps;
  unsigned* snapshots;  // shared_words per step: the shared memory it begins with
  unsigned* threads;    // per thread of the block: 2 * its step, + 1 once the step is marked. All zero before
                        // the run.
  unsigned entry_capacity;  // entries beyond it are counted, not written; likewise steps
  unsigned step_capacity;
  unsigned shared_words;
  unsigned entry_count;  // zero before the run
  unsigned last_step;    // zero before the run
  unsigned unused;
};
