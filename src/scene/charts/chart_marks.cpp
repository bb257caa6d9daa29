#include "scene/charts/chart_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"

namespace upsweep {

MarkStyle style_of(Contender kind, int index, const Theme& t) {
  constexpr Mark marks[] = {Mark::circle, Mark::square, Mark::triangle, Mark::diamond, Mark::inverted};
  constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dotted};
  if (kind == Contender::copy) return {mix(t.background, t.faint_text, 0.85f), Mark::none, Dash::long_dashed};
  if (kind == Contender::kernel) {
    // Orange is not used here, because orange means bank conflicts in the views beside the charts.
    const Colour colours[] = {t.now, mix(t.now, t.text, 0.6f), t.good, t.broadcast};
    // The first 20 kernels have different combinations of colour and mark.
    return {colours[index % 4], marks[index % 5], dashes[index / 4 % 3]};
  }
  return {t.faint_text, marks[(index + 1) % 5], dashes[kind == Contender::library ? 0 : 2], true};
}

void draw_mark(Painter& p, Point at, float r, const MarkStyle& s, const Id& id) {
  const RectStyle round{.fill = s.hollow ? p.theme.background : s.colour,
                        .stroke = s.colour,
                        .width = s.hollow ? std::min(1.5f, r / 2) : 0,
                        .radius = r};
  // TriangleShape has no outline. So a hollow triangle is drawn as a filled triangle. A smaller triangle in
  // the background colour covers the middle.
  const auto triangle = [&](float size, float up, Colour colour) {
    p.triangle({at.x, at.y - up * size}, {at.x - size, at.y + up * size * 0.75f},
               {at.x + size, at.y + up * size * 0.75f}, colour);
  };
  const auto diamond = [&](float size, Colour colour) {
    p.triangle({at.x, at.y - size}, {at.x - size, at.y}, {at.x + size, at.y}, colour);
    p.triangle({at.x, at.y + size}, {at.x - size, at.y}, {at.x + size, at.y}, colour);
    p.line({at.x - size + 0.5f, at.y}, {at.x + size - 0.5f, at.y}, colour,
           1);  // hides the seam between the two halves
  };
  switch (s.mark) {
    case Mark::none: return;
    case Mark::circle: return p.rect({at.x - r, at.y - r, 2 * r, 2 * r}, round, id);
    case Mark::square: {
      RectStyle square = round;
      square.radius = 0;
      const float half = r * 0.9f;
      return p.rect({at.x - half, at.y - half, 2 * half, 2 * half}, square, id);
    }
    case Mark::triangle:
    case Mark::inverted: {
      const float up = s.mark == Mark::triangle ? 1.0f : -1.0f;
      triangle(r * 1.2f, up, s.colour);
      if (s.hollow) triangle(r * 0.5f, up, p.theme.background);
      return;
    }
    case Mark::diamond:
      diamond(r * 1.3f, s.colour);
      if (s.hollow) diamond(r * 0.6f, p.theme.background);
  }
}

namespace {

struct Dashes {
  float on, off;
};
Dashes pattern_of(Dash dash, float width) {
  switch (dash) {
    case Dash::solid: break;
    case Dash::dashed: return {4 + width * 1.5f, 3 + width};
    case Dash::dotted: return {width, 1.5f + width};
    case Dash::long_dashed: return {10, 4};
  }
  return {1, 0};
}

}  // namespace

void draw_path(Painter& p, const std::vector<Point>& points, const MarkStyle& s, float width) {
  const Dashes pattern = pattern_of(s.dash, width);
  const float period = pattern.on + pattern.off;
  float gone = 0;  // the length of the path since the current period (a dash and a gap) began
  for (std::size_t i = 1; i < points.size(); i++) {
    const Point a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (s.dash == Dash::solid || length == 0) {
      if (length > 0) p.line(a, b, s.colour, width);
      continue;
    }
    const auto at = [&](float along) {
      return Point{a.x + (b.x - a.x) * along / length, a.y + (b.y - a.y) * along / length};
    };
    for (float begin = -gone; begin < length; begin += period) {
      const float from = std::max(0.0f, begin), to = std::min(length, begin + pattern.on);
      if (to > from) p.line(at(from), at(to), s.colour, width);
    }
    gone = std::fmod(gone + length, period);
  }
}

void draw_band(Painter& p, const std::vector<Point>& above, const std::vector<Point>& below, Colour colour) {
  for (std::size_t i = 1; i < above.size(); i++) {
    const Point a = above[i - 1], b = above[i], c = below[i - 1], d = below[i];
    p.triangle(a, b, c, colour);
    p.triangle(b, c, d, colour);
    // The triangles only partly cover the pixels at their edges, so the background would be visible between
    // neighbouring triangles. This line hides the gap.
    p.line(b, c, colour, 1);
    if (i + 1 < above.size() && d.y - b.y > 0.5f) p.line(b, d, colour, 1);
  }
}

void draw_end_labels(Painter& p, std::vector<EndLabel> labels, float x, float top, float bottom) {
  if (labels.empty()) return;
  const float room = bottom - top;
  float size = 12, pitch = 16;
  if (static_cast<float>(labels.size() - 1) * pitch > room) size = 10, pitch = 11;
  const auto fit = static_cast<std::size_t>(std::max(0.0f, room) / pitch) + 1;
  std::size_t more = 0;
  if (labels.size() > fit) {
    more = labels.size() - (fit - 1);
    labels.resize(fit - 1);
    bottom -= pitch;
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const EndLabel& a, const EndLabel& b) { return a.end.y < b.end.y; });
  std::vector<float> wanted;
  for (const EndLabel& l : labels) wanted.push_back(l.end.y);
  const std::vector<float> places = spread_out(wanted, pitch, top, bottom);
  const float mark = 12, end = p.width - p.margin;
  for (std::size_t i = 0; i < labels.size(); i++) {
    const EndLabel& l = labels[i];
    const float y = places[i];
    // The line is horizontal up to the chart's edge, and dotted, so that it does not look like a measured
    // curve. Beyond the edge, the line rises or falls to the height of the name.
    const Colour faint = faded(l.style.colour, 0.45f);
    if (l.end.x < x - 26)
      draw_path(p, {{l.end.x + 6, l.end.y}, {x - 20, l.end.y}}, {faint, Mark::none, Dash::dotted}, 1);
    p.line({std::max(x - 20, l.end.x + 5), l.end.y}, {x - 3, y}, faint);
    draw_mark(p, {x + 4, y}, 3, l.style);
    if (l.style.mark == Mark::none) draw_path(p, {{x - 3, y}, {x + 9, y}}, l.style, 1.5f);
    const Face face = l.strong ? Face::bold : Face::regular;
    p.text({x + mark, y}, cut_name(l.text, size, face, end - x - mark), l.style.colour, size, face);
    if (!is_nothing(l.id)) p.target({x - 3, y - pitch / 2, std::max(1.0f, end - x + 3), pitch}, l.id);
  }
  if (more > 0)
    p.text({x + mark, bottom + pitch}, cut(tr("and {} more", more), size, Face::regular, end - x - mark),
           p.theme.faint_text, size);
}

namespace {

constexpr float note_size = 11, note_height = 20;

// Returns the point on a note's box at which the line from `at` ends.
Point foot(Box box, Point at) {
  return {std::clamp(at.x, box.x + 4, box.x + box.w - 4), at.y < box.y ? box.y : box.y + box.h};
}

// Returns a free box for a note. Prefers a box that covers few points. The line from the box to `at` should
// also cross few texts. If several boxes are equally good, returns the box that is nearest to `at`. Returns
// an empty box if no box in `area` is free.
Box place_note(const Places& places, Point at, float wide, Box area, const std::vector<Point>& points) {
  constexpr Point directions[] = {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}};
  Box best;
  int least = -1;
  for (const float away : {10.0f, 24.0f, 44.0f, 70.0f, 110.0f, 160.0f})
    for (const Point d : directions) {
      const float cx = at.x + d.x * (wide / 2 + away * 0.5f), cy = at.y + d.y * (note_height / 2 + away);
      const Box box{std::clamp(cx - wide / 2, area.x, area.x + area.w - wide), cy - note_height / 2, wide,
                    note_height};
      if (box.y < area.y || box.y + box.h > area.y + area.h || !places.is_free(box) || box.contains(at))
        continue;
      auto cost = static_cast<int>(
          std::count_if(points.begin(), points.end(), [&](const Point& p) { return box.contains(p); }));
      const Point to = foot(box, at);
      for (int i = 1; i < 8; i++) {
        const float share = static_cast<float>(i) / 8;
        cost += places.is_free({at.x + (to.x - at.x) * share, at.y + (to.y - at.y) * share, 1, 1}) ? 0 : 6;
      }
      if (least >= 0 && cost >= least) continue;
      best = box;
      least = cost;
    }
  return best;
}

}  // namespace

void draw_notes(Painter& p, const std::vector<Note>& notes, Box area, const std::vector<Point>& points) {
  Places places;
  places.take_texts(p.scene);
  std::vector<std::string> texts;
  std::vector<Box> boxes;
  for (const Note& note : notes) {
    texts.push_back(cut(note.text, note_size, Face::regular, area.w - 16));
    const float wide = text_width(texts.back(), note_size, Face::regular) + 12;
    boxes.push_back(texts.back().empty() ? Box{} : place_note(places, note.at, wide, area, points));
    if (boxes.back().w > 0) places.take(boxes.back());
  }
  // Draws all lines before the boxes, so that no line is drawn over a box.
  for (std::size_t i = 0; i < notes.size(); i++)
    if (boxes[i].w > 0) p.line(notes[i].at, foot(boxes[i], notes[i].at), notes[i].colour);
  for (std::size_t i = 0; i < notes.size(); i++) {
    const Box& box = boxes[i];
    if (box.w <= 0) continue;
    p.rect(box, {.fill = p.theme.panel,
                 .stroke = mix(p.theme.background, notes[i].colour, 0.6f),
                 .width = 1,
                 .radius = 4});
    p.text({box.x + 6, box.y + box.h / 2}, texts[i], p.theme.text, note_size);
  }
}

}  // namespace upsweep
