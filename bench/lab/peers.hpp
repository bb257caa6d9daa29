// CUB's scan and reduction, called with temp = nullptr to ask for the bytes they need.
#pragma once
#include <cuda_runtime.h>

namespace lab {

template <class T>
cudaError_t peer_scan(void* temp, size_t& bytes, const T* in, T* out, long long n, cudaStream_t stream);
template <class T>
cudaError_t peer_reduce(void* temp, size_t& bytes, const T* in, T* out, long long n, cudaStream_t stream);

}  // namespace lab
