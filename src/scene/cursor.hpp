// The one cursor that all views share. The window owns it; a view only reads it.
#pragma once
#include "analysis/place.hpp"
#include "scene/scene.hpp"

namespace upsweep {

struct Cursor : Place {
  int first_element = 0, element_count = 0;  // the tree's visible columns; count 0 shows all
  int first_line = 0;                        // the source view's first visible line, 0: follow the step
  Id hover;                                  // what the mouse is over, in any view

  bool operator==(const Cursor&) const = default;
};

}  // namespace upsweep
