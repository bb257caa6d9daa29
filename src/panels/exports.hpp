// Defines the rows of the list Export, which saves or copies parts of the window.
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
  state,      // copies the text of the state to the clipboard
  recording,  // saves a file with the recording and the state
  // The rows from here are visible only while a lesson is open.
  handout,
  handout_with_answers,
};

// A row of the list Export: the thing that the row saves, and the purpose of the saved file.
struct ExportRow {
  std::string name;
  const char* note;
};

// The parts of the open lesson that can be saved. If the lesson is a test, the window does not save the
// answers, because the user is taking the test. The command `upsweep lesson export --answers` saves the
// answers.
enum class Handouts { none, questions, with_answers };

// Returns the rows of the list Export, in the order of the enumeration Export. `view` is the title of the
// view that can be exported. `handouts` says which rows for the open lesson are included.
std::vector<ExportRow> export_rows(const std::string& view, Handouts handouts);

}  // namespace upsweep
