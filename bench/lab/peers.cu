// The peer: CUB's scan and reduction from the installed toolkit. Apart from the lab, since CUB takes most of the time to compile.
#include "peers.hpp"

#include <cub/cub.cuh>
#include <cuda_fp16.h>

namespace lab {

template <class T>
cudaError_t peer_scan(void* temp, size_t& bytes, const T* in, T* out, long long n, cudaStream_t stream) {
  return cub::DeviceScan::InclusiveSum(temp, bytes, in, out, n, stream);
}
template <class T>
cudaError_t peer_reduce(void* temp, size_t& bytes, const T* in, T* out, long long n, cudaStream_t stream) {
  return cub::DeviceReduce::Sum(temp, bytes, in, out, n, stream);
}

template cudaError_t peer_scan(void*, size_t&, const float*, float*, long long, cudaStream_t);
template cudaError_t peer_scan(void*, size_t&, const __half*, __half*, long long, cudaStream_t);
template cudaError_t peer_scan(void*, size_t&, const long long*, long long*, long long, cudaStream_t);
template cudaError_t peer_reduce(void*, size_t&, const float*, float*, long long, cudaStream_t);
template cudaError_t peer_reduce(void*, size_t&, const long long*, long long*, long long, cudaStream_t);

}  // namespace lab
