// The layout of charts: axes, the labels of their ticks, and places for words, which must not overlap.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/paint.hpp"
#include "words/quantities.hpp"

namespace upsweep {

struct Axis {
  double low = 1, high = 10;  // low < high; above 0 if logarithmic
  float begin = 0, end = 0;   // dp
  bool logarithmic = true;

  // Returns the position (dp) of a value. A value beyond an end of the axis is placed at that end.
  float at(double value) const;
  // Extends the axis to whole decades that contain `value`. Treats a value outside [least, most] as the
  // nearer of these limits, and ignores a value that is not positive.
  void widen(double value, double least, double most);
};

struct Tick {
  double value;
  std::string name;
};
// Returns ticks at powers of ten, at least `pitch` dp apart. A tick's label is its value divided by `unit`.
std::vector<Tick> decade_ticks(const Axis& axis, double unit, float pitch);
// Returns ticks at every power of two, or at every 2nd, 5th, 10th or 20th power if the ticks would be less
// than `pitch` dp apart. Labels are "1 Ki", "32 Ki" and so on.
std::vector<Tick> size_ticks(const Axis& axis, float pitch);

// Returns ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten, at least `pitch` dp apart.
std::vector<Tick> linear_ticks(const Axis& axis, float pitch);

// Returns a y for each row of text, as near to `wanted` as possible. The rows are at least `pitch` apart and
// within [top, bottom]. Requires that `wanted` ascends, and that the rows fit: (count − 1) × pitch ≤ bottom −
// top.
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
