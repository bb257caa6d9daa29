// Decides which lanes run together on the traced machine.
//
// The hardware cannot decide this, because the hardware does not guarantee that lanes reconverge. Instead, each lane has the mask of the lanes that run with
// it. The keywords update this mask by the convergence rule (src/machine/emulator/control_flow.hpp). Lanes separate at a condition, the lanes of an `if` run
// before the lanes of its `else`, and all lanes reconverge at the end of the statement. While lanes wait there or at a barrier, they also check whether the
// run must stop. So no kernel can hang the GPU.
#pragma once
#include "gpu_recorder.cuh"

namespace upsweep {

// ---- leaving, meeting, waiting ----

__device__ __noinline__ void release(BlockState& b, unsigned count);

// Marks the calling thread as exited in the state of its warp and its block.
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

// Ends the calling thread, because the run is being stopped. The thread still counts as running, because otherwise the threads that wait for this thread
// would continue.
__device__ __noinline__ void give_up(int line, unsigned why) {
  const unsigned i = atomicAdd(&upsweep_log.stops_known, 1u);
  if (i < upsweep_log.stop_capacity) upsweep_log.stops[i] = {block_state().grid, my_block(), my_thread(), static_cast<unsigned>(line), why};
  asm volatile("exit;");
}

struct Met {
  unsigned group;    // the lanes that met
  unsigned staying;  // the lanes of `group` that stay in the loop
};

// Waits for the other lanes of a mask. Does not wait for lanes that have ended or that wait at a block barrier, because the calling lanes never meet
// such lanes again. All lanes that meet must pass the same mask and depth.
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
          (thread_words() + block_threads() - lane() + (__ffs(rest) - 1))[0] |= met.group;
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

// Returns the condition of the calling lane. The lanes with a true condition run first. The other lanes wait until every lane with a true condition has left
// the statement or waits for something.
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

// Releases the threads that wait at the block's barrier, if all threads that have not ended have arrived. In
// a block in focus, a barrier releases the threads twice: first to copy the block's shared memory, and again
// when the copy is complete.
__device__ __noinline__ void release(BlockState& b, unsigned count) {
  const unsigned left = count >> 16;
  if ((count & 0xffff) != left || left == 0) return;
  __threadfence_block();
  WarpState* first = &warp_state() + my_warp();
  #pragma unroll 1
  for (unsigned w = 0; w < (block_threads() + 31) / 32; ++w) (first - w)->at_barrier = 0;
  b.copying = !b.copying && b.in_focus && b.shared_bytes > 0;
  if (b.copying) {
    const unsigned i = atomicAdd(&upsweep_log.snapshots_known, 1u);
    const unsigned words = b.shared_bytes / 4;
    const unsigned long long taken = (words + 3) / 4 * 4;  // everything in the pool begins at a multiple of 16 bytes
    const unsigned long long place = atomicAdd(&upsweep_log.next, taken) & ((1ull << log_pool_bits) - 1);
    if (place + taken >= 1ull << log_pool_bits) upsweep_log.overflowed = 1;
    const bool kept = i < upsweep_log.snapshot_capacity && place + words <= upsweep_log.pool_capacity;
    if (kept) upsweep_log.snapshots[i] = {b.grid, my_block(), b.step + 1, 0, place};
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

// Moves the calling lanes to their next step.
__device__ __noinline__ void next_step(unsigned mask) {
  my_place() = (my_step() + 1) << step_shift | (my_place() & (waited_bit | barred_bit)) | my_depth();
  if (leads(mask) && !find_count(block_state().grid, my_step(), 0, log_step)) atomicAdd(&upsweep_log.counts_lost, 1u);
  __syncwarp(mask);
}

// A block-wide barrier, which begins the next step. Each group of lanes that arrives together records the
// barrier once. Then, in a block in focus, all threads that arrived copy the block's shared memory.
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

// Executes __nanosleep: the calling thread waits for other threads. While any thread makes progress, the recorder does not stop the loop around this
// call.
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
  // All lanes of the statement wait here. Then the lanes form two groups, which run separately: the lanes that stay in the iteration, and the lanes that leave it.
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
  unsigned next;  // the lanes that evaluate the loop's condition next
  unsigned trips = 0, barred = 0;  // `trips`: iterations since the thread last waited for another thread; `barred`: iterations with a block barrier
  unsigned long long began = nanoseconds();
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
    const bool many = loop.trips > upsweep_log.trips || loop.barred > upsweep_log.barrier_trips;
    if (__any_sync(mask, many && nanoseconds() - loop.began >= upsweep_log.patience * 1000000ull)) {
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

}  // namespace upsweep
