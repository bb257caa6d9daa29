// The header above the charts of times, and the comparison between them.
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
  std::string note;         // the reason why something is missing; empty if nothing is missing
  bool beside_work = true;  // "Work and steps" can be shown here instead
  bool large = false;       // the times fill the left side or the window
};
// Draws the title, the sources of times, the tabs of the charts, and the button that measures or cancels.
Panel timing_header(const TimingHeader& header, const Theme& theme, float width, Point mouse);

// The two variants, their costs for one block and at full size, and whether the difference matters.
struct Comparison {
  struct Side {
    std::string name;
    std::optional<BlockCost> cost;
    int line = -1;              // the colour and mark of the line in the charts, 0 or 1; -1: no line
    std::optional<Timing> row;  // at full size; none if not measured
  };
  Side now, compared;
  std::string sentence;
  std::array<std::optional<TimingCase>, 2> cases;
  int shown_case = -1;
  std::string block;  // the block of these costs: "1 block of 32 threads, n = 64"
};
// Returns the height of the comparison at a width, which does not depend on its content.
float comparison_height(float width);
Panel comparison_panel(const Comparison& comparison, const Theme& theme, float width, Point mouse);

}  // namespace upsweep
