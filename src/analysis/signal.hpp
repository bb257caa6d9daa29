// The numbers of a linear recurrence as series that can be drawn at any width.
#pragma once
#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// The smallest and the largest finite number of a range. If the range has none, low > high.
struct Extremes {
  double low = 1, high = -1;
  bool none() const { return low > high; }
  void take(double number);
  void take(const Extremes& other);
  bool operator==(const Extremes&) const = default;
};

// Numbers, and the extremes of ranges of them. Finding the extremes of a range takes about as long for a long
// range as for a short one.
class Series {
 public:
  Series() = default;
  explicit Series(std::vector<double> numbers);
  std::size_t size() const { return numbers_.size(); }
  double operator[](std::size_t i) const { return numbers_[i]; }
  // Returns the extremes of the numbers from `begin` to `end` - 1. Requires end <= size().
  Extremes extremes(std::size_t begin, std::size_t end) const;
  Extremes extremes() const { return extremes(0, size()); }

 private:
  static constexpr std::size_t group = 16;
  std::vector<double> numbers_;
  std::vector<std::vector<Extremes>> levels_;  // of 16 numbers, of 16 * 16 numbers, and so on
};

// A linear recurrence y[j] = a[j] * y[j-1] + b[j]: its coefficients, the recorded output, and the output of a
// sequential loop in the type of the elements.
struct Signal {
  Series a, b, y, sequential;
  Series difference;          // y - sequential
  std::vector<Value> exact;   // the numbers of `sequential`, as they are stored
  bool a_varies = false;      // not all a are equal
  std::size_t differing = 0;  // how many y differ from the sequential loop
  std::size_t largest = 0;    // the index of the largest difference
};

// Returns the series of a run whose elements are affine maps. `sequential` is the output of the sequential
// loop. Requires that input, output and `sequential` have equal sizes.
Signal signal_of(const Trace& trace, std::vector<Value> sequential);

}  // namespace upsweep
