// How charts tell contenders apart: by colour, by mark and by dash, so that none of them stands alone; and
// the labels that name them where their lines end.
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

// The style of the index-th contender of its kind: kernels in the theme's accents, those they are compared
// with in grey.
MarkStyle style_of(Contender kind, int index, const Theme& theme);

void draw_mark(Painter& p, Point at, float radius, const MarkStyle& style, const Id& id = {});
// A line from point to point whose dashes go on around its corners.
void draw_path(Painter& p, const std::vector<Point>& points, const MarkStyle& style, float width);
// The area between two lines of the same length, in an opaque tint: where bands meet, no seam shows.
void draw_band(Painter& p, const std::vector<Point>& above, const std::vector<Point>& below, Colour colour);

// A name at the right of a chart for what ends at `end`.
struct EndLabel {
  Point end;
  std::string text;
  MarkStyle style;
  Id id;
  bool strong = false;
};
// In a column from x to the margin between these heights, each as near to its end as the others allow and
// joined to it by a thin line. Of more than fit, the last ones are counted.
void draw_end_labels(Painter& p, std::vector<EndLabel> labels, float x, float top, float bottom);

// What stands beside a point in a box.
struct Note {
  Point at;
  std::string text;
  Colour colour;
};
// Each where there is room within `area` that no other words have, the first ones first; `points` are better
// not covered. Where there is no room at all, nothing is written.
void draw_notes(Painter& p, const std::vector<Note>& notes, Box area, const std::vector<Point>& points);

}  // namespace upsweep
