// Describes a wrong result in sentences.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns "Wrong result: out[0] is 301, expected 310.", and the place where the run first differs from the
// correct kernel's run, if this place is known. Returns an empty text if the result is correct. `mistake`
// and `wrong` are the members of Recording with these names.
std::string wrong_text(const Trace& trace, const Message& mistake, const std::optional<WrongResult>& wrong);
inline std::string wrong_text(const Recording& r) { return wrong_text(r.trace, r.mistake, r.wrong); }
// Returns the sentence that says where the wrong run `trace` first differs from the correct kernel's run.
// Returns an empty text if this place is not known.
std::string departure_text(const Trace& trace, const WrongResult& wrong);

// Two texts about the place where the run first differs from the correct kernel's run. `got` says what
// happens in the wrong run: "thread 3 writes 7 to temp[3]". `expected` says what happens in the correct run:
// "temp[3] holds 9".
struct BothRuns {
  std::string got, expected;
};
// Requires that wrong.departure has a value.
BothRuns departure_in_both(const Trace& trace, const WrongResult& wrong);

}  // namespace upsweep
