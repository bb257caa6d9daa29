// Notes why the run had to be stopped. The machine recorded which threads were still running or waiting at
// that moment, and in which lines.
#include <algorithm>
#include <vector>

#include "analysis/hazard_notes.hpp"

namespace upsweep {

void note_stop(const Trace& trace, HazardNotes& notes) {
  if (!trace.stopped) return;
  Hazard kind = Hazard::endless_loop;
  switch (trace.stopped.kind) {
    case Stop::deadlock:
    case Stop::not_resident: kind = Hazard::deadlock; break;
    case Stop::misaligned: kind = Hazard::misaligned; break;
    case Stop::launch_limit: kind = Hazard::endless_launches; break;
    default: break;
  }
  std::vector<int> lines;  // the first two different lines of stopped threads; 0 for a missing line
  for (const StoppedThreads& p : trace.stopped.places)
    if (const int line = static_cast<int>(p.line);
        line > 0 && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(line);
  lines.resize(2);
  HazardNote* n = notes.note(kind, lines[0], lines[1], Apart::request);
  if (n == nullptr) return;
  n->party.line = lines[0];
  n->other.line = lines[1];
}

}  // namespace upsweep
