// Finds two parts of the kernel's text that belong to a recorded request: the conditions that decide which
// lanes make the request, and the index of the accessed element.
#pragma once
#include <string>
#include <vector>

#include "trace/kernel_text.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct RequestSource {
  // The conditions that decide which threads of the warp make the request, the outermost first. If a
  // condition is only the name of a variable, `meaning` is the value of this variable in the text, such as
  // "t < n / 2". Otherwise, `meaning` is empty.
  struct Condition {
    int line = 0;
    std::string text, meaning;
    bool operator==(const Condition&) const = default;
  };
  std::vector<Condition> conditions;
  // True if the conditions alone certainly decide which lanes are active. In this case, all conditions are
  // true for each active lane, and at least one condition is false for each masked-off lane. If `is_complete`
  // is false, `conditions` is empty.
  bool is_complete = false;

  bool pads = false;  // whether the text calls pad() for this index
  // `index` is the name of the variable with the element's index before padding. `cell` is the name of the
  // variable with the result of pad(). A name is empty if the text has no variable for this number.
  std::string index, cell;
  // The definition of `cell`, or of `index` if `cell` is empty: "ai = pad(2 * t)" in line 12. The line is 0
  // if there is no definition.
  KernelText::Definition definition;
};

// `event` must be the index of an event that has lanes (see has_lanes()).
RequestSource request_source(const Trace& trace, int event);

}  // namespace upsweep
