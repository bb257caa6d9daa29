// The traced machine: every access, operation and barrier is recorded, with the lanes that ran together.
// Shared memory holds the same plain elements in the same places as on the fast machine; only registers know
// where their values came from.
#pragma once
#include "gpu.cuh"
#include "gpu_log.cuh"

namespace upsweep {

using Origin = unsigned;  // 1 + the log entry that produced a value in this lane; 0 for a constant

// A value that knows where it came from.
template <class V>
struct Tracked {
  V value;
  Origin origin;
  Tracked() = default;
  __device__ Tracked(V constant) : value(constant), origin(0) {}
  __device__ Tracked(V v, Origin o) : value(v), origin(o) {}
};

enum Kind : unsigned {
  shared_load,
  shared_store,
  global_load,
  global_store,
  operation_done,
  barrier_reached
};

extern "C" {
__device__ Log upsweep_log;  // filled in by the host before each run
}

__device__ inline unsigned lane() { return threadIdx.x % 32; }
__device__ inline unsigned& thread_state() { return upsweep_log.threads[threadIdx.x]; }

// Writes one entry for the lanes in `mask`, which all call, and gives back its origin. The lanes leave together
// as they came: recording splits no group. Who runs together is asked where the kernel's text stands, not in
// here: lanes that call from different places may well meet in here.
__device__ __noinline__ Origin write(unsigned mask, Kind kind, unsigned buffer, unsigned address, int line,
                                     Plain value, Origin left, Origin right) {
  const unsigned leader = __ffs(mask) - 1;
  unsigned slot = 0;
  if (lane() == leader) slot = atomicAdd(&upsweep_log.entry_count, 1u);
  slot = __shfl_sync(mask, slot, leader);
  if (slot < upsweep_log.entry_capacity) {
    LogEntry& e = upsweep_log.entries[slot];
    if (lane() == leader) {
      e.kind = kind;
      e.buffer = buffer;
      e.warp = threadIdx.x / 32;
      e.block = blockIdx.x;
      e.line = line;
      e.step = thread_state() / 2;
      e.mask = mask;
    }
    e.address[lane()] = address;
    e.left[lane()] = left;
    e.right[lane()] = right;
    static_cast<Plain*>(upsweep_log.values)[slot * 32 + lane()] = value;
  }
  __syncwarp(mask);
  return slot + 1;
}

// The same as seen by a kernel: fenced, so that the compiler neither merges the recordings of two branches
// into one nor moves them out of their branch. The line makes the fences of different places differ.
__device__ inline Origin record(Kind kind, unsigned buffer, unsigned address, int line, Plain value,
                                Origin left = 0, Origin right = 0) {
  asm volatile("" ::"r"(line) : "memory");
  const Origin origin = write(__activemask(), kind, buffer, address, line, value, left, right);
  asm volatile("" ::"r"(line) : "memory");
  return origin;
}

// The calling thread goes on to its next step.
__device__ inline unsigned next_step(unsigned mask) {
  const unsigned step = thread_state() / 2 + 1;
  thread_state() = 2 * step;
  if (lane() == __ffs(mask) - 1) atomicMax(&upsweep_log.last_step, step);
  __syncwarp(mask);
  return step;
}

// A block-wide barrier. It is recorded once per group of lanes that arrives, and opens the next step; then
// all threads that came copy the block's shared memory, and a second barrier keeps them from changing it
// meanwhile.
__device__ __noinline__ void barrier(unsigned mask, int line) {
  write(mask, barrier_reached, 0, 0, line, Plain{}, 0, 0);
  const unsigned step = next_step(mask);
  const bool kept = step < upsweep_log.step_capacity;
  const unsigned rank = kept ? atomicAdd(&upsweep_log.steps[step].arrived, 1u) : 0;
  const unsigned arrived = __syncthreads_count(1);
  if (kept) {
    const unsigned words = upsweep_log.shared_words;
    unsigned* snapshot = upsweep_log.snapshots + static_cast<unsigned long long>(step) * words;
    for (unsigned w = rank; w < words; w += arrived)
      snapshot[w] = reinterpret_cast<const unsigned*>(shared_memory)[w];
  }
  __syncthreads();
  __syncwarp(mask);
}

// An index and the line it was written on.
struct At {
  int index, line;
  __device__ constexpr At(int i, int line = __builtin_LINE()) : index(i), line(line) {}
};

__device__ inline unsigned address_of(At at) { return at.index * static_cast<unsigned>(sizeof(Plain)); }

// An element of shared memory or of the output, not yet read or assigned. It must be read where it is
// written: `T x = temp[i]` (with `auto`, the read would happen late; it does not compile).
template <Kind load, Kind store>
struct Cell {
  Plain& plain;
  At at;
  using Value = Tracked<Plain>;
  __device__ operator Value() && {
    const Plain v = plain;
    return {v, record(load, load == global_load, address_of(at), at.line, v)};
  }
  __device__ void operator=(Value v) && {
    record(store, store == global_store, address_of(at), at.line, v.value, v.origin);
    plain = v.value;
  }
  __device__ void operator=(Cell&& other) && {
    static_cast<Cell&&>(*this) = static_cast<Value>(static_cast<Cell&&>(other));
  }
};

// Lanes that diverge in a statement are brought together at its end. The hardware owes that to nobody: on an H200, lanes
// that skip an `if` go on to the next barrier while the others are still in it, and a recording would show groups
// that the uninstrumented kernel, whose short branches are predicated, never forms. A lane that returns from inside a
// statement passes its ends like the others; so a kernel must not return from a loop that has a block barrier in it.
struct Region {
  unsigned mask = __activemask();
  __device__ ~Region() { __syncwarp(mask); }
};
struct Loop : Region {
  bool entered = false;
  __device__ bool once() {
    const bool first = !entered;
    entered = true;
    return first;
  }
};
struct Iteration {
  Loop& loop;
  unsigned mask = __activemask();
  __device__ ~Iteration() { __syncwarp(mask); }
};

}  // namespace upsweep

using upsweep::Iteration, upsweep::Loop, upsweep::Region;
using Element = upsweep::Tracked<upsweep::Plain>;

// The output in global memory.
template <class T>
struct Global {
  upsweep::Plain* elements;
  __device__ upsweep::Cell<upsweep::global_load, upsweep::global_store> operator[](upsweep::At at) const {
    return {elements[at.index], at};
  }
};

// The input in global memory.
template <class T>
struct Global<const T> {
  const upsweep::Plain* elements;
  __device__ T operator[](upsweep::At at) const {
    const upsweep::Plain v = elements[at.index];
    return {v, upsweep::record(upsweep::global_load, 0, upsweep::address_of(at), at.line, v)};
  }
};

// The block's dynamic shared memory.
template <class T>
struct Shared {
  __device__ upsweep::Cell<upsweep::shared_load, upsweep::shared_store> operator[](upsweep::At at) const {
    return {reinterpret_cast<upsweep::Plain*>(upsweep::shared_memory)[at.index], at};
  }
};

template <class T>
__device__ inline T identity() {
  return upsweep::Chosen::identity();
}

__device__ inline Element op(Element left, Element right, int line = __builtin_LINE()) {
  const upsweep::Plain v = upsweep::Chosen::combine(left.value, right.value);
  return {v, upsweep::record(upsweep::operation_done, 0, 0, line, v, left.origin, right.origin)};
}

// The step that begins here does this: it is the step that the last barrier opened, if that has no label yet,
// else a new one.
__device__ inline void step(Phase phase, int stride = 0) {
  using namespace upsweep;
  const unsigned now = thread_state() % 2 == 0 ? thread_state() / 2 : next_step(__activemask());
  thread_state() = 2 * now + 1;
  if (threadIdx.x == 0 && now < upsweep_log.step_capacity)
    upsweep_log.steps[now] = {upsweep_log.steps[now].arrived, 1, static_cast<unsigned>(phase), stride};
}

#define __syncthreads() upsweep::barrier(__activemask(), __LINE__)
// Unrolled, a loop has several ends in the machine code, and lanes that leave by different ones stay apart.
#define UPSWEEP_ROLLED _Pragma("unroll 1")
#include "keywords.cuh"
