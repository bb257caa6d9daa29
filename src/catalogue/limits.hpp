// Limits that hold on every CUDA architecture that Upsweep supports.
#pragma once

namespace upsweep {

inline constexpr int largest_block = 1024;  // threads

}  // namespace upsweep
