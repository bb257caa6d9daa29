// Defines exceptions that end a run early. Only code outside of fibers throws these exceptions.
#pragma once

namespace upsweep {

// The run cannot go on, because a thread stopped it or because no thread can run (see Run::stopped).
struct RunStopped {};

// The run is no longer needed (see Run::wanted).
struct Unwanted {};

}  // namespace upsweep
