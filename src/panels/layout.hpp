// Where everything stands: a pure function from the window's size to boxes, in logical pixels.
#pragma once
#include <array>

#include "scene/scene.hpp"
#include "study/session.hpp"

namespace upsweep {

// What a box of the window holds: the views and the panels around them.
enum class Part { tree, memory, banks, warps, source, work, profile, words, top_bar, transport, status };
inline constexpr int part_count = 11;

// The part that shows a view of that name, or one of several; throws std::out_of_range for an unknown one.
Part part_of_view(std::string_view view);

// The parts that show views, in the order of the views that they are named after.
inline constexpr Part view_parts[] = {Part::tree,   Part::memory, Part::banks,   Part::warps,
                                      Part::source, Part::work,   Part::profile, Part::words};

// Index into views() of what a part shows: what was chosen for it, or what says most about this recording.
int shown_view(Part part, const Looks& looks, const Recording& recording);
// The other views that could stand there and have something to show.
std::vector<int> alternatives_of(int view, const Recording& recording);

// A gap between parts that can be dragged: between the columns, below the k-th view on the left, below the
// source.
struct Splitter {
  enum class Kind { column, row, source } kind = Kind::column;
  int row = 0;
  Box box;
};

struct WindowLayout {
  std::array<Box, part_count> boxes{};  // an empty box: not shown here, though perhaps large
  Box large;                            // the chosen view, or in a presentation the tree; empty where none is
  int large_view = -1;                  // index into views()
  Box timing;                           // the times: large, or in the place of the work; empty: not shown
  Box bottom;                           // the raised strip under words, transport, profile and status
  float column_line = 0;                // x of the hairline between the columns; 0: there is none
  std::vector<Splitter> splitters;

  const Box& operator[](Part p) const { return boxes[static_cast<std::size_t>(p)]; }
  Box& operator[](Part p) { return boxes[static_cast<std::size_t>(p)]; }
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
