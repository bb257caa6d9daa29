// Why a run had to be stopped: who went round without end, or waited for what never came.
#include <algorithm>
#include <bit>
#include <charconv>
#include <map>

#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

// The number after "ine " in a sentence that names a line; 0 if it names none.
int line_named(const std::string& sentence) {
  int line = 0;
  if (const std::size_t at = sentence.find("ine "); at != sentence.npos)
    std::from_chars(sentence.data() + at + 4, sentence.data() + sentence.size(), line);
  return line;
}

}  // namespace

void note_stop(const Trace& trace, HazardNotes& notes) {
  if (trace.stopped.empty()) return;
  const bool waits = trace.stopped.find("wait") != trace.stopped.npos;
  const int line = line_named(trace.stopped);
  if (HazardNote* n = notes.note(waits ? Hazard::deadlock : Hazard::endless_loop, line, 0, Apart::request))
    n->party.line = line;
}

}  // namespace upsweep
