// Sentences about a wrong result.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns "Wrong result: out[0] is 301, expected 310." The text also says where the run first departs from
// the right kernel's run, if this is known. Returns an empty text if the result is right. `mistake` and
// `wrong` are those of Recording.
std::string wrong_text(const Trace& trace, const Message& mistake, const std::optional<WrongResult>& wrong);
inline std::string wrong_text(const Recording& r) { return wrong_text(r.trace, r.mistake, r.wrong); }
// Returns the sentence that says where the run departs from the right kernel's run. Returns an empty text if
// that is not known. `trace` is the wrong run.
std::string departure_text(const Trace& trace, const WrongResult& wrong);

}  // namespace upsweep
