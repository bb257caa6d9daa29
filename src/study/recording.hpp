// A trace with everything that the views and tables derive from it.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/job.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// What a trace's algorithm says of itself: the catalogue's entry, if that is the very text that ran; else
// what the trace's own text says in its opening comment; nothing but its name if that cannot be read. Never
// null.
std::shared_ptr<const Algorithm> algorithm_of(const Trace& trace);

// Analyses a trace, and sets what its algorithm's header promises beside it. Does not look for hazards: see
// Recording::find_hazards. A job hears of the progress; throws Cancelled when it is cancelled.
Recording make_recording(Trace trace, Job* job = nullptr);

// No message if a trace's output is what a sequential loop gives for its input, else the first difference;
// nothing where this version cannot tell. Throws Cancelled if a job is cancelled meanwhile.
std::optional<Message> verdict(const Trace& trace, const Job* job = nullptr);

}  // namespace upsweep
