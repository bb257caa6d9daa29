// Defines what kernels use on a GPU, with a recorder (gpu_traced.cuh) or without one (gpu_fast.cuh). This file is included before a kernel's text,
// so that the text keeps its own line numbers.
// `settings.cuh` is generated from the user's settings. Outside of all namespaces, it defines
//   Phase       the kind of work in a step
//   pad(i)      the index of the cell of shared memory that holds element i
//   constants   neighbours, exclusive, block_size and the algorithm's own variants. Each constant is defined only if the kernel's text names it.
// In the namespace upsweep, it defines
//   in_a_row    true if no launch of the host has blocks or threads along y or z
//   byte_pixels true if each pixel of the input is one byte
//   Number      the scalar type; zero() and one(); lowest() and largest() return the type's extreme finite values
//   Operation   the operators; Chosen is the class of the chosen operator
#pragma once

namespace upsweep {

// A shift by 32 or more, or by a negative count, returns 0. However, such a right shift of a negative number
// returns -1. In C++, the results of such shifts are undefined.
__device__ inline int shift_left(int i, int count) {
  return count < 0 || count > 31 ? 0 : static_cast<int>(static_cast<unsigned>(i) << count);
}
__device__ inline int shift_right(int i, int count) {
  return count < 0 || count > 31 ? (i < 0 ? -1 : 0) : i >> count;
}

}  // namespace upsweep

#include "gpu_half.cuh"
#include "settings.cuh"

// The affine map x -> a*x + b.
template <class N>
struct alignas(2 * sizeof(N)) Affine {
  N a, b;
};

// Four neighbouring elements.
template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Four {
  T x, y, z, w;
};

// An element or a count, with a word that marks it. One access sends the element and the mark, so a block that reads the mark also has the element.
template <class T>
struct Message {
  T value;
  int mark;
};

namespace upsweep {

// A message in memory: the element, then the mark.
template <class N>
struct alignas(sizeof(N) <= 4 ? 8 : 16) MessageBits {
  static_assert(sizeof(N) <= 8, "A message is one access, of at most 16 bytes.");
  static constexpr int mark = sizeof(N) <= 4 ? 1 : 2;
  unsigned words[2 * mark];
};
template <class N>
__device__ inline MessageBits<N> packed(Message<N> m) {
  MessageBits<N> bits{};
  memcpy(bits.words, &m.value, sizeof m.value);
  bits.words[bits.mark] = static_cast<unsigned>(m.mark);
  return bits;
}
template <class N>
__device__ inline Message<N> unpacked(MessageBits<N> bits) {
  Message<N> m;
  memcpy(&m.value, bits.words, sizeof m.value);
  m.mark = static_cast<int>(bits.words[bits.mark]);
  return m;
}

// Integers wrap around on overflow.
__device__ inline int add(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
__device__ inline int multiply(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}
__device__ inline long long add(long long a, long long b) {
  return static_cast<long long>(static_cast<unsigned long long>(a) + static_cast<unsigned long long>(b));
}
__device__ inline long long multiply(long long a, long long b) {
  return static_cast<long long>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
}
template <class N>
__device__ inline N add(N a, N b) {
  return a + b;
}
template <class N>
__device__ inline N multiply(N a, N b) {
  return a * b;
}

template <Operation o>
struct Operator {
  using Element = Number;
  static __device__ Number identity() {
    return o == Operation::product ? one()
           : o == Operation::min   ? largest()
           : o == Operation::max   ? lowest()
                                   : zero();
  }
  static __device__ Number combine(Number a, Number b) {
    if constexpr (o == Operation::product) return multiply(a, b);
    else if constexpr (o == Operation::min) return b < a ? b : a;
    else if constexpr (o == Operation::max) return a < b ? b : a;
    else return add(a, b);
  }
};

template <>
struct Operator<Operation::affine> {
  using Element = Affine<Number>;
  static __device__ Element identity() {
    Element e;
    e.a = one();
    e.b = zero();
    return e;
  }
  // Returns the affine map that applies f first, and then g.
  static __device__ Element combine(Element f, Element g) {
    return {multiply(f.a, g.a), add(multiply(g.a, f.b), g.b)};
  }
};

}  // namespace upsweep

#if defined(UPSWEEP_OWN_OPERATOR) || defined(UPSWEEP_PREDICATE)
#include "gpu_own.cuh"
#endif
#include "gpu_elements.cuh"

namespace upsweep {

using Plain = Chosen::Element;

template <class A, class B>
constexpr bool same_type = false;
template <class A>
constexpr bool same_type<A, A> = true;

// Either<choice, A, B>::Type is A if the choice is true, else B.
template <bool choice, class A, class B>
struct Either {
  using Type = A;
};
template <class A, class B>
struct Either<false, A, B> {
  using Type = B;
};

// The number of bytes of a value in memory. In a recorded run, an element in a register is larger, because it also contains the event that produced it.
template <class T>
constexpr unsigned stored_bytes = sizeof(T);
template <class T>
constexpr unsigned stored_bytes<const T> = stored_bytes<T>;
template <class T>
constexpr unsigned stored_bytes<volatile T> = stored_bytes<T>;

}  // namespace upsweep

// A pack: the neighbouring elements that one access loads or stores. A pack has at most four elements, and at most 16 bytes.
template <class T>
struct alignas(sizeof(T) < 4 ? 8 : 16) Pack {
  static constexpr int width = upsweep::stored_bytes<T> <= 4 ? 4 : 16 / upsweep::stored_bytes<T>;
  T at[width];
};

namespace upsweep {

// Volatile accesses to elements. One access reads or writes both numbers of a pair, as for ordinary elements.
template <class N>
__device__ inline N volatile_load(const volatile N* from) {
  return *from;
}
template <class N>
__device__ inline void volatile_store(volatile N* to, N value) {
  *to = value;
}
template <class N>
__device__ inline Affine<N> volatile_load(const volatile Affine<N>* from) {
  Affine<N> v;
  if constexpr (sizeof(N) == 8) {
    unsigned long long a, b;
    asm volatile("ld.volatile.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(from) : "memory");
    memcpy(&v.a, &a, 8), memcpy(&v.b, &b, 8);
  } else if constexpr (sizeof(N) == 2) {
    unsigned both;
    asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(both) : "l"(from) : "memory");
    memcpy(&v, &both, 4);
  } else {
    unsigned a, b;
    asm volatile("ld.volatile.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(from) : "memory");
    memcpy(&v.a, &a, 4), memcpy(&v.b, &b, 4);
  }
  return v;
}
template <class N>
__device__ inline void volatile_store(volatile Affine<N>* to, Affine<N> v) {
  if constexpr (sizeof(N) == 8) {
    unsigned long long a, b;
    memcpy(&a, &v.a, 8), memcpy(&b, &v.b, 8);
    asm volatile("st.volatile.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(a), "l"(b) : "memory");
  } else if constexpr (sizeof(N) == 2) {
    unsigned both;
    memcpy(&both, &v, 4);
    asm volatile("st.volatile.u32 [%0], %1;" ::"l"(to), "r"(both) : "memory");
  } else {
    unsigned a, b;
    memcpy(&a, &v.a, 4), memcpy(&b, &v.b, 4);
    asm volatile("st.volatile.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(a), "r"(b) : "memory");
  }
}

// Accesses to messages are relaxed: one access reads or writes a whole message, but does not order any other accesses.
template <class N>
__device__ inline MessageBits<N> volatile_load(const volatile MessageBits<N>* from) {
  MessageBits<N> bits;
  if constexpr (sizeof bits == 8) {
    unsigned long long all;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(all) : "l"(from) : "memory");
    memcpy(&bits, &all, 8);
  } else {
    unsigned long long all[2];
    asm volatile("{ .reg .b128 all; ld.relaxed.gpu.global.b128 all, [%2]; mov.b128 {%0, %1}, all; }"
                 : "=l"(all[0]), "=l"(all[1])
                 : "l"(from)
                 : "memory");
    memcpy(&bits, all, 16);
  }
  return bits;
}
template <class N>
__device__ inline void volatile_store(volatile MessageBits<N>* to, MessageBits<N> bits) {
  if constexpr (sizeof bits == 8) {
    unsigned long long all;
    memcpy(&all, &bits, 8);
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(all) : "memory");
  } else {
    unsigned long long all[2];
    memcpy(all, &bits, 16);
    asm volatile("{ .reg .b128 all; mov.b128 all, {%1, %2}; st.relaxed.gpu.global.b128 [%0], all; }" ::"l"(to),
                 "l"(all[0]), "l"(all[1])
                 : "memory");
  }
}

template <class N>
__device__ inline Message<N> volatile_load(const volatile Message<N>* from) {
  return unpacked(volatile_load(reinterpret_cast<const volatile MessageBits<N>*>(from)));
}
template <class N>
__device__ inline void volatile_store(volatile Message<N>* to, Message<N> m) {
  volatile_store(reinterpret_cast<volatile MessageBits<N>*>(to), packed(m));
}

// True if N is a type of whole numbers.
template <class N>
constexpr bool is_integer = N(1) / N(2) == N(0);
template <>
constexpr bool is_integer<Half> = false;

template <class N>
__device__ inline N atomic_add(N* at, N x) {
  return atomicAdd(at, x);
}
__device__ inline long long atomic_add(long long* at, long long x) {
  return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(x)));
}

// Applies the chosen operator by compare and swap, and repeats this if another thread changes the element at the same time. Returns the element's old value.
// `Bits` is an unsigned type of the element's size.
template <class Bits, class N>
__device__ inline N swap_until_combined(N* at, N x) {
  auto* bits = reinterpret_cast<Bits*>(at);
  Bits seen = *bits, expected;
  do {
    expected = seen;
    N before, after;
    memcpy(&before, &expected, sizeof(N));
    after = Chosen::combine(before, x);
    Bits swapped;
    memcpy(&swapped, &after, sizeof(N));
    seen = atomicCAS(bits, expected, swapped);
  } while (seen != expected);
  N before;
  memcpy(&before, &seen, sizeof(N));
  return before;
}

// Applies the chosen operator atomically. Uses an instruction of the hardware if there is one for this operator and type, else compare and swap. Returns the
// element's old value.
template <class N>
__device__ inline N atomic_combine(N* at, N x) {
  constexpr Operation o = chosen;
  if constexpr (o == Operation::sum) return atomic_add(at, x);
  else if constexpr (o == Operation::min && is_integer<N>) return atomicMin(at, x);
  else if constexpr (o == Operation::max && is_integer<N>) return atomicMax(at, x);
  else if constexpr (sizeof(N) == 8) return swap_until_combined<unsigned long long>(at, x);
  else if constexpr (sizeof(N) == 4) return swap_until_combined<unsigned>(at, x);
  else return swap_until_combined<unsigned short>(at, x);
}

// Returns the sum of x over the lanes of a mask. Kernels call this function with integers only.
template <class N>
__device__ inline N warp_sum(unsigned mask, N x) {
  if constexpr (sizeof(N) == 4 && is_integer<N>) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(mask, x);
#else
    N sum = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) sum += __shfl_sync(mask, x, __ffs(rest) - 1);
    return sum;
#endif
  }
  return x;
}
template <class N>
__device__ inline Affine<N> warp_sum(unsigned, Affine<N> x) {
  return x;
}

extern __shared__ __align__(16) unsigned char shared_memory[];  // the block's dynamic shared memory

}  // namespace upsweep

// Returns n rounded up to a power of two, at least 2: the number of leaves of a tree over n elements.
__device__ inline int tree_width(int n) { return n <= 2 ? 2 : 1 << (32 - __clz(n - 1)); }
