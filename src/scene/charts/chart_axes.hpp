// Lays out charts: chooses the ticks and their labels, and finds free places for texts, because texts must
// not overlap.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/paint.hpp"
#include "words/quantities.hpp"

namespace upsweep {

struct Axis {
  double low = 1, high = 10;  // low < high; if the axis is logarithmic, low > 0
  float begin = 0, end = 0;   // the positions of `low` and `high` in dp
  bool logarithmic = true;

  // Returns the position of a value in dp. A value outside the axis is placed at the nearer end.
  float at(double value) const;
  // If `value` is outside the axis, moves the nearer end of the axis to the next power of ten beyond `value`.
  // If `value` is outside [least, most], uses the nearer of these two limits instead of `value`. Ignores a
  // value that is not positive.
  void widen(double value, double least, double most);
};

struct Tick {
  double value;
  std::string name;
};
// Returns ticks at powers of ten that are at least `pitch` dp apart. A tick's label is the tick's value
// divided by `unit`.
std::vector<Tick> decade_ticks(const Axis& axis, double unit, float pitch);
// Returns ticks at powers of two that are at least `pitch` dp apart: at every power, or at every 2nd, 5th,
// 10th or 20th power. Labels look like "1 Ki" and "32 Ki".
std::vector<Tick> size_ticks(const Axis& axis, float pitch);

// Returns the ticks of a linear axis, at least `pitch` dp apart. The distance between two ticks is 1, 2 or 5
// times a power of ten.
std::vector<Tick> linear_ticks(const Axis& axis, float pitch);

// Returns a y for each row of text, near to the row's y in `wanted`. Neighbouring rows are at least `pitch`
// apart, and all rows are within [top, bottom]. Requires that `wanted` ascends, and that there is enough
// room: (count − 1) × pitch ≤ bottom − top.
std::vector<float> spread_out(const std::vector<float>& wanted, float pitch, float top, float bottom);

// The boxes in a chart that already contain words.
class Places {
 public:
  bool is_free(Box box) const;
  void take(Box box) { taken_.push_back(box); }
  // Adds the boxes of all texts of a scene.
  void take_texts(const Scene& scene);

 private:
  std::vector<Box> taken_;
};

}  // namespace upsweep
