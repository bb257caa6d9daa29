// How the C library treats freed memory.
#pragma once
#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace upsweep {

// Keeps up to 64 MB of freed memory for the next allocation. By default large pieces go back to the system at
// once, and the next recording of a block pays for the page faults. A program calls this once, when it
// starts.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace upsweep
