// What the lab's kernels ask of the chip: one small function for each instruction. The emulator
// (emulated.hpp) has the same functions for a CPU, so that the kernels' text runs there as it stands.
#pragma once
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace dev {

using u64 = unsigned long long;

// How a kernel says that it waited too long: it names itself and what it waited for in host memory, then
// ends the launch.
struct Watch {
  unsigned* trouble;  // two words: the configuration, and what it waited for
  unsigned configuration;
};
enum Wait : unsigned { wait_load = 1, wait_slot, wait_sums, wait_prefix, wait_look_back };

__device__ __forceinline__ int thread() { return threadIdx.x; }
__device__ __forceinline__ int block() { return blockIdx.x; }
__device__ __forceinline__ int blocks() { return gridDim.x; }
__device__ __forceinline__ int lane() { return threadIdx.x & 31; }

__device__ __forceinline__ void sync_block() { __syncthreads(); }
__device__ __forceinline__ void sync_warp() { __syncwarp(); }
// A barrier for some warps of a block; number 0 is the whole block's.
__device__ __forceinline__ void sync_some(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
template <class A>
__device__ __forceinline__ A shuffle_up(A x, int distance) {
  return __shfl_up_sync(~0u, x, distance);
}
template <class A>
__device__ __forceinline__ A shuffle_xor(A x, int distance) {
  return __shfl_xor_sync(~0u, x, distance);
}
template <class A>
__device__ __forceinline__ A shuffle(A x, int from) {
  return __shfl_sync(~0u, x, from);
}
__device__ __forceinline__ unsigned ballot(bool p) { return __ballot_sync(~0u, p); }
__device__ __forceinline__ int first_bit(unsigned x) { return __ffs(x) - 1; }

extern __shared__ __align__(128) unsigned char shared_bytes[];
template <class M>
__device__ __forceinline__ M& shared() {
  return *reinterpret_cast<M*>(shared_bytes);
}

// A wait that goes on for a fifth of a second has gone wrong (a launch takes milliseconds). The trap ends
// every thread of the launch, so nothing can be left spinning; the host reads the words and says which
// configuration it was.
struct Patience {
  unsigned tries = 0;
  long long start = 0;
  __device__ __forceinline__ void spend(const Watch& watch, Wait what) {
    if ((++tries & 127) != 0) return;
    const long long now = clock64();
    if (start == 0) start = now;
    if (now - start < 400000000ll) return;
    volatile unsigned* words = watch.trouble;
    words[0] = watch.configuration;
    words[1] = what;
    __threadfence_system();
    __trap();
  }
};

// Hints: 0 none, 1 streaming (.cs), 2 not in L1 and the first to leave L2.
__device__ __forceinline__ u64 evict_first() {
  u64 policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
template <int HINT>
__device__ __forceinline__ uint4 load16(const uint4* p) {
  uint4 v;
  if constexpr (HINT == 0) {
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
  } else if constexpr (HINT == 1) {
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
  } else {
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p), "l"(evict_first()));
  }
  return v;
}
template <int HINT>
__device__ __forceinline__ void store16(uint4* p, uint4 v) {
  if constexpr (HINT == 0) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
                 : "memory");
  } else if constexpr (HINT == 1) {
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z),
                 "r"(v.w)
                 : "memory");
  } else {
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(p), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w), "l"(evict_first())
                 : "memory");
  }
}

// As assembly, so that the compiler neither loads twice nor keeps what it unpacked from the bytes across a
// wait, which takes twice the registers.
__device__ __forceinline__ uint4 take16(const uint4* shared) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"((unsigned)__cvta_generic_to_shared(shared)));
  return v;
}

// A value and the tag that says what it is, in one word that arrives whole: whoever sees the tag has the
// value, without a fence.
template <class A>
struct Message {
  A value;
  unsigned tag;
};
template <class A>
constexpr int message_bytes = sizeof(A) == 4 ? 8 : 16;

template <class A>
__device__ __forceinline__ Message<A> receive(const void* words, long long i) {
  if constexpr (sizeof(A) == 4) {
    u64 w;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"((const u64*)words + i) : "memory");
    return {__uint_as_float((unsigned)w), (unsigned)(w >> 32)};
  } else {
    u64 value, tag;
    asm volatile("{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                 : "=l"(value), "=l"(tag)
                 : "l"((const char*)words + 16 * i)
                 : "memory");
    return {(A)value, (unsigned)tag};
  }
}
template <class A>
__device__ __forceinline__ void post(void* words, long long i, A value, unsigned tag) {
  if constexpr (sizeof(A) == 4) {
    const u64 w = (u64)tag << 32 | __float_as_uint(value);
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"((u64*)words + i), "l"(w) : "memory");
  } else {
    asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(
                     (char*)words + 16 * i),
                 "l"((u64)value), "l"((u64)tag)
                 : "memory");
  }
}
// Counts up and begins again at 0 after `last`, so that the next launch finds it as this one did.
__device__ __forceinline__ unsigned draw(unsigned* counter, unsigned last) {
  return atomicInc(counter, last);
}
__device__ __forceinline__ void fence() { __threadfence(); }

// Barriers in shared memory that count threads' arrivals and bytes of bulk copies.
using Bar = u64;
__device__ __forceinline__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bar_init(Bar* b, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void bars_ready() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void bar_arrive(Bar* b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(b)) : "memory");
}
__device__ __forceinline__ void bar_expect(Bar* b, unsigned bytes) {  // arrives, too
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(b)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ bool bar_try(Bar* b, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(address(b)), "r"(parity)
               : "memory");
  return done != 0;
}
template <int HINT>
__device__ __forceinline__ void bulk_load(void* to, const void* from, unsigned bytes, Bar* b) {
  if constexpr (HINT == 2) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
        "[%3], %4;" ::"r"(address(to)),
        "l"(from), "r"(bytes), "r"(address(b)), "l"(evict_first())
        : "memory");
  } else {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            address(to)),
        "l"(from), "r"(bytes), "r"(address(b))
        : "memory");
  }
}
template <int HINT>
__device__ __forceinline__ void bulk_store(void* to, const void* from,
                                           unsigned bytes) {  // a group of its own
  if constexpr (HINT == 2) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(to),
                 "r"(address(from)), "r"(bytes), "l"(evict_first())
                 : "memory");
  } else {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)),
                 "r"(bytes)
                 : "memory");
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Until all but the latest N bulk stores of this thread have read their shared memory.
template <int N>
__device__ __forceinline__ void bulk_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void bulk_done() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
// Before a bulk store, in each thread that wrote what it will read.
__device__ __forceinline__ void fence_bulk() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Clusters: blocks that run at the same time and reach each other's shared memory.
__device__ __forceinline__ int cluster_rank() { return cooperative_groups::this_cluster().block_rank(); }
__device__ __forceinline__ void sync_cluster() { cooperative_groups::this_cluster().sync(); }
template <class M>
__device__ __forceinline__ M* of_block(M* p, int rank) {
  return cooperative_groups::this_cluster().map_shared_rank(p, rank);
}

}  // namespace dev
