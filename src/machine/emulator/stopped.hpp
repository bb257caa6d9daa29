// What ends a run early. Thrown where no fiber runs.
#pragma once

namespace upsweep {

// A run cannot go on: a thread stopped it, or nobody can run (Run::stopped says why).
struct RunStopped {};

// A run is no longer wanted (Run::wanted).
struct Unwanted {};

}  // namespace upsweep
