// A trace with everything that the views and tables derive from it.
#pragma once
#include "scene/views.hpp"

namespace upsweep {

// Analyses a trace once, and sets what its algorithm's header promises beside it.
Recording make_recording(Trace trace);

}  // namespace upsweep
