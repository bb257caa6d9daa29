// Draws the header above the charts of times, and the comparison of two variants below the charts.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "panels/chrome.hpp"
#include "scene/theme.hpp"
#include "study/compared_facts.hpp"
#include "study/timing_model.hpp"

namespace upsweep {

inline constexpr float timing_header_height = 80;

struct TimingHeader {
  const TimingModel& model;
  std::string note;         // the reason why times are missing; otherwise empty
  bool beside_work = true;  // true if the view "Work and steps" can replace the times
  bool large = false;       // true if the times fill the left side of the window
};
// Draws the title, the tabs of the charts, and the button that begins or cancels a measurement. Also draws
// the names of the sources from which the times come, for example files.
Panel timing_header(const TimingHeader& header, const Theme& theme, float width, Point mouse);

// The two variants, their costs, and their times at the largest measured size. If possible, both times are at
// the same size. A sentence says if the difference matters.
struct Comparison {
  struct Side {
    std::string name;
    std::optional<SharedCost> cost;
    // The index of this variant's curve in the charts: 0 or 1. The index defines the colour and the mark of
    // the curve. -1 if the charts have no curve for this variant.
    int line = -1;
    std::optional<Timing> row;  // the time at the largest size; empty if no time was measured
  };
  Side now, compared;
  std::string sentence;
  std::array<std::optional<TimingCase>, 2> cases;
  int shown_case = -1;
  // False for a run on OpenGL, because its shaders use textures, and textures have no banks.
  bool has_banks = true;
  std::string run;  // the run whose costs are counted, such as "the whole run, n = 64"
};
// Returns the height of a comparison in a panel of this width. The height depends on the length of the
// comparison's sentence. most_comparison_height() returns the largest height of all comparisons.
float comparison_height(const Comparison& comparison, float width);
float most_comparison_height(float width);
Panel comparison_panel(const Comparison& comparison, const Theme& theme, float width, Point mouse);

}  // namespace upsweep
