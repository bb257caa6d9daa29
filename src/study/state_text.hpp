// Describes in a short text what a window shows. The text can be sent to somebody or stored in a file. An
// example is
//   upsweep:1?algorithm=scan_blelloch&n=64&step=5
// The text has the fields of a Request that say what is shown. The text leaves out fields with their default
// value, and fields that are a matter of taste, such as the theme. "1" is the version of the text.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "study/request.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the part of a state that can be shared: the run, the place in it, and the views.
Request shared_part(const Request& state);

// Returns the text of a state (see Session::state()). Throws RequestError if another computer could not show
// the state: the data are in a file, come from a recording or are too long, or the window shows a recording
// from a file.
std::string state_text(const Request& state);

// Returns the text that a file keeps beside its recording: the place in the recording, and the views.
std::string place_text(const Request& state);
// Returns the place that is saved in a recording. Returns nullopt if the recording has no place or if the
// place cannot be read.
std::optional<Request> saved_place(const Trace& trace);

// Returns whether a text begins with "upsweep:". Ignores spaces at the beginning.
bool is_state_text(std::string_view text);
// Reads the text of a state. Fields that the text leaves out get their default value. Throws RequestError if
// the text cannot be read, or if a newer version wrote the text.
Request read_state_text(std::string_view text);

}  // namespace upsweep
