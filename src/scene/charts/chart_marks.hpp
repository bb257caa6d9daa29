// Draws the lines, marks and labels of contenders in charts. Contenders are kernels, libraries, a plain copy
// and the CPU. Contenders differ in colour, mark and dashes, so that readers can distinguish the contenders
// without colours.
#pragma once
#include <string>
#include <vector>

#include "scene/charts/chart_axes.hpp"
#include "scene/paint.hpp"
#include "timing/timings.hpp"

namespace upsweep {

enum class Mark { none, circle, square, triangle, diamond, inverted };
enum class Dash { solid, dashed, dotted, long_dashed };

struct MarkStyle {
  Colour colour;
  Mark mark = Mark::circle;
  Dash dash = Dash::solid;
  bool hollow = false;
};

// Returns the style of a contender. `index` counts the contenders of this kind, from 0. Kernels have colours,
// and other contenders are grey.
MarkStyle style_of(Contender kind, int index, const Theme& theme);

void draw_mark(Painter& p, Point at, float radius, const MarkStyle& style, const Id& id = {});
// Draws a line through the points. The pattern of dashes continues around corners.
void draw_path(Painter& p, const std::vector<Point>& points, const MarkStyle& style, float width);
// Draws the area between two lines. Requires that both lines have the same number of points, and that the
// colour is opaque, because neighbouring parts of the area overlap.
void draw_band(Painter& p, const std::vector<Point>& above, const std::vector<Point>& below, Colour colour);

// The name of a line in a chart. The line ends at `end`, and the name is at the right of the chart.
struct EndLabel {
  Point end;
  std::string text;
  MarkStyle style;
  Id id;
  bool strong = false;
};
// Draws names in a column from x to the margin, between `top` and `bottom`. Names do not overlap, but are
// near the ends of their lines. A thin line joins each name to the end of the name's line.
//
// If there is not enough room, a text such as "and 3 more" replaces the last names.
void draw_end_labels(Painter& p, std::vector<EndLabel> labels, float x, float top, float bottom);

// A note beside a point, in a box.
struct Note {
  Point at;
  std::string text;
  Colour colour;
};
// Draws the notes inside `area`, in places without other text. Avoids `points` if possible. Earlier notes get
// their places before later notes. Leaves out a note if no place is free.
void draw_notes(Painter& p, const std::vector<Note>& notes, Box area, const std::vector<Point>& points);

}  // namespace upsweep
