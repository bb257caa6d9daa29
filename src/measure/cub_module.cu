// libupsweep_cub contains CUB's device-wide algorithms with a C interface. measure/cub.cpp opens this library
// at run time. It is built only if CMake finds nvcc. nvcc compiles no other part of the program.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>

#include <cuda_fp16.h>

namespace {

struct Positive {
  template <class N>
  __device__ bool operator()(const N& x) const {
    return x > N(0);
  }
};

// The number of selected elements comes before CUB's own scratch memory, which must be aligned to this many
// bytes.
constexpr size_t count_bytes = 256;

template <class N>
cudaError_t select(void* scratch, size_t* scratch_bytes, const N* from, N* to, int n, cudaStream_t stream) {
  char* own = scratch ? static_cast<char*>(scratch) + count_bytes : nullptr;
  size_t own_bytes = scratch ? *scratch_bytes - count_bytes : 0;
  const cudaError_t error = cub::DeviceSelect::If(own, own_bytes, from, to, static_cast<int*>(scratch), n, Positive{},
                                                  stream);
  if (!scratch) *scratch_bytes = own_bytes + count_bytes;
  return error;
}

template <class N>
cudaError_t run(int what, void* scratch, size_t* scratch_bytes, const void* in, void* out, int n, cudaStream_t stream) {
  const N* from = static_cast<const N*>(in);
  N* to = static_cast<N*>(out);
  switch (what) {
    case 0: return cub::DeviceReduce::Sum(scratch, *scratch_bytes, from, to, n, stream);
    case 1: return cub::DeviceScan::InclusiveSum(scratch, *scratch_bytes, from, to, n, stream);
    case 2: return cub::DeviceScan::ExclusiveSum(scratch, *scratch_bytes, from, to, n, stream);
    case 4: return select(scratch, scratch_bytes, from, to, n, stream);
    case 5:
      return cub::DeviceRadixSort::SortKeys(scratch, *scratch_bytes, from, to, n, 0, 8 * static_cast<int>(sizeof(N)),
                                            stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

extern "C" int upsweep_cub_version() { return CUB_VERSION; }

// `what` is 0 for a reduction, 1 for an inclusive scan and 2 for an exclusive scan, all with sums. 4 selects
// the elements above 0 in their order, and stores their number in the first int of the scratch memory. 5
// sorts in ascending order. `type` is the number of an element type in the switch below. If `scratch` is
// null, the call only sets `scratch_bytes` to the size that the run needs. Returns a cudaError_t, 0 for
// success.
extern "C" int upsweep_cub_run(int what, int type, void* scratch, size_t* scratch_bytes, const void* in, void* out,
                               int n, void* stream) {
  const auto s = static_cast<cudaStream_t>(stream);
  switch (type) {
    case 0: return run<int>(what, scratch, scratch_bytes, in, out, n, s);
    case 1: return run<unsigned>(what, scratch, scratch_bytes, in, out, n, s);
    case 2: return run<float>(what, scratch, scratch_bytes, in, out, n, s);
    case 3: return run<double>(what, scratch, scratch_bytes, in, out, n, s);
    case 4: return run<__half>(what, scratch, scratch_bytes, in, out, n, s);
    case 5: return run<long long>(what, scratch, scratch_bytes, in, out, n, s);
  }
  return cudaErrorInvalidValue;
}

extern "C" const char* upsweep_cub_error(int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }
