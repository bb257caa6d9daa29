#include "panels/exports.hpp"

namespace upsweep {

std::vector<ExportRow> export_rows(const std::string& view, Handouts handouts) {
  std::vector<ExportRow> rows = {
      {view + ": PNG", "the picture in pixels, as on the screen"},
      {view + ": SVG", "lines and text, for slides and web pages"},
      {view + ": PDF", "lines and text, for paper"},
      {view + ": clipboard", "the picture, to paste into slides"},
      {view + ", every step: PDF", "one page for each step"},
      {view + ", every step: PNG", "numbered files in a new folder"},
      {view + ", every step: GIF", "an animation that repeats, at the speed of Play"},
      {view + ", every step: WebM", "a video, at the speed of Play"},
      {"The window: PNG", "everything, as on the screen"},
      {"The window: SVG", "all views as lines and text, without the top bar's controls"},
      {"The window: PDF", "the same, for paper"},
      {"The chart of times: SVG and PDF", "the chart that the view Timing shows"},
      {"Copy as command", "the command line that draws this view"},
      {"Copy as text   Ctrl C", "a short text; Ctrl V in another Upsweep shows the same"},
      {"The recording with this view: file", "a file .upsweep that opens at this step with these views"}};
  if (handouts != Handouts::none)
    rows.push_back({"The lesson: PDF", "a handout with pictures and room for answers"});
  if (handouts == Handouts::with_answers)
    rows.push_back({"The lesson with answers: PDF", "the same with the answers and their reasons"});
  return rows;
}

}  // namespace upsweep
