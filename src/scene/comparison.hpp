// Draws the parts of a comparison besides the two views: the names of the runs, the differences in the shown
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
  int pair = 0;               // the shown pair
  bool hides_answer = false;  // see Place::hides_answer

  StepPair now() const { return pairs[static_cast<std::size_t>(pair)]; }
};

// One more quantity of the whole run, such as a measured time.
struct MoreOfRun {
  std::string name, baseline, changed;  // the numbers as text; empty if not known
};

// Heights in dp.
inline constexpr float side_name_height = 36, differences_height = 76, low_differences_height = 62;

// Draws the bar with a run's letter (A is the baseline) and its name. `room` dp at the right end stay free.
// If the shown pair has no step in this run, the bar says so.
Scene side_name_scene(const ComparedRuns& runs, bool is_changed, const Theme& theme, float width, float room);
// Draws a table: for each quantity the numbers of both runs, in the shown step and in the whole run. Numbers
// that differ stand out.
Scene differences_scene(const ComparedRuns& runs, std::span<const MoreOfRun> more, const Theme& theme,
                        float width, float height);
// Draws two bars for each pair of steps: the wavefronts of the baseline (upper row) and of the changed run.
// The target of a pair is a StepId with the pair's index. `hover` is the index of the pair under the mouse,
// or -1.
Scene pairs_scene(const ComparedRuns& runs, int hover, const Theme& theme, float width, float height);

// Draws a view of both runs with their names and the differences, as one picture. Each input's size is
// ignored.
Scene comparison_scene(const View& view, const ComparedRuns& runs, const Cursor& baseline,
                       const Cursor& changed, const Theme& theme, float width, float height);

}  // namespace upsweep
