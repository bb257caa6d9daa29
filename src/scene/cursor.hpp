// The one cursor that all views share. The window owns it; a view only reads it.
#pragma once
#include "scene/scene.hpp"

namespace upsweep {

struct Cursor {
  int step = 0;      // index into Trace::steps
  int request = -1;  // which shared request of the step is looked at (0 based, in canonical order); -1: the
                     // step as a whole, views show its costliest
  int block = 0;
  int first_element = 0, element_count = 0;  // the tree's visible columns; count 0 shows all
  int first_line = 0;                        // the source view's first visible line, 0: follow the step
  Id hover;                                  // what the mouse is over, in any view

  bool operator==(const Cursor&) const = default;
};

}  // namespace upsweep
