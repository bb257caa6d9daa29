// What kernels are written in, for the emulator: the same names as vocabulary/gpu.cuh gives them on a GPU.
// Included before a kernel's text; vocabulary/host_end.hpp follows it.
#pragma once
#include <algorithm>
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
    [[gnu::always_inline]] operator Cell() const { return view_.load(at_); }
    [[gnu::always_inline]] const Element& operator=(const Cell& v) const {
      return view_.store(at_, v), *this;
    }
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
  [[gnu::always_inline]] void load_parts(At at, Cell* cells) const {
    Thread& thread = *Thread::current;
    const std::uint64_t cell = cell_of(at);
    if (is_volatile || !holds(cell, parts)) [[unlikely]]
      return load_carefully<parts>(at, cells);
    Number numbers[parts];
    std::memcpy(numbers, locate(cell), sizeof numbers);
    for (int p = 0; p < parts; ++p)
      cells[p] = Traits::make(numbers[p],
                              thread.append(load_of<parts>, at.where, static_cast<std::int32_t>(cell) + p, 0,
                                            bits(numbers[p]), buffer_));
  }
  template <int parts>
  [[gnu::always_inline]] void store_parts(At at, const Cell* cells) const {
    static_assert(!std::is_const_v<T>, "What is Global<const T> cannot be written.");
    Thread& thread = *Thread::current;
    const std::uint64_t cell = cell_of(at);
    if (is_volatile || !holds(cell, parts)) [[unlikely]]
      return store_carefully<parts>(at, cells);
    for (int p = 0; p < parts; ++p) {
      const Number& number = Traits::number(cells[p]);
      std::memcpy(locate(cell) + p * static_cast<int>(sizeof number), &number, sizeof number);
      thread.append(store_of<parts>, at.where, static_cast<std::int32_t>(cell) + p, Traits::origin(cells[p]),
                    bits(number), buffer_);
    }
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
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, 1);
    if (inside) {
      std::memcpy(&numbers[0], locate(cell), sizeof(Number));
      numbers[1] = change(numbers[0]);
      put(thread, cell, numbers[1]);
    }
    for (const Number& number : numbers)
      thread.note(what.outside(!inside), at.where, recorded(cell), given, bits(number), buffer_);
    return Traits::make(numbers[0], 0);
  }

 protected:
  // Its cell 0 is cell `before` of the memory.
  View(const Memory& memory, std::int64_t before)
      : base_(memory.bytes),
        before_(before),
        all_(static_cast<std::uint64_t>(memory.size) / sizeof(Number)),
        count_(Thread::current->careful ? 0 : all_),
        buffer_(memory.buffer) {}
  template <class Other>
  explicit View(const View<Other, shared>& other)
      : base_(other.base_),
        before_(other.before_),
        all_(other.all_),
        count_(other.count_),
        buffer_(other.buffer_) {}

  std::byte* base_;
  std::int64_t before_;  // 0 in global memory
  std::uint64_t all_;    // cells of the memory
  std::uint64_t count_;  // the same; none where every access takes care
  std::uint8_t buffer_;

 private:
  template <class, bool>
  friend class View;

  template <int parts>
  static constexpr What load_of{shared ? Kind::shared_load : Kind::global_load, parts * sizeof(Number), parts,
                                0, is_volatile};
  template <int parts>
  static constexpr What store_of{shared ? Kind::shared_store : Kind::global_store, parts * sizeof(Number),
                                 parts, 0, is_volatile};

  // Which cell of the memory; huge where it lies before it.
  std::uint64_t cell_of(At at) const {
    return static_cast<std::uint64_t>(shared ? at.index + before_ : at.index);
  }
  // Whether it may just be read or written.
  bool holds(std::uint64_t cell, unsigned parts) const { return cell < count_ && count_ - cell >= parts; }
  bool inside(std::uint64_t cell, unsigned parts) const { return cell < all_ && all_ - cell >= parts; }
  std::byte* locate(std::uint64_t cell) const { return base_ + cell * sizeof(Number); }
  static std::int32_t recorded(std::uint64_t cell) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(cell), INT32_MIN, INT32_MAX - 3));
  }
  void put(Thread& thread, std::uint64_t cell, const Number& number) const {
    if (std::memcmp(locate(cell), &number, sizeof number) != 0) ++thread.run_of->progress;
    std::memcpy(locate(cell), &number, sizeof number);
  }

  // The same accesses where more is to be done than to note them: another's turn comes first, nothing is
  // recorded, or they leave their memory, which reads as zeros then and is not written.
  template <int parts>
  [[gnu::noinline]] void load_carefully(At at, Cell* cells) const {
    Thread& thread = *Thread::current;
    if (is_volatile || thread.stepped) thread.meet(load_of<parts>, at.where);
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, parts);
    Number numbers[parts]{};
    if (inside) std::memcpy(numbers, locate(cell), sizeof numbers);
    for (int p = 0; p < parts; ++p)
      cells[p] = Traits::make(numbers[p], thread.note(load_of<parts>.outside(!inside), at.where,
                                                      recorded(cell) + p, 0, bits(numbers[p]), buffer_));
  }
  template <int parts>
  [[gnu::noinline]] void store_carefully(At at, const Cell* cells) const {
    Thread& thread = *Thread::current;
    if (is_volatile || thread.stepped) thread.meet(store_of<parts>, at.where);
    const std::uint64_t cell = cell_of(at);
    const bool inside = this->inside(cell, parts);
    if (!is_volatile) ++thread.run_of->progress;
    for (int p = 0; p < parts; ++p) {
      const Number& number = Traits::number(cells[p]);
      if (inside) put(thread, cell + static_cast<unsigned>(p), number);
      thread.note(store_of<parts>.outside(!inside), at.where, recorded(cell) + p, Traits::origin(cells[p]),
                  bits(number), buffer_);
    }
  }
  [[gnu::always_inline]] Cell load(At at) const {
    Cell cell;
    load_parts<1>(at, &cell);
    return cell;
  }
  [[gnu::always_inline]] void store(At at, const Cell& cell) const { store_parts<1>(at, &cell); }
};

// The block's dynamic shared memory: from its beginning, or behind `count` cells of another view of it.
template <class T>
class Shared : public View<T, true> {
 public:
  Shared() : Shared(std::int64_t{0}) {}
  template <class Other>
  Shared(const Shared<Other>& after, int count) : Shared((after.before_ + count) * after.cell_bytes) {}

 private:
  template <class>
  friend class Shared;
  static constexpr auto cell_bytes = static_cast<std::int64_t>(sizeof(typename View<T, true>::Number));

  explicit Shared(std::int64_t first_byte)
      : View<T, true>(block_memory(first_byte), first_byte / cell_bytes) {}
  static Memory block_memory(std::int64_t first_byte) {
    const Thread& thread = *Thread::current;
    return {thread.shared.data(), static_cast<std::int64_t>(thread.shared.size()),
            thread.region_at(first_byte)};
  }
};

// Global memory that a launch was given.
template <class T>
class Global : public View<T, false> {
 public:
  explicit Global(const Memory& memory) : View<T, false>(memory, 0) {}
  // What may be read and written may be given to who only reads, or is careful.
  template <class Other>
  requires std::is_convertible_v<Other*, T*> Global(const Global<Other>& other) : View<T, false>(other) {}
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
[[gnu::always_inline]] inline Tracked<N> op(
    const Tracked<N>& left, const Tracked<N>& right,
    const std::source_location& here = std::source_location::current()) {
  Thread& thread = *Thread::current;
  Tracked<N> result{combine(thread.run_of->settings.op, left.value, right.value)};
  constexpr What what(Kind::operation, sizeof(N));
  result.origin = thread.note(what, place(here), static_cast<std::int32_t>(right.origin), left.origin,
                              bits(result.value));
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
  return Traits::make(number, thread.note(what, where, thread.taken_from, Traits::origin(x), thread.taken));
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
  thread.note(what, place(here), 0, 0, {});
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
  [[gnu::always_inline]] explicit Region(const std::source_location& here = std::source_location::current()) {
    Thread& thread = *Thread::current;
    statement_.parent = thread.node;
    if (thread.recording) [[likely]]
      thread.node = thread.warp->flow.enter(thread.node, place(here));
    else thread.enter(statement_, place(here));
  }
  ~Region() { Thread::current->node = statement_.parent; }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  ControlFlow::Statement statement_;
};

class Loop : public Region {
 public:
  [[gnu::always_inline]] explicit Loop(const std::source_location& here = std::source_location::current())
      : Region(here), look_at_(Thread::current->run_of->barrier_trips) {}
  bool once() { return !std::exchange(entered_, true); }
  [[gnu::always_inline]] void next() {
    Thread& thread = *Thread::current;
    if (thread.recording) [[likely]]
      thread.node = thread.warp->flow.next_iteration(thread.node);
    else ++thread.node->key;
    const auto trips = static_cast<std::uint32_t>(thread.node->key);
    if (trips == look_at_) [[unlikely]]
      look_at_ = thread.look_at_loop(trips);
  }

 private:
  bool entered_ = false;
  std::uint32_t look_at_;  // iterations
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
