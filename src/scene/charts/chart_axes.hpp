// What charts are laid out with: axes, the names of their ticks, and places for words that must not collide.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scene/paint.hpp"
#include "words/quantities.hpp"

namespace upsweep {

struct Axis {
  double low = 1, high = 10;  // low < high; above 0 where logarithmic
  float begin = 0, end = 0;   // dp
  bool logarithmic = true;

  // Of values beyond the axis: its end.
  float at(double value) const;
  // To whole decades that hold `value`, but never beyond `least` and `most`: absurd values are drawn at the
  // edge.
  void widen(double value, double least, double most);
};

struct Tick {
  double value;
  std::string name;
};
// Powers of ten of an axis at least `pitch` dp apart. Their names are those of value / unit.
std::vector<Tick> decade_ticks(const Axis& axis, double unit, float pitch);
// Powers of two, every 1, 2, 5, 10 or 20 of them: "1 Ki", "32 Ki", "1 Mi".
std::vector<Tick> size_ticks(const Axis& axis, float pitch);

// Places of rows of text that want to be at these heights, in ascending order: at least `pitch` apart, within
// [top, bottom], and together as near to where they want to be as that allows. They must fit: (count − 1) ×
// pitch ≤ bottom − top.
std::vector<float> spread_out(const std::vector<float>& wanted, float pitch, float top, float bottom);

// Boxes that words have taken.
class Places {
 public:
  bool is_free(Box box) const;
  void take(Box box) { taken_.push_back(box); }
  // Of what a painter has written so far.
  void take_texts(const Scene& scene);

 private:
  std::vector<Box> taken_;
};

}  // namespace upsweep
