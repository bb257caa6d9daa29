// Finds the places at which a thread combines many elements one after the other, such as a + b + c + d. The
// description of a step then shows one sum of many elements, instead of many single operations.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "trace/trace.hpp"

namespace upsweep {

// A chain of operations that combine values from left to right. `values` is the number of these values.
// `loads` is the number of loaded elements among them.
struct Chain {
  // The largest value of `values` and `loads`. Without this limit, these numbers could overflow, because each
  // iteration of a loop can double a chain.
  static constexpr std::int64_t most = 1 << 20;
  std::int64_t values = 0, loads = 0;
  // The memory that the loads read: {true, region of shared memory} or {false, buffer}.
  std::pair<bool, int> memory;
  bool one_memory = true;  // all loads read `memory`
  int first = 0, last = 0,
      stride = 0;    // `first` and `last` are the indices of the first and the last loaded element. `stride`
                     // is the distance between the indices of two successive loads.
  bool even = true;  // true if all successive loads have the distance `stride`
  // `first_load` is the origin of the first loaded element. `rest` is the origin of the last value that is
  // neither a constant nor counted in `loads`; 0 if there is no such value.
  Origin first_load = 0, rest = 0;

  // Returns whether the description of a step shows this chain as one sum of many elements.
  bool is_fold() const { return values >= 4 && loads >= 3 && one_memory; }

  // Appends another chain on the right.
  void append(const Chain& more) {
    // If this chain is only one value, loaded from another memory than the elements of `more`, this value
    // becomes `rest`. The elements of `more` are then added to `rest`.
    if (values == 1 && loads == 1 && more.loads > 0 && memory != more.memory) {
      rest = first_load;
      loads = 0;
    }
    if (loads > 0 && more.loads > 0) {
      one_memory = one_memory && more.one_memory && memory == more.memory;
      const int between = more.first - last;
      even = even && more.even && (loads == 1 || stride == between) &&
             (more.loads == 1 || more.stride == between);
      stride = between;
      last = more.last;
    } else if (more.loads > 0) {
      const Chain so_far = std::exchange(*this, more);
      values = so_far.values, rest = so_far.rest;
      loads = 0;
    }
    values = std::min(values + more.values, most);
    loads = std::min(loads + more.loads, most);
    if (more.rest != 0) rest = more.rest;
  }
};

}  // namespace upsweep
