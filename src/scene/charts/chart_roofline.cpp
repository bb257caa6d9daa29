// Draws a roofline (Williams, Waterman and Patterson, 2009): operations per second against operations per
// byte. Reductions and scans do few operations per byte, so their points are at the left.
//
// Lines show the upper bounds. The bandwidth of the memory is a sloped line, and the time to launch a kernel
// is a horizontal line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/language.hpp"
#include "scene/charts/chart_marks.hpp"
#include "scene/charts/chart_scale.hpp"
#include "scene/charts/charts.hpp"
#include "scene/charts/sweep_series.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float tick_size = 11;
constexpr double giga = 1e9;

std::string ratio_text(int exponent) {
  return exponent < 0 ? fmt::format("1/{}", 1 << -exponent) : fmt::format("{}", 1 << exponent);
}

class RooflinePicture {
 public:
  RooflinePicture(const Roofline& in, const ChartFrame& frame)
      : p_(frame.theme, frame.width, frame.height), in_(in), hover_(frame.hover) {}

  Scene draw() {
    std::string what = tr("Gop/s over operations per byte");
    if (!in_.what.empty()) what += " · " + in_.what;
    draw_title(p_, {.name = tr("Roofline"), .what = what, .readout = readout()});
    if (in_.points.empty() && in_.roofs.empty()) {
      p_.sentence(tr("Nothing was measured yet."));
      return std::move(p_.scene);
    }
    lay_out();
    grid();
    for (std::size_t i = 0; i < in_.roofs.size(); i++) roof(in_.roofs[i], static_cast<int>(i));
    points();
    draw_end_labels(p_, std::move(labels_), names_, y_.end, y_.begin);
    return std::move(p_.scene);
  }

 private:
  static bool was_measured(const RooflinePoint& point) {
    return is_positive(point.operations_per_byte) && is_positive(point.operations_per_second);
  }

  std::string readout() const {
    if (hover_ < 0 || hover_ >= static_cast<int>(in_.points.size())) return {};
    const RooflinePoint& point = in_.points[static_cast<std::size_t>(hover_)];
    if (!was_measured(point))
      return fmt::format("{} · {}", point.name,
                         point.missing.empty() ? tr("nothing was measured") : point.missing);
    return tr("{} · {} Gop/s · {} operations per byte · {}", point.name,
              figures_text(point.operations_per_second / giga), figures_text(point.operations_per_byte),
              bandwidth_text(point.operations_per_second / point.operations_per_byte));
  }

  void lay_out() {
    constexpr double least_ratio = 1.0 / 1024, most_ratio = 1024, least = 1e-3 * giga, most = 1e8 * giga;
    x_ = {1.0 / 32, 2, 0, 0};
    // The y axis starts with one decade. The loops below extend the axis until all points and all roofs are
    // on the axis.
    y_ = {giga, 10 * giga, 0, 0};
    for (const RooflinePoint& point : in_.points) {
      if (!was_measured(point)) continue;
      const double ratio = std::clamp(point.operations_per_byte, least_ratio, most_ratio);
      x_.low = std::min(x_.low, std::exp2(std::floor(std::log2(ratio))) / 2);
      x_.high = std::max(x_.high, std::exp2(std::ceil(std::log2(ratio))) * 2);
      y_.widen(point.operations_per_second, least, most);
    }
    for (const Roof& r : in_.roofs) {
      if (is_positive(r.bytes_per_second)) y_.widen(r.bytes_per_second * x_.high, least, most);
      else y_.widen(r.operations_per_second, least, most);
    }
    y_.begin = p_.height - 26;
    y_.end = p_.top + 16;
    y_ticks_ = decade_ticks(y_, giga, 16);
    float widest = 36;
    for (const Tick& t : y_ticks_) widest = std::max(widest, text_width(t.name, tick_size, Face::regular));
    x_.begin = p_.margin + widest + 10;
    names_ = p_.width - p_.margin - std::clamp(p_.width * 0.27f, 92.0f, 204.0f);
    x_.end = names_ - 24;
  }

  void grid() {
    const Theme& t = p_.theme;
    p_.text({p_.margin, p_.top + 2}, "Gop/s", t.faint_text, tick_size);
    for (const Tick& tick : y_ticks_) {
      const float y = y_.at(tick.value);
      p_.line({x_.begin, y}, {x_.end, y}, t.line);
      p_.text({x_.begin - 10, y}, tick.name, t.faint_text, tick_size, Face::regular, Align::right);
    }
    p_.line({x_.begin, y_.begin}, {x_.end, y_.begin}, mix(t.line, t.ghost_text, 0.6f));
    const int first = static_cast<int>(std::lround(std::log2(x_.low))),
              last = static_cast<int>(std::lround(std::log2(x_.high)));
    const float octave = (x_.end - x_.begin) / static_cast<float>(last - first);
    const int every = static_cast<int>(std::ceil(40 / std::max(octave, 1.0f)));
    for (int e = first; e <= last; e++) {
      if (e % every != 0) continue;
      const float x = x_.at(std::exp2(e));
      p_.line({x, y_.begin}, {x, y_.begin + 4}, mix(t.line, t.ghost_text, 0.6f));
      p_.text({x, y_.begin + 14}, ratio_text(e), t.faint_text, tick_size, Face::regular, Align::centre);
    }
  }

  void roof(const Roof& r, int index) {
    const MarkStyle style{
        mix(p_.theme.background, p_.theme.faint_text, 0.85f), Mark::none,
        r.bytes_per_second > 0 ? (index == 0 ? Dash::solid : Dash::long_dashed) : Dash::dotted};
    if (is_positive(r.bytes_per_second)) {
      // The sloped line starts and ends at the edges of the chart.
      const double from = std::max(x_.low, y_.low / r.bytes_per_second),
                   to = std::min(x_.high, y_.high / r.bytes_per_second);
      if (from >= to) return;
      const Point a{x_.at(from), y_.at(from * r.bytes_per_second)},
          b{x_.at(to), y_.at(to * r.bytes_per_second)};
      draw_path(p_, {a, b}, style, 1.5f);
      labels_.push_back({b, r.name, style, {}});
    } else if (is_positive(r.operations_per_second)) {
      const float y = y_.at(r.operations_per_second);
      draw_path(p_, {{x_.begin, y}, {x_.end, y}}, style, 1.5f);
      labels_.push_back({{x_.end, y}, r.name, style, {}});
    }
  }

  void points() {
    std::map<Contender, int> counts;
    for (std::size_t i = 0; i < in_.points.size(); i++) {
      const RooflinePoint& point = in_.points[i];
      const MarkStyle style = style_of(point.contender, counts[point.contender]++, p_.theme);
      const TimeId id{static_cast<int>(i)};
      const bool lit = hover_ == id.row;
      if (!was_measured(point)) {
        labels_.push_back({{x_.end, y_.begin},
                           point.name + tr(": not measured"),
                           {p_.theme.faint_text, Mark::none},
                           id,
                           lit});
        continue;
      }
      const Point at{x_.at(point.operations_per_byte), y_.at(point.operations_per_second)};
      draw_mark(p_, at, 4, style, id);
      if (lit) p_.rect({at.x - 8, at.y - 8, 16, 16}, {.stroke = p_.theme.text, .width = 1.5f, .radius = 8});
      p_.target({at.x - 7, at.y - 7, 14, 14}, id);
      labels_.push_back({at, point.name, style, id, lit});
    }
  }

  Painter p_;
  const Roofline& in_;
  const int hover_;
  Axis x_, y_;
  std::vector<Tick> y_ticks_;
  float names_ = 0;
  std::vector<EndLabel> labels_;
};

}  // namespace

Scene draw_roofline(const Roofline& roofline, const ChartFrame& frame) {
  return draw_magnified(frame, [&](const ChartFrame& f) { return RooflinePicture(roofline, f).draw(); });
}

RooflineOf roofline_of(const Timings& timings, int n, Cache cache) {
  RooflineOf made;
  // The number of bytes that a sort moves in all of its launches. If several sorts were measured, the
  // smallest of their numbers is used.
  double passes = 0;
  const std::vector<SweepSeries> series = sweep_series(timings, cache, Measure::time);
  const double operations = std::max(0, n - 1);
  for (const SweepSeries& s : series) {
    const auto at = s.rows.find(n);
    if (at == s.rows.end()) continue;
    const Timing& t = timings.rows[static_cast<std::size_t>(at->second)];
    if (s.contender == Contender::copy) {
      if (is_positive(t.bytes_per_second()))
        made.roofline.roofs.push_back(
            {tr("copy: ") + bandwidth_text(t.bytes_per_second()), t.bytes_per_second(), 0});
      continue;
    }
    RooflinePoint point{s.label, 0, 0, in_words(t.missing), t.contender};
    if (measured(timings, t, Measure::time).value > 0 && t.bytes > 0) {
      point.operations_per_byte = operations / t.bytes;
      point.operations_per_second = operations / t.seconds.median;
      if (is_positive(t.bytes_of_all_passes) && (passes == 0 || t.bytes_of_all_passes < passes))
        passes = t.bytes_of_all_passes;
    }
    made.roofline.points.push_back(point);
    made.rows.push_back(at->second);
  }
  if (made.roofline.points.empty()) return {};
  if (is_positive(timings.memory_bandwidth))
    made.roofline.roofs.push_back(
        {tr("data sheet: ") + bandwidth_text(timings.memory_bandwidth), timings.memory_bandwidth, 0});
  if (passes > 0 && !made.roofline.roofs.empty())
    if (const double bandwidth = made.roofline.roofs.front().bytes_per_second; bandwidth > 0)
      made.roofline.roofs.push_back({tr("copying the bytes of all passes: {}", time_text(passes / bandwidth)),
                                     0, operations * bandwidth / passes});
  if (is_positive(timings.launch_overhead.median))
    made.roofline.roofs.push_back({tr("empty kernel: {}", time_text(timings.launch_overhead.median)), 0,
                                   operations / timings.launch_overhead.median});
  const std::string settings = common_settings(timings, series), origin = origin_text(timings);
  made.roofline.what =
      size_text(n) + (settings.empty() ? "" : " " + settings) + (origin.empty() ? "" : " · " + origin);
  return made;
}

}  // namespace upsweep
