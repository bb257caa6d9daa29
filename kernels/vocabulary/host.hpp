// What kernels are written in, for the emulator: the same names as vocabulary/gpu.cuh gives them on a GPU.
// Included before a kernel's text; vocabulary/host_end.hpp follows it.
#pragma once
#include <bit>
#include <cstring>
#include <limits>
#include <source_location>
#include <type_traits>
#include <utility>

#include "machine/emulated_thread.hpp"

namespace upsweep::host {

// Places become constants where all that takes one is inlined.
[[gnu::always_inline]] inline Place place(const std::source_location& where) {
  return {static_cast<std::uint16_t>(where.line()), static_cast<std::uint16_t>(where.column())};
}

// The affine map x -> a*x + b.
template <class N>
struct alignas(2 * sizeof(N)) Affine {
  N a, b;
};

// A value that knows which record of this thread's run produced it; 0 for a constant.
template <class N>
struct Tracked {
  using Number = N;
  N value;
  Origin origin = 0;
};

template <class N>
Value bits(const N& number) {
  static_assert(sizeof(N) <= sizeof(Value));
  Value v{};
  std::memcpy(v.data(), &number, sizeof number);
  return v;
}

// An index and where it was written.
struct At {
  std::int64_t index;
  Place where;
  template <class I>
  requires std::is_convertible_v<I, std::int64_t> At(
      I i, const std::source_location& here = std::source_location::current())
      : index(static_cast<std::int64_t>(i)), where(place(here)) {}
  At(std::int64_t i, Place there) : index(i), where(there) {}
};

// A cell of memory: an element, which is tracked, or a word, which is a plain number.
template <class C>
struct CellTraits {
  using Number = C;
  static const Number& number(const C& cell) { return cell; }
  static Origin origin(const C&) { return 0; }
  static C make(const Number& number, Origin) { return number; }
};
template <class N>
struct CellTraits<Tracked<N>> {
  using Number = N;
  static const Number& number(const Tracked<N>& cell) { return cell.value; }
  static Origin origin(const Tracked<N>& cell) { return cell.origin; }
  static Tracked<N> make(const Number& number, Origin origin) { return {number, origin}; }
};

// A view over shared or global memory: what is read or assigned through it is recorded. T is the cell,
// perhaps const or volatile.
template <class T, bool shared>
class View {
 public:
  using Cell = std::remove_cv_t<T>;
  using Traits = CellTraits<Cell>;
  using Number = typename Traits::Number;
  static constexpr bool is_volatile = std::is_volatile_v<T>;

  // A cell, not yet read or assigned.
  class Element {
   public:
    using Cell = View::Cell;
    Element(const View& view, At at) : view_(view), at_(at) {}
    operator Cell() const { return view_.load(at_); }
    const Element& operator=(const Cell& v) const { return view_.store(at_, v), *this; }
    const Element& operator=(const Element& other) const { return *this = static_cast<Cell>(other); }
    // What an atomic takes.
    struct Address {
      const View& view;
      At at;
    };
    Address operator&() const { return {view_, at_}; }

   private:
    const View& view_;
    At at_;
  };
  Element operator[](At at) const { return {*this, at}; }

  // `parts` cells in a row, as one access.
  template <int parts>
  void load_parts(At at, Cell* cells) const {
    constexpr What what(shared ? Kind::shared_load : Kind::global_load, parts * sizeof(Number), parts, 0,
                        is_volatile);
    Number numbers[parts]{};
    Thread& thread = turn(what, at);
    const bool inside = holds(at, parts);
    if (inside) std::memcpy(numbers, locate(at), sizeof numbers);
    note(
        thread, what.outside(!inside), at, [&](int p) { return std::pair(numbers[p], Origin()); },
        [&](int p, Origin origin) { cells[p] = Traits::make(numbers[p], origin); });
  }
  template <int parts>
  void store_parts(At at, const Cell* cells) const {
    constexpr What what(shared ? Kind::shared_store : Kind::global_store, parts * sizeof(Number), parts, 0,
                        is_volatile);
    static_assert(!std::is_const_v<T>, "What is Global<const T> cannot be written.");
    Thread& thread = turn(what, at);
    const bool inside = holds(at, parts);
    for (int p = 0; inside && p < parts; ++p)
      put(thread, locate(at) + p * static_cast<int>(sizeof(Number)), Traits::number(cells[p]));
    note(
        thread, what.outside(!inside), at,
        [&](int p) { return std::pair(Traits::number(cells[p]), Traits::origin(cells[p])); },
        [](int, Origin) {});
  }
  // The value before.
  template <class Change>
  Cell change(At at, Atomic atomic, Origin given, Change change) const {
    static_assert(!std::is_const_v<T>, "What is Global<const T> cannot be written.");
    const What what(shared ? Kind::shared_atomic : Kind::global_atomic, sizeof(Number), 2,
                    static_cast<int>(atomic));
    Thread& thread = *Thread::current;
    thread.meet(what, at.where);
    Number numbers[2]{};
    const bool inside = holds(at, 1);
    if (inside) {
      std::memcpy(&numbers[0], locate(at), sizeof(Number));
      numbers[1] = change(numbers[0]);
      if (std::memcmp(&numbers[0], &numbers[1], sizeof(Number)) != 0) ++thread.run_of->progress;
      std::memcpy(locate(at), &numbers[1], sizeof(Number));
    }
    if (thread.recording) {
      const What noted = what.outside(!inside);
      thread.note(noted, at.where, address(at), given, 0, bits(numbers[0]), memory_.buffer);
      thread.note(noted, at.where, address(at), given, 0, bits(numbers[1]), memory_.buffer);
    }
    return Traits::make(numbers[0], 0);
  }

  const Memory& memory() const { return memory_; }
  std::int64_t first() const { return first_; }

 protected:
  // Cell 0 lies at byte `first` of the memory.
  explicit View(const Memory& memory, std::int64_t first = 0) : memory_(memory), first_(first) {}

 private:
  template <class, bool>
  friend class View;

  std::int64_t address(At at) const { return first_ + at.index * static_cast<std::int64_t>(sizeof(Number)); }
  std::byte* locate(At at) const { return memory_.bytes + address(at); }
  bool holds(At at, int parts) const {
    const std::int64_t byte = address(at);
    return byte >= 0 && byte + parts * static_cast<std::int64_t>(sizeof(Number)) <= memory_.size;
  }
  // The calling thread, once it is its turn.
  [[gnu::always_inline]] static Thread& turn(What what, At at) {
    Thread& thread = *Thread::current;
    if (is_volatile || thread.stepped) [[unlikely]]
      thread.meet(what, at.where);
    return thread;
  }
  static void put(Thread& thread, std::byte* to, const Number& number) {
    if constexpr (is_volatile) {
      if (std::memcmp(to, &number, sizeof number) != 0) ++thread.run_of->progress;
    } else {
      ++thread.run_of->progress;
    }
    std::memcpy(to, &number, sizeof number);
  }
  template <class Part, class Noted>
  [[gnu::always_inline]] void note(Thread& thread, What what, At at, Part part, Noted noted) const {
    for (int p = 0; p < what.parts(); ++p) {
      const auto [number, given] = part(p);
      noted(p, thread.note(what, at.where, address(at) + p * static_cast<std::int64_t>(sizeof(Number)), given,
                           0, bits(number), memory_.buffer));
    }
  }
  Cell load(At at) const {
    Cell cell;
    load_parts<1>(at, &cell);
    return cell;
  }
  void store(At at, const Cell& cell) const { store_parts<1>(at, &cell); }

  Memory memory_;
  std::int64_t first_ = 0;
};

// The block's dynamic shared memory: from its beginning, or behind `count` cells of another view of it.
template <class T>
struct Shared : View<T, true> {
  Shared() : View<T, true>(block_memory(0)) {}
  template <class Other>
  Shared(const Shared<Other>& after, int count)
      : Shared(after.first() + count * static_cast<std::int64_t>(sizeof(typename Shared<Other>::Number)), 0) {
  }

 private:
  Shared(std::int64_t first, int) : View<T, true>(block_memory(first), first) {}
  static Memory block_memory(std::int64_t first) {
    const Thread& thread = *Thread::current;
    return {thread.shared.data(), static_cast<std::int64_t>(thread.shared.size()), thread.region_at(first)};
  }
};

// Global memory that a launch was given.
template <class T>
struct Global : View<T, false> {
  explicit Global(const Memory& memory) : View<T, false>(memory) {}
  // What may be read and written may be given to who only reads, or is careful.
  template <class Other>
  requires std::is_convertible_v<Other*, T*> Global(const Global<Other>& other)
      : View<T, false>(other.memory()) {}
};

// Four elements in a row.
template <class C>
struct Four {
  C x, y, z, w;
};

// Elements 4i ... 4i + 3, in accesses of at most 16 bytes.
template <class T, bool shared>
Four<std::remove_cv_t<T>> load_four(const View<T, shared>& from, At at) {
  constexpr int parts =
      16 / sizeof(typename View<T, shared>::Number) < 4 ? 16 / sizeof(typename View<T, shared>::Number) : 4;
  std::remove_cv_t<T> cells[4];
  for (int p = 0; p < 4; p += parts) from.template load_parts<parts>({4 * at.index + p, at.where}, cells + p);
  return {cells[0], cells[1], cells[2], cells[3]};
}
template <class T, bool shared>
void store_four(const View<T, shared>& to, At at,
                const Four<std::type_identity_t<std::remove_cv_t<T>>>& four) {
  constexpr int parts =
      16 / sizeof(typename View<T, shared>::Number) < 4 ? 16 / sizeof(typename View<T, shared>::Number) : 4;
  const std::remove_cv_t<T> cells[4] = {four.x, four.y, four.z, four.w};
  for (int p = 0; p < 4; p += parts) to.template store_parts<parts>({4 * at.index + p, at.where}, cells + p);
}

template <class T>
T identity() {
  using N = typename T::Number;
  if constexpr (std::is_arithmetic_v<N>) {
    switch (Thread::current->run_of->settings.op) {
      case Operator::product: return {N(1)};
      case Operator::min: return {std::numeric_limits<N>::max()};
      case Operator::max: return {std::numeric_limits<N>::lowest()};
      default: return {N(0)};
    }
  } else {
    return {N{1, 0}};
  }
}

// Integers wrap, as on the GPU.
template <class N>
N add(N a, N b) {
  if constexpr (std::is_integral_v<N>)
    return static_cast<N>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  else return a + b;
}
template <class N>
N multiply(N a, N b) {
  if constexpr (std::is_integral_v<N>)
    return static_cast<N>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
  else return a * b;
}

template <class N>
N combine(Operator op, N a, N b) {
  switch (op) {
    case Operator::product: return multiply(a, b);
    case Operator::min: return b < a ? b : a;
    case Operator::max: return a < b ? b : a;
    default: return add(a, b);
  }
}
// First f, then g.
template <class N>
Affine<N> combine(Operator, Affine<N> f, Affine<N> g) {
  return {multiply(f.a, g.a), add(multiply(g.a, f.b), g.b)};
}

template <class N>
Tracked<N> op(const Tracked<N>& left, const Tracked<N>& right,
              const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  Tracked<N> result{combine(thread.run_of->settings.op, left.value, right.value)};
  constexpr What what(Kind::operation, sizeof(N));
  result.origin = thread.note(what, place(here), 0, left.origin, right.origin, bits(result.value));
  return result;
}

// Atomics give the value before.
template <class A>
unsigned atomicAdd(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::add, 0, [&](unsigned before) { return before + k; });
}
template <class A>
unsigned atomicMin(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::minimum, 0, [&](unsigned before) { return k < before ? k : before; });
}
template <class A>
unsigned atomicMax(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::maximum, 0, [&](unsigned before) { return k > before ? k : before; });
}
template <class A>
unsigned atomicOr(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::bit_or, 0, [&](unsigned before) { return before | k; });
}
template <class A>
unsigned atomicExch(const A& a, unsigned k) {
  return a.view.change(a.at, Atomic::exchange, 0, [&](unsigned) { return k; });
}
template <class A>
unsigned atomicCAS(const A& a, unsigned compare, unsigned k) {
  return a.view.change(a.at, Atomic::compare_and_swap, 0,
                       [&](unsigned before) { return before == compare ? k : before; });
}
template <class A, class N>
void atomic_op(const A& a, const Tracked<N>& x) {
  a.view.change(a.at, Atomic::combine, x.origin, [&](const N& before) {
    return combine(Thread::current->run_of->settings.op, before, x.value);
  });
}

// What the lanes of a mask do together: each gives a value and takes one.
template <class V>
V exchange(What what, unsigned mask, const V& x, int parameter, Place where) {
  using Traits = CellTraits<V>;
  Thread& thread = *Thread::current;
  thread.given = bits(Traits::number(x));
  thread.parameter = parameter;
  thread.meet(what, where, mask);
  typename Traits::Number number;
  std::memcpy(&number, thread.taken.data(), sizeof number);
  return Traits::make(number,
                      thread.note(what, where, thread.taken_from, Traits::origin(x), 0, thread.taken));
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
// Sums of integers alone: kernels reach it with nothing else.
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
  constexpr What what(Kind::warp_barrier, 0);
  thread.meet(what, place(here), mask);
  thread.note(what, place(here), 0, 0, 0, {});
}

inline void fence(Scope scope, const std::source_location& here) {
  Thread::current->note(What(Kind::fence, 0, 1, static_cast<int>(scope)), place(here), 0, 0, 0, {});
}
inline void __threadfence(const std::source_location& here = std::source_location::current()) {
  fence(Scope::device, here);
}
inline void __threadfence_block(const std::source_location& here = std::source_location::current()) {
  fence(Scope::block, here);
}

// Child grids.
template <class... P>
void start_child(Place where, ChildLaunch how, std::string_view kernel, void (*call)(P...), int blocks,
                 int threads, const std::type_identity_t<P>&... arguments) {
  Thread::current->start_child(where, how, kernel, blocks, threads, [=] { call(arguments...); });
}

inline int __clz(unsigned x) { return std::countl_zero(x); }
inline int __ffs(unsigned x) { return x == 0 ? 0 : std::countr_zero(x) + 1; }
inline int __popc(unsigned x) { return std::popcount(x); }

inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }

// n rounded up to a power of two, at least 2: the leaves of a tree over n elements.
inline int tree_width(int n) { return n < 2 ? 2 : static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))); }

// Zeros before the highest bit of the 32.
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }

inline int pad(int i) { return Thread::current->pad(i); }

inline void step(Phase phase, int stride = 0) { Thread::current->begin_step(phase, stride); }

[[gnu::always_inline]] inline void __syncthreads(
    const std::source_location& here = std::source_location::current()) {
  Thread::current->barrier(place(here));
}

// A spinning thread lets the others run.
inline void __nanosleep(unsigned) { Thread::current->pause(); }

// What the keywords (keywords.cuh) report: where in the program a thread is. Where records are kept, what
// they point to outlives the statement.
class Region {
 public:
  [[gnu::always_inline]] explicit Region(const std::source_location& here = std::source_location::current())
      : thread_(*Thread::current), outside_(thread_.node) {
    if (thread_.recording) {
      thread_.node = thread_.warp->flow.enter(outside_, place(here));
    } else {
      statement_ = {ControlFlow::key(place(here), 0), outside_, outside_->depth + 1};
      thread_.node = &statement_;
    }
  }
  ~Region() { thread_.node = outside_; }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 protected:
  Thread& thread_;
  ControlFlow::Node outside_;
  ControlFlow::Statement statement_;
};

class Loop : public Region {
 public:
  explicit Loop(const std::source_location& here = std::source_location::current())
      : Region(here), place_(place(here)), look_at_(thread_.run_of->barrier_trips) {}
  bool once() { return !std::exchange(entered_, true); }
  [[gnu::always_inline]] void next() {
    if (thread_.recording) {
      inside_ = thread_.warp->flow.next_iteration(inside_);
    } else {
      ++inside_->key;
    }
    thread_.node = inside_;
    if (++trips_ == look_at_) [[unlikely]]
      look_at_ = thread_.look_at_loop(place_, trips_, barriers_, meetings_);
  }

 private:
  bool entered_ = false;
  ControlFlow::Node inside_ = thread_.node;
  Place place_;
  std::uint32_t trips_ = 0, look_at_, barriers_ = 0, meetings_ = 0;
};
struct Iteration {
  Loop& loop;
  [[gnu::always_inline]] ~Iteration() { loop.next(); }
};

// What a parameter is given.
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

// The build of a kernel for every element type; `pick` gives its address for one.
template <class Pick>
constexpr EmulatedKernel emulated(std::string_view name, Pick) {
  using Given = std::span<const GivenArgument>;
  return {name,
          {{[](Given g) { call(Pick{}.template operator()<Tracked<std::int32_t>>(), g); },
            [](Given g) { call(Pick{}.template operator()<Tracked<Affine<std::int32_t>>>(), g); }},
           {[](Given g) { call(Pick{}.template operator()<Tracked<std::uint32_t>>(), g); },
            [](Given g) { call(Pick{}.template operator()<Tracked<Affine<std::uint32_t>>>(), g); }},
           {[](Given g) { call(Pick{}.template operator()<Tracked<float>>(), g); },
            [](Given g) { call(Pick{}.template operator()<Tracked<Affine<float>>>(), g); }},
           {[](Given g) { call(Pick{}.template operator()<Tracked<double>>(), g); },
            [](Given g) { call(Pick{}.template operator()<Tracked<Affine<double>>>(), g); }}}};
}

}  // namespace upsweep::host

// What a kernel's text names, and nothing else, so that a variant may be called anything.
namespace upsweep::vocabulary {

using host::__all_sync, host::__any_sync, host::__ballot_sync, host::__clz, host::__ffs, host::__popc,
    host::__nanosleep, host::__reduce_add_sync, host::__shfl_down_sync, host::__shfl_sync,
    host::__shfl_up_sync, host::__shfl_xor_sync, host::__syncthreads, host::__syncwarp, host::__threadfence,
    host::__threadfence_block;
using host::atomicAdd, host::atomicCAS, host::atomicExch, host::atomicMax, host::atomicMin, host::atomicOr,
    host::atomic_op;
using host::Four, host::Global, host::Iteration, host::Loop, host::Region, host::Shared;
using host::identity, host::load_four, host::max, host::min, host::op, host::pad, host::step,
    host::store_four, host::tree_width;

// The variants' constants.
#define UPSWEEP_CONSTANT(type, name)                                          \
  inline constexpr struct name##_constant {                                   \
    operator type() const { return Thread::current->run_of->constants.name; } \
  } name{};
#include "vocabulary/variants.inc"
#undef UPSWEEP_CONSTANT

}  // namespace upsweep::vocabulary

using namespace upsweep::vocabulary;  // NOLINT: a kernel's text names them as CUDA does
using upsweep::Phase;

#define UPSWEEP_KERNEL(kernel) upsweep::host::emulated(#kernel, []<class T>() { return &::kernel<T>; })

#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wunused-value"  // bug_missing_shift_assign

#define __global__ static
#define threadIdx (upsweep::Thread::current->thread_index)
#define blockIdx (upsweep::Thread::current->block_index)
#define blockDim \
  (upsweep::Thread::Index{static_cast<unsigned>(upsweep::Thread::current->launch->grid.threads), 1, 1})
#define gridDim \
  (upsweep::Thread::Index{static_cast<unsigned>(upsweep::Thread::current->launch->grid.blocks), 1, 1})
#define launch_tail(kernel, ...)                                                    \
  upsweep::host::start_child(upsweep::host::place(std::source_location::current()), \
                             upsweep::ChildLaunch::tail, #kernel, kernel, __VA_ARGS__)
#define launch_now(kernel, ...)                                                     \
  upsweep::host::start_child(upsweep::host::place(std::source_location::current()), \
                             upsweep::ChildLaunch::fire_and_forget, #kernel, kernel, __VA_ARGS__)

#define UPSWEEP_ROLLED
#include "vocabulary/keywords.cuh"
