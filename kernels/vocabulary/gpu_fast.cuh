// Defines what kernels use on the fast machine (a GPU without the recorder). Memory is plain memory, and elements are plain numbers.
#pragma once
#include "gpu.cuh"

using Element = upsweep::Plain;

// A count, for example of kept elements. Counts are always added, even if the elements have another operator.
struct Count {
  unsigned value;
  Count() = default;
  __device__ constexpr Count(int constant) : value(static_cast<unsigned>(constant)) {}
  __device__ constexpr operator int() const { return static_cast<int>(value); }
};
// One of the two numbers in an element that is a pair.
template <class T>
using Number = upsweep::Number;
// An element of the input, in the form in which memory stores the element.
template <class T>
using Pixel = typename upsweep::Either<upsweep::byte_pixels, unsigned char, T>::Type;

namespace upsweep {

// A volatile element or message that is a struct. One access reads or assigns the whole struct.
template <class T>
struct VolatileStruct {
  volatile T* at;
#ifdef UPSWEEP_DELAY
  __device__ operator T() && { return UPSWEEP_DELAY, volatile_load(at); }
  __device__ void operator=(T v) && { UPSWEEP_DELAY, volatile_store(at, v), UPSWEEP_DELAY; }
#else
  __device__ operator T() && { return volatile_load(at); }
  __device__ void operator=(T v) && { volatile_store(at, v); }
#endif
  __device__ void operator=(VolatileStruct&& other) && { volatile_store(at, volatile_load(other.at)); }
};
template <class T>
struct VolatileStructs {
  using Reference = VolatileStruct<T>;
  struct Pointer {
    volatile T* first;
    __device__ Reference operator[](int i) const { return {first + i}; }
  };
};
template <class T>
struct Memory {
  using Pointer = T*;
  using Reference = T&;
};
#ifdef UPSWEEP_DELAY  // see gpu_delayed.cuh
template <class T>
struct DelayedCell {
  volatile T* at;
  __device__ operator T() const { return UPSWEEP_DELAY, *at; }
  __device__ void operator=(T v) const { UPSWEEP_DELAY, *at = v, UPSWEEP_DELAY; }
  __device__ void operator=(const DelayedCell& other) const { *this = static_cast<T>(other); }
  __device__ volatile T* operator&() const { return UPSWEEP_DELAY, at; }
};
template <class T>
struct Memory<volatile T> {
  using Reference = DelayedCell<T>;
  struct Pointer {
    volatile T* first;
    __device__ Reference operator[](int i) const { return {first + i}; }
  };
};
#endif
template <class N>
struct Memory<volatile Affine<N>> : VolatileStructs<Affine<N>> {};
template <>
struct Memory<volatile Half> : VolatileStructs<Half> {};
template <class N>
struct Memory<volatile Message<N>> : VolatileStructs<Message<N>> {};

}  // namespace upsweep

template <class T>
using Global = typename upsweep::Memory<T>::Pointer;

// A part of the block's dynamic shared memory.
template <class T>
struct Shared {
  int begin = 0;  // the byte at which the part begins
  Shared() = default;
  // Makes a part that begins after `count` cells of another part. If words follow smaller elements, the words begin at a multiple of 4 bytes.
  template <class U>
  __device__ Shared(Shared<U> other, int count) : begin(other.begin + count * static_cast<int>(sizeof(U))) {
    if constexpr (sizeof(T) == 4 && sizeof(U) < 4) begin = (begin + 3) / 4 * 4;
  }
  __device__ typename upsweep::Memory<T>::Reference operator[](int i) const {
    using Pointer = typename upsweep::Memory<T>::Pointer;
    return Pointer{reinterpret_cast<T*>(upsweep::shared_memory + begin)}[i];
  }
  __device__ T* first() const { return reinterpret_cast<T*>(upsweep::shared_memory + begin); }
};

// Returns the identity of the operator. For counts and numbers, this is 0.
template <class T>
__device__ inline T identity() {
  if constexpr (upsweep::same_type<T, Element>) return upsweep::Chosen::identity();
  else return T{};
}

__device__ inline Element op(Element left, Element right) { return upsweep::Chosen::combine(left, right); }
__device__ inline Count op(Count left, Count right) { return static_cast<int>(left.value + right.value); }

// Functions of an element that is a pair (a, b): second() returns b, and apply() returns a * y + b.
template <class N>
__device__ inline N second(Affine<N> pair) {
  return pair.b;
}
template <class N>
__device__ inline N apply(Affine<N> pair, N y) {
  return upsweep::add(upsweep::multiply(pair.a, y), pair.b);
}

__device__ inline void step(Phase, int = 0) {}
template <unsigned size>
__device__ inline void step(const char (&)[size], int = 0) {}

// load_four(), store_four(), load_pack() and stream_pack() are macros, so that the line number of an access is a line of the kernel's text, not of this file.
// load_four() and store_four() access elements 4i ... 4i + 3, at most 16 bytes at a time.
namespace upsweep {
template <class N>
__device__ inline Pack<N>* packs(N* first) {
  return reinterpret_cast<Pack<N>*>(first);
}
template <class N>
__device__ inline const Pack<N>* packs(const N* first) {
  return reinterpret_cast<const Pack<N>*>(first);
}
template <class T>
__device__ inline Pack<T>* packs(Shared<T> first) {
  return packs(first.first());
}
// The pixels that one access loads if a pixel is one byte. pack_of() converts these pixels to a pack of elements.
struct BytePack {
  unsigned word;
};
__device__ inline const BytePack* packs(const unsigned char* first) { return reinterpret_cast<const BytePack*>(first); }
template <class N>
__device__ inline const Pack<N>& pack_of(const Pack<N>& all) {
  return all;
}
template <class N = Element>
__device__ inline Pack<N> pack_of(BytePack bytes) {
  Pack<N> all;
  for (int k = 0; k < all.width; ++k) all.at[k] = static_cast<N>(bytes.word >> 8 * k & 255);
  return all;
}
// The bits of a pack.
struct PackWords {
  unsigned word[4] = {};
  template <class N>
  __device__ explicit PackWords(const Pack<N>& p) {
    memcpy(word, &p, sizeof p);
  }
};
template <class N>
__device__ inline Four<N>* fours(N* first) {
  return reinterpret_cast<Four<N>*>(first);
}
template <class N>
__device__ inline const Four<N>* fours(const N* first) {
  return reinterpret_cast<const Four<N>*>(first);
}
template <class T>
__device__ inline Four<T>* fours(Shared<T> first) {
  return fours(first.first());
}
}  // namespace upsweep
#define load_four(from, i) (upsweep::fours(from)[i])
#define store_four(to, i, ...) (upsweep::fours(to)[i] = __VA_ARGS__)
// Reads pack i in one access.
#define load_pack(from, i) (upsweep::pack_of(upsweep::packs(from)[i]))
// Stores pack i to global memory. Use this macro for elements that no thread will read soon, because L2 drops these elements first (CUDA's __stcs).
#define stream_pack(to, i, ...)                                                                                  \
  {                                                                                                              \
    const upsweep::PackWords upsweep_words(__VA_ARGS__);                                                         \
    if constexpr (sizeof *upsweep::packs(to) == 16)                                                              \
      asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(upsweep::packs(to) + (i)),                \
                   "r"(upsweep_words.word[0]), "r"(upsweep_words.word[1]), "r"(upsweep_words.word[2]),           \
                   "r"(upsweep_words.word[3])                                                                    \
                   : "memory");                                                                                  \
    else                                                                                                         \
      asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(upsweep::packs(to) + (i)),                        \
                   "r"(upsweep_words.word[0]), "r"(upsweep_words.word[1])                                        \
                   : "memory");                                                                                  \
  }
// Starts to fetch elements i ... i + count - 1 into L2, in whole packs. The kernel does not wait for these elements.
template <class T>
__device__ inline void prefetch(const T* from, int i, int count) {
  const char* first = reinterpret_cast<const char*>(from + i);
  if constexpr (sizeof(T) == 1) first -= reinterpret_cast<unsigned long long>(first) % 16;  // a bulk prefetch must begin at a multiple of 16
  const unsigned bytes = static_cast<unsigned>(count) * static_cast<unsigned>(sizeof(T));
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"(bytes));
#else
  for (unsigned byte = 0; byte < bytes; byte += 128) asm volatile("prefetch.global.L2 [%0];" ::"l"(first + byte));
#endif
}

// CUDA has these functions for numbers, but not for halves, pairs, counts and volatile words.
__device__ inline upsweep::Half __shfl_sync(unsigned mask, upsweep::Half x, int lane) {
  return {static_cast<unsigned short>(__shfl_sync(mask, unsigned{x.bits}, lane))};
}
__device__ inline upsweep::Half __shfl_up_sync(unsigned mask, upsweep::Half x, unsigned distance) {
  return {static_cast<unsigned short>(__shfl_up_sync(mask, unsigned{x.bits}, distance))};
}
__device__ inline upsweep::Half __shfl_down_sync(unsigned mask, upsweep::Half x, unsigned distance) {
  return {static_cast<unsigned short>(__shfl_down_sync(mask, unsigned{x.bits}, distance))};
}
__device__ inline upsweep::Half __shfl_xor_sync(unsigned mask, upsweep::Half x, int distance) {
  return {static_cast<unsigned short>(__shfl_xor_sync(mask, unsigned{x.bits}, distance))};
}
template <class N>
__device__ inline Affine<N> __shfl_sync(unsigned mask, Affine<N> x, int lane) {
  return {__shfl_sync(mask, x.a, lane), __shfl_sync(mask, x.b, lane)};
}
template <class N>
__device__ inline Affine<N> __shfl_up_sync(unsigned mask, Affine<N> x, unsigned distance) {
  return {__shfl_up_sync(mask, x.a, distance), __shfl_up_sync(mask, x.b, distance)};
}
template <class N>
__device__ inline Affine<N> __shfl_down_sync(unsigned mask, Affine<N> x, unsigned distance) {
  return {__shfl_down_sync(mask, x.a, distance), __shfl_down_sync(mask, x.b, distance)};
}
template <class N>
__device__ inline Affine<N> __shfl_xor_sync(unsigned mask, Affine<N> x, int distance) {
  return {__shfl_xor_sync(mask, x.a, distance), __shfl_xor_sync(mask, x.b, distance)};
}
__device__ inline Count __shfl_sync(unsigned mask, Count x, int lane) {
  return static_cast<int>(__shfl_sync(mask, x.value, lane));
}
__device__ inline Count __shfl_up_sync(unsigned mask, Count x, unsigned distance) {
  return static_cast<int>(__shfl_up_sync(mask, x.value, distance));
}
__device__ inline Count __shfl_down_sync(unsigned mask, Count x, unsigned distance) {
  return static_cast<int>(__shfl_down_sync(mask, x.value, distance));
}
__device__ inline Count __shfl_xor_sync(unsigned mask, Count x, int distance) {
  return static_cast<int>(__shfl_xor_sync(mask, x.value, distance));
}
__device__ inline unsigned atomicAdd(volatile unsigned* at, unsigned x) {
  return atomicAdd(const_cast<unsigned*>(at), x);
}
__device__ inline unsigned atomicMin(volatile unsigned* at, unsigned x) {
  return atomicMin(const_cast<unsigned*>(at), x);
}
__device__ inline unsigned atomicMax(volatile unsigned* at, unsigned x) {
  return atomicMax(const_cast<unsigned*>(at), x);
}
__device__ inline unsigned atomicOr(volatile unsigned* at, unsigned x) {
  return atomicOr(const_cast<unsigned*>(at), x);
}
__device__ inline unsigned atomicExch(volatile unsigned* at, unsigned x) {
  return atomicExch(const_cast<unsigned*>(at), x);
}
__device__ inline unsigned atomicCAS(volatile unsigned* at, unsigned compare, unsigned x) {
  return atomicCAS(const_cast<unsigned*>(at), compare, x);
}
template <class N>
__device__ inline void atomic_op(N* at, N x) {
  upsweep::atomic_combine(at, x);
}

// Returns the count's old value.
__device__ inline Count atomic_op(Count* at, Count x) { return static_cast<int>(atomicAdd(&at->value, x.value)); }
namespace upsweep {
__device__ inline Count warp_sum(unsigned mask, Count x) { return static_cast<int>(warp_sum(mask, x.value)); }
}  // namespace upsweep

#define __reduce_add_sync(mask, x) upsweep::warp_sum(mask, x)
#define launch_tail(kernel, blocks, threads, ...) \
  (kernel<<<(blocks), (threads), 0, cudaStreamTailLaunch>>>(__VA_ARGS__))
#define launch_now(kernel, blocks, threads, ...) \
  (kernel<<<(blocks), (threads), 0, cudaStreamFireAndForget>>>(__VA_ARGS__))
