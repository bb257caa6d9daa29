#include "panels/chrome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/language.hpp"
#include "scene/pen.hpp"
#include "scene/wrap.hpp"

namespace upsweep {

Scene ground_scene(const Theme& t, const WindowLayout& layout, float width, float height, Point mouse) {
  Pen s(width, height);
  const Box& bar = layout[Part::top_bar];
  if (bar.h > 0) {
    s.rect({0, 0, width, layout.header}, t.panel);
    s.line({0, layout.header - 0.5f}, {width, layout.header - 0.5f}, t.line);
  }
  s.rect(layout.bottom, t.panel);
  if (bar.h > 0) s.line({0, layout.bottom.y + 0.5f}, {width, layout.bottom.y + 0.5f}, t.line);
  const float top = layout.header, bottom = layout.bottom.y;
  if (layout.column_line > 0) s.line({layout.column_line, top}, {layout.column_line, bottom}, t.line);
  for (const Splitter& splitter : layout.splitters) {
    const bool lit = splitter.box.contains(mouse);
    const Point middle{splitter.box.x + splitter.box.w / 2, splitter.box.y + splitter.box.h / 2};
    if (splitter.kind == Splitter::Kind::column) {
      if (lit) s.line({middle.x, top}, {middle.x, bottom}, t.now, 2);
    } else if (lit || splitter.kind == Splitter::Kind::source) {
      s.line({splitter.box.x, middle.y}, {splitter.box.x + splitter.box.w, middle.y}, lit ? t.now : t.line,
             lit ? 2 : 1);
    }
  }
  return std::move(s.scene);
}

Panel view_keys_panel(const Session& session, const Theme& t, const WindowLayout& layout, float width,
                      float height, Point mouse) {
  Pen s(width, height);
  Panel panel;
  for (std::size_t i = 0; i < views().size() && layout[Part::top_bar].h > 0; ++i) {
    const bool chosen = layout.large_view == static_cast<int>(i);
    const Home home = views()[i].home;
    const bool shown = shown_view(home, session.looks, session.recording()) == static_cast<int>(i);
    if ((!shown && !chosen) || i >= most_view_keys) continue;
    const Box& box = chosen ? layout.large : layout[home];
    const auto why_nothing = views()[i].why_nothing;
    const bool only_title = why_nothing && !why_nothing(session.recording(), session.cursor().step).empty();
    if (box.h < (only_title ? title_height : titled_height) || (!chosen && layout.bottom.y <= box.y))
      continue;
    const std::string name = key_of_view(static_cast<int>(i));
    // A number beside the view's name shows which key enlarges the view. Usually, the number is in the left
    // margin. If tabs are at the left of the name, the number is at the right of the name, and a little
    // higher.
    const std::vector<int> others = alternatives_of(static_cast<int>(i), session.recording());
    const bool times = !chosen && home == Home::work && !session.looks.timing_large;
    const auto [begin, end] = place_of_name(views()[i], {session.recording(), session.cursor()},
                                            {.alternatives = others, .times = times}, box.w);
    const bool is_first = begin <= margin_of(box.w);
    const Box key{box.x + (!is_first     ? end
                           : box.w < 640 ? i < 9 ? -1.0f : -4.0f
                                         : 3.0f),
                  box.y + (is_first ? 12.0f : 3.0f), 16, 16};
    if (chosen) s.rect(key, t.now_soft, 4);
    constexpr const char* marks[] = {"", "↑", "^"};
    s.text({key.x + 8, key.y + 8}, marks[i / 9] + std::to_string(i % 9 + 1),
           chosen || key.contains(mouse) ? t.now : t.faint_text, 10, Face::bold, Align::centre);
    const std::string tip =
        fmt::format("{}   {}", chosen ? tr("Show all views") : tr("Enlarge: {}", tr(views()[i].title)), name);
    panel.buttons.push_back({key, {Action::choose_view, static_cast<int>(i)}, tip});
  }
  panel.scene = std::move(s.scene);
  return panel;
}

Scene progress_scene(double share, const Theme& t, float width) {
  constexpr float height = 3;
  Pen s(width, height, t.line);
  s.rect({0, 0, width * static_cast<float>(std::clamp(share, 0.0, 1.0)), height}, t.now);
  return std::move(s.scene);
}

Panel sentence_panel(const Banner& banner, const Theme& t, float width) {
  const bool good = banner.severity == Banner::Severity::notice;
  constexpr float size = 13, margin = 24, line_height = 20, padding = 8;
  const auto lines = wrapped(banner.text, size, Face::regular, width - 3 * margin - 8);
  const float height = 2 * padding + line_height * static_cast<float>(lines.size());
  Pen s(width, height, good ? t.now_soft : t.conflict_soft);
  s.rect({0, 0, 4, height}, good ? t.now : t.conflict);
  float y = padding + line_height / 2;
  for (const std::string& line : lines) {
    s.text({margin, y}, line, t.text, size);
    y += line_height;
  }
  const Box close{width - margin - 16, padding - 2, 24, 24};
  s.text({close.x + 12, close.y + 12}, "×", t.text, 16, Face::regular, Align::centre);
  Panel panel{std::move(s.scene), {}};
  panel.buttons.push_back({close, {Action::escape, 0}, tr("Close this message   Esc")});
  return panel;
}

Scene tip_scene(const std::vector<std::string>& lines, const Theme& t, float widest) {
  constexpr float size = 12.5f, line_height = 18, padding = 10;
  struct Line {
    std::string text;
    bool bold;
  };
  std::vector<Line> all;
  float room = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Face face = i == 0 ? Face::bold : Face::regular;
    for (std::string& l : wrapped(lines[i], size, face, widest)) {
      room = std::max(room, text_width(l, size, face));
      all.push_back({std::move(l), i == 0});
    }
  }
  const float height = 2 * padding + line_height * static_cast<float>(all.size());
  Pen s(std::ceil(room + 2 * padding), height);
  s.rect({0, 0, s.scene.width, height}, {.fill = t.panel, .stroke = t.cell_stroke, .width = 1, .radius = 6});
  float y = padding + line_height / 2;
  for (const Line& l : all) {
    s.text({padding, y}, l.text, l.bold ? t.text : t.faint_text, size, l.bold ? Face::bold : Face::regular);
    y += line_height;
  }
  return std::move(s.scene);
}

Point tip_place(Point mouse, float width, float height, const Box& bounds, std::span<const Box> keep_clear) {
  constexpr float apart = 6;
  const Point usual{mouse.x + 14, mouse.y + 20};
  std::vector<Box> clear(keep_clear.begin(), keep_clear.end());
  clear.push_back({mouse.x - 6, mouse.y - 6, 18, 24});  // the box of the mouse pointer
  std::vector<float> xs{usual.x, mouse.x - 14 - width}, ys{usual.y, mouse.y - 12 - height};
  for (const Box& b : keep_clear) {
    xs.insert(xs.end(), {b.x + b.w + apart, b.x - apart - width});
    ys.insert(ys.end(), {b.y + b.h + apart, b.y - apart - height});
  }
  const auto within = [](float at, float size, float from, float room) {
    return std::clamp(at, from, std::max(from, from + room - size));
  };
  const auto covered = [&](Point at) {
    float area = 0;
    for (const Box& b : clear)
      area += std::max(0.0f, std::min(at.x + width, b.x + b.w) - std::max(at.x, b.x)) *
              std::max(0.0f, std::min(at.y + height, b.y + b.h) - std::max(at.y, b.y));
    return area;
  };
  // The best place so far, as a tuple: the area of the boxes in `clear` that the tooltip would cover at this
  // place, the distance of the place from `usual`, and the place.
  std::optional<std::tuple<float, float, Point>> best;
  for (const float x : xs)
    for (const float y : ys) {
      const Point at{within(x, width, bounds.x, bounds.w), within(y, height, bounds.y, bounds.h)};
      const float area = covered(at), distance = std::hypot(at.x - usual.x, at.y - usual.y);
      if (!best || std::pair(area, distance) < std::pair(std::get<0>(*best), std::get<1>(*best)))
        best = {area, distance, at};
    }
  return std::get<2>(*best);
}

}  // namespace upsweep
