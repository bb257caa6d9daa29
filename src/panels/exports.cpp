#include "panels/exports.hpp"

#include "base/language.hpp"

namespace upsweep {

std::vector<ExportRow> export_rows(const std::string& view, Handouts handouts) {
  std::vector<ExportRow> rows = {
      {view + tr(": PNG"), tr("the picture in pixels, as on the screen")},
      {view + tr(": SVG"), tr("lines and text, for slides and web pages")},
      {view + tr(": PDF"), tr("lines and text, for paper")},
      {view + tr(": clipboard"), tr("the picture, to paste into slides")},
      {view + tr(", every step: PDF"), tr("one page for each step")},
      {view + tr(", every step: PNG"), tr("numbered files in a new folder")},
      {view + tr(", every step: GIF"), tr("an animation that repeats, at the speed of Play")},
      {view + tr(", every step: WebM"), tr("a video, at the speed of Play")},
      {tr("The window: PNG"), tr("everything, as on the screen")},
      {tr("The window: SVG"), tr("all views as lines and text, without the top bar's controls")},
      {tr("The window: PDF"), tr("all views as lines and text, for paper")},
      {tr("The chart of times: SVG and PDF"), tr("the chart that the view \"Timing\" shows")},
      {tr("Copy as command"), tr("the command line that draws this view")},
      {tr("Copy as text   Ctrl C"),
       tr("a short text; Ctrl V in another window of Upsweep shows the same view")},
      {tr("The recording with this view: file"),
       tr("a file .upsweep that opens at this step with these views")}};
  if (handouts != Handouts::none)
    rows.push_back({tr("The lesson: PDF"), tr("a handout with pictures and space for answers")});
  if (handouts == Handouts::with_answers)
    rows.push_back(
        {tr("The lesson with answers: PDF"), tr("the handout with the answers and their reasons")});
  return rows;
}

}  // namespace upsweep
