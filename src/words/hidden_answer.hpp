// Returns the texts about a kernel that is broken on purpose, while the reader looks for the mistake. The
// texts contain the result and the code, but do not say what is wrong. If the answer is not hidden, these
// functions return the same texts as for other kernels.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns whether the recording's kernel is broken on purpose: its algorithm's name begins with "bug_".
bool has_answer(const Recording& recording);
// Returns whether the kernel is broken on purpose and Place::hides_answer is true.
bool hides_answer(const Recording& recording, const Place& place);

// Returns the hazards that the analysis found, or null if they are hidden or not known yet.
const Hazards* shown_hazards(const Recording& recording, const Place& place);
// Returns the kernel's text. If the answer is hidden, the text has no comments except one line, which says
// which key shows the comments. The line numbers stay the same.
std::string shown_text(const Recording& recording, const Place& place);
// Returns the recording's title. If `hides_answer` is true, the title does not say what is wrong.
std::string shown_title(const Recording& recording, bool hides_answer);
// Returns the task for a reader who looks for the mistake of a kernel that is broken on purpose. Returns an
// empty text for a kernel that is not in the catalogue.
std::string shown_task(const Recording& recording);
// These functions return the sentences about a wrong result and about a run that was stopped. If the answer
// is hidden, the sentences do not say where the mistake is.
std::string shown_wrong_text(const Recording& recording, const Place& place);
std::string shown_stop(const Recording& recording, const Place& place);
// Returns a text in which "bug" replaces the kernel's name, because the name says what is wrong.
std::string without_name(std::string text);

}  // namespace upsweep
