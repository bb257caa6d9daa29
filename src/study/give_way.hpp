// Work that may wait goes behind the window's.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

namespace upsweep {

// The window goes first: otherwise work that takes every core would hold up its frames. On Linux this is of
// the calling thread and those that it starts. If it is refused, all goes on as before.
inline void give_way() {
  [[maybe_unused]] const int refused = setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

}  // namespace upsweep
