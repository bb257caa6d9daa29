// Makes a recording: a trace with everything that views and tables derive from the trace.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/job.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

// Returns the algorithm of a trace, never null. If the trace has the same text as an algorithm of the
// catalogue (except for a removed barrier), this algorithm is returned.
//
// Otherwise, the algorithm is read from the comment at the beginning of the trace's text. If the comment
// cannot be read, the algorithm has only a name.
std::shared_ptr<const Algorithm> algorithm_of(const Trace& trace);

// Returns the kind of result that a trace has. If this version does not know the kind, returns a result
// without a name.
const Result& result_of(const Trace& trace);

// Returns how many elements of the output are defined. For a selection, only the kept elements are defined.
std::size_t defined_outputs(const Trace& trace, const Result& result);

// Analyses a trace, and adds the counts that its algorithm's formulas predict. Does not find hazards; see
// Recording::find_hazards(). Reports progress to a job, and throws Cancelled if the job is cancelled.
Recording make_recording(Trace trace, Job* job = nullptr);

// Returns the recording that a learner sees before a question. Step `first_hidden` and later steps have no
// events; their rows in the tree are empty. The recording contains nothing that depends on the output, and no
// predicted counts.
Recording recording_before(const Recording& whole, int first_hidden, Job* job = nullptr);

// Compares a trace's output with the output of a sequential loop. Returns an empty message if the outputs
// agree. Otherwise, returns a message about the first difference. Returns nullopt if this version of Upsweep
// cannot check the output. Throws Cancelled if the job is cancelled.
std::optional<Message> verdict(const Trace& trace, const Job* job = nullptr);

}  // namespace upsweep
