// Defines the types and functions that kernels use on the emulator, with the names of vocabulary/gpu.cuh.
// This header is included before a kernel's text; vocabulary/host_end.hpp is included after the text.
#pragma once
#include <bit>
#include <limits>
#include <utility>

#include "trace/value.hpp"
#include "vocabulary/host_memory.hpp"

namespace upsweep::host {

// Returns the identity of the operator. For counts and numbers, this is 0.
template <class T>
T identity() {
  if constexpr (CellTraits<T>::flags != 0) return {};
  else return {from_bits<typename T::Number>(Thread::current->run_of->identity)};
}

template <class N>
N combine(const N& left, const N& right) {
  return from_bits<N>(Thread::current->run_of->combine(bits(left), bits(right)));
}

template <class N>
[[gnu::always_inline]] inline Tracked<N> op(
    const Tracked<N>& left, const Tracked<N>& right,
    const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  Tracked<N> result{combine(left.value, right.value)};
  constexpr What what(Kind::operation, sizeof(N));
  result.origin = thread.note(what, place(here), static_cast<std::int32_t>(right.origin), left.origin,
                              bits(result.value));
  result.depth = thread.apply(left.depth, right.depth);
  return result;
}

// Functions of one element. These functions record nothing.
template <class N>
bool keep(const Tracked<N>& x) {
  const Run& run = *Thread::current->run_of;
  return run.keep(run.settings.type, bits(x.value));
}
template <class N>
unsigned order_bits(const Tracked<N>& x) {
  return static_cast<unsigned>(upsweep::order_bits(Thread::current->run_of->settings.type, bits(x.value)));
}
template <class N>
long long whole(const Tracked<N>& x) {
  return static_cast<long long>(scalar(bits(x.value), Thread::current->run_of->settings.type));
}

inline Count op(const Count& left, const Count& right,
                const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  const std::uint32_t sum = left.value + right.value;
  const Origin origin =
      thread.note(What(Kind::operation, sizeof sum), place(here), static_cast<std::int32_t>(right.origin),
                  left.origin, bits(sum), CellTraits<Count>::flags);
  return {sum, origin, thread.apply(left.depth, right.depth)};
}

// Functions of an element that is a pair (a, b): second() returns b, and apply() returns a * y + b.
template <class N>
Number<Tracked<N>> second(const Tracked<N>& pair) {
  Number<Tracked<N>> b;
  std::memcpy(&b.value, reinterpret_cast<const std::byte*>(&pair.value) + sizeof(N) - sizeof b.value,
              sizeof b.value);
  b.origin = pair.origin;
  b.depth = pair.depth;
  return b;
}
template <class N>
Number<Tracked<N>> apply(const Tracked<N>& pair, const std::type_identity_t<Number<Tracked<N>>>& y,
                         const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  Tracked<N> constant{};  // the affine map with a = 0 and b = y
  std::memcpy(reinterpret_cast<std::byte*>(&constant.value) + sizeof(N) - sizeof y.value, &y.value,
              sizeof y.value);
  Number<Tracked<N>> result = second(Tracked<N>{combine(constant.value, pair.value)});
  constexpr What what(Kind::operation, sizeof result.value);
  result.origin = thread.note(what, place(here), static_cast<std::int32_t>(y.origin), pair.origin,
                              bits(result.value), CellTraits<Number<Tracked<N>>>::flags);
  result.depth = thread.apply(pair.depth, y.depth);
  return result;
}

// Each atomic returns the old value.
template <class A>
unsigned atomicAdd(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::add, 0, 0, [&](unsigned before) { return before + k; });
}
template <class A>
unsigned atomicMin(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::minimum, 0, 0, [&](unsigned before) { return k < before ? k : before; });
}
template <class A>
unsigned atomicMax(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::maximum, 0, 0, [&](unsigned before) { return k > before ? k : before; });
}
template <class A>
unsigned atomicOr(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::bit_or, 0, 0, [&](unsigned before) { return before | k; });
}
template <class A>
unsigned atomicExch(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::exchange, 0, 0, [&](unsigned) { return k; });
}
template <class A>
unsigned atomicCAS(const A& a, unsigned compare, unsigned k) {
  return a.view.change(a.at, Atomic::compare_and_swap, 0, 0,
                       [&](unsigned before) { return before == compare ? k : before; });
}
template <class A, class N>
void atomic_op(const A& a, const Tracked<N>& x) {
  a.view.change(a.at, Atomic::combine, x.origin, x.depth,
                [&](const N& before) { return combine(before, x.value); });
}

template <class A>
Count atomic_op(const A& a, const Count& x) {
  return a.view.change(a.at, Atomic::combine, x.origin, x.depth,
                       [&](std::uint32_t before) { return before + x.value; });
}

// Executes an operation by which all lanes of a mask exchange values. Each lane passes one value and receives
// one value.
template <class V>
V exchange(What what, unsigned mask, const V& x, int parameter, TextPlace where) {
  using Traits = CellTraits<V>;
  Thread& thread = *Thread::current;
  what = what.outside((mask >> thread.lane & 1) == 0);
  thread.given = bits(Traits::number(x));
  thread.given_origin = Traits::origin(x);
  thread.given_depth = Traits::depth(x);
  thread.parameter = parameter;
  thread.meet(what, where, mask);
  typename Traits::Number number;
  std::memcpy(&number, thread.taken.data(), sizeof number);
  return Traits::make(number,
                      thread.note(what.incomplete(thread.incomplete), where, thread.taken_from,
                                  thread.taken_origin, thread.taken, Traits::flags),
                      thread.taken_depth);
}
template <class V>
V shuffle(Shuffle how, unsigned mask, const V& x, int parameter, const std::source_location& here) {
  return exchange(What(Kind::shuffle, sizeof(typename CellTraits<V>::Number), 1, static_cast<int>(how)), mask,
                  x, parameter, place(here));
}
template <class V>
V __shfl_sync(unsigned mask, const V& x, int lane,
              const std::source_location& here = std::source_location::current()) {
  return shuffle(Shuffle::index, mask, x, lane, here);
}
template <class V>
V __shfl_up_sync(unsigned mask, const V& x, int k,
                 const std::source_location& here = std::source_location::current()) {
  return shuffle(Shuffle::up, mask, x, k, here);
}
template <class V>
V __shfl_down_sync(unsigned mask, const V& x, int k,
                   const std::source_location& here = std::source_location::current()) {
  return shuffle(Shuffle::down, mask, x, k, here);
}
template <class V>
V __shfl_xor_sync(unsigned mask, const V& x, int k,
                  const std::source_location& here = std::source_location::current()) {
  return shuffle(Shuffle::exclusive_or, mask, x, k, here);
}
// Kernels call this function only for sums of integers.
template <class V>
V __reduce_add_sync(unsigned mask, const V& x,
                    const std::source_location& here = std::source_location::current()) {
  return shuffle(Shuffle::reduce_add, mask, x, 0, here);
}

inline unsigned vote(Vote how, unsigned mask, bool condition, const std::source_location& here) {
  return exchange(What(Kind::vote, sizeof(unsigned), 1, static_cast<int>(how)), mask, condition ? 1u : 0u, 0,
                  place(here));
}
inline unsigned __ballot_sync(unsigned mask, int condition,
                              const std::source_location& here = std::source_location::current()) {
  return vote(Vote::ballot, mask, condition != 0, here);
}
inline int __any_sync(unsigned mask, int condition,
                      const std::source_location& here = std::source_location::current()) {
  return static_cast<int>(vote(Vote::any, mask, condition != 0, here));
}
inline int __all_sync(unsigned mask, int condition,
                      const std::source_location& here = std::source_location::current()) {
  return static_cast<int>(vote(Vote::all, mask, condition != 0, here));
}

inline void __syncwarp(unsigned mask = ~0u,
                       const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  if (static_cast<int>(here.line()) == thread.run_of->settings.without_barrier) return;
  const What what = What(Kind::warp_barrier, 0).outside((mask >> thread.lane & 1) == 0);
  thread.meet(what, place(here), mask);
  thread.note(what.incomplete(thread.incomplete), place(here), 0, 0, {});
}

inline void fence(Scope scope, const std::source_location& here) {
  Thread::current->note(What(Kind::fence, 0, 1, static_cast<int>(scope)), place(here), 0, 0, {});
}
inline void __threadfence(const std::source_location& here = std::source_location::current()) {
  fence(Scope::device, here);
}
inline void __threadfence_block(const std::source_location& here = std::source_location::current()) {
  fence(Scope::block, here);
}

template <class... P>
void start_child(TextPlace where, ChildLaunch how, std::string_view kernel, void (*call)(P...), int blocks,
                 int threads, const std::type_identity_t<P>&... arguments) {
  Thread::current->start_child(where, how, kernel, blocks, threads, [=] { call(arguments...); });
}

inline int __clz(unsigned x) { return std::countl_zero(x); }
inline int __ffs(unsigned x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
inline int __popc(unsigned x) { return std::popcount(x); }

inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }

// Returns n rounded up to a power of two, at least 2: the number of leaves of a tree over n elements.
inline int tree_width(int n) { return n < 2 ? 2 : static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))); }

// Returns how many of the 32 bits are above the highest bit that is 1.
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }

inline int pad(int i) { return Thread::current->pad(i); }

inline void step(const Phase& phase, int stride = 0) { Thread::current->begin_step(phase, stride); }

[[gnu::always_inline]] inline void __syncthreads(
    const std::source_location& here = std::source_location::current()) {
  Thread::current->barrier(place(here));
}

// A thread that spins (waits in a loop) lets the other threads run.
inline void __nanosleep(unsigned) { Thread::current->pause(); }

// A Region exists while a thread is in a statement. The keywords (keywords.cuh) make these objects. In a
// recorded run, records still refer to a statement after its Region is destroyed. So `open_.node` points to
// the Region only if the run is not recorded.
class Region {
 public:
  [[gnu::always_inline]] explicit Region(const std::source_location& here = std::source_location::current()) {
    Thread& thread = *Thread::current;
    open_.around = thread.open;
    open_.parent = thread.open->node;
    open_.depth = thread.open->depth + 1;
    open_.key = ControlFlow::key(place(here), 0);
    open_.node = thread.recording ? nullptr : &open_;
    open_.before = nullptr;
    thread.open = &open_;
  }
  ~Region() { Thread::current->open = open_.around; }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 protected:
  ControlFlow::Open open_;
};

class Loop : public Region {
 public:
  [[gnu::always_inline]] explicit Loop(const std::source_location& here = std::source_location::current())
      : Region(here), look_at_(Thread::current->run_of->barrier_trips) {}
  bool once() { return !std::exchange(entered_, true); }
  [[gnu::always_inline]] void next() {
    Thread& thread = *Thread::current;
    if (thread.recording) [[likely]]
      thread.warp->flow.begin_iteration(open_);
    else ++open_.key;
    const auto trips = static_cast<std::uint32_t>(open_.key);
    if (trips == look_at_) [[unlikely]]
      look_at_ = thread.look_at_loop(trips, began_);
  }

 private:
  bool entered_ = false;
  std::uint32_t look_at_;    // the number of iterations after which look_at_loop() is called
  std::uint64_t began_ = 0;  // see Thread::look_at_loop()
};
struct Iteration {
  Loop& loop;
  [[gnu::always_inline]] ~Iteration() { loop.next(); }
};

// Converts a launch's argument to the kernel's parameter type P.
template <class P>
struct Given;
template <class T>
struct Given<Global<T>> {
  static Global<T> from(const GivenArgument& argument) { return Global<T>(argument.memory); }
};
template <>
struct Given<int> {
  static int from(const GivenArgument& argument) { return argument.number; }
};

template <class... P, std::size_t... i>
void call(void (*kernel)(P...), std::span<const GivenArgument> arguments, std::index_sequence<i...>) {
  kernel(Given<P>::from(arguments[i])...);
}
template <class... P>
void call(void (*kernel)(P...), std::span<const GivenArgument> arguments) {
  call(kernel, arguments, std::index_sequence_for<P...>());
}

// The compiled versions of a kernel, one for every size of an element. `pick` returns the address of one
// version. With UPSWEEP_ONLY_FOUR_BYTES, only the version for elements of four bytes is compiled, which takes
// a third of the time.
template <class Pick>
constexpr EmulatedKernel emulated(std::string_view name, Pick) {
  using Given = std::span<const GivenArgument>;
  return {name,
          {
#ifdef UPSWEEP_ONLY_FOUR_BYTES
              nullptr,
              [](Given g) { call(Pick{}.template operator()<Tracked<FourBytes>>(), g); },
#else
              [](Given g) { call(Pick{}.template operator()<Tracked<TwoBytes>>(), g); },
              [](Given g) { call(Pick{}.template operator()<Tracked<FourBytes>>(), g); },
              [](Given g) { call(Pick{}.template operator()<Tracked<EightBytes>>(), g); },
              [](Given g) { call(Pick{}.template operator()<Tracked<SixteenBytes>>(), g); },
#endif
          }};
}

}  // namespace upsweep::host

// This namespace has only the names that a kernel's text may use. A kernel's own constants may have any other
// name.
namespace upsweep::vocabulary {

using host::__all_sync, host::__any_sync, host::__ballot_sync, host::__clz, host::__ffs, host::__popc,
    host::__nanosleep, host::__reduce_add_sync, host::__shfl_down_sync, host::__shfl_sync,
    host::__shfl_up_sync, host::__shfl_xor_sync, host::__syncthreads, host::__syncwarp, host::__threadfence,
    host::__threadfence_block;
using host::apply, host::identity, host::keep, host::load_four, host::load_pack, host::max, host::min,
    host::op, host::order_bits, host::pad, host::prefetch, host::second, host::step, host::store_four,
    host::stream_pack, host::tree_width, host::whole;
using host::atomicAdd, host::atomicCAS, host::atomicExch, host::atomicMax, host::atomicMin, host::atomicOr,
    host::atomic_op;
using host::Count, host::Four, host::Global, host::Iteration, host::Loop, host::Message, host::Number,
    host::Pack, host::Pixel, host::Region, host::Shared;

// The variants' constants.
#define UPSWEEP_CONSTANT(type, name)                                          \
  inline constexpr struct name##_constant {                                   \
    operator type() const { return Thread::current->run_of->constants.name; } \
  } name{};
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT

}  // namespace upsweep::vocabulary

using namespace upsweep::vocabulary;  // NOLINT: a kernel's text uses CUDA's names
using upsweep::Phase;

#define UPSWEEP_KERNEL(kernel) upsweep::host::emulated(#kernel, []<class T>() { return &::kernel<T>; })

#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored \
    "-Wunused-value"  // because bug_missing_shift_assign has a statement without effect

#define __global__ static
#define __launch_bounds__(...)
#define threadIdx (upsweep::Thread::current->thread_index)
#define blockIdx (upsweep::Thread::current->block_index)
#define blockDim (upsweep::Thread::current->launch->block_dim)
#define gridDim (upsweep::Thread::current->launch->grid_dim)
#define launch_tail(kernel, ...)                                                    \
  upsweep::host::start_child(upsweep::host::place(std::source_location::current()), \
                             upsweep::ChildLaunch::tail, #kernel, kernel, __VA_ARGS__)
#define launch_now(kernel, ...)                                                     \
  upsweep::host::start_child(upsweep::host::place(std::source_location::current()), \
                             upsweep::ChildLaunch::fire_and_forget, #kernel, kernel, __VA_ARGS__)

#define UPSWEEP_ROLLED
#include "vocabulary/keywords.cuh"
