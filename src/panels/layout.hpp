// Where everything stands: a pure function from the window's size to boxes, in logical pixels.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// What a box of the window holds besides views.
enum class Part { top_bar, transport, status };
inline constexpr int part_count = 3;

// Index into views() of what a home shows: what was chosen for it, or what says most about this recording.
int shown_view(Home home, const Looks& looks, const Recording& recording);
// The other views of a view's home that have something to show.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap between parts that can be dragged: between the columns, below the k-th view on the left, below the
// source.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

inline constexpr float top_bar_height = 56;

struct WindowLayout {
  std::array<Box, home_count> homes{};  // an empty box: not shown here, though perhaps large
  std::array<Box, part_count> parts{};
  Box large;              // the chosen view, or in a presentation the tree; empty where none is
  int large_view = -1;    // index into views()
  Box timing;             // the times: large, or in the place of the work; empty: not shown
  Box bottom;             // the raised strip under words, transport, profile and status
  float column_line = 0;  // x of the hairline between the columns; 0: there is none
  std::vector<Splitter> splitters;

  const Box& operator[](Home h) const { return homes[static_cast<std::size_t>(h)]; }
  Box& operator[](Home h) { return homes[static_cast<std::size_t>(h)]; }
  const Box& operator[](Part p) const { return parts[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return parts[static_cast<std::size_t>(p)]; }
};

// What the views on the left would like, in logical pixels; the tree takes what is left.
struct Wishes {
  float memory = 150, banks = 104, warps = 92;
};
Wishes wishes_of(const Recording& recording, const Looks& looks = {});

// `looks.chosen` counts views(). Small windows keep every part in proportion, below its smallest legible size
// if it must be.
WindowLayout window_layout(float width, float height, const Looks& looks, const Wishes& wishes);

// Whether the lower right shows the times: as was chosen, else in windows that have room for all of them.
bool shows_timing(float width, float height, const Looks& looks);

// Moves a splitter by so many logical pixels; parts stop at their smallest legible size.
void drag(Looks& looks, float width, float height, const Wishes& wishes, const Splitter& splitter, float by);

}  // namespace upsweep
