// Defines the recorder of the traced machine. The recorder keeps the state of blocks, warps and threads, the counts of all blocks, and the events of the blocks in
// focus (the blocks that are recorded in full).
#pragma once
#include "gpu.cuh"
#include "gpu_log.cuh"

namespace upsweep {

using Origin = unsigned;  // 1 + the index of the event that produced a value; 0 for a constant. The two highest bits are the value's index in a loaded pack

// A value with its origin.
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
  barrier_reached,
  shared_atomic,
  global_atomic,
  shuffled,
  voted,
  warp_barrier_reached,
  fenced,
  launched
};
enum Atomic : unsigned { combine, add_to, minimum, maximum, bit_or, exchange, compare_and_swap };
enum Shuffle : unsigned { from_index, from_up, from_down, from_xor, reduce_add };
enum Vote : unsigned { ballot, any, all };
enum Scope : unsigned { block_scope, device_scope };
enum ChildLaunch : unsigned { tail, fire_and_forget };
enum Flags : unsigned { is_volatile = 1, is_outside = 2, is_count = 8, is_number = 16 };

extern "C" {
__device__ Log upsweep_log;  // filled in by the host before each run
}

// The bits of a value, in words. The unused bits of the last word are zero.
template <class V>
struct Words {
  static constexpr unsigned count = log_value_words(sizeof(V));
  unsigned word[count] = {};
  __device__ explicit Words(const V& value) { memcpy(word, &value, sizeof(V)); }
};

template <class V>
__device__ inline V look(const V& shared_or_global) {
  return *const_cast<const volatile V*>(&shared_or_global);
}

// The indices of the calling thread, its warp and its block, in CUDA's order: first along x, then along y,
// then along z.
__device__ inline unsigned my_thread() {
  return in_a_row ? threadIdx.x : threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned my_warp() { return my_thread() / 32; }
__device__ inline unsigned my_block() {
  return in_a_row ? blockIdx.x : blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ inline unsigned block_threads() { return in_a_row ? blockDim.x : blockDim.x * blockDim.y * blockDim.z; }

__device__ inline unsigned lane() { return my_thread() % 32; }
__device__ inline unsigned lanes_of_warp() {
  const unsigned behind = block_threads() - my_warp() * 32;
  return behind >= 32 ? ~0u : (1u << behind) - 1;
}
__device__ inline bool leads(unsigned mask) { return lane() == __ffs(mask) - 1u; }
__device__ inline unsigned long long nanoseconds() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}
__device__ inline bool stop_wanted() { return look(upsweep_log.want_stop) != run_on; }

// The recorder's part of shared memory. This part is at the end, because a thread can read only the total size from the hardware.
struct BlockState {
  unsigned count;       // high 16 bits: the threads that have not ended; low 16 bits: the threads that have reached the barrier
  unsigned generation;  // how often the waiting threads have been released (twice for a barrier that copies shared memory)
  unsigned grid, shared_bytes, in_focus, run;
  unsigned step;      // the highest step of the threads that have reached the barrier
  unsigned copying;   // true if a barrier has released its threads to copy shared memory
  unsigned rank;      // the number of threads that began to copy
  unsigned copiers;   // the number of threads that copy: the threads that the barrier released
  unsigned told;      // the time at which the block last reported progress
  unsigned long long snapshot;  // the position of the snapshot in Log::pool, counted in words of 4 bytes
};
struct WarpState {
  unsigned arrived[32];  // for each depth of nested statements: the lanes that wait for other lanes
  unsigned staying;      // the lanes that have arrived and continue the loop
  unsigned gone;         // lanes that have returned
  unsigned at_barrier, at_warp_barrier, napping;
  unsigned unused[3];
};
static_assert(sizeof(BlockState) <= 4 * log_block_words && sizeof(WarpState) == 4 * log_warp_words, "");

__device__ inline unsigned* shared_end() {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return reinterpret_cast<unsigned*>(shared_memory + bytes);
}
__device__ inline BlockState& block_state() { return *reinterpret_cast<BlockState*>(shared_end() - log_block_words); }
__device__ inline WarpState& warp_state() {
  return reinterpret_cast<WarpState*>(shared_end() - log_block_words)[-1 - static_cast<int>(my_warp())];
}
// Each thread has three words. The first word is the mask of the lanes that run with this thread. The second word is the mask of the lanes with which this thread
// can no longer reconverge. The third word has the thread's step, the depth of the thread's statement, and the flags below.
__device__ inline unsigned* thread_words() {
  return shared_end() - log_block_words - (block_threads() + 31) / 32 * log_warp_words - 3 * block_threads() + my_thread();
}
__device__ inline unsigned& my_mask() { return thread_words()[0]; }
__device__ inline unsigned& my_apart() { return thread_words()[block_threads()]; }
__device__ inline unsigned& my_place() { return thread_words()[2 * block_threads()]; }
enum : unsigned { depth_bits = 5, labelled_bit = 1u << depth_bits, waited_bit = 1u << 6, barred_bit = 1u << 7, leaving_bit = 1u << 8, step_shift = 9 };
__device__ inline unsigned my_step() { return my_place() >> step_shift; }
__device__ inline unsigned my_depth() { return my_place() % (1u << depth_bits); }
__device__ inline bool is_gone() { return my_mask() == 0; }

// Each block reports its progress at most once in 131 us. If blocks reported every event, all blocks would have to wait for one word of
// memory.
__device__ inline void progress() {
  const unsigned now = static_cast<unsigned>(nanoseconds() >> 17);
  if (atomicExch(&block_state().told, now) != now) *const_cast<volatile unsigned*>(&upsweep_log.progress) = now;
}

// ---- counts ----

__device__ __noinline__ LogCount* find_count(unsigned grid, unsigned step, unsigned line, unsigned kind) {
  const unsigned long long key = static_cast<unsigned long long>(grid + 1) << 48 |
                                 static_cast<unsigned long long>(step & 0xffffff) << 24 | (line & 0xffff) << 8 | kind;
  unsigned long long mixed = key * 0x9e3779b97f4a7c15ull;
  unsigned at = static_cast<unsigned>(mixed >> 32);
  #pragma unroll 1
  for (unsigned tries = 0; tries < 64; ++tries, ++at) {
    // If a count was lost, the host repeats the run with a larger table. So this run does not search any longer.
    if (tries == 8 && *static_cast<volatile unsigned*>(&upsweep_log.counts_lost)) return nullptr;
    LogCount* c = &upsweep_log.counts[at & (upsweep_log.count_capacity - 1)];
    unsigned long long there = c->key;  // may come from a cache, because a key never changes after it is set
    if (there == 0) there = atomicCAS(&c->key, 0ull, key);
    if (there == 0 || there == key) return c;
  }
  return nullptr;
}

struct Units {
  unsigned units, ideal;
};

// Finds out if the lanes in `mask` access addresses at equal distances, as in most requests. The cost of such
// a request is computed without examining each lane.
template <class Cell>
struct EvenSteps {
  unsigned lanes;
  Cell first, last, step;
  bool even;
  __device__ EvenSteps(unsigned mask, Cell cell) : lanes(__popc(mask)) {
    const unsigned one = __ffs(mask) - 1, rest = mask & (mask - 1);
    first = __shfl_sync(mask, cell, one);
    step = __shfl_sync(mask, cell, rest ? __ffs(rest) - 1 : one) - first;
    last = first + (lanes - 1) * step;
    even = __all_sync(mask, cell == first + __popc(mask & ((1u << lane()) - 1)) * step);
  }
};

// Returns the number of wavefronts of a request to shared memory, and the number that the request would need without conflicts. src/analysis/banks.hpp
// states the rule. The lanes in `mask` must call the function together; `cell` is the address divided by the width.
__device__ __noinline__ Units wavefronts(unsigned mask, unsigned cell, unsigned width, bool load) {
  if (width == 4)
    if (const EvenSteps<unsigned> s(mask, cell); s.even) {
      const unsigned met = 5 - (s.step % 32 ? __ffs(s.step) - 1 : 5);  // the lanes access at most 2^met banks
      return {s.step == 0 ? 1 : (s.lanes - 1 >> met) + 1, 1};
    }
  unsigned lanes = 128 / width;  // the number of lanes in a group that is served together
  if (load && width > 4) {
    const unsigned next = lane() ^ 1, second = lane() ^ 2;
    const unsigned cell_1 = __shfl_sync(mask, cell, next), cell_2 = __shfl_sync(mask, cell, second);
    const bool together_1 = __all_sync(mask, (mask >> next & 1) == 0 || cell_1 == cell);
    const bool together_2 = __all_sync(mask, (mask >> second & 1) == 0 || cell_2 == cell);
    if (together_1 || together_2) lanes *= 2;
  }
  const unsigned group = lane() / lanes;
  const unsigned one_group = lanes == 32 ? ~0u : (1u << lanes) - 1;
  const unsigned same_cell = __match_any_sync(mask, cell * 4 + group);
  const unsigned different = __ballot_sync(mask, leads(same_cell));
  const unsigned in_bank = __popc(__match_any_sync(mask, cell % (128 / width) * 4 + group) & different);
  unsigned degree = 0;  // the maximum number of different words of this group in one bank
  #pragma unroll 1
  for (unsigned more = 32; more > 0; more /= 2)
    if (__ballot_sync(mask, in_bank >= degree + more) & one_group << group * lanes) degree += more;
  Units sum = {0, 0};
  #pragma unroll 1
  for (unsigned first = 0; first < 32; first += lanes) {
    const unsigned members = mask & one_group << first;
    const unsigned its_degree = __shfl_sync(mask, degree, members ? __ffs(members) - 1 : 0);
    if (members) sum.units += its_degree, sum.ideal += 1;
  }
  return sum;
}

// Returns the number of 32-byte sectors that a request to global memory moves, and the smallest number of sectors that can hold the request's bytes.
__device__ __noinline__ Units sectors(unsigned mask, unsigned long long cell, unsigned width) {
  const EvenSteps<unsigned long long> s(mask, cell);
  if (s.even) {
    const bool down = s.last < s.first;
    const unsigned long long low = down ? s.last : s.first, high = down ? s.first : s.last;
    const unsigned span = static_cast<unsigned>((high * width / 32) - (low * width / 32)) + 1;
    return {span < s.lanes ? span : s.lanes, ((s.step == 0 ? 1 : s.lanes) * width + 31) / 32};
  }
  const unsigned cells = __popc(__ballot_sync(mask, leads(__match_any_sync(mask, cell))));
  const unsigned touched = __popc(__ballot_sync(mask, leads(__match_any_sync(mask, cell * width / 32))));
  return {touched, (cells * width + 31) / 32};
}

// ---- events ----

// The properties that all lanes of a request share.
struct Request {
  Kind kind;
  unsigned detail, flags, parts, width, buffer, base;
};
__device__ inline bool addressed(Kind k) { return k != operation_done; }
__device__ inline bool gives(Kind k) {
  return k == shared_store || k == global_store || k == shared_atomic || k == global_atomic || k == shuffled || k == operation_done;
}
__device__ inline bool atomic(Kind k) { return k == shared_atomic || k == global_atomic; }
__device__ inline bool bare(Kind k) { return k == barrier_reached || k == warp_barrier_reached || k == fenced; }

// A request that has begun: the request's number, and the position of the lanes' data.
struct Ticket {
  unsigned slot;  // `none` if the request is not recorded
  LogEvent* event;
  unsigned* data;
  __device__ Origin origin(unsigned part = 0) const { return event ? slot + 1 | part << 30 : 0; }
};
enum : unsigned { none = ~0u };

// Counts a request and assigns a slot to the request. The lanes in `mask` issue the request, and must call the function together.
__device__ __noinline__ Ticket begin_event(unsigned mask, Request r, long long address, bool outside, int line) {
  const BlockState& block = block_state();
  const unsigned lanes = __popc(mask), outsiders = __ballot_sync(mask, outside);
  if (outsiders) r.flags |= is_outside;

  Units units = {0, 0};
  if (r.kind <= global_store && outsiders != mask && !outside) {
    const unsigned inside = mask & ~outsiders;
    const unsigned width = r.width < 4 ? 4 : r.width;  // a bank has words of 4 bytes, so a smaller element counts as a word
    units = r.kind <= shared_store ? wavefronts(inside, static_cast<unsigned>(address / width), width, r.kind == shared_load)
                                   : sectors(inside, static_cast<unsigned long long>(address / r.width), r.width);
  }
  __syncwarp(mask);
  if (outsiders != 0 && outsiders != mask) {
    const unsigned one = __ffs(mask & ~outsiders) - 1;
    units.units = __shfl_sync(mask, units.units, one), units.ideal = __shfl_sync(mask, units.ideal, one);
  }

  const bool waits = atomic(r.kind) || bare(r.kind) || (r.flags & is_volatile && (r.kind == shared_load || r.kind == global_load));
  const bool is_seen_by_other_blocks =
      r.kind == global_atomic || r.kind == fenced || (r.flags & is_volatile && (r.kind == global_load || r.kind == global_store));
  const bool wanted = block.in_focus || is_seen_by_other_blocks;
  const unsigned value_bytes = atomic(r.kind) ? r.width : r.width / r.parts;
  const unsigned words =
      bare(r.kind) ? 0 : log_shape(lanes * r.parts, value_bytes, addressed(r.kind), gives(r.kind), r.kind == operation_done).words;
  unsigned long long place = 0;
  if (leads(mask)) {
    if (LogCount* c = find_count(block.grid, my_step(), line, r.kind | r.detail << log_kind_bits)) {
      atomicAdd(&c->requests, 1ull);
      atomicAdd(&c->lanes, static_cast<unsigned long long>(lanes));
      if (units.units) atomicAdd(&c->units, static_cast<unsigned long long>(units.units));
      if (units.ideal) atomicAdd(&c->ideal, static_cast<unsigned long long>(units.ideal));
    } else {
      atomicAdd(&upsweep_log.counts_lost, 1u);
    }
    if (!waits) progress();
    if (wanted) place = atomicAdd(&upsweep_log.next, 1ull << log_pool_bits | words);
  }
  Ticket t = {none, nullptr, nullptr};
  if (!wanted) return __syncwarp(mask), t;
  place = __shfl_sync(mask, place, __ffs(mask) - 1);
  t.slot = static_cast<unsigned>(place >> log_pool_bits);
  const unsigned long long first = place & ((1ull << log_pool_bits) - 1);
  if (t.slot < upsweep_log.event_capacity && first + words <= upsweep_log.pool_capacity) {
    t.event = &upsweep_log.events[t.slot];
    t.data = upsweep_log.pool + first;
    if (leads(mask)) {
      LogEvent e;
      e.first = first;
      e.block = my_block();
      e.step = my_step();
      e.mask = mask;
      e.base = r.base;
      e.warp = my_warp();
      e.line = line;
      e.grid = block.grid;
      e.kind = r.kind;
      e.detail = r.detail;
      e.flags = r.flags;
      e.parts = r.parts;
      e.width = r.width;
      e.buffer = r.buffer;
      e.clock = static_cast<unsigned>(nanoseconds());
      *t.event = e;
    }
  } else if (leads(mask) && (t.slot == log_most_events || first + words >= 1ull << log_pool_bits)) {
    upsweep_log.overflowed = 1;  // the next event would get slot 0, which already has an event
  }
  __syncwarp(mask);
  return t;
}

// Writes the calling lane's data for one part of a request.
template <class V>
__device__ inline void write_lane(const Ticket& t, unsigned mask, Request r, unsigned part, long long address, V value, Origin left,
                                  Origin right) {
  if (!t.event) return;
  const unsigned entries = __popc(mask) * r.parts, entry = __popc(mask & ((1u << lane()) - 1)) * r.parts + part;
  const LogShape s = log_shape(entries, sizeof(V), addressed(r.kind), gives(r.kind), r.kind == operation_done);
  if (addressed(r.kind)) reinterpret_cast<long long*>(t.data + s.addresses)[entry] = address;
  if (gives(r.kind)) t.data[s.left + entry] = left;
  if (r.kind == operation_done) t.data[s.right + entry] = right;
  memcpy(t.data + s.values + entry * log_value_words(sizeof(V)), &value, sizeof(V));
}

// Records a request of one part, in one call.
template <class V>
__device__ __noinline__ Origin record(Request r, long long address, bool outside, int line, V value, Origin left, Origin right) {
  asm volatile("" ::: "memory");
  const unsigned mask = my_mask();
  const Ticket t = begin_event(mask, r, address, outside, line);
  write_lane(t, mask, r, 0, address, value, left, right);
  __syncwarp(mask);
  asm volatile("" ::: "memory");
  return t.origin();
}
__device__ __noinline__ void record_bare(Kind kind, unsigned detail, int line) {
  const unsigned mask = my_mask();
  begin_event(mask, {kind, detail, 0, 1, 0, 0, 0}, 0, false, line);
}

// Waits until the lanes have received their loaded values. So all later events happen after the loads.
template <class V>
__device__ inline void settle(unsigned mask, const V& value) {
  unsigned bits = 0;
  for (const unsigned word : Words<V>(value).word) bits |= word;
  unsigned some;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(some) : "r"(bits), "r"(mask) : "memory");
}

// A lock for actions that must be recorded in the order in which other blocks see them. The lock serves callers in the order of their calls. The lanes
// of a mask hold the lock together. While they hold the lock, they never wait for other threads.
__device__ __noinline__ void lock(unsigned mask) {
  if (leads(mask)) {
    const unsigned mine = atomicAdd(&upsweep_log.lock_drawn, 1u);
    #pragma unroll 1
    for (unsigned before; (before = mine - look(upsweep_log.lock_served)) != 0;) __nanosleep(before < 32 ? 200 * before : 6400);
  }
  __syncwarp(mask);
  __threadfence();
}
__device__ __noinline__ void unlock(unsigned mask) {
  __threadfence();
  __syncwarp(mask);
  if (leads(mask)) atomicAdd(&upsweep_log.lock_served, 1u);
  __syncwarp(mask);
}

}  // namespace upsweep
