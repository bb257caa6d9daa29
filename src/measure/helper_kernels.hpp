// Kernels that help to measure. NVRTC compiles these kernels like all other kernels.
#pragma once
#include <string>

#include "measure/random_bits.hpp"

namespace upsweep {

// - copy_bytes is our own copy kernel. A block copies a tile of 256 threads * 4 * 16 bytes. Each thread
//   begins all its loads before its first store.
// - read_bytes reads without writing, so that L2 then holds only unmodified data.
// - spin keeps the stream busy for a while, so that the host can queue more work.
// - fill_TYPE writes whole numbers from 0 to 7. For float16, the numbers are 0 to 7 times the smallest
//   positive float16, so that the sum of a long array is not infinite. In pairs (a, b), `a` is always 1. For
//   products, all numbers are 1.
// - maps_TYPE writes pairs (a, b) with 0.5 <= a < 1 and a whole number b from 0 to 7.
// - number_words writes 0, 1, 2, ...
// - pick_BYTES writes numbers that are taken at random from `numbers`.
// - keys_BYTES writes random bits. If all exponent bits of a key are set, as in infinities and NaN,
//   keys_BYTES clears the last exponent bit. keys_BYTES writes 0 instead of -0, because for CUB's sort, 0 and
//   -0 are equal.
inline const std::string helper_kernels = std::string(random_bits_source) + R"(
extern "C" __global__ void empty() {}

extern "C" __global__ void spin(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < nanoseconds);
}

extern "C" __global__ void __launch_bounds__(256) copy_bytes(const uint4* in, uint4* out, unsigned long long bytes) {
  constexpr int per_thread = 4;
  const unsigned long long count = bytes / 16;
  const unsigned long long first = blockIdx.x * 256ull * per_thread + threadIdx.x;
  if (first + 256 * (per_thread - 1) < count) {
    uint4 x[per_thread];
    for (int k = 0; k < per_thread; ++k) x[k] = in[first + 256 * k];
    for (int k = 0; k < per_thread; ++k) out[first + 256 * k] = x[k];
  } else {
    for (int k = 0; k < per_thread; ++k)
      if (first + 256 * k < count) out[first + 256 * k] = in[first + 256 * k];
  }
  if (blockIdx.x == 0 && threadIdx.x < bytes % 16) {
    const unsigned long long i = count * 16 + threadIdx.x;
    reinterpret_cast<char*>(out)[i] = reinterpret_cast<const char*>(in)[i];
  }
}

extern "C" __global__ void read_bytes(const uint4* in, unsigned long long bytes, unsigned* never) {
  unsigned any = 0;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < bytes / 16; i += gridDim.x * 256ull) {
    const uint4 x = in[i];
    any |= x.x | x.y | x.z | x.w;
  }
  // The condition is never true, because the memory contains only zeros. Without this store, the compiler
  // would remove the loads.
  if (any == 0xdeadbeef) *never = any;
}

template <class N>
__device__ void fill(N* to, unsigned long long count, int pairs, int ones, N one = N(1)) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    const unsigned hash = static_cast<unsigned>((i * 0x9e3779b97f4a7c15ull) >> 40);
    to[i] = ones || (pairs && i % 2 == 0) ? one : N(hash % 8);
  }
}
extern "C" __global__ void fill_int32(int* to, unsigned long long n, int pairs, int ones) { fill(to, n, pairs, ones); }
extern "C" __global__ void fill_uint32(unsigned* to, unsigned long long n, int pairs, int ones) { fill(to, n, pairs, ones); }
extern "C" __global__ void fill_int64(long long* to, unsigned long long n, int pairs, int ones) { fill(to, n, pairs, ones); }
extern "C" __global__ void fill_float16(unsigned short* to, unsigned long long n, int pairs, int ones) {
  fill(to, n, pairs, ones, static_cast<unsigned short>(0x3c00));
}
extern "C" __global__ void fill_float32(float* to, unsigned long long n, int pairs, int ones) { fill(to, n, pairs, ones); }
extern "C" __global__ void fill_float64(double* to, unsigned long long n, int pairs, int ones) { fill(to, n, pairs, ones); }

template <class N>
__device__ void maps(N* to, unsigned long long count) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    const unsigned hash = static_cast<unsigned>((i * 0x9e3779b97f4a7c15ull) >> 40);
    to[2 * i] = N(0.5) + N(hash >> 3 & 1023) / N(2048);
    to[2 * i + 1] = N(hash % 8);
  }
}
extern "C" __global__ void maps_float32(float* to, unsigned long long n) { maps(to, n); }
extern "C" __global__ void maps_float64(double* to, unsigned long long n) { maps(to, n); }

extern "C" __global__ void number_words(unsigned* to, unsigned long long n) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) to[i] = static_cast<unsigned>(i);
}

template <class Bits>
__device__ void pick(Bits* to, unsigned long long count, const Bits* numbers, unsigned long long size) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull)
    to[i] = numbers[random_bits(i) % size];
}
extern "C" __global__ void pick_2(unsigned short* to, unsigned long long n, const unsigned short* numbers, unsigned long long size) { pick(to, n, numbers, size); }
extern "C" __global__ void pick_4(unsigned* to, unsigned long long n, const unsigned* numbers, unsigned long long size) { pick(to, n, numbers, size); }
extern "C" __global__ void pick_8(unsigned long long* to, unsigned long long n, const unsigned long long* numbers, unsigned long long size) { pick(to, n, numbers, size); }

template <class Bits>
__device__ void keys(Bits* to, unsigned long long count, unsigned long long exponent) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    unsigned long long x = random_bits(i);
    if ((x & exponent) == exponent) x ^= exponent & -exponent;
    Bits key = static_cast<Bits>(x);
    if (exponent != 0 && static_cast<Bits>(key << 1) == 0) key = 0;
    to[i] = key;
  }
}
extern "C" __global__ void keys_2(unsigned short* to, unsigned long long n, unsigned long long exponent) { keys(to, n, exponent); }
extern "C" __global__ void keys_4(unsigned* to, unsigned long long n, unsigned long long exponent) { keys(to, n, exponent); }
extern "C" __global__ void keys_8(unsigned long long* to, unsigned long long n, unsigned long long exponent) { keys(to, n, exponent); }
)";

}  // namespace upsweep
