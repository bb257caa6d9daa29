// libupsweep_cub contains CUB's device-wide algorithms with a C interface. measure/cub.cpp opens this library
// at run time. The library is built only if CMake finds nvcc. nvcc compiles no other part of Upsweep.
#include "cub_module.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>

#include <cuda_fp16.h>

namespace {

using upsweep::CubRun;
using upsweep::CubWork;

struct Positive {
  template <class N>
  __device__ bool operator()(const N& x) const {
    return x > N(0);
  }
};

// The map x -> a x + b. An access to global memory moves both numbers at once.
template <class N>
struct alignas(2 * sizeof(N)) Map {
  N a, b;
};
struct FirstThenSecond {
  template <class N>
  __device__ Map<N> operator()(const Map<N>& first, const Map<N>& second) const {
    return {first.a * second.a, second.a * first.b + second.b};
  }
};

// The size in bytes of the memory that is reserved for the number of selected elements. CUB's own scratch
// memory begins after these bytes. The address of CUB's memory must be a multiple of 256.
constexpr size_t count_bytes = 256;

template <class N>
cudaError_t select(void* scratch, size_t& scratch_bytes, const N* from, N* to, int n, cudaStream_t stream) {
  char* own = scratch ? static_cast<char*>(scratch) + count_bytes : nullptr;
  size_t own_bytes = scratch ? scratch_bytes - count_bytes : 0;
  const cudaError_t error = cub::DeviceSelect::If(own, own_bytes, from, to, static_cast<int*>(scratch), n, Positive{},
                                                  stream);
  if (!scratch) scratch_bytes = own_bytes + count_bytes;
  return error;
}

template <class N>
cudaError_t run(const CubRun& r, size_t& bytes) {
  const N* from = static_cast<const N*>(r.in);
  N* to = static_cast<N*>(r.out);
  const auto stream = static_cast<cudaStream_t>(r.stream);
  constexpr int bits = 8 * static_cast<int>(sizeof(N));
  switch (r.work) {
    case CubWork::reduction: return cub::DeviceReduce::Sum(r.scratch, bytes, from, to, r.n, stream);
    case CubWork::inclusive_scan: return cub::DeviceScan::InclusiveSum(r.scratch, bytes, from, to, r.n, stream);
    case CubWork::exclusive_scan: return cub::DeviceScan::ExclusiveSum(r.scratch, bytes, from, to, r.n, stream);
    case CubWork::selection: return select(r.scratch, bytes, from, to, r.n, stream);
    case CubWork::sort_keys: return cub::DeviceRadixSort::SortKeys(r.scratch, bytes, from, to, r.n, 0, bits, stream);
    default: break;
  }
  if constexpr (sizeof(N) == 4) {
    if (r.work == CubWork::sort_pairs)
      return cub::DeviceRadixSort::SortPairs(r.scratch, bytes, from, to, r.values_in, r.values_out, r.n, 0, bits, stream);
    if (r.work == CubWork::maps)
      return cub::DeviceScan::InclusiveScan(r.scratch, bytes, static_cast<const Map<N>*>(r.in),
                                            static_cast<Map<N>*>(r.out), FirstThenSecond{}, r.n, stream);
  }
  return cudaErrorInvalidValue;
}

cudaError_t run(const CubRun& r, size_t& bytes) {
  switch (r.type) {
    case 0: return run<int>(r, bytes);
    case 1: return run<unsigned>(r, bytes);
    case 2: return run<float>(r, bytes);
    case 3: return run<double>(r, bytes);
    case 4: return run<__half>(r, bytes);
    case 5: return run<long long>(r, bytes);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

extern "C" int upsweep_cub_version() { return CUB_VERSION; }

// Returns a cudaError_t, 0 for success. Pairs and maps need elements of 4 bytes.
extern "C" int upsweep_cub_compute(CubRun* r) {
  size_t bytes = r->scratch_bytes;
  const cudaError_t error = run(*r, bytes);
  r->scratch_bytes = bytes;
  return error;
}

extern "C" const char* upsweep_cub_error(int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }
