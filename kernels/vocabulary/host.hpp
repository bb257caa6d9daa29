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

namespace upsweep::vocabulary {

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
  requires std::is_integral_v<I> At(I i, const std::source_location& here = std::source_location::current())
      : index(static_cast<std::int64_t>(i)), where(place(here)) {}
};

// A view over shared or global memory. An element read or assigned is recorded.
template <class T, Kind load_kind, Kind store_kind, int buffer = 0>
class View {
 public:
  using Number = typename T::Number;
  explicit View(std::span<std::byte> bytes) : bytes_(bytes) {}

  class Element {
   public:
    Element(const View& view, At at) : view_(view), at_(at) {}
    operator std::remove_const_t<T>() const { return view_.load(at_); }
    Element& operator=(const T& v) { return view_.store(at_, v), *this; }
    Element& operator=(const Element& other) { return *this = static_cast<T>(other); }

   private:
    const View& view_;
    At at_;
  };
  Element operator[](At at) const { return {*this, at}; }

 private:
  std::byte* locate(Kind kind, At at) const {
    const std::size_t count = bytes_.size() / sizeof(Number);
    if (static_cast<std::size_t>(at.index) >= count)
      Thread::current->out_of_bounds(kind, at.where, at.index, count);
    return bytes_.data() + static_cast<std::size_t>(at.index) * sizeof(Number);
  }
  std::remove_const_t<T> load(At at) const {
    std::remove_const_t<T> v;
    std::memcpy(&v.value, locate(load_kind, at), sizeof(Number));
    v.origin = note(load_kind, at, 0, bits(v.value));
    return v;
  }
  void store(At at, const T& v) const {
    std::memcpy(locate(store_kind, at), &v.value, sizeof(Number));
    note(store_kind, at, v.origin, bits(v.value));
  }
  Origin note(Kind kind, At at, Origin left, const Value& value) const {
    return Thread::current->note(kind, at.where, static_cast<std::uint32_t>(at.index) * sizeof(Number), left, 0, value,
                                 sizeof(Number), buffer);
  }

  std::span<std::byte> bytes_;
};

// The block's dynamic shared memory.
template <class T>
struct Shared : View<T, Kind::shared_load, Kind::shared_store> {
  Shared() : Shared::View(Thread::current->shared) {}
};

// The input (const) or the output in global memory.
template <class T>
struct Global : View<T, Kind::global_load, Kind::global_store, std::is_const_v<T> ? 0 : 1> {
  Global() : Global::View(Thread::current->launch->global[std::is_const_v<T> ? 0 : 1]) {}
};

template <class T>
T identity() {
  using N = typename T::Number;
  if constexpr (std::is_arithmetic_v<N>) {
    switch (Thread::current->launch->settings.op) {
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
  Tracked<N> result{combine(thread.launch->settings.op, left.value, right.value)};
  result.origin =
      thread.note(Kind::operation, place(here), 0, left.origin, right.origin, bits(result.value), sizeof(N));
  return result;
}

// n rounded up to a power of two, at least 2: the leaves of a tree over n elements.
inline int tree_width(int n) { return n < 2 ? 2 : static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))); }

inline int pad(int i) { return Thread::current->pad(i); }

inline void step(Phase phase, int stride = 0) { Thread::current->begin_step(phase, stride); }

[[gnu::always_inline]] inline void __syncthreads(const std::source_location& here = std::source_location::current()) {
  Thread::current->barrier(place(here));
}

// A spinning thread lets the others run.
inline void __nanosleep(unsigned) { Thread::current->pause(); }

// What the keywords (keywords.cuh) report: where in the program a thread is.
class Region {
 public:
  [[gnu::always_inline]] explicit Region(const std::source_location& here = std::source_location::current())
      : thread_(*Thread::current), outside_(thread_.node) {
    thread_.node = thread_.warp->flow.enter(outside_, place(here));
  }
  ~Region() { thread_.node = outside_; }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 protected:
  Thread& thread_;
  ControlFlow::Node outside_;
};

class Loop : public Region {
 public:
  explicit Loop(const std::source_location& here = std::source_location::current()) : Region(here) {}
  bool once() { return !std::exchange(entered_, true); }
  [[gnu::always_inline]] void next() { thread_.node = inside_ = thread_.warp->flow.next_iteration(inside_); }

 private:
  bool entered_ = false;
  ControlFlow::Node inside_ = thread_.node;
};
struct Iteration {
  Loop& loop;
  [[gnu::always_inline]] ~Iteration() { loop.next(); }
};

// The build of a kernel for every element type; `call` runs it for one.
template <class Call>
constexpr Emulated emulated(Call) {
  return {{{[] { Call{}.template operator()<Tracked<std::int32_t>>(); },
            [] { Call{}.template operator()<Tracked<Affine<std::int32_t>>>(); }},
           {[] { Call{}.template operator()<Tracked<std::uint32_t>>(); },
            [] { Call{}.template operator()<Tracked<Affine<std::uint32_t>>>(); }},
           {[] { Call{}.template operator()<Tracked<float>>(); },
            [] { Call{}.template operator()<Tracked<Affine<float>>>(); }},
           {[] { Call{}.template operator()<Tracked<double>>(); },
            [] { Call{}.template operator()<Tracked<Affine<double>>>(); }}}};
}

}  // namespace upsweep::vocabulary

using namespace upsweep::vocabulary;  // NOLINT: a kernel's text names them as CUDA does
using upsweep::Phase;

#define UPSWEEP_EMULATED(kernel)                                                             \
  upsweep::vocabulary::emulated([]<class T>() {                                              \
    kernel<T>(Global<const T>(), Global<T>(), upsweep::Thread::current->launch->settings.n); \
  })

#pragma GCC diagnostic ignored "-Wdangling-else"

#define __global__ static
#define threadIdx (upsweep::Thread::current->thread_index)
#define blockIdx (upsweep::Thread::current->block_index)
#define blockDim \
  (upsweep::Thread::Index{static_cast<unsigned>(upsweep::Thread::current->launch->settings.block), 1, 1})
#define gridDim \
  (upsweep::Thread::Index{static_cast<unsigned>(upsweep::Thread::current->launch->blocks), 1, 1})
#define neighbours (upsweep::Thread::current->launch->neighbours)

#define UPSWEEP_ROLLED
#include "vocabulary/keywords.cuh"
