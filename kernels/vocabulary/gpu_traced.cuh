// The traced machine: every access, operation and barrier is recorded, with the lanes that ran together.
// Shared memory holds the same plain elements in the same places as on the fast machine; only registers know
// where their values came from.
//
// Who runs together is not asked of the hardware, which owes nobody that lanes meet again; each lane knows the mask of the lanes that it
// runs with, and the keywords keep it by the convergence rule (src/machine/control_flow.hpp): lanes part at a condition, those of an `if`
// go before those of its `else`, and they meet where the statement ends. Where they meet, and at barriers, lanes wait in loops that look
// whether the run is to be stopped: so no kernel can hang the GPU.
#pragma once
#include "gpu.cuh"
#include "gpu_log.cuh"

namespace upsweep {

using Origin = unsigned;  // 1 + the event that produced a value in this lane, its part in the two highest bits; 0 for a constant

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
enum Flags : unsigned { is_volatile = 1, is_outside = 2 };

extern "C" {
__device__ Log upsweep_log;  // filled in by the host before each run
}

template <class V>
__device__ inline V look(const V& shared_or_global) {
  return *const_cast<const volatile V*>(&shared_or_global);
}

__device__ inline unsigned lane() { return threadIdx.x % 32; }
__device__ inline unsigned lanes_of_warp() {
  const unsigned behind = blockDim.x - threadIdx.x / 32 * 32;
  return behind >= 32 ? ~0u : (1u << behind) - 1;
}
__device__ inline bool leads(unsigned mask) { return lane() == __ffs(mask) - 1u; }
__device__ inline unsigned long long nanoseconds() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}
__device__ inline bool stop_wanted() { return look(upsweep_log.want_stop) != run_on; }
__device__ inline void progress() { *const_cast<volatile unsigned*>(&upsweep_log.progress) = nanoseconds(); }

// The recorder's part of shared memory: at its end, since only its whole size is known to every thread.
struct BlockState {
  unsigned count;       // threads that are still there, and below 16 bits those that have come to the barrier
  unsigned generation;  // of barriers
  unsigned grid, shared_bytes, in_focus, run;
  unsigned step;      // the barrier's, at most
  unsigned copying;   // a barrier has released its threads to copy shared memory
  unsigned rank;      // threads that began to copy
  unsigned copiers;   // threads that the barrier released
  unsigned long long snapshot;  // where to, words of the pool
};
struct WarpState {
  unsigned arrived[32];  // lanes that wait for others, by how deep the statement is nested
  unsigned staying;      // of lanes that arrived: those that go on with the loop
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
  return reinterpret_cast<WarpState*>(shared_end() - log_block_words)[-1 - static_cast<int>(threadIdx.x / 32)];
}
// Of each thread three words: whom it runs with; whom it can no longer meet; and its step, whether that is labelled, and its depth.
__device__ inline unsigned* thread_words() {
  return shared_end() - log_block_words - (blockDim.x + 31) / 32 * log_warp_words - 3 * blockDim.x + threadIdx.x;
}
__device__ inline unsigned& my_mask() { return thread_words()[0]; }
__device__ inline unsigned& my_apart() { return thread_words()[blockDim.x]; }
__device__ inline unsigned& my_place() { return thread_words()[2 * blockDim.x]; }
enum : unsigned { depth_bits = 5, labelled_bit = 1u << depth_bits, waited_bit = 1u << 6, barred_bit = 1u << 7, leaving_bit = 1u << 8, step_shift = 9 };
__device__ inline unsigned my_step() { return my_place() >> step_shift; }
__device__ inline unsigned my_depth() { return my_place() % (1u << depth_bits); }
__device__ inline bool is_gone() { return my_mask() == 0; }

// ---- counts ----

__device__ __noinline__ LogCount* find_count(unsigned grid, unsigned step, unsigned line, unsigned kind) {
  const unsigned long long key = static_cast<unsigned long long>(grid + 1) << 48 |
                                 static_cast<unsigned long long>(step & 0xffffff) << 24 | (line & 0xffff) << 8 | kind;
  unsigned long long mixed = key * 0x9e3779b97f4a7c15ull;
  unsigned at = static_cast<unsigned>(mixed >> 32);
  #pragma unroll 1
  for (unsigned tries = 0; tries < 256; ++tries, ++at) {
    LogCount* c = &upsweep_log.counts[at & (upsweep_log.count_capacity - 1)];
    unsigned long long there = look(c->key);
    if (there == 0) there = atomicCAS(&c->key, 0ull, key);
    if (there == 0 || there == key) return c;
  }
  return nullptr;
}

struct Units {
  unsigned units, ideal;
};

// The wavefronts of a request to shared memory and those that it would take without conflicts: the rule of src/analysis/banks.hpp. Called by
// the lanes in `mask`; `cell` is the address over the width.
__device__ __noinline__ Units wavefronts(unsigned mask, unsigned cell, unsigned width, bool load) {
  unsigned lanes = 128 / width;  // in a group
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
  unsigned degree = 0;  // the most different words of my group that lie in one bank
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

// The 32-byte sectors of a request to global memory, and the fewest that hold its bytes.
__device__ __noinline__ Units sectors(unsigned mask, unsigned long long cell, unsigned width) {
  const unsigned cells = __popc(__ballot_sync(mask, leads(__match_any_sync(mask, cell))));
  const unsigned touched = __popc(__ballot_sync(mask, leads(__match_any_sync(mask, cell * width / 32))));
  return {touched, (cells * width + 31) / 32};
}

// ---- events ----

// What all lanes of a request have in common.
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

// A request begun: its number, and where its lanes' data goes.
struct Ticket {
  unsigned slot;  // `none`: it is not recorded
  LogEvent* event;
  unsigned* data;
  __device__ Origin origin(unsigned part = 0) const { return event ? slot + 1 | part << 30 : 0; }
};
enum : unsigned { none = ~0u };

// Counts a request and gives it its place in the order; called by the lanes in `mask`, all that issue it.
__device__ __noinline__ Ticket begin_event(unsigned mask, Request r, long long address, bool outside, int line) {
  const BlockState& block = block_state();
  const unsigned lanes = __popc(mask), outsiders = __ballot_sync(mask, outside);
  if (outsiders) r.flags |= is_outside;

  Units units = {0, 0};
  if (r.kind <= global_store && outsiders != mask && !outside) {
    const unsigned inside = mask & ~outsiders;
    units = r.kind <= shared_store ? wavefronts(inside, static_cast<unsigned>(address / r.width), r.width, r.kind == shared_load)
                                   : sectors(inside, static_cast<unsigned long long>(address / r.width), r.width);
  }
  __syncwarp(mask);
  if (outsiders != 0 && outsiders != mask) {
    const unsigned one = __ffs(mask & ~outsiders) - 1;
    units.units = __shfl_sync(mask, units.units, one), units.ideal = __shfl_sync(mask, units.ideal, one);
  }

  const bool waits = atomic(r.kind) || bare(r.kind) || (r.flags & is_volatile && (r.kind == shared_load || r.kind == global_load));
  const bool wanted = block.in_focus || atomic(r.kind) || r.kind == fenced || r.flags & is_volatile;
  const unsigned value_bytes = atomic(r.kind) ? r.width : r.width / r.parts;
  const unsigned words =
      bare(r.kind) ? 0 : log_shape(lanes * r.parts, value_bytes, addressed(r.kind), gives(r.kind), r.kind == operation_done).words;
  unsigned long long place = 0;
  if (leads(mask)) {
    if (LogCount* c = find_count(block.grid, my_step(), line, r.kind)) {
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
      e.block = blockIdx.x;
      e.step = my_step();
      e.mask = mask;
      e.base = r.base;
      e.warp = threadIdx.x / 32;
      e.line = line;
      e.grid = block.grid;
      e.kind = r.kind;
      e.detail = r.detail;
      e.flags = r.flags;
      e.parts = r.parts;
      e.width = r.width;
      e.buffer = r.buffer;
      *t.event = e;
    }
  }
  __syncwarp(mask);
  return t;
}

// Writes one lane's data of one part.
template <class V>
__device__ inline void write_lane(const Ticket& t, unsigned mask, Request r, unsigned part, long long address, V value, Origin left,
                                  Origin right) {
  if (!t.event) return;
  const unsigned entries = __popc(mask) * r.parts, entry = __popc(mask & ((1u << lane()) - 1)) * r.parts + part;
  const LogShape s = log_shape(entries, sizeof(V), addressed(r.kind), gives(r.kind), r.kind == operation_done);
  if (addressed(r.kind)) reinterpret_cast<long long*>(t.data + s.addresses)[entry] = address;
  if (gives(r.kind)) t.data[s.left + entry] = left;
  if (r.kind == operation_done) t.data[s.right + entry] = right;
  memcpy(t.data + s.values + entry * (sizeof(V) / 4), &value, sizeof(V));
}

// A request of one part, in one call.
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

// Waits until the values that the lanes loaded are there, so that what comes next is later than the loads.
template <class V>
__device__ inline void settle(unsigned mask, const V& value) {
  unsigned bits = 0, word;
  for (unsigned w = 0; w < sizeof(V) / 4; ++w) memcpy(&word, reinterpret_cast<const char*>(&value) + 4 * w, 4), bits |= word;
  unsigned some;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(some) : "r"(bits), "r"(mask) : "memory");
}

// What must come in the order in which it is seen, of all blocks one at a time, first come, first served. The lanes of a mask hold the lock
// together, and do nothing in it that could wait.
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

// ---- leaving, meeting, waiting ----

__device__ __noinline__ void release(BlockState& b, unsigned count);

// The calling thread is gone, for its warp and its block.
__device__ __noinline__ void leave() {
  if (is_gone()) return;
  my_mask() = 0;
  atomicOr(&warp_state().gone, 1u << lane());
  BlockState& b = block_state();
  __threadfence_block();
  const unsigned count = atomicSub(&b.count, 1u << 16) - (1u << 16);
  if (count >> 16 == 0) {
    if (b.run < upsweep_log.run_capacity) upsweep_log.runs[b.run].end = nanoseconds();
    progress();
  } else {
    release(b, count);
  }
}

// Ends the calling thread: the run is being stopped. It is not gone for the others: nobody is to run on because it has left.
__device__ __noinline__ void give_up(int line, unsigned why) {
  const unsigned i = atomicAdd(&upsweep_log.stops_known, 1u);
  if (i < upsweep_log.stop_capacity) upsweep_log.stops[i] = {block_state().grid, blockIdx.x, threadIdx.x, static_cast<unsigned>(line), why};
  asm volatile("exit;");
}

struct Met {
  unsigned group;    // the lanes that met
  unsigned staying;  // of them, those that said so
};

// Waits for the other lanes of a mask, but not for those that are gone or that wait at a block barrier, which the calling lanes will never
// meet again. All lanes that meet give the same mask and depth.
__device__ __noinline__ Met meet(unsigned mask, unsigned depth, bool stays, bool may_stop, int line) {
  asm volatile("" ::: "memory");
  WarpState& w = warp_state();
  mask &= ~(my_apart() | look(w.gone));
  const unsigned active = __activemask();
  Met met;
  if (__all_sync(active, mask == active)) {
    met = {active, __ballot_sync(active, stays)};
  } else {
    const unsigned me = 1u << lane();
    if (stays) atomicOr(&w.staying, me);
    else atomicAnd(&w.staying, ~me);
    __threadfence_block();
    atomicOr(&w.arrived[depth], me);
    unsigned gone = 0, absent = 0;
    #pragma unroll 1
    for (unsigned turns = 0;; ++turns) {
      gone = look(w.gone);
      absent = gone | look(w.at_barrier);
      if (((look(w.arrived[depth]) | absent) & mask) == mask) break;
      if (turns % 16 == 15 && stop_wanted()) give_up(line, depth == 31 ? stopped_at_warp_barrier : stopped_behind_lanes);
      __nanosleep(20);
    }
    met.group = mask & ~absent;
    const unsigned apart = mask & absent & ~gone;
    if (apart) {
      my_apart() |= apart;
      if (leads(met.group))
        #pragma unroll 1
        for (unsigned rest = apart; rest; rest &= rest - 1)
          (thread_words() + blockDim.x - lane() + (__ffs(rest) - 1))[0] |= met.group;
    }
    __syncwarp(met.group);
    met.staying = look(w.staying) & met.group;
    __syncwarp(met.group);
    if (leads(met.group)) atomicAnd(&w.arrived[depth], ~met.group);
    __syncwarp(met.group);
  }
  if (may_stop && __any_sync(met.staying, leads(met.staying) && stop_wanted())) give_up(line, stopped_in_loop);
  asm volatile("" ::: "memory");
  return met;
}

// Whether the calling lane's condition holds. Lanes for which it does not wait for the others, which go first: until they have left the
// statement, or wait for something themselves.
__device__ __noinline__ bool part(bool condition, unsigned depth, int line) {
  asm volatile("" ::: "memory");
  const unsigned mask = my_mask(), taken = __ballot_sync(mask, condition);
  my_mask() = condition ? taken : mask & ~taken;
  if (!condition && taken != 0) {
    const WarpState& w = warp_state();
    #pragma unroll 1
    for (unsigned turns = 0;; ++turns) {
      const unsigned away = look(w.arrived[depth]) | look(w.gone) | look(w.at_barrier) | look(w.at_warp_barrier) | look(w.napping);
      if ((away & taken) == taken) break;
      if (turns % 16 == 15 && stop_wanted()) give_up(line, stopped_behind_lanes);
      __nanosleep(20);
    }
    __syncwarp(my_mask());
  }
  asm volatile("" ::: "memory");
  return condition;
}

// Lets the threads go on that wait at the block's barrier, if all that are left have come. A block in focus lets them go to copy its shared
// memory first, and again when that is done.
__device__ __noinline__ void release(BlockState& b, unsigned count) {
  const unsigned left = count >> 16;
  if ((count & 0xffff) != left || left == 0) return;
  __threadfence_block();
  WarpState* first = &warp_state() + threadIdx.x / 32;
  #pragma unroll 1
  for (unsigned w = 0; w < (blockDim.x + 31) / 32; ++w) (first - w)->at_barrier = 0;
  b.copying = !b.copying && b.in_focus && b.shared_bytes > 0;
  if (b.copying) {
    const unsigned i = atomicAdd(&upsweep_log.snapshots_known, 1u);
    const unsigned words = b.shared_bytes / 4;
    const unsigned long long taken = (words + 3) / 4 * 4;  // everything in the pool begins at a multiple of 16 bytes
    const unsigned long long place = atomicAdd(&upsweep_log.next, taken) & ((1ull << log_pool_bits) - 1);
    const bool kept = i < upsweep_log.snapshot_capacity && place + words <= upsweep_log.pool_capacity;
    if (kept) upsweep_log.snapshots[i] = {b.grid, blockIdx.x, b.step + 1, 0, place};
    b.snapshot = kept ? place : ~0ull;
    b.rank = 0;
    b.copiers = left;
  }
  atomicSub(&b.count, left);
  __threadfence_block();
  atomicAdd(&b.generation, 1u);
  progress();
}

__device__ __noinline__ void wait_for_block(unsigned mask, int line) {
  BlockState& b = block_state();
  const unsigned generation = look(b.generation);
  __threadfence_block();
  __syncwarp(mask);
  if (leads(mask)) {
    atomicOr(&warp_state().at_barrier, mask);
    atomicMax(&b.step, my_step());
    __threadfence_block();
    release(b, atomicAdd(&b.count, __popc(mask)) + __popc(mask));
  }
  #pragma unroll 1
  for (unsigned turns = 0; look(b.generation) == generation; ++turns) {
    if (turns % 16 == 15 && stop_wanted()) give_up(line, stopped_at_barrier);
    if (turns > 4) __nanosleep(40);
  }
  __threadfence_block();
  __syncwarp(mask);
}

// The calling lanes go on to their next step.
__device__ __noinline__ void next_step(unsigned mask) {
  my_place() = (my_step() + 1) << step_shift | (my_place() & (waited_bit | barred_bit)) | my_depth();
  if (leads(mask) && !find_count(block_state().grid, my_step(), 0, log_step)) atomicAdd(&upsweep_log.counts_lost, 1u);
  __syncwarp(mask);
}

// A block-wide barrier. It is recorded once per group of lanes that arrives, and opens the next step; then all threads that came copy the
// block's shared memory.
__device__ __noinline__ void barrier(int line) {
  asm volatile("" ::: "memory");
  const unsigned mask = my_mask();
  record_bare(barrier_reached, 0, line);
  wait_for_block(mask, line);
  BlockState& b = block_state();
  if (b.in_focus && b.shared_bytes > 0) {
    if (b.snapshot != ~0ull) {
      unsigned* copy = upsweep_log.pool + b.snapshot;
      #pragma unroll 1
      for (unsigned w = atomicAdd(&b.rank, 1u); w < b.shared_bytes / 4; w += b.copiers)
        copy[w] = look(reinterpret_cast<const unsigned*>(shared_memory)[w]);
    }
    __syncwarp(mask);
    wait_for_block(mask, line);
  }
  next_step(mask);
  my_place() |= barred_bit;
  asm volatile("" ::: "memory");
}

__device__ __noinline__ void warp_barrier(unsigned named = ~0u, int line = __builtin_LINE()) {
  record_bare(warp_barrier_reached, 0, line);
  const unsigned mask = my_mask();
  named &= lanes_of_warp();
  WarpState& w = warp_state();
  if (__any_sync(mask, (named & ~(mask | look(w.gone))) != 0)) {
    const unsigned me = 1u << lane();
    atomicOr(&w.at_warp_barrier, me);
    meet(named, 31, false, false, line);
    atomicAnd(&w.at_warp_barrier, ~me);
  }
  __threadfence_block();
  __syncwarp(mask);
}

__device__ inline void fence(Scope scope, int line) {
  record_bare(fenced, scope, line);
  if (scope == device_scope) __threadfence();
  else __threadfence_block();
}

// A thread that naps waits for others: the loop that it is in may go round as often as it likes, as long as there is progress.
__device__ __noinline__ void nap(unsigned ns, int line) {
  const unsigned mask = my_mask(), me = 1u << lane();
  WarpState& w = warp_state();
  my_place() |= waited_bit;
  atomicOr(&w.napping, me);
  __nanosleep(ns < 100 ? 100 : ns);
  atomicAnd(&w.napping, ~me);
  __syncwarp(mask);
  if (__any_sync(mask, leads(mask) && stop_wanted())) give_up(line, stopped_in_loop);
}

// ---- statements ----

struct Statement {
  unsigned mask = my_mask(), depth = my_depth();
  int line;
  __device__ explicit Statement(int line, unsigned levels) : line(line) { set_depth(depth + levels); }
  __device__ void set_depth(unsigned d) { my_place() = (my_place() & ~((1u << depth_bits) - 1)) | d; }
  // All its lanes meet; those that are on their way out of an iteration go on apart from the others.
  __device__ void end() {
    const bool stays = !(my_place() & leaving_bit);
    go_on(meet(mask, depth, stays, false, line), stays);
    set_depth(depth);
  }
  static __device__ void go_on(Met met, bool stays) { my_mask() = stays ? met.staying : met.group & ~met.staying; }
};

struct Region : Statement {
  __device__ __noinline__ explicit Region(int line) : Statement(line, 1) {}
  __device__ bool takes(bool condition) { return part(condition, depth, line); }
  __device__ __noinline__ ~Region() {
    if (!is_gone()) end();
  }
};

struct Loop : Statement {
  unsigned next;  // lanes that look whether they go round once more
  unsigned trips = 0, barred = 0;  // rounds since it last waited for another thread; rounds with a block barrier
  bool entered = false, broken = false;
  __device__ __noinline__ explicit Loop(int line) : Statement(line, 2) { next = mask; }
  __device__ __noinline__ bool once() {
    if (!entered) return entered = true;
    if (!broken) meet(next, depth + 1, false, false, line);
    return false;
  }
  __device__ void continues() { my_place() |= leaving_bit; }
  __device__ void breaks() {
    continues();
    broken = true;
  }
  __device__ __noinline__ ~Loop() {
    if (!is_gone()) end();
  }
};

struct Iteration {
  Loop& loop;
  unsigned mask;
  __device__ __noinline__ explicit Iteration(Loop& l) : loop(l) {
    mask = my_mask() = meet(loop.next, loop.depth + 1, true, true, loop.line).staying;
    loop.trips = my_place() & waited_bit ? 0 : loop.trips + 1;
    if (my_place() & barred_bit) ++loop.barred;
    my_place() &= ~(waited_bit | barred_bit);
    if (__any_sync(mask, loop.trips > upsweep_log.trips || loop.barred > upsweep_log.barrier_trips)) {
      atomicCAS(&upsweep_log.want_stop, run_on, stop_endless);
      give_up(loop.line, stopped_for_trips);
    }
  }
  __device__ __noinline__ ~Iteration() {
    if (is_gone()) return;
    my_place() &= ~leaving_bit;
    const Met met = meet(mask, loop.depth + 1, !loop.broken, false, loop.line);
    loop.next = met.staying;
    Statement::go_on(met, !loop.broken);
  }
};

// ---- memory ----

// An index and the line it was written on.
struct At {
  long long index;
  int line;
  __device__ constexpr At(int i, int line = __builtin_LINE()) : index(i), line(line) {}
  __device__ constexpr At(unsigned i, int line = __builtin_LINE()) : index(i), line(line) {}
  __device__ constexpr At(long long i, int line = __builtin_LINE()) : index(i), line(line) {}
};

// What a view's type says: an element, which is tracked, or a word, which is a plain number; perhaps const or volatile.
template <class T>
struct Cells {
  using Value = T;
  using Stored = T;
  static constexpr bool constant = false, careful = false, words = true;
  static __device__ Stored stored(Value v) { return v; }
  static __device__ Origin origin(Value) { return 0; }
  static __device__ Value value(Stored s, Origin) { return s; }
};
template <class V>
struct Cells<Tracked<V>> {
  using Value = Tracked<V>;
  using Stored = V;
  static constexpr bool constant = false, careful = false, words = false;
  static __device__ Stored stored(Value v) { return v.value; }
  static __device__ Origin origin(Value v) { return v.origin; }
  static __device__ Value value(Stored s, Origin o) { return {s, o}; }
};
template <class T>
struct Cells<const T> : Cells<T> {
  static constexpr bool constant = true;
};
template <class T>
struct Cells<volatile T> : Cells<T> {
  static constexpr bool careful = true;
};

// Cells of shared or global memory.
template <class T, bool shared>
struct View {
  using Of = Cells<T>;
  using Value = typename Of::Value;
  using Stored = typename Of::Stored;
  Stored* cells;    // cell 0
  long long count;  // cells that the memory holds from there on
  unsigned buffer;  // global: which; shared: the byte of cell 0

  __device__ long long first() const { return shared ? buffer : 0; }
  __device__ bool holds(long long index, int parts = 1) const { return index >= (shared ? -first() / int(sizeof(Stored)) : 0) && index + parts <= count; }
  __device__ long long address(long long index) const { return first() + index * static_cast<long long>(sizeof(Stored)); }
  __device__ static Request request(Kind kind, unsigned detail, unsigned parts, unsigned where) {
    return {kind,
            detail,
            Of::careful ? is_volatile : 0u,
            parts,
            static_cast<unsigned>(sizeof(Stored)) * (atomic(kind) ? 1 : parts),
            shared ? 0 : where,
            shared ? where : 0};
  }
};

template <class T, bool shared>
struct CellAddress {
  View<T, shared> view;
  At at;
};

template <class T, bool shared>
__device__ __noinline__ typename View<T, shared>::Value load(const View<T, shared>& v, At at) {
  using Of = Cells<T>;
  typename Of::Stored s{};
  if (v.holds(at.index)) {
    if constexpr (Of::careful) s = volatile_load(static_cast<const volatile typename Of::Stored*>(v.cells + at.index));
    else s = v.cells[at.index];
  }
  asm volatile("" ::: "memory");
  if constexpr (Of::careful) my_place() |= waited_bit;
  settle(my_mask(), s);
  const Request r = v.request(shared ? shared_load : global_load, 0, 1, v.buffer);
  return Of::value(s, record(r, v.address(at.index), !v.holds(at.index), at.line, s, 0, 0));
}

template <class T, bool shared>
__device__ __noinline__ void store(const View<T, shared>& v, At at, typename View<T, shared>::Value value) {
  using Of = Cells<T>;
  static_assert(!Of::constant, "What is Global<const T> cannot be written.");
  const typename Of::Stored s = Of::stored(value);
  const Request r = v.request(shared ? shared_store : global_store, 0, 1, v.buffer);
  const unsigned mask = my_mask();
  constexpr bool in_turn = Of::words;  // an atomic may see it
  if (in_turn) lock(mask);
  record(r, v.address(at.index), !v.holds(at.index), at.line, s, Of::origin(value), 0);
  if (v.holds(at.index)) {
    if constexpr (Of::careful) volatile_store(static_cast<volatile typename Of::Stored*>(v.cells + at.index), s);
    else v.cells[at.index] = s;
  }
  asm volatile("" ::: "memory");
  if (in_turn) unlock(mask);
}

// A cell, not yet read or assigned. It must be read where it is written: `T x = temp[i]` (with `auto`, the read would happen late; it does
// not compile).
template <class T, bool shared>
struct Cell {
  View<T, shared> view;
  At at;
  using Value = typename View<T, shared>::Value;
  __device__ operator Value() && { return load(view, at); }
  __device__ void operator=(Value v) && { store(view, at, v); }
  __device__ void operator=(Cell&& other) && { store(view, at, load(other.view, other.at)); }
  __device__ CellAddress<T, shared> operator&() && { return {view, at}; }
};

// An atomic: `change` does it at an address and gives the value before, `after` computes what follows from that.
template <class T, bool shared, class Change, class After>
__device__ inline typename View<T, shared>::Stored change(CellAddress<T, shared> a, Atomic how, Origin given, int line, Change change,
                                                          After after) {
  using Stored = typename View<T, shared>::Stored;
  const View<T, shared>& v = a.view;
  const unsigned mask = my_mask();
  const bool inside = v.holds(a.at.index);
  const long long address = v.address(a.at.index);
  const Request r = v.request(shared ? shared_atomic : global_atomic, how, 2, v.buffer);
  my_place() |= waited_bit;
  lock(mask);
  const Ticket t = begin_event(mask, r, address, !inside, line);
  Stored before{}, then{};
  if (inside) before = change(v.cells + a.at.index), then = after(before);
  settle(mask, before);
  unlock(mask);
  write_lane(t, mask, r, 0, address, before, given, 0);
  write_lane(t, mask, r, 1, address, then, given, 0);
  bool changed = false;
  for (unsigned w = 0; w < sizeof(Stored) / 4; ++w)
    changed = changed || reinterpret_cast<const unsigned*>(&before)[w] != reinterpret_cast<const unsigned*>(&then)[w];
  if (changed) progress();
  __syncwarp(mask);
  return before;
}

// ---- registers ----

// What a register's value looks like to a shuffle.
template <class V>
struct Register {
  static __device__ V plain(V x) { return x; }
  static __device__ Origin origin(V) { return 0; }
  static __device__ V make(V x, Origin) { return x; }
};
template <class V>
struct Register<Tracked<V>> {
  static __device__ V plain(Tracked<V> x) { return x.value; }
  static __device__ Origin origin(Tracked<V> x) { return x.origin; }
  static __device__ Tracked<V> make(V x, Origin o) { return {x, o}; }
};

// A value from another lane: its own where that lies beyond the warp, zero from one that is not there (hardware leaves it open).
template <class X>
__device__ inline X shuffle(Shuffle how, X x, unsigned source, int line) {
  const unsigned mask = my_mask();
  if (source > 31) source = lane();
  const bool there = mask >> source & 1;
  auto value = Register<X>::plain(x);
  constexpr unsigned words = sizeof value / 4;
  unsigned bits[words];
  memcpy(bits, &value, sizeof value);
  for (unsigned w = 0; w < words; ++w) {
    const unsigned taken = __shfl_sync(mask, bits[w], source);
    bits[w] = there ? taken : 0;
  }
  memcpy(&value, bits, sizeof value);
  const Origin theirs = __shfl_sync(mask, Register<X>::origin(x), source), given = there ? theirs : 0;
  const Request r = {shuffled, how, 0, 1, sizeof value, 0, 0};
  return Register<X>::make(value, record(r, source, false, line, value, given, 0));
}
template <class X>
__device__ inline X shuffle_index(unsigned, X x, int from, int line = __builtin_LINE()) {
  return shuffle(from_index, x, from & 31, line);
}
template <class X>
__device__ inline X shuffle_up(unsigned, X x, unsigned k, int line = __builtin_LINE()) {
  return shuffle(from_up, x, lane() - k, line);
}
template <class X>
__device__ inline X shuffle_down(unsigned, X x, unsigned k, int line = __builtin_LINE()) {
  return shuffle(from_down, x, lane() + k, line);
}
template <class X>
__device__ inline X shuffle_xor(unsigned, X x, int k, int line = __builtin_LINE()) {
  return shuffle(from_xor, x, lane() ^ k, line);
}
template <class X>
__device__ inline X shuffle_sum(unsigned, X x, int line = __builtin_LINE()) {
  const auto sum = warp_sum(my_mask(), Register<X>::plain(x));
  const Request r = {shuffled, reduce_add, 0, 1, sizeof sum, 0, 0};
  return Register<X>::make(sum, record(r, lane(), false, line, sum, Register<X>::origin(x), 0));
}

__device__ inline unsigned vote(Vote how, bool condition, int line) {
  const unsigned mask = my_mask(), yes = __ballot_sync(mask, condition);
  const unsigned result = how == ballot ? yes : how == any ? yes != 0 : yes == mask;
  record(Request{voted, how, 0, 1, 4, 0, 0}, lane(), false, line, result, 0, 0);
  return result;
}
__device__ inline unsigned vote_ballot(unsigned, bool c, int line = __builtin_LINE()) { return vote(ballot, c, line); }
__device__ inline int vote_any(unsigned, bool c, int line = __builtin_LINE()) { return vote(any, c, line); }
__device__ inline int vote_all(unsigned, bool c, int line = __builtin_LINE()) { return vote(all, c, line); }

// ---- blocks ----

__device__ __noinline__ void begin_block(LogStart start) {
  unsigned* const end = shared_end();
  #pragma unroll 1
  for (unsigned* word = end - log_shared_bytes(blockDim.x) / 4 + threadIdx.x; word < end; word += blockDim.x) *word = 0;
  __syncthreads();
  my_mask() = lanes_of_warp();
  if (threadIdx.x == 0) {
    BlockState& b = block_state();
    b.count = blockDim.x << 16;
    b.grid = start.grid;
    b.shared_bytes = start.shared_bytes;
    b.in_focus = blockIdx.x - upsweep_log.first_focus < upsweep_log.focus;
    b.run = atomicAdd(&upsweep_log.runs_known, 1u);
    if (b.run < upsweep_log.run_capacity) {
      unsigned sm;
      asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
      upsweep_log.runs[b.run] = {start.grid, blockIdx.x, sm, b.in_focus, nanoseconds(), 0};
    }
    if (!find_count(start.grid, 0, 0, log_step)) atomicAdd(&upsweep_log.counts_lost, 1u);
    progress();
  }
  __syncthreads();
  if (stop_wanted()) asm volatile("exit;");
}

}  // namespace upsweep

// A kernel of the text as the traced machine launches it.
template <auto kernel, class... P>
__global__ void upsweep_entry(LogStart start, P... parameters) {
  upsweep::begin_block(start);
  kernel(parameters...);
  upsweep::leave();
}

namespace upsweep {

// A child grid, with an index of its own; all beyond the recorder's room share one that the host knows nothing of.
template <auto kernel, class... P, class... A>
__device__ inline void launch_child(void (*)(P...), ChildLaunch how, unsigned which, int line, int blocks, int threads, A... arguments) {
  const unsigned mask = my_mask();
  const unsigned index = atomicAdd(&upsweep_log.grids_known, 1u);
  const bool known = index < upsweep_log.grid_capacity;
  const Request r = {launched, how, 0, 1, 0, 0, 0};
  const Ticket t = begin_event(mask, r, 0, false, line);
  if (t.event) reinterpret_cast<long long*>(t.data)[__popc(mask & ((1u << lane()) - 1))] = known ? static_cast<long long>(index) : -1;
  if (known)
    upsweep_log.grids[index] = {block_state().grid, t.event ? t.slot : none, which, static_cast<unsigned>(blocks),
                                static_cast<unsigned>(threads)};
  __threadfence();
  __syncwarp(mask);
  const LogStart start = {known ? index : upsweep_log.grid_capacity, 0};
  if (how == tail)
    upsweep_entry<kernel, P...><<<blocks, threads, log_shared_bytes(threads), cudaStreamTailLaunch>>>(start, P(arguments)...);
  else
    upsweep_entry<kernel, P...><<<blocks, threads, log_shared_bytes(threads), cudaStreamFireAndForget>>>(start, P(arguments)...);
  __syncwarp(mask);
}

}  // namespace upsweep

using upsweep::Iteration, upsweep::Loop, upsweep::Region;
using Element = upsweep::Tracked<upsweep::Plain>;

// Global memory that a launch was given.
template <class T>
struct Global : upsweep::View<T, false> {
  Global() = default;
  // What may be read and written may be given to who only reads, or is careful.
  template <class U>
  __device__ Global(const Global<U>& other) : upsweep::View<T, false>{other.cells, other.count, other.buffer} {
    T* allowed = static_cast<U*>(nullptr);
    static_cast<void>(allowed);
  }
  __device__ upsweep::Cell<T, false> operator[](upsweep::At at) const { return {*this, at}; }
};
static_assert(sizeof(Global<Element>) == sizeof(LogMemory), "");

// The block's dynamic shared memory: from its beginning, or behind `count` cells of another view of it.
template <class T>
struct Shared : upsweep::View<T, true> {
  using View = upsweep::View<T, true>;
  __device__ Shared() : View(from(0)) {}
  template <class U>
  __device__ Shared(const Shared<U>& other, int count) : View(from(other.address(count))) {}
  __device__ upsweep::Cell<T, true> operator[](upsweep::At at) const { return {*this, at}; }

 private:
  static __device__ View from(long long byte) {
    using Stored = typename View::Stored;
    return {reinterpret_cast<Stored*>(upsweep::shared_memory + byte),
            (static_cast<long long>(upsweep::block_state().shared_bytes) - byte) / static_cast<int>(sizeof(Stored)), static_cast<unsigned>(byte)};
  }
};

template <class T>
__device__ inline T identity() {
  return upsweep::Chosen::identity();
}

__device__ inline Element op(Element left, Element right, int line = __builtin_LINE()) {
  using namespace upsweep;
  const Plain v = Chosen::combine(left.value, right.value);
  const Request r = {operation_done, 0, 0, 1, sizeof(Plain), 0, 0};
  return {v, record(r, 0, false, line, v, left.origin, right.origin)};
}

// Elements 4i ... 4i + 3, in accesses of at most 16 bytes.
template <class T, bool shared>
__device__ inline Four<typename upsweep::View<T, shared>::Value> load_four(const upsweep::View<T, shared>& v, upsweep::At at) {
  using namespace upsweep;
  using Of = Cells<T>;
  using Stored = typename Of::Stored;
  constexpr unsigned parts = sizeof(Stored) >= 16 ? 1 : 16 / sizeof(Stored);
  typename Of::Value values[4];
  const unsigned mask = my_mask();
  for (unsigned p = 0; p < 4; p += parts) {
    const long long index = 4 * at.index + p;
    const bool inside = v.holds(index, parts);
    Stored s[parts]{};
    uint4 all{};
    if (inside) all = *reinterpret_cast<const uint4*>(v.cells + index);
    memcpy(s, &all, sizeof s);
    settle(mask, all);
    const Request r = v.request(shared ? shared_load : global_load, 0, parts, v.buffer);
    const Ticket t = begin_event(mask, r, v.address(index), !inside, at.line);
    for (unsigned k = 0; k < parts; ++k) {
      write_lane(t, mask, r, k, v.address(index + k), s[k], 0, 0);
      values[p + k] = Of::value(s[k], t.origin(k));
    }
    __syncwarp(mask);
  }
  return {values[0], values[1], values[2], values[3]};
}
template <class T, bool shared>
__device__ inline void store_four(const upsweep::View<T, shared>& v, upsweep::At at,
                                  const Four<typename upsweep::View<T, shared>::Value>& four) {
  using namespace upsweep;
  using Of = Cells<T>;
  using Stored = typename Of::Stored;
  constexpr unsigned parts = sizeof(Stored) >= 16 ? 1 : 16 / sizeof(Stored);
  const typename Of::Value values[4] = {four.x, four.y, four.z, four.w};
  const unsigned mask = my_mask();
  for (unsigned p = 0; p < 4; p += parts) {
    const long long index = 4 * at.index + p;
    const bool inside = v.holds(index, parts);
    const Request r = v.request(shared ? shared_store : global_store, 0, parts, v.buffer);
    const Ticket t = begin_event(mask, r, v.address(index), !inside, at.line);
    Stored s[parts];
    for (unsigned k = 0; k < parts; ++k) {
      s[k] = Of::stored(values[p + k]);
      write_lane(t, mask, r, k, v.address(index + k), s[k], Of::origin(values[p + k]), 0);
    }
    uint4 all;
    memcpy(&all, s, sizeof all);
    if (inside) *reinterpret_cast<uint4*>(v.cells + index) = all;
    __syncwarp(mask);
  }
}

// Atomics give the value before.
template <class T, bool shared>
__device__ inline unsigned atomicAdd(upsweep::CellAddress<T, shared> a, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::add_to, 0, line, [=](unsigned* at) { return atomicAdd(at, k); }, [=](unsigned x) { return x + k; });
}
template <class T, bool shared>
__device__ inline unsigned atomicMin(upsweep::CellAddress<T, shared> a, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::minimum, 0, line, [=](unsigned* at) { return atomicMin(at, k); }, [=](unsigned x) { return min(x, k); });
}
template <class T, bool shared>
__device__ inline unsigned atomicMax(upsweep::CellAddress<T, shared> a, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::maximum, 0, line, [=](unsigned* at) { return atomicMax(at, k); }, [=](unsigned x) { return max(x, k); });
}
template <class T, bool shared>
__device__ inline unsigned atomicOr(upsweep::CellAddress<T, shared> a, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::bit_or, 0, line, [=](unsigned* at) { return atomicOr(at, k); }, [=](unsigned x) { return x | k; });
}
template <class T, bool shared>
__device__ inline unsigned atomicExch(upsweep::CellAddress<T, shared> a, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::exchange, 0, line, [=](unsigned* at) { return atomicExch(at, k); }, [=](unsigned) { return k; });
}
template <class T, bool shared>
__device__ inline unsigned atomicCAS(upsweep::CellAddress<T, shared> a, unsigned compare, unsigned k, int line = __builtin_LINE()) {
  return upsweep::change(a, upsweep::compare_and_swap, 0, line, [=](unsigned* at) { return atomicCAS(at, compare, k); },
                         [=](unsigned x) { return x == compare ? k : x; });
}
template <class T, bool shared, class V>
__device__ inline void atomic_op(upsweep::CellAddress<T, shared> a, upsweep::Tracked<V> x, int line = __builtin_LINE()) {
  upsweep::change(a, upsweep::combine, x.origin, line, [=](V* at) { return upsweep::atomic_combine(at, x.value); },
                  [=](V before) { return upsweep::Chosen::combine(before, x.value); });
}

// The step that begins here does this: it is the step that the last barrier opened, if that has no label yet,
// else a new one.
__device__ inline void step(Phase phase, int stride = 0) {
  using namespace upsweep;
  if (my_place() & labelled_bit) next_step(my_mask());
  my_place() |= labelled_bit;
  if (threadIdx.x == 0)
    if (LogCount* label = find_count(block_state().grid, my_step(), 0, log_step)) {
      label->requests = 1 + static_cast<unsigned>(phase);
      label->lanes = static_cast<unsigned long long>(static_cast<long long>(stride));
    }
  __syncwarp(my_mask());
}

#undef __global__
#define __global__ __device__ inline
#define __syncthreads() upsweep::barrier(__LINE__)
#define __syncwarp upsweep::warp_barrier
#define __threadfence() upsweep::fence(upsweep::device_scope, __LINE__)
#define __threadfence_block() upsweep::fence(upsweep::block_scope, __LINE__)
#define __nanosleep(ns) upsweep::nap(ns, __LINE__)
#define __shfl_sync upsweep::shuffle_index
#define __shfl_up_sync upsweep::shuffle_up
#define __shfl_down_sync upsweep::shuffle_down
#define __shfl_xor_sync upsweep::shuffle_xor
#define __reduce_add_sync upsweep::shuffle_sum
#define __ballot_sync upsweep::vote_ballot
#define __any_sync upsweep::vote_any
#define __all_sync upsweep::vote_all
#define launch_tail(kernel, ...) upsweep::launch_child<kernel>(kernel, upsweep::tail, upsweep::index_of_##kernel, __LINE__, __VA_ARGS__)
#define launch_now(kernel, ...) \
  upsweep::launch_child<kernel>(kernel, upsweep::fire_and_forget, upsweep::index_of_##kernel, __LINE__, __VA_ARGS__)

// The keywords say where statements begin and end, and where lanes leave them (see also keywords.cuh).
// clang-format off: it would put a space after the keyword, and make an object-like macro of it.
#define UPSWEEP_OPEN (
#define if(...) if UPSWEEP_OPEN Region upsweep_region{__LINE__}; upsweep_region.takes(__VA_ARGS__))
// Unrolled, a loop would only be longer.
#define for(...)                                              \
  for (Loop upsweep_loop{__LINE__}; upsweep_loop.once();)     \
    _Pragma("unroll 1") for (__VA_ARGS__)                     \
      if UPSWEEP_OPEN Iteration upsweep_iteration{upsweep_loop}; false) {} \
      else
#define while(...) for (; __VA_ARGS__;)
#define break if UPSWEEP_OPEN upsweep_loop.breaks(), false) {} else break
#define continue if UPSWEEP_OPEN upsweep_loop.continues(), false) {} else continue
#define return return upsweep::leave()
#define do static_assert(false, "A kernel loops with for or while, so that the recorder sees where an iteration begins.");
#define switch static_assert(false, "A kernel branches with if and else, so that the recorder sees where lanes meet again.");
#define goto static_assert(false, "A kernel has no goto: lanes meet again at the end of structured statements.");
// clang-format on
