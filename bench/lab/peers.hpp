// CUB's scan and reduction, on the default stream. With a count of 32 bits it is the faster, as a rule.
#pragma once
#include <cuda_runtime.h>

namespace lab {

template <class T, class Count>
cudaError_t peer_scan(void* temp, size_t& bytes, const T* in, T* out, Count n);
template <class T, class Count>
cudaError_t peer_reduce(void* temp, size_t& bytes, const T* in, T* out, Count n);

}  // namespace lab
