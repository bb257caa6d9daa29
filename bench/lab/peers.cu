// The peer: CUB's scan and reduction from the installed toolkit. Apart from the lab, since CUB takes most
// of the time to compile.
#include <cuda_fp16.h>

#include <cub/cub.cuh>

#include "peers.hpp"

namespace lab {

template <class T, class Count>
cudaError_t peer_scan(void* temp, size_t& bytes, const T* in, T* out, Count n) {
  return cub::DeviceScan::InclusiveSum(temp, bytes, in, out, n);
}
template <class T, class Count>
cudaError_t peer_reduce(void* temp, size_t& bytes, const T* in, T* out, Count n) {
  return cub::DeviceReduce::Sum(temp, bytes, in, out, n);
}

template cudaError_t peer_scan(void*, size_t&, const float*, float*, int);
template cudaError_t peer_scan(void*, size_t&, const float*, float*, long long);
template cudaError_t peer_scan(void*, size_t&, const __half*, __half*, int);
template cudaError_t peer_scan(void*, size_t&, const __half*, __half*, long long);
template cudaError_t peer_scan(void*, size_t&, const long long*, long long*, int);
template cudaError_t peer_scan(void*, size_t&, const long long*, long long*, long long);
template cudaError_t peer_reduce(void*, size_t&, const float*, float*, int);
template cudaError_t peer_reduce(void*, size_t&, const float*, float*, long long);
template cudaError_t peer_reduce(void*, size_t&, const long long*, long long*, int);
template cudaError_t peer_reduce(void*, size_t&, const long long*, long long*, long long);

}  // namespace lab
