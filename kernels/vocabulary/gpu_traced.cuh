// The traced machine records every access, operation and barrier, with the lanes that ran together. Shared memory has the same plain elements in the
// same places as on the fast machine. Only registers contain the origins of their values.
#pragma once
#include "gpu_cells.cuh"

namespace upsweep {

// ---- blocks ----

__device__ __noinline__ void begin_block(LogStart start) {
  unsigned* const end = shared_end();
  #pragma unroll 1
  for (unsigned* word = end - log_shared_bytes(block_threads()) / 4 + my_thread(); word < end; word += block_threads()) *word = 0;
  __syncthreads();
  my_mask() = lanes_of_warp();
  if (my_thread() == 0) {
    BlockState& b = block_state();
    b.count = block_threads() << 16;
    b.grid = start.grid;
    b.shared_bytes = start.shared_bytes;
    b.in_focus = my_block() - upsweep_log.first_focus < upsweep_log.focus;
    b.run = atomicAdd(&upsweep_log.runs_known, 1u);
    if (b.run < upsweep_log.run_capacity) {
      unsigned sm;
      asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
      upsweep_log.runs[b.run] = {start.grid, my_block(), sm, b.in_focus, nanoseconds(), 0};
    }
    if (!find_count(start.grid, 0, 0, log_step)) atomicAdd(&upsweep_log.counts_lost, 1u);
    progress();
  }
  __syncthreads();
  if (stop_wanted()) asm volatile("exit;");
}

}  // namespace upsweep

// In a recorded run, the host launches this function instead of the kernel. This function calls the kernel.
template <auto kernel, class... P>
__global__ void upsweep_entry(LogStart start, P... parameters) {
  upsweep::begin_block(start);
  kernel(parameters...);
  upsweep::leave();
}

namespace upsweep {

// Launches a child grid. Each child grid gets a new index while the recorder has room. All later child grids get the same index, which the host ignores.
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
// An element of the input, in the form in which memory stores the element.
template <class T>
using Pixel = typename upsweep::Either<upsweep::byte_pixels, upsweep::BytePixel<T>, T>::Type;

// Global memory that a launch passes to its kernel.
template <class T>
struct Global : upsweep::View<T, false> {
  Global() = default;
  // Converts as pointers do: for example, Global<T> to Global<const T>.
  template <class U>
  __device__ Global(const Global<U>& other) : upsweep::View<T, false>{other.cells, other.count, other.buffer} {
    T* allowed = static_cast<U*>(nullptr);
    static_cast<void>(allowed);
  }
  __device__ upsweep::Cell<T, false> operator[](upsweep::At at) const { return {*this, at}; }
};
static_assert(sizeof(Global<Element>) == sizeof(LogMemory), "");

// A view of the block's dynamic shared memory. The view begins at the beginning of this memory, or after `count` cells of another view.
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
    if (sizeof(Stored) == 4) byte = (byte + 3) / 4 * 4;  // words that follow smaller elements begin at a multiple of 4
    return {reinterpret_cast<Stored*>(upsweep::shared_memory + byte),
            (static_cast<long long>(upsweep::block_state().shared_bytes) - byte) / static_cast<int>(sizeof(Stored)), static_cast<unsigned>(byte)};
  }
};

// Returns the identity of the operator. For counts and numbers, this is 0.
template <class T>
__device__ inline T identity() {
  if constexpr (upsweep::same_type<T, Element>) return upsweep::Chosen::identity();
  else return T{};
}

__device__ inline Element op(Element left, Element right, int line = __builtin_LINE()) {
  using namespace upsweep;
  const Plain v = Chosen::combine(left.value, right.value);
  const Request r = {operation_done, 0, 0, 1, sizeof(Plain), 0, 0};
  return {v, record(r, 0, false, line, v, left.origin, right.origin)};
}
__device__ inline Count op(Count left, Count right, int line = __builtin_LINE()) {
  using namespace upsweep;
  const unsigned sum = left.value + right.value;
  const Request r = {operation_done, 0, is_count, 1, sizeof sum, 0, 0};
  return {sum, record(r, 0, false, line, sum, left.origin, right.origin)};
}

// Functions of an element that is a pair (a, b): second() returns b, and apply() returns a * y + b.
template <class N>
__device__ inline upsweep::PartOfPair<N> second(upsweep::Tracked<Affine<N>> pair) {
  return {pair.value.b, pair.origin};
}
template <class N>
__device__ inline upsweep::PartOfPair<N> apply(upsweep::Tracked<Affine<N>> pair, upsweep::PartOfPair<N> y, int line = __builtin_LINE()) {
  using namespace upsweep;
  const N v = add(multiply(pair.value.a, y.value), pair.value.b);
  const Request r = {operation_done, 0, is_number, 1, sizeof v, 0, 0};
  return {v, record(r, 0, false, line, v, pair.origin, y.origin)};
}

template <class V>
__device__ inline bool keep(upsweep::Tracked<V> x) {
  return keep(x.value);
}
template <class V>
__device__ inline unsigned order_bits(upsweep::Tracked<V> x) {
  return order_bits(x.value);
}
template <class V>
__device__ inline long long whole(upsweep::Tracked<V> x) {
  return whole(x.value);
}

namespace upsweep {

// The type for an access of `bytes` bytes.
template <unsigned bytes>
struct WholeOf {
  using Type = uint4;
};
template <>
struct WholeOf<4> {
  using Type = unsigned;
};
template <>
struct WholeOf<8> {
  using Type = uint2;
};
template <unsigned bytes>
using Whole = typename WholeOf<bytes>::Type;

// Loads the pack that begins at element `index`, in one access.
template <class T, bool shared>
__device__ inline void load_elements(const View<T, shared>& v, long long index, int line, typename View<T, shared>::Value* values) {
  using Of = Cells<T>;
  using Stored = typename Of::Stored;
  constexpr unsigned parts = Pack<Stored>::width;
  const unsigned mask = my_mask();
  const bool inside = v.holds(index, parts);
  Stored s[parts]{};
  Whole<parts * sizeof(Stored)> all{};
  if (inside) all = *reinterpret_cast<const decltype(all)*>(v.cells + index);
  memcpy(s, &all, sizeof s);
  settle(mask, all);
  const Request r = v.request(shared ? shared_load : global_load, 0, parts, v.buffer);
  const Ticket t = begin_event(mask, r, v.address(index), !inside, line);
  for (unsigned k = 0; k < parts; ++k) {
    write_lane(t, mask, r, k, v.address(index + k), s[k], 0, 0);
    values[k] = Of::value(s[k], t.origin(k));
  }
  __syncwarp(mask);
}
template <class T, bool shared>
__device__ inline void store_elements(const View<T, shared>& v, long long index, int line,
                                      const typename View<T, shared>::Value* values) {
  using Of = Cells<T>;
  using Stored = typename Of::Stored;
  constexpr unsigned parts = Pack<Stored>::width;
  const unsigned mask = my_mask();
  const bool inside = v.holds(index, parts);
  const Request r = v.request(shared ? shared_store : global_store, 0, parts, v.buffer);
  const Ticket t = begin_event(mask, r, v.address(index), !inside, line);
  Stored s[parts];
  for (unsigned k = 0; k < parts; ++k) {
    s[k] = Of::stored(values[k]);
    write_lane(t, mask, r, k, v.address(index + k), s[k], Of::origin(values[k]), 0);
  }
  Whole<parts * sizeof(Stored)> all;
  memcpy(&all, s, sizeof all);
  if (inside) *reinterpret_cast<decltype(all)*>(v.cells + index) = all;
  __syncwarp(mask);
}

}  // namespace upsweep

// Returns pack i, read in one access.
template <class T, bool shared>
__device__ inline Pack<typename upsweep::View<T, shared>::Value> load_pack(const upsweep::View<T, shared>& v, upsweep::At at) {
  Pack<typename upsweep::View<T, shared>::Value> pack;
  upsweep::load_elements(v, at.index * pack.width, at.line, pack.at);
  return pack;
}
template <class T, bool shared>
__device__ inline void stream_pack(const upsweep::View<T, shared>& v, upsweep::At at,
                                   const Pack<typename upsweep::View<T, shared>::Value>& pack) {
  upsweep::store_elements(v, at.index * pack.width, at.line, pack.at);
}
// Does nothing, because caches do not affect the recording.
template <class T, bool shared>
__device__ inline void prefetch(const upsweep::View<T, shared>&, int, int) {}

// Returns elements 4i ... 4i + 3, read in accesses of at most 16 bytes.
template <class T, bool shared>
__device__ inline Four<typename upsweep::View<T, shared>::Value> load_four(const upsweep::View<T, shared>& v, upsweep::At at) {
  typename upsweep::View<T, shared>::Value values[4];
  for (int p = 0; p < 4; p += Pack<T>::width) upsweep::load_elements(v, 4 * at.index + p, at.line, values + p);
  return {values[0], values[1], values[2], values[3]};
}
template <class T, bool shared>
__device__ inline void store_four(const upsweep::View<T, shared>& v, upsweep::At at,
                                  const Four<typename upsweep::View<T, shared>::Value>& four) {
  const typename upsweep::View<T, shared>::Value values[4] = {four.x, four.y, four.z, four.w};
  for (int p = 0; p < 4; p += Pack<T>::width) upsweep::store_elements(v, 4 * at.index + p, at.line, values + p);
}

// Each atomic returns the old value.
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

// Returns the count's old value.
template <class T, bool shared>
__device__ inline Count atomic_op(upsweep::CellAddress<T, shared> a, Count x, int line = __builtin_LINE()) {
  return {upsweep::change(a, upsweep::combine, x.origin, line, [=](unsigned* at) { return atomicAdd(at, x.value); },
                          [=](unsigned before) { return before + x.value; }),
          0};
}

namespace upsweep {

// Writes the label of a step. If blocks give different labels to the same step, the step gets the label of the block with the lowest index.
// `label->units` is 1 + the index of the block whose label is stored. `label->ideal` is 1 while a block writes the label.
__device__ inline void name_step(LogCount* label, unsigned long long phase, int stride) {
  const unsigned long long block = my_block() + 1ull;
  volatile unsigned long long* const named_by = &label->units;
  if (*named_by != 0 && *named_by <= block) return;
  while (atomicCAS(&label->ideal, 0ull, 1ull) != 0) {}
  __threadfence();
  if (*named_by == 0 || *named_by > block) {
    *static_cast<volatile unsigned long long*>(&label->requests) = phase;
    *static_cast<volatile unsigned long long*>(&label->lanes) = static_cast<unsigned long long>(static_cast<long long>(stride));
    *named_by = block;
  }
  __threadfence();
  atomicExch(&label->ideal, 0ull);
}

__device__ __noinline__ void label_step(unsigned long long phase, int stride) {
  if (my_place() & labelled_bit) next_step(my_mask());
  my_place() |= labelled_bit;
  if (my_thread() == 0)
    if (LogCount* label = find_count(block_state().grid, my_step(), 0, log_step)) name_step(label, phase, stride);
  __syncwarp(my_mask());
}

}  // namespace upsweep

// Labels the step that the last barrier began, if that step has no label yet. Otherwise, begins a new step and labels the new step.
__device__ inline void step(Phase phase, int stride = 0) { upsweep::label_step(1 + static_cast<unsigned>(phase), stride); }
// Labels a step with a phase that only this kernel has.
template <unsigned size>
__device__ inline void step(const char (&phase)[size], int stride = 0) {
  upsweep::label_step(log_phase(phase, size - 1), stride);
}

#undef __global__
#undef __launch_bounds__
#define __launch_bounds__(...)
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

// These macros replace the keywords of C++. They report where statements begin and end, and where lanes leave statements (see also keywords.cuh).
// clang-format off: it would put a space after each keyword, which makes the macro object-like.
#define UPSWEEP_OPEN (
#define if(...) if UPSWEEP_OPEN Region upsweep_region{__LINE__}; upsweep_region.takes(__VA_ARGS__))
// Loops are not unrolled, because unrolling only makes the code longer.
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
