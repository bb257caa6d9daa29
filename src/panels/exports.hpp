// What the list Export can save or copy.
#pragma once
#include <string>
#include <vector>

namespace upsweep {

enum class Export {
  png,
  svg,
  pdf,
  clipboard,
  steps_pdf,
  steps_png,
  steps_gif,
  steps_webm,
  window_png,
  window_svg,
  window_pdf,
  chart,
  command,
  state,      // the text of the state, to the clipboard
  recording,  // a file with the recording and the state
  // Only while a lesson is open.
  handout,
  handout_with_answers,
};

// A row of the list: what the row saves, and the purpose of the saved file.
struct ExportRow {
  std::string name;
  const char* note;
};

// The parts of the open lesson that can be saved. The answers of a test are not offered to the person who
// takes it; `upsweep lesson export --answers` writes them.
enum class Handouts { none, questions, with_answers };

// Returns the rows in the order of the enumeration. `view` is the title of the exported view. The last rows
// are missing if `handouts` does not have them.
std::vector<ExportRow> export_rows(const std::string& view, Handouts handouts);

}  // namespace upsweep
