// The cursor that all views share. The window owns it, and views only read it.
#pragma once
#include <algorithm>

#include "analysis/place.hpp"
#include "scene/scene.hpp"

namespace upsweep {

struct Cursor : Place {
  int first_element = 0, element_count = 0;  // the zoom of the tree, see visible_columns(); count 0 shows all
  int first_line = 0;                        // the source view's first visible line; 0 to follow the step
  Id hover;                                  // the id under the mouse, in any view

  bool operator==(const Cursor&) const = default;
};

struct VisibleColumns {
  int first = 0, count = 0;
};
// Returns which columns of a tree with `columns` columns are shown. A zoom that is wider than the tree shows
// all columns. A zoom that ends beyond the tree shows the last columns. In both cases the cursor keeps its
// zoom for wider trees.
inline VisibleColumns visible_columns(const Cursor& cursor, int columns) {
  if (cursor.element_count <= 0 || cursor.element_count >= columns) return {0, columns};
  return {std::clamp(cursor.first_element, 0, columns - cursor.element_count), cursor.element_count};
}

}  // namespace upsweep
