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

// Returns the algorithm of a trace, never null. It is the catalogue's entry if the entry's text equals the
// trace's text (except for a removed barrier). Otherwise it is read from the comment at the beginning of the
// trace's text. If that comment cannot be read, the algorithm has only a name.
std::shared_ptr<const Algorithm> algorithm_of(const Trace& trace);

// Returns the kind of result of a trace, or a result without a name if this version does not know it.
const Result& result_of(const Trace& trace);

// Returns the number of elements of the output that are defined: only the kept elements of a selection.
std::size_t defined_outputs(const Trace& trace, const Result& result);

// Analyses a trace and adds the results of its algorithm's formulas. Does not find hazards; see
// Recording::find_hazards(). Reports progress to a job, and throws Cancelled if the job is cancelled.
Recording make_recording(Trace trace, Job* job = nullptr);

// Returns the recording that a learner sees before a question: before_step(), analysed without everything
// that depends on the output or predicts a count. The tree of the hidden step's grid has empty rows for the
// hidden steps.
Recording recording_before(const Recording& whole, int first_hidden, Job* job = nullptr);

// Compares a trace's output with the output of a sequential loop. Returns an empty message if they agree,
// else a message about the first difference. Returns nothing if this version cannot check the output. Throws
// Cancelled if the job is cancelled meanwhile.
std::optional<Message> verdict(const Trace& trace, const Job* job = nullptr);

}  // namespace upsweep
