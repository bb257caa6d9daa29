// The cursor is the reader's place in the run (step, block, request and more), with the settings of some
// views. All views share one cursor. The window owns the cursor, and views only read the cursor.
#pragma once
#include <algorithm>
#include <string_view>

#include "analysis/place.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// The kinds of pictures that the view "Image" can compute with the summed-area table.
enum class Made { box_means, depth_of_field, errors };
inline constexpr std::string_view made_names[] = {"box_means", "depth_of_field", "errors"};

// The settings of the view "Image", which shows a picture and its summed-area table.
struct ImageLook {
  Made made = Made::box_means;
  int box_width = 0;   // an odd number of pixels; at 0, the view chooses the width
  float focus = 4.5f;  // objects at this depth are sharp
  // The index of the pixel at the centre of the box. -1 means the pixel at the centre of the picture.
  int pixel = -1;
  // The visible part of the picture, see visible_part(). If `column_count` is 0, the whole picture is
  // visible.
  int first_row = 0, first_column = 0, column_count = 0;

  bool operator==(const ImageLook&) const = default;
};

struct Cursor : Place {
  int first_element = 0, element_count = 0;  // the visible columns of the tree, see visible_columns()
  // The first visible line of the view "Source", from 1. At 0, the view scrolls to the lines of the step.
  int first_line = 0;
  ImageLook image;
  Id hover;  // the id of the thing under the mouse

  bool operator==(const Cursor&) const = default;
};

struct VisibleColumns {
  int first = 0, count = 0;
};
// Returns the visible columns of a tree that has `columns` columns. If the cursor's columns go beyond an end
// of the tree, returns the nearest columns that are all in the tree. Returns all columns if the cursor
// contains no columns (element_count is 0), or at least as many columns as the tree.
inline VisibleColumns visible_columns(const Cursor& cursor, int columns) {
  if (cursor.element_count <= 0 || cursor.element_count >= columns) return {0, columns};
  return {std::clamp(cursor.first_element, 0, columns - cursor.element_count), cursor.element_count};
}

}  // namespace upsweep
