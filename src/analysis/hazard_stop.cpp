// Why a run had to be stopped: who went round without end, or waited for what never came. The machines know
// best, and say it in a sentence (Trace::stopped) that names the lines.
#include <charconv>
#include <vector>

#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

// The numbers behind "line" in a sentence, each once.
std::vector<int> lines_named(const std::string& sentence) {
  std::vector<int> lines;
  constexpr std::string_view word = "ine ";  // of Line, too
  for (std::size_t at = sentence.find(word); at != sentence.npos; at = sentence.find(word, at + 1)) {
    int line = 0;
    std::from_chars(sentence.data() + at + word.size(), sentence.data() + sentence.size(), line);
    if (line > 0 && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

void note_stop(const Trace& trace, HazardNotes& notes) {
  if (trace.stopped.empty()) return;
  const Hazard kind = trace.stopped.starts_with("Deadlock") ? Hazard::deadlock : Hazard::endless_loop;
  std::vector<int> lines = lines_named(trace.stopped);
  lines.resize(2);
  HazardNote* n = notes.note(kind, lines[0], lines[1], Apart::request);
  if (n == nullptr) return;
  n->party.line = lines[0];
  n->other.line = lines[1];
}

}  // namespace upsweep
