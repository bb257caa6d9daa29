// Chooses the data for measurements. A GPU's memory is filled with this data.
#pragma once
#include <vector>

#include "catalogue/catalogue.hpp"
#include "trace/settings.hpp"

namespace upsweep {

enum class Filling {
  digits,  // whole numbers from 0 to 7; helper_kernels.hpp names the exceptions
  halves,  // random numbers; the chosen predicate keeps half of them
  keys,    // random bits, but no infinities and no NaN
  maps     // affine maps a x + b; for float32 and float64, 0.5 <= a < 1, so that no result is large
};
// Returns the data on which algorithms with this result are measured.
Filling filling_of(const Result& result);

// Numbers for measuring a selection. Each element of the data is one of these numbers, chosen at random.
// `kept` is the share of the numbers that the chosen predicate keeps. It is usually 0.5. It is 1 or 0 if the
// predicate keeps all or none of the numbers that examples_of() tried.
struct SelectionData {
  std::vector<Value> numbers;  // 1,024 numbers
  double kept = 0;
};
SelectionData selection_data(const Settings& s);

}  // namespace upsweep
