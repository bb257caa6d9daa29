// Turns the numbers of a linear recurrence into series that can be drawn at any width.
#pragma once
#include <cstddef>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// The smallest and the largest finite number of a range. If the range has no finite number, low > high.
struct Extremes {
  double low = 1, high = -1;
  bool none() const { return low > high; }
  void take(double number);
  void take(const Extremes& other);
  bool operator==(const Extremes&) const = default;
};

// A sequence of numbers. extremes() quickly finds the smallest and the largest number of any range. The time
// that extremes() takes hardly depends on the length of the range.
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
  // levels_[0] has the extremes of each group of 16 numbers, levels_[1] of each group of 16 * 16 numbers, and
  // so on.
  std::vector<std::vector<Extremes>> levels_;
};

// A linear recurrence y[j] = a[j] * y[j-1] + b[j]: its coefficients, the recorded output, and the output of a
// sequential loop in the type of the elements.
struct Signal {
  Series a, b, y, sequential;
  Series difference;          // y - sequential
  std::vector<Value> exact;   // the numbers of `sequential`, as raw bits
  bool a_varies = false;      // whether the numbers in `a` differ
  std::size_t differing = 0;  // the number of elements in which `y` and `sequential` differ
  std::size_t largest = 0;    // the index of the number in `difference` that is farthest from 0
};

// Returns the series of a run whose elements are affine maps. `sequential` is the output of the sequential
// loop. Requires that input, output and `sequential` have equal sizes.
Signal signal_of(const Trace& trace, std::vector<Value> sequential);

}  // namespace upsweep
