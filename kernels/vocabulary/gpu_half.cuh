// Defines our own floating-point numbers of 16 bits. CUDA defines such numbers in a header, but kernels use none of CUDA's headers. Sums and products are
// rounded separately, so a product and a sum are never fused into one operation.
#pragma once

namespace upsweep {

struct Half {
  unsigned short bits;
};

__device__ inline Half add(Half a, Half b) {
  Half sum;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(sum.bits) : "h"(a.bits), "h"(b.bits));
  return sum;
}
__device__ inline Half multiply(Half a, Half b) {
  Half product;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(product.bits) : "h"(a.bits), "h"(b.bits));
  return product;
}
__device__ inline bool operator<(Half a, Half b) {
  unsigned less;
  asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(less) : "h"(a.bits), "h"(b.bits));
  return less != 0;
}

__device__ inline Half volatile_load(const volatile Half* from) { return {reinterpret_cast<const volatile unsigned short*>(from)[0]}; }
__device__ inline void volatile_store(volatile Half* to, Half value) { *reinterpret_cast<volatile unsigned short*>(to) = value.bits; }

__device__ inline Half atomic_add(Half* at, Half x) {
  Half before;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before.bits) : "l"(at), "h"(x.bits) : "memory");
  return before;
}

}  // namespace upsweep
