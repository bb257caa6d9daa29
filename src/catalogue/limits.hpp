// Defines limits that hold on every CUDA architecture that Upsweep supports.
#pragma once

namespace upsweep {

inline constexpr int largest_block = 1024;  // the number of threads in the largest block

}  // namespace upsweep
