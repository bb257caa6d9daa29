// Draws up to three charts over n: operations, steps and average parallelism. Each chart shows the entries of
// a figure from a book or an article. Points show our counts, and lines show the formulas. The entries' names
// are at the right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "scene/charts/chart_marks.hpp"
#include "scene/charts/chart_scale.hpp"
#include "scene/charts/figure_charts.hpp"

namespace upsweep {
namespace {

struct Panel {
  const char* name;
  double (*counted)(const WorkCount&);
  double (*formula)(const WorkCount&);
};

double ratio(double operations, double span) { return span > 0 ? operations / span : 0; }

constexpr Panel panels[] = {
    {tr_noop("operations"), [](const WorkCount& c) { return c.operations; },
     [](const WorkCount& c) { return c.formula_operations; }},
    {tr_noop("steps"), [](const WorkCount& c) { return c.steps; },
     [](const WorkCount& c) { return c.formula_steps; }},
    {tr_noop("operations / span"), [](const WorkCount& c) { return ratio(c.operations, c.span); },
     [](const WorkCount& c) { return ratio(c.formula_operations, c.formula_span); }}};

class CountPicture {
 public:
  CountPicture(const Figure& f, const std::vector<WorkCount>& counts, const ChartFrame& frame)
      : p_(frame.theme, frame.width, frame.height), f_(f), counts_(counts), hover_(frame.hover) {}

  Scene draw() {
    draw_title(p_, {.name = tr(f_.title),
                    .what = tr("points: counted in recordings · lines: formulas"),
                    .readout = readout()});
    if (counts_.empty()) {
      p_.sentence(tr("Nothing was counted yet."));
      return std::move(p_.scene);
    }
    const float names = p_.width - p_.margin - std::clamp(p_.width * 0.2f, 92.0f, 180.0f);
    const float room = names - 24 - p_.margin;
    // Leaves out the last panels if there is not enough room for all three panels.
    const int shown = std::clamp(static_cast<int>(room / 165), 1, 3);
    const float width = (room + gap) / static_cast<float>(shown) - gap;
    for (int i = 0; i < shown; i++)
      panel(panels[i], p_.margin + static_cast<float>(i) * (width + gap), width, i + 1 == shown);
    draw_end_labels(p_, std::move(labels_), names, p_.top + 16, p_.height - 26);
    return std::move(p_.scene);
  }

 private:
  // The first four entries of the figure have the colours that kernels have in other charts. Later entries
  // are grey.
  MarkStyle style(int entry) const {
    return entry < 4 ? style_of(Contender::kernel, entry, p_.theme)
                     : style_of(Contender::processor, entry - 4, p_.theme);
  }

  // Points of entries with equal counts lie on each other. Later points are smaller, so that earlier points
  // stay visible.
  static float radius(int entry) { return std::max(2.0f, 5.2f - 0.7f * static_cast<float>(entry)); }

  std::string readout() const {
    if (hover_ < 0 || hover_ >= static_cast<int>(counts_.size())) return {};
    const WorkCount& c = counts_[static_cast<std::size_t>(hover_)];
    const auto part = [](double counted, double formula, const char* what) {
      return fmt::format("{} {}{}", figures_text(counted), what,
                         formula > 0 ? tr(" (formula: {})", figures_text(formula)) : "");
    };
    return fmt::format("{} · {} · {} · {} · {}", tr(f_.entries[static_cast<std::size_t>(c.entry)].label),
                       size_text(c.n), part(c.operations, c.formula_operations, tr("operations")),
                       part(c.steps, c.formula_steps, tr("steps")),
                       part(c.span, c.formula_span, tr("one after another")));
  }

  void panel(const Panel& which, float left, float width, bool last) {
    const Theme& t = p_.theme;
    Axis x{static_cast<double>(f_.sizes.front()), static_cast<double>(f_.sizes.back()), 0, 0},
        y{1, 10, p_.height - 26, p_.top + 16};
    for (const WorkCount& c : counts_)
      for (const double value : {which.counted(c), which.formula(c)}) y.widen(value, 0.1, 1e9);
    if (x.high <= x.low) x.high = 2 * x.low;
    const std::vector<Tick> ticks = decade_ticks(y, 1, 16);
    float widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.name, tick_size, Face::regular));
    x.begin = left + widest + 8;
    x.end = left + width - 6;
    p_.text({left, p_.top + 2}, cut(which.name, tick_size, Face::bold, width), t.faint_text, tick_size,
            Face::bold);
    for (const Tick& tick : ticks) {
      const float at = y.at(tick.value);
      p_.line({x.begin, at}, {x.end, at}, t.line);
      p_.text({x.begin - 8, at}, tick.name, t.faint_text, tick_size, Face::regular, Align::right);
    }
    const Colour axis = mix(t.line, t.ghost_text, 0.6f);
    p_.line({x.begin, y.begin}, {x.end, y.begin}, axis);
    for (const Tick& tick : size_ticks(x, 34)) {
      const float at = x.at(tick.value);
      p_.line({at, y.begin}, {at, y.begin + 4}, axis);
      p_.text({at, y.begin + 14}, tick.name, t.faint_text, tick_size, Face::regular, Align::centre);
    }
    for (int e = 0; e < static_cast<int>(f_.entries.size()); e++) entry(which, e, x, y, last);
  }

  void entry(const Panel& which, int e, const Axis& x, const Axis& y, bool last) {
    std::vector<Point> line;
    Point end{};
    int end_row = -1;
    for (std::size_t i = 0; i < counts_.size(); i++) {
      const WorkCount& c = counts_[i];
      if (c.entry != e) continue;
      if (which.formula(c) > 0) line.push_back({x.at(c.n), y.at(which.formula(c))});
      if (which.counted(c) > 0) end = {x.at(c.n), y.at(which.counted(c))}, end_row = static_cast<int>(i);
    }
    draw_path(p_, line, style(e), 1.5f);
    for (std::size_t i = 0; i < counts_.size(); i++) {
      const WorkCount& c = counts_[i];
      if (c.entry != e || !(which.counted(c) > 0)) continue;
      const Point at{x.at(c.n), y.at(which.counted(c))};
      const TimeId id{static_cast<int>(i)};
      draw_mark(p_, at, radius(e) + (hover_ == id.row ? 1.5f : 0), style(e), id);
      p_.target({at.x - 6, at.y - 6, 12, 12}, id);
    }
    if (last && end_row >= 0)
      labels_.push_back({end, tr(f_.entries[static_cast<std::size_t>(e)].label), style(e), TimeId{end_row}});
  }

  static constexpr float gap = 24, tick_size = 11;
  Painter p_;
  const Figure& f_;
  const std::vector<WorkCount>& counts_;
  const int hover_;
  std::vector<EndLabel> labels_;
};

}  // namespace

Scene draw_counts(const Figure& figure, const std::vector<WorkCount>& counts, const ChartFrame& frame) {
  return draw_magnified(frame, [&](const ChartFrame& f) { return CountPicture(figure, counts, f).draw(); });
}

}  // namespace upsweep
