// What every CUDA architecture that Upsweep knows allows.
#pragma once

namespace upsweep {

inline constexpr int largest_block = 1024;  // threads

}  // namespace upsweep
