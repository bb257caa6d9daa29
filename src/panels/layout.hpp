// Computes the places of all parts of the window, in logical pixels. The places depend only on the window's
// size and on what is shown.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// The parts of the window that are not views.
enum class Part { top_bar, purpose, transport, status };
inline constexpr int part_count = 4;

// Returns the index into views() of the view that is shown in this place of the window: the view that the
// reader chose, or else the default for this recording.
int shown_view(Home home, const Looks& looks, const Recording& recording);
// Returns the other views that can be shown in the same place and have something to show.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap that the reader can drag: between the columns, below a view on the left (`row` counts them from 0),
// or below the view Source.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

inline constexpr float top_bar_height = 56;
// The height of the two lines about the algorithm below the top bar (Part::purpose), in usual windows and in
// low ones.
inline constexpr float purpose_height = 42, low_purpose_height = 36;

struct WindowLayout {
  // The box of the view in each place. If a box is empty, no view is shown there; the large view may cover
  // the place.
  std::array<Box, home_count> homes{};
  std::array<Box, part_count> parts{};
  Box large;              // the enlarged view, or the first view of a presentation; empty for none
  int large_view = -1;    // the view in `large`, as an index into views(); -1 for none
  Box timing;             // the box of the measured times; empty if they are hidden
  Box bottom;             // the raised strip that contains words, transport, profile and status
  float column_line = 0;  // x of the hairline between the columns, or 0
  std::vector<Splitter> splitters;
  Box question;      // a question instead of the words, or in the lesson; empty for none
  Box lesson;        // the lessons at the right side; empty if they are hidden
  float header = 0;  // the height of the parts above the views and above the message
  // For a presentation: the line with the algorithm and its settings, and the views beside the large one,
  // with their places.
  Box caption;
  std::array<Box, 2> added{}, changed_added{};
  std::array<int, 2> added_views{-1, -1};
  // For a comparison: the places of the changed run's views, which are as large as those in `homes` and
  // `large`; the bars with the names of both runs; and the row of differences. Empty otherwise.
  std::array<Box, home_count> changed{};
  Box changed_large;
  std::array<Box, 2> names{};
  Box differences;

  const Box& operator[](Home h) const { return homes[static_cast<std::size_t>(h)]; }
  Box& operator[](Home h) { return homes[static_cast<std::size_t>(h)]; }
  const Box& operator[](Part p) const { return parts[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return parts[static_cast<std::size_t>(p)]; }
};

// The heights in logical pixels that three views on the left need. The tree gets the height that remains. A
// view with nothing to show has the height title_height, see View::why_nothing.
struct PreferredHeights {
  float memory = 150, banks = 104, warps = 92;
};
PreferredHeights preferred_heights_of(const Recording& recording, const Looks& looks = {}, int step = 0);

// Returns the layout. In a window that is too small, the parts keep their proportions, even if they become
// illegible. `banner` is the height of the message above the views, or 0.
WindowLayout window_layout(float width, float height, const Looks& looks,
                           const PreferredHeights& preferred_heights, float banner = 0);

// Returns whether the measured times are shown at the lower right: as the reader chose, or by default if the
// window has enough room.
bool shows_timing(float width, float height, const Looks& looks);

// Moves a splitter by `by` logical pixels. The parts beside it keep a legible minimum size.
void drag(Looks& looks, float width, float height, const PreferredHeights& preferred_heights,
          const Splitter& splitter, float by, float banner = 0);

}  // namespace upsweep
