// Lowers the priority of background work below the window's priority.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

namespace upsweep {

// Lowers the priority of the calling thread and of the threads that it starts, because work on all cores
// would otherwise delay the window's frames. Works only on Linux. Changes nothing if the system refuses the
// lower priority.
inline void give_way() {
  [[maybe_unused]] const int refused = setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
}

}  // namespace upsweep
