// Draws a size sweep: one line over n for each contender (a kernel, a library, a plain copy or the CPU). A
// band shows the quartiles, and a dashed line shows the copy ceiling (the speed of a plain copy). Names are
// at the ends of the lines.
//
// If a size could not be measured, the line has a gap with a cross below. A note explains the cross under the
// mouse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "scene/charts/chart_marks.hpp"
#include "scene/charts/chart_scale.hpp"
#include "scene/charts/charts.hpp"
#include "scene/charts/sweep_series.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// `low` and `high` are the ends of an axis before any value is known. The axis grows to contain all values,
// but not beyond `least` and `most`. Values beyond `least` and `most` are drawn at the edge of the chart.
struct Range {
  double low, high, least, most;
  double unit;
  const char* unit_name;
  const char* what;
};
Range range_of(Measure measure) {
  switch (measure) {
    case Measure::bandwidth: return {1e9, 1e13, 1e3, 1e16, 1e9, "GB/s", tr("GB/s over n")};
    case Measure::time: return {1e-6, 1e-2, 1e-10, 1e6, 1e-6, "µs", tr("µs over n")};
    case Measure::share: break;
  }
  return {0, 1.2, 0, 4, 0.01, tr("% of copy"), tr("% of the copy ceiling over n")};
}

class SweepPicture {
 public:
  SweepPicture(const SizeSweep& in, const ChartFrame& frame)
      : p_(frame.theme, frame.width, frame.height),
        in_(in),
        hover_(frame.hover),
        series_(sweep_series(in.timings, in.cache, in.measure)),
        range_(range_of(in.measure)) {}

  Scene draw() {
    draw_title(p_, {.name = tr(in_.title), .what = heading(), .readout = readout()});
    if (series_.empty()) {
      p_.sentence(tr("Nothing was measured yet."));
      return std::move(p_.scene);
    }
    lay_out();
    grid();
    for (const SweepSeries& s : series_) collect(s);
    overhead();
    for (const Drawn& d : drawn_) bands(d);
    for (const Drawn& d : drawn_) lines(d);
    for (const Drawn& d : drawn_) marks(d);
    crosses();
    names();
    notes();
    return std::move(p_.scene);
  }

 private:
  struct Place {
    int row;
    Point at;
    float low, high;  // y of the quartiles
  };
  // The line of one kernel, library, copy or CPU. The line consists of pieces with gaps between the pieces.
  struct Drawn {
    const SweepSeries* series;
    MarkStyle style;
    std::vector<std::vector<Place>> pieces;
    bool strong;  // true if the line is chosen or under the mouse
  };

  const Timing& row(int index) const { return in_.timings.rows[static_cast<std::size_t>(index)]; }
  bool is_hovered(int index) const { return hover_ == index; }
  static Id id_of(int index) { return TimeId{index}; }

  std::string heading() const {
    std::string text = range_.what;
    const auto add = [&](const std::string& part) {
      if (!part.empty()) text += " · " + part;
    };
    add(common_settings(in_.timings, series_));
    add(in_.cache == Cache::cold ? tr("cold cache") : tr("warm cache"));
    const bool some_missing = std::ranges::any_of(series_, [&](const SweepSeries& s) {
      return std::ranges::any_of(s.rows, [&](const auto& r) { return bool(row(r.second).missing); });
    });
    if (some_missing) add(tr("×: cannot run"));
    add(tr("median and quartiles"));
    add(origin_text(in_.timings));
    return text;
  }

  std::string readout() const {
    if (hover_ < 0 || hover_ >= static_cast<int>(in_.timings.rows.size())) return {};
    return timing_text(in_.timings, row(hover_));
  }

  void lay_out() {
    x_.low = std::max(1, std::min(in_.least_n, in_.most_n));
    x_.high = std::max({in_.least_n, in_.most_n, 2});
    y_ = {range_.low, range_.high, 0, 0, in_.measure != Measure::share};
    const bool fitted = in_.complete && y_.logarithmic;
    if (fitted) y_.low = range_.most, y_.high = range_.least;
    // A CPU may need a second for the largest sizes. So the axis reaches to 1 s from the start, and does not
    // move when a time of the CPU arrives.
    if (in_.measure == Measure::time && !in_.complete)
      for (const SweepSeries& s : series_)
        if (s.contender == Contender::processor) y_.high = 1;
    for (const SweepSeries& s : series_)
      for (const auto& [n, index] : s.rows) {
        while (n < x_.low) x_.low /= 2;
        while (n > x_.high) x_.high *= 2;
        const double value = measured(in_.timings, row(index), in_.measure).value;
        if (y_.logarithmic) y_.widen(value, range_.least, range_.most);
        else y_.high = std::max(y_.high, std::min(range_.most, std::ceil(value * 5) / 5));
      }
    if (x_.high <= x_.low) x_.high = 2 * x_.low;
    if (fitted && y_.high < y_.low) y_.low = range_.low, y_.high = range_.high;  // nothing was measured
    if (y_.high <= y_.low) y_.high = 10 * y_.low;
    y_.begin = p_.height - 26;
    y_.end = p_.top + 16;
    y_ticks_ = y_.logarithmic ? decade_ticks(y_, range_.unit, 16) : share_ticks();
    float widest = 36;
    for (const Tick& t : y_ticks_) widest = std::max(widest, text_width(t.name, tick_size, Face::regular));
    x_.begin = p_.margin + widest + 10;
    // The column of names has a fixed width. If the width depended on the names, the axis would move when
    // another name arrives.
    names_ = p_.width - p_.margin - std::clamp(p_.width * 0.27f, 92.0f, 204.0f);
    x_.end = names_ - 24;
    area_ = {x_.begin, y_.end, x_.end - x_.begin, y_.begin - y_.end};
  }

  std::vector<Tick> share_ticks() const {
    const double pitch = std::abs(y_.begin - y_.end) / y_.high;  // the length of 100 % in dp
    double step = 0.2;
    while (step * pitch < 16 && step < 4) step *= step < 0.3 ? 2.5 : 2;
    std::vector<Tick> ticks;
    for (int i = 0; i * step <= y_.high + 1e-9; i++)
      ticks.push_back({i * step, fmt::format("{:.0f}", i * step * 100)});
    return ticks;
  }

  void grid() {
    const Theme& t = p_.theme;
    p_.text({x_.begin - 10, p_.top + 2}, range_.unit_name, t.faint_text, tick_size, Face::regular,
            text_width(range_.unit_name, tick_size, Face::regular) > x_.begin - 10 - p_.margin
                ? Align::left
                : Align::right);
    for (const Tick& tick : y_ticks_) {
      const float y = y_.at(tick.value);
      p_.line({x_.begin, y}, {x_.end, y}, t.line);
      p_.text({x_.begin - 10, y}, tick.name, t.faint_text, tick_size, Face::regular, Align::right);
    }
    p_.line({x_.begin, y_.begin}, {x_.end, y_.begin}, mix(t.line, t.ghost_text, 0.6f));
    for (const Tick& tick : size_ticks(x_, 46)) {
      const float x = x_.at(tick.value);
      p_.line({x, y_.begin}, {x, y_.begin + 4}, mix(t.line, t.ghost_text, 0.6f));
      p_.text({x, y_.begin + 14}, tick.name, t.faint_text, tick_size, Face::regular, Align::centre);
    }
  }

  // Draws the time of an empty kernel as a line.
  void overhead() {
    const double seconds = in_.timings.launch_overhead.median;
    if (in_.measure != Measure::time || !is_positive(seconds) || seconds < y_.low || seconds > y_.high)
      return;
    const MarkStyle style{mix(p_.theme.background, p_.theme.faint_text, 0.85f), Mark::none, Dash::dotted};
    const float y = y_.at(seconds);
    draw_path(p_, {{x_.begin, y}, {x_.end, y}}, style, 1.2f);
    labels_.push_back({{x_.end, y}, tr("empty kernel"), style, {}});
  }

  void collect(const SweepSeries& s) {
    Drawn d{&s, style_of(s.contender, s.index, p_.theme), {}, false};
    bool gap = true;
    for (const auto& [n, index] : s.rows) {
      d.strong = d.strong || is_hovered(index) || index == in_.chosen;
      const Measured m = measured(in_.timings, row(index), in_.measure);
      if (m.value <= 0) {
        missing_.push_back({index, d.style});
        gap = true;
        continue;
      }
      if (gap) d.pieces.emplace_back();
      gap = false;
      d.pieces.back().push_back({index, {x_.at(n), y_.at(m.value)}, y_.at(m.low), y_.at(m.high)});
      if (d.pieces.back().size() > 1)
        cover(d.pieces.back()[d.pieces.back().size() - 2].at, d.pieces.back().back().at);
      points_.push_back(d.pieces.back().back().at);
    }
    drawn_.push_back(std::move(d));
  }

  // Adds points to points_ along the line from a to b, about 10 dp apart. Notes avoid these points, so notes
  // do not cover the line.
  void cover(Point a, Point b) {
    const int count = static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 10);
    for (int i = 1; i < count; i++) {
      const float share = static_cast<float>(i) / static_cast<float>(count);
      points_.push_back({a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share});
    }
  }

  void bands(const Drawn& d) {
    for (const auto& piece : d.pieces) {
      std::vector<Point> above, below;
      for (const Place& at : piece) {
        above.push_back({at.at.x, at.high});
        below.push_back({at.at.x, at.low});
      }
      draw_band(p_, above, below, mix(p_.theme.background, d.style.colour, 0.28f));
    }
  }

  void lines(const Drawn& d) {
    for (const auto& piece : d.pieces) {
      std::vector<Point> path;
      for (const Place& at : piece) path.push_back(at.at);
      draw_path(p_, path, d.style, d.strong ? 3.0f : d.style.mark == Mark::none ? 1.5f : 2.0f);
    }
  }

  void marks(const Drawn& d) {
    // Marks are small, so that the line is visible between neighbouring points.
    const float octave = (x_.end - x_.begin) / static_cast<float>(std::log2(x_.high / x_.low));
    const float r = std::clamp(octave * 0.22f, 1.5f, 3.5f);
    for (const auto& piece : d.pieces)
      for (const Place& at : piece) {
        MarkStyle style = d.style;
        if (style.mark == Mark::none && piece.size() == 1)
          style.mark = Mark::square;  // draws a mark, because a line of one point would be invisible
        draw_mark(p_, at.at, r, style, id_of(at.row));
        if (is_pinned(at.row) || is_hovered(at.row)) {
          const float ring = r + 3.5f;
          p_.rect(
              {at.at.x - ring, at.at.y - ring, 2 * ring, 2 * ring},
              {.stroke = is_hovered(at.row) ? p_.theme.text : d.style.colour, .width = 1.5f, .radius = ring});
        }
        p_.target({at.at.x - 7, at.at.y - 7, 14, 14}, id_of(at.row));
      }
  }

  bool is_pinned(int index) const {
    return std::find(in_.pinned.begin(), in_.pinned.end(), index) != in_.pinned.end();
  }

  // Draws a cross above the axis for each size n that could not be measured. If several lines have a cross at
  // the same n, draws the crosses one above the other.
  void crosses() {
    std::map<int, int> standing;
    const int most = std::max(1, static_cast<int>(area_.h * 0.4f / 10));
    for (auto& [index, style] : missing_) {
      const int n = row(index).settings.n, level = std::min(standing[n]++, most - 1);
      const Point at{x_.at(n), y_.begin - 7 - 10 * static_cast<float>(level)};
      p_.cross({at.x - 3, at.y - 3, 6, 6}, style.colour, is_hovered(index) ? 2.5f : 1.5f);
      p_.target({at.x - 6, at.y - 5, 12, 10}, id_of(index));
    }
  }

  void names() {
    for (const Drawn& d : drawn_) {
      // If a kernel or library has no measured size, its name is at the bottom.
      EndLabel l{
          {x_.end, y_.begin}, d.series->label, d.style, id_of(d.series->rows.rbegin()->second), d.strong};
      if (!d.pieces.empty()) {
        l.end = d.pieces.back().back().at;
        l.id = id_of(d.pieces.back().back().row);
      }
      labels_.push_back(std::move(l));
    }
    draw_end_labels(p_, std::move(labels_), names_, y_.end, y_.begin);
  }

  std::string note_of(int index) const {
    const Timing& t = row(index);
    const std::string missing = missing_text(in_.timings, t, in_.measure);
    if (!missing.empty()) return fmt::format("{}: {}", size_text(t.settings.n), missing);
    const double share = share_of_ceiling(in_.timings, t);
    std::string text = size_text(t.settings.n) + ": ";
    if (area_.w < 260) {  // a narrow chart has enough room for one number only
      const Measured m = measured(in_.timings, t, in_.measure);
      return text + (in_.measure == Measure::bandwidth ? bandwidth_text(m.value)
                     : in_.measure == Measure::time    ? time_text(m.value)
                                                       : figures_text(m.value * 100) + " %");
    }
    if (in_.measure == Measure::share) text += fmt::format("{} %, ", figures_text(share * 100));
    if (is_positive(t.bytes_per_second())) text += bandwidth_text(t.bytes_per_second()) + tr(", ");
    return text + time_text(t.seconds.median);
  }

  void notes() {
    std::vector<int> noted(in_.pinned.begin(), in_.pinned.end());
    std::sort(noted.begin(), noted.end());
    noted.erase(std::unique(noted.begin(), noted.end()), noted.end());
    // Places the note of the point under the mouse last, so that this note does not move other notes.
    if (hover_ >= 0 && !is_pinned(hover_)) noted.push_back(hover_);
    std::vector<Note> notes;
    for (const int index : noted) {
      for (const Drawn& d : drawn_)
        for (const auto& piece : d.pieces)
          for (const Place& at : piece)
            if (at.row == index) notes.push_back({at.at, note_of(index), d.style.colour});
      for (const auto& [missing, style] : missing_)
        if (missing == index)
          notes.push_back({{x_.at(row(index).settings.n), y_.begin - 7}, note_of(index), style.colour});
    }
    draw_notes(p_, notes, area_, points_);
  }

  static constexpr float tick_size = 11;
  Painter p_;
  const SizeSweep& in_;
  const int hover_;
  const std::vector<SweepSeries> series_;
  const Range range_;
  Axis x_, y_;
  std::vector<Tick> y_ticks_;
  Box area_;
  float names_ = 0;  // the left end of the column of names
  std::vector<Drawn> drawn_;
  std::vector<std::pair<int, MarkStyle>> missing_;
  std::vector<Point> points_;  // points that notes avoid
  std::vector<EndLabel> labels_;
};

}  // namespace

Scene draw_size_sweep(const SizeSweep& sweep, const ChartFrame& frame) {
  return draw_magnified(frame, [&](const ChartFrame& f) { return SweepPicture(sweep, f).draw(); });
}

}  // namespace upsweep
