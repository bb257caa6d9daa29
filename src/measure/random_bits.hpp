// Contains the text of a CUDA function that the kernels in src/measure use.
#pragma once

namespace upsweep {

// random_bits() returns 64 random bits for each index and seed (SplitMix64).
inline constexpr const char* random_bits_source = R"(
__device__ unsigned long long random_bits(unsigned long long i, int seed = 0) {
  unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull + seed * 0xd1342543de82ef95ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
)";

}  // namespace upsweep
