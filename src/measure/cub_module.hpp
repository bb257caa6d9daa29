// Defines the interface between the program and the module with CUB. Both include this file.
#pragma once

namespace upsweep {

// Scans and reductions compute sums. A selection keeps the elements above 0 in their order, and stores their
// number in the first int of the scratch memory. Sorts are stable and in ascending order; sort_pairs moves
// 32-bit values with the keys. `maps` is an inclusive scan of affine maps x -> a x + b, which are pairs (a,
// b).
enum class CubWork { reduction, inclusive_scan, exclusive_scan, selection, sort_keys, sort_pairs, maps };

// One run: n elements from `in` to `out`. If `scratch` is null, nothing is computed: only `scratch_bytes` is
// set to the size of the scratch memory that the run needs.
struct CubRun {
  CubWork work = CubWork::reduction;
  int type = 0;  // the number of the element type, as in Settings
  void* scratch = nullptr;
  unsigned long long scratch_bytes = 0;
  const void* in = nullptr;
  void* out = nullptr;
  const unsigned* values_in = nullptr;  // the values that belong to the keys of sort_pairs
  unsigned* values_out = nullptr;
  int n = 0;
  void* stream = nullptr;  // a cudaStream_t
};

}  // namespace upsweep
