// What is wrong with a run's result.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "analysis/departure.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct WrongResult {
  std::size_t index = 0;  // the first wrong element of the output
  Value got{}, expected{};
  bool written = true;  // false if no thread wrote the element: `got` is what the memory held before the run
  std::string
      right{};  // the algorithm of the right kernel; empty if it is the same one with all its barriers
  // Where the run first departs from that of the right kernel. Nothing if there is no right kernel, if the
  // run is too large to compare, or if both runs compute the element in the same way.
  std::optional<Departure> departure{};
};

}  // namespace upsweep
