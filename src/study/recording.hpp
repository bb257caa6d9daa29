// Makes a recording: a trace with everything that views and tables derive from it.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/job.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the algorithm of a trace: the catalogue's entry if it has exactly the trace's text; else what the
// opening comment of the trace's text says; only the name if that cannot be read. It is never null.
std::shared_ptr<const Algorithm> algorithm_of(const Trace& trace);

// Analyses a trace and adds the promises of its algorithm's header. Does not find hazards: see
// Recording::find_hazards. Reports progress to a job; throws Cancelled when it is cancelled.
Recording make_recording(Trace trace, Job* job = nullptr);

// Compares a trace's output with that of a sequential loop. Returns no message if they agree, else the first
// difference; returns nothing if this version cannot check it. Throws Cancelled if a job is cancelled
// meanwhile.
std::optional<Message> verdict(const Trace& trace, const Job* job = nullptr);

}  // namespace upsweep
