// Moves shapes when the picture changes from one step to the next. For example, values move into the cells
// where the step stores the values.
#pragma once
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// A shape that moves over the picture of the new step. The movement begins at the time `begin` and ends at
// the time `end`. Both times are fractions of the motion's duration, from 0 to 1.
struct MovingShape {
  std::variant<RectShape, TextShape> shape;  // the shape at the end of its movement
  Point by{};                                // the offset from the end position at the time `begin`, in dp
  float begin = 0, end = 1;                  // the shape is visible from `begin` until `end`
};
// The shapes of a motion. Later shapes are painted over earlier shapes. If there are no shapes, the picture
// changes without motion.
using Motion = std::vector<MovingShape>;

// The largest number of moving values. If a step would move more values, viewers could not follow the values,
// so the picture changes without motion.
inline constexpr std::size_t most_moving = 160;
// The duration of a motion in seconds.
inline constexpr double motion_seconds = 0.25;

// Adds the shapes of a motion to a scene, moved by x and y dp. `time` is the fraction of the motion that has
// passed, from 0 to 1.
void add_motion(Scene& to, const Motion& motion, float time, float x, float y);

}  // namespace upsweep
