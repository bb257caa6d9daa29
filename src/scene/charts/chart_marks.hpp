// The styles and labels of contenders in charts. Contenders differ in colour, mark and dashes, so that
// readers can distinguish them without colours.
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

// Returns the style of a contender. `index` is its index among the contenders of its kind. Kernels are
// coloured, and other contenders are grey.
MarkStyle style_of(Contender kind, int index, const Theme& theme);

void draw_mark(Painter& p, Point at, float radius, const MarkStyle& style, const Id& id = {});
// Draws a line through the points. The pattern of dashes continues around corners.
void draw_path(Painter& p, const std::vector<Point>& points, const MarkStyle& style, float width);
// Draws the area between two lines with equal numbers of points. Requires an opaque colour, because
// neighbouring parts of the area overlap.
void draw_band(Painter& p, const std::vector<Point>& above, const std::vector<Point>& below, Colour colour);

// A name at the right of a chart, for the line that ends at `end`.
struct EndLabel {
  Point end;
  std::string text;
  MarkStyle style;
  Id id;
  bool strong = false;
};
// Draws names in a column from x to the margin, between `top` and `bottom`. Each name is as near to the end
// of its line as the other names allow, and a thin line joins the end and the name. If room is short, a text
// such as "and 3 more" replaces the last names.
void draw_end_labels(Painter& p, std::vector<EndLabel> labels, float x, float top, float bottom);

// A note beside a point, in a box.
struct Note {
  Point at;
  std::string text;
  Colour colour;
};
// Draws each note inside `area`, where no other text is, and avoids `points` if possible. Earlier notes
// choose their places first. Leaves out a note that has no place.
void draw_notes(Painter& p, const std::vector<Note>& notes, Box area, const std::vector<Point>& points);

}  // namespace upsweep
