// The cursor that all views share. The window owns it, and views only read it.
#pragma once
#include <algorithm>

#include "analysis/place.hpp"
#include "scene/scene.hpp"

namespace upsweep {

struct Cursor : Place {
  int first_element = 0, element_count = 0;  // the tree's zoom, see visible_columns()
  int first_line = 0;  // the source view's first visible line; at 0, the view follows the step
  Id hover;            // the id of the thing under the mouse

  bool operator==(const Cursor&) const = default;
};

struct VisibleColumns {
  int first = 0, count = 0;
};
// Returns the visible columns of a tree that has `columns` columns: the cursor's zoom, moved into the tree if
// necessary. Returns all columns if the cursor has no zoom or one that is wider than the tree.
inline VisibleColumns visible_columns(const Cursor& cursor, int columns) {
  if (cursor.element_count <= 0 || cursor.element_count >= columns) return {0, columns};
  return {std::clamp(cursor.first_element, 0, columns - cursor.element_count), cursor.element_count};
}

}  // namespace upsweep
