// Computes the places of all parts of the window in logical pixels. The places depend only on the window's
// size and on the visible parts.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// The parts of the window that are not views.
enum class Part { top_bar, purpose, transport, status };
inline constexpr int part_count = 4;

// Returns the view that is shown in this place of the window, as an index into views(). This is the view that
// the reader chose, or the default for this recording.
int shown_view(Home home, const Looks& looks, const Recording& recording);
// Returns the other views that can be shown in the place of `view`. Leaves out views that have nothing to
// show.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap that the reader can drag. The gap is between the columns, below a view on the left, or below the view
// "Source". If the gap is below a view on the left, `row` is the index of this view, from 0.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

inline constexpr float top_bar_height = 56;
// Below the top bar, there are two lines about the algorithm (Part::purpose). Their height is
// `purpose_height` in usual windows, and `low_purpose_height` in low windows.
inline constexpr float purpose_height = 42, low_purpose_height = 36;

struct WindowLayout {
  // For each home (a place of the window), the box of the view that is shown there. The box is empty if no
  // view is shown there, for example because a large view fills the left side.
  std::array<Box, home_count> homes{};
  std::array<Box, part_count> parts{};
  // The box of the enlarged view, or of the first view of a presentation. Empty if there is no such view.
  Box large;
  int large_view = -1;    // the view in `large` as an index into views(), or -1
  Box timing;             // the box of the measured times; empty if the times are hidden
  Box bottom;             // the lowest part: sentences, buttons, profile and status
  float column_line = 0;  // the x of the hairline between the columns; 0 without a hairline
  std::vector<Splitter> splitters;
  // The box of the question. The question replaces the view "Words" or, in a lesson, is in the panel of the
  // lesson. Empty if there is no question.
  Box question;
  Box lesson;         // the box of the lessons at the right; empty if the lessons are hidden
  float header = 0;   // the height of the top bar and the lines about the algorithm
  float message = 0;  // the y of the message. A message of one line covers the lines about the algorithm.
  // For presentations: `caption` is the box of the line with the algorithm and its settings. `added` and
  // `changed_added` are the boxes of the views that are shown in addition to the large view.
  Box caption;
  std::array<Box, 2> added{}, changed_added{};
  std::array<int, 2> added_views{-1, -1};
  // For comparisons: `changed` and `changed_large` are the boxes of the changed run's views, which are as
  // large as the views in `homes` and `large`. `names` are the boxes of the bars with the names of both runs.
  // `differences` is the box of the row that shows the differences between the runs.
  std::array<Box, home_count> changed{};
  Box changed_large;
  std::array<Box, 2> names{};
  Box differences;

  const Box& operator[](Home h) const { return homes[static_cast<std::size_t>(h)]; }
  Box& operator[](Home h) { return homes[static_cast<std::size_t>(h)]; }
  const Box& operator[](Part p) const { return parts[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return parts[static_cast<std::size_t>(p)]; }
};

// The heights in logical pixels that three views on the left need. The tree gets the remaining height. A view
// that has nothing to show needs title_height, see View::why_nothing.
struct PreferredHeights {
  float memory = 150, banks = 104, warps = 92;
};
PreferredHeights preferred_heights_of(const Recording& recording, const Looks& looks = {}, int step = 0);

// Returns the layout of the window. In a window that is too small, the parts keep their proportions, even if
// texts become too small to read. `banner` is the height of the message, or 0. If the message is not higher
// than the lines about the algorithm, it covers these lines, and the views keep their places.
WindowLayout window_layout(float width, float height, const Looks& looks,
                           const PreferredHeights& preferred_heights, float banner = 0);

// Returns true if the measured times are shown at the lower right. The reader can show or hide the times. By
// default, the times are shown if the window has enough room.
bool shows_timing(float width, float height, const Looks& looks);

// Moves a splitter by `by` logical pixels. The parts on both sides of the splitter keep a minimum size.
void drag(Looks& looks, float width, float height, const PreferredHeights& preferred_heights,
          const Splitter& splitter, float by, float banner = 0);

}  // namespace upsweep
