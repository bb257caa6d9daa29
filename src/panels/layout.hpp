// The places of all parts of the window, in logical pixels. They are a pure function of the window's size and
// of what is shown.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// The parts of the window that are not views.
enum class Part { top_bar, transport, status };
inline constexpr int part_count = 3;

// Returns the index into views() of the view in this place of the window: the view that the reader chose, or
// the default for this recording.
int shown_view(Home home, const Looks& looks, const Recording& recording);
// Returns the other views that have something to show in the same place of the window.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap that can be dragged: between the columns, below the k-th view on the left, or below the source.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

inline constexpr float top_bar_height = 56;

struct WindowLayout {
  // The boxes of the views, by place. An empty box is not shown; its view may be the large one.
  std::array<Box, home_count> homes{};
  std::array<Box, part_count> parts{};
  Box large;              // the chosen view, or the tree in a presentation; empty if no view is large
  int large_view = -1;    // index into views()
  Box timing;             // of the times: large, or in the place of the work; empty if hidden
  Box bottom;             // the raised strip that contains words, transport, profile and status
  float column_line = 0;  // x of the hairline between the columns, or 0
  std::vector<Splitter> splitters;

  const Box& operator[](Home h) const { return homes[static_cast<std::size_t>(h)]; }
  Box& operator[](Home h) { return homes[static_cast<std::size_t>(h)]; }
  const Box& operator[](Part p) const { return parts[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return parts[static_cast<std::size_t>(p)]; }
};

// The heights that three views on the left need, in logical pixels. The tree gets the rest.
struct PreferredHeights {
  float memory = 150, banks = 104, warps = 92;
};
PreferredHeights preferred_heights_of(const Recording& recording, const Looks& looks = {});

// Returns the layout. In small windows all parts keep their proportions, even if they become illegible.
// `looks.chosen` is an index into views(); `banner` is the height of the message above the views, or 0.
WindowLayout window_layout(float width, float height, const Looks& looks,
                           const PreferredHeights& preferred_heights, float banner = 0);

// Returns whether the lower right shows the times: because the reader chose so, or by default in windows with
// enough room.
bool shows_timing(float width, float height, const Looks& looks);

// Moves a splitter by this many logical pixels. Each part keeps a legible minimum size.
void drag(Looks& looks, float width, float height, const PreferredHeights& preferred_heights,
          const Splitter& splitter, float by, float banner = 0);

}  // namespace upsweep
