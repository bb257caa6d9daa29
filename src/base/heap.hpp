// Makes the C library keep freed memory.
#pragma once
#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace upsweep {

// Makes the C library keep up to 64 MB of freed memory. By default, the library returns large pieces of freed
// memory to the system immediately. So the next recording must wait for new pages from the system. Programs
// call this function once, when they start.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace upsweep
