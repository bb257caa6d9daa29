// The motion of a picture from one step to the next, for example of values into the cells where they are
// stored.
#pragma once
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// A shape that is drawn over the new step's picture during a part of the motion. Times are shares of the
// whole motion, from 0 to 1.
struct MovingShape {
  std::variant<RectShape, TextShape> shape;  // at its place at the time `end`
  Point by{};                                // its offset from this place at the time `begin`, in dp
  float begin = 0, end = 1;                  // drawn from `begin` on, and no longer at `end`
};
// Later shapes are painted over earlier ones. An empty motion means that the picture changes at once.
using Motion = std::vector<MovingShape>;

// The largest number of moving shapes. A motion with more shapes is left out, because viewers could not
// follow it.
inline constexpr std::size_t most_moving = 160;
// The duration of a motion in seconds.
inline constexpr double motion_seconds = 0.25;

// Adds the shapes of a motion at a time to a scene, moved by x and y dp.
void add_motion(Scene& to, const Motion& motion, float time, float x, float y);

}  // namespace upsweep
