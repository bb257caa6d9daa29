// The header above the charts of times, and the comparison of two variants below the charts.
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
  std::string note;         // why times are missing; otherwise empty
  bool beside_work = true;  // the view "Work and steps" can be shown here instead
  bool large = false;       // the times fill the left side of the window
};
// Draws the title, the sources of times, the tabs of the charts, and the button that begins or cancels a
// measurement.
Panel timing_header(const TimingHeader& header, const Theme& theme, float width, Point mouse);

// The two variants, their costs, their times at full size, and whether the difference matters.
struct Comparison {
  struct Side {
    std::string name;
    std::optional<SharedCost> cost;
    int line = -1;              // the line in the charts with the same colour and mark: 0, 1, or -1 for none
    std::optional<Timing> row;  // the time at full size; none if not measured
  };
  Side now, compared;
  std::string sentence;
  std::array<std::optional<TimingCase>, 2> cases;
  int shown_case = -1;
  bool has_banks = true;  // a run on OpenGL has no shared memory, and textures have no banks
  std::string run;        // the run whose costs are counted: "the whole run, n = 64"
};
// Returns the height of a comparison in a panel of this width, which depends on the length of its sentence.
// most_comparison_height() returns the greatest height of any comparison.
float comparison_height(const Comparison& comparison, float width);
float most_comparison_height(float width);
Panel comparison_panel(const Comparison& comparison, const Theme& theme, float width, Point mouse);

}  // namespace upsweep
