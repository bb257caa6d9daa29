// Describes a wrong result: its first wrong element, and the place where the run first differs from the
// correct kernel's run.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/departure.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct WrongResult {
  std::size_t index = 0;  // index into Trace::output: the first wrong element
  Value got{}, expected{};
  // False if no thread wrote the element. In this case, `got` is the value that the memory had before the
  // run.
  bool written = true;
  // All wrong elements, ascending, each with the expected value. `index` is an index into Trace::output,
  // which contains the wrong values.
  struct Element {
    std::size_t index = 0;
    Value expected{};
  };
  std::vector<Element> elements{};
  // The name of the correct algorithm whose run is compared with this run. Empty if this run is compared with
  // a run of the same algorithm with all barriers.
  std::string right{};
  // The place where the run first differs from the correct kernel's run. nullopt if no correct kernel is
  // known, if the run is too large to compare, or if both runs compute the element in the same way.
  std::optional<Departure> departure{};
};

}  // namespace upsweep
