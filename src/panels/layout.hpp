// The places of all parts of the window: a pure function from the window's size to boxes, in logical pixels.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// Contents of the window's boxes other than views.
enum class Part { top_bar, transport, status };
inline constexpr int part_count = 3;

// Returns the index into views() of the view that a home shows: the chosen one, or the one that shows most of
// this recording.
int shown_view(Home home, const Looks& looks, const Recording& recording);
// Returns the other views of a view's home that have something to show.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap between parts that can be dragged: between the columns, below the k-th view on the left, or below the
// source.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

inline constexpr float top_bar_height = 56;

struct WindowLayout {
  // A home with an empty box is not shown; its view may be the large one.
  std::array<Box, home_count> homes{};
  std::array<Box, part_count> parts{};
  Box large;              // the chosen view, or the tree in a presentation; empty if no view is large
  int large_view = -1;    // index into views()
  Box timing;             // the times: large, or in the place of the work; empty if they are hidden
  Box bottom;             // the raised strip under words, transport, profile and status
  float column_line = 0;  // x of the hairline between the columns, or 0
  std::vector<Splitter> splitters;

  const Box& operator[](Home h) const { return homes[static_cast<std::size_t>(h)]; }
  Box& operator[](Home h) { return homes[static_cast<std::size_t>(h)]; }
  const Box& operator[](Part p) const { return parts[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return parts[static_cast<std::size_t>(p)]; }
};

// The heights that the views on the left need, in logical pixels. The tree gets the rest.
struct PreferredHeights {
  float memory = 150, banks = 104, warps = 92;
};
PreferredHeights preferred_heights_of(const Recording& recording, const Looks& looks = {});

// `looks.chosen` is an index into views(). In small windows all parts keep their proportions, even if they
// become illegible.
// `banner` is the height of the message above the views, or 0.
WindowLayout window_layout(float width, float height, const Looks& looks,
                           const PreferredHeights& preferred_heights, float banner = 0);

// Returns whether the lower right shows the times: if a person chose so, or by default in windows with room
// for everything.
bool shows_timing(float width, float height, const Looks& looks);

// Moves a splitter by this many logical pixels. Each part keeps its smallest legible size.
void drag(Looks& looks, float width, float height, const PreferredHeights& preferred_heights,
          const Splitter& splitter, float by, float banner = 0);

}  // namespace upsweep
