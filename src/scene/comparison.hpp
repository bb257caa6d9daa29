// Draws the parts of a comparison that are not views: the names of the runs, the differences in the shown
// step and in the whole run, and the costs of all pairs of steps.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "analysis/step_match.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

struct ComparedRuns {
  const Recording &baseline, &changed;
  std::span<const StepPair> pairs;
  int pair = 0;               // index of the shown pair in `pairs`
  bool hides_answer = false;  // see Place::hides_answer

  StepPair now() const { return pairs[static_cast<std::size_t>(pair)]; }
};

// An additional quantity of the whole run, such as a measured time.
struct MoreOfRun {
  std::string name, baseline, changed;  // the numbers are text; an unknown number is empty
};

// The heights in dp of the pictures of side_name_scene() and differences_scene(). If the window is low, the
// height for differences_scene() is low_differences_height.
inline constexpr float side_name_height = 36, differences_height = 76, low_differences_height = 62;

// Draws a bar with the letter and the name of a run. The baseline has the letter A, and the changed run has
// the letter B. Leaves `room` dp free at the right end. If this run has no step in the shown pair of steps,
// the bar says that the step is missing.
Scene side_name_scene(const ComparedRuns& runs, bool is_changed, const Theme& theme, float width, float room);
// Draws a table of quantities. For each quantity, the table shows the numbers of both runs: in the shown step
// and in the whole run. Highlights numbers that differ between the runs.
Scene differences_scene(const ComparedRuns& runs, std::span<const MoreOfRun> more, const Theme& theme,
                        float width, float height);
// Draws two bars for each pair of steps. The upper bar shows the baseline's wavefronts, and the lower bar
// shows the changed run's wavefronts. The id of a pair's target (the area that reacts to the mouse) is a
// StepId, in which `step` is the pair's index. `hover` is the index of the pair under the mouse, or -1.
Scene pairs_scene(const ComparedRuns& runs, int hover, const Theme& theme, float width, float height);

// Draws one picture with the views of both runs, the names of the runs, and the table of differences.
Scene comparison_scene(const View& view, const ComparedRuns& runs, const Cursor& baseline,
                       const Cursor& changed, const Theme& theme, float width, float height);

}  // namespace upsweep
