// The view "Signal" shows a linear recurrence. One plot contains the input and the output; a much smaller
// input has its own strip. Another plot shows the difference between the scan's output and the output of a
// loop. If the factor a varies, it has its own strip. Each output appears in the step that stores it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr const char* signal_name = "signal";

bool has_signal(const Recording& r) { return r.signal.has_value(); }

std::string count_text(std::size_t count) { return grouped(static_cast<std::int64_t>(count)); }

// Returns the exact text of the number with the index `k` in an element.
std::string number_in(const Recording& r, const Value& v, int k = 0) {
  Settings plain = r.trace.settings;
  plain.op = Operator::sum;  // so that the value is one number, not a pair
  Value alone{};
  set_scalar(alone, plain.type, 0, scalar(v, plain.type, k));
  return exact_text(alone, plain);
}

std::string difference_at(const Signal& s, std::size_t j) {
  return s.difference[j] == 0 ? "0" : fmt::format("{:.3g}", s.difference[j]);
}

// Returns the output at the end of a step. Returns null if the output is not recorded.
const GlobalState* output_after(const Recording& r, int step) {
  const int output = r.trace.roles().first_output();
  const auto rest = std::span(r.trace.buffers).subspan(std::min<std::size_t>(output, r.trace.buffers.size()));
  return !rest.empty() && rest[0].count == std::ssize(r.trace.output) ? &r.global(output, step) : nullptr;
}

// Returns lines about a sample: its name, its input (a, b), the scan's output y, the sequential loop's output
// y, and the difference of the two outputs.
Lines lines_of(const Recording& r, int step, std::size_t j) {
  const Signal& s = *r.signal;
  const GlobalState* output = output_after(r, step);
  const bool stored = !output || output->cells[j].known;
  return {"j = " + count_text(j),
          fmt::format("a {}", number_in(r, r.trace.input[j], 0)),
          fmt::format("b {}", number_in(r, r.trace.input[j], 1)),
          tr("y of this run ") + (stored ? number_in(r, r.trace.output[j]) : tr("not stored yet")),
          tr("y sequential {}", number_in(r, s.exact[j])),
          tr("difference ") + (stored ? difference_at(s, j) : tr("not known yet"))};
}

class SignalPicture {
 public:
  explicit SignalPicture(const ViewInput& in) : p_(in), in_(in), r_(in.recording) {}

  ViewPicture draw() && {
    if (!has_signal(r_)) {
      p_.sentence(tr("This run computes no linear recurrence."));
      return std::move(p_).picture();
    }
    n_ = signal().y.size();
    leave_out_what_is_not_stored();
    p_.title(heading(), readout());
    if (p_.height - p_.top < 48 || p_.width < 160) return std::move(p_).picture();
    lay_out();
    legend();
    grid(main_, ticks_);
    if (input_) draw_input_alone();
    else draw_input();
    draw_line(signal().sequential, main_, mix(p_.theme.background, p_.theme.good, 0.6f), 5);
    draw_line(y(), main_, p_.theme.now, 1.5f);
    if (factor_) draw_factor();
    if (difference_) draw_difference();
    samples();
    return std::move(p_).picture();
  }

 private:
  // A part of the picture: the place and the vertical axis.
  struct Strip {
    float top = 0, bottom = 0;
    Axis axis{0, 1, 0, 0, false};
  };
  static constexpr float tick_text = 11, legend_height = 22, gap = 8, strip_name_height = 15;

  const Signal& signal() const { return *r_.signal; }

  // Returns the scan's output. A number that is not stored yet is NaN.
  const Series& y() const { return y_ ? *y_ : signal().y; }
  const Series& difference() const { return y_ ? *stored_difference_ : signal().difference; }

  void leave_out_what_is_not_stored() {
    const GlobalState* output = output_after(r_, in_.cursor.step);
    const auto is_stored = [&](std::size_t j) { return !output || output->cells[j].known; };
    for (std::size_t j = 0; j < n_; ++j)
      if (is_stored(j)) ++stored_, differing_ += signal().difference[j] != 0;
    if (stored_ == n_) return;
    std::vector<double> numbers(n_, std::numeric_limits<double>::quiet_NaN()), differences = numbers;
    for (std::size_t j = 0; j < n_; ++j)
      if (is_stored(j)) numbers[j] = signal().y[j], differences[j] = signal().difference[j];
    y_ = Series(std::move(numbers));
    stored_difference_ = Series(std::move(differences));
  }

  std::string heading() const {
    const Signal& s = signal();
    const std::string law = "y[j] = a[j] y[j − 1] + b[j]";
    if (stored_ < n_) return tr("{} · {} of {} y are stored", law, count_text(stored_), count_text(n_));
    if (s.differing == 0) return law + tr(" · every y equals the y of a sequential loop");
    return tr("{} · this run and a sequential loop differ by at most {:.2g}{}", law,
              std::abs(s.difference[s.largest]),
              is_real(r_.trace.settings.type) ? tr(", because they add and round in different orders") : "");
  }

  std::optional<std::size_t> hovered() const {
    const auto* own = as<OwnId>(in_.cursor.hover);
    const bool mine = own && own->view == signal_name && is_index(own->thing, n_);
    return mine ? std::optional(static_cast<std::size_t>(own->thing)) : std::nullopt;
  }

  std::string readout() const {
    const auto j = hovered();
    return j ? fmt::format("{}", fmt::join(lines_of(r_, in_.cursor.step, *j), " · ")) : "";
  }

  // Returns true if the input is drawn as b / (1 - a) instead of b. While b is constant and |a| < 1, y
  // approaches b / (1 - a). b itself would look flat beside y.
  bool settles() const {
    const Signal& s = signal();
    return !s.a_varies && std::abs(s.a[0]) < 1 && s.a[0] != 0 && is_real(r_.trace.settings.type);
  }
  double input_scale() const { return settles() ? 1 / (1 - signal().a[0]) : 1; }

  // Returns an axis that contains 0 and the numbers of `range`. An end that is not 0 has a small margin.
  static Axis axis_for(Extremes range, float begin, float end) {
    range.take(0);
    double room = (range.high - range.low) * 0.06;
    if (!(room > 0)) room = 1;
    const double low = range.low < 0 ? range.low - room : 0, high = range.high > 0 ? range.high + room : 0;
    return {low, high > low ? high : low + 1, begin, end, false};
  }

  void lay_out() {
    const float room = p_.height - p_.top;
    has_axis_ = room >= 90;
    float bottom = p_.height - (has_axis_ ? 24.0f : 6.0f);
    const auto take = [&](float height) {
      Strip strip{bottom - height, bottom};
      bottom -= height + gap;
      return strip;
    };
    if (room >= 140) difference_ = take(std::clamp(room * 0.18f, 34.0f, 90.0f));
    if (room >= 210 && signal().a_varies) factor_ = take(std::clamp(room * 0.14f, 36.0f, 70.0f));
    Extremes range = signal().y.extremes();
    range.take(signal().sequential.extremes());
    const Extremes b = signal().b.extremes();
    if (room >= 250 && !b.none() && input_scale() * size_of(b) < 0.1 * size_of(range))
      input_ = take(std::clamp(room * 0.14f, 36.0f, 70.0f));
    main_ = {p_.top + legend_height, bottom};
    if (!b.none() && !input_) {
      range.take(b.low * input_scale());
      range.take(b.high * input_scale());
    }
    main_.axis = axis_for(range, main_.bottom, main_.top);
    ticks_ = linear_ticks(main_.axis, 24);
    float widest = 34;
    for (const Tick& t : ticks_) widest = std::max(widest, text_width(t.name, tick_text, Face::regular));
    for (const auto& [strip, numbers] : {std::pair(&factor_, &signal().a), {&input_, &signal().b}})
      if (*strip) {
        (*strip)->axis = axis_for(numbers->extremes(), (*strip)->bottom, (*strip)->top + strip_name_height);
        for (const Tick& t : ends_of(numbers->extremes()))
          widest = std::max(widest, text_width(t.name, tick_text, Face::regular));
      }
    if (difference_) {
      const double most = std::abs(signal().difference[signal().largest]);
      difference_->axis = {most > 0 ? -1.1 * most : -1, most > 0 ? 1.1 * most : 1, difference_->bottom,
                           difference_->top + strip_name_height, false};
      for (const Tick& t : ends_of({-most, most}))
        widest = std::max(widest, text_width(t.name, tick_text, Face::regular));
    }
    left_ = p_.margin + (has_axis_ ? std::min(widest, p_.width / 4) + 10 : 0);
    right_ = p_.width - p_.margin;
    // If the plot has more samples than its width in dp, each column (1 dp) stands for several samples.
    columns_ = std::min(n_, static_cast<std::size_t>(right_ - left_));
    pitch_ = (right_ - left_) / static_cast<float>(columns_);
  }

  static std::vector<Tick> ends_of(const Extremes& e) {
    return {{e.low, fmt::format("{:.3g}", e.low)}, {e.high, fmt::format("{:.3g}", e.high)}};
  }

  static double size_of(const Extremes& e) {
    return e.none() ? 0 : std::max({std::abs(e.low), std::abs(e.high), e.high - e.low});
  }

  bool is_merged() const { return columns_ < n_; }
  float centre(std::size_t column) const { return left_ + pitch_ * (static_cast<float>(column) + 0.5f); }
  // Returns the index of the first sample of a column.
  std::size_t first(std::size_t column) const { return column * n_ / columns_; }

  void legend() {
    const Theme& t = p_.theme;
    const float y = p_.top + 8;
    float x = has_axis_ ? left_ : p_.margin;
    const auto entry = [&](const std::string& text, Colour colour, float thickness, bool is_bar) {
      const float needed = 18 + 6 + text_width(text, 12, Face::regular);
      if (x + needed > right_) return;
      if (is_bar) p_.rect({x + 4, y - 5, 10, 10}, colour);
      else p_.line({x, y}, {x + 18, y}, colour, thickness);
      p_.text({x + 24, y}, text, t.faint_text, 12);
      x += needed + 18;
    };
    entry(tr("y of this run"), t.now, 2, false);
    entry(tr("y by a sequential loop"), mix(t.background, t.good, 0.6f), 5, false);
    if (!input_)
      entry(settles() ? tr("input, drawn as b / (1 − a): the value that y approaches if b stays the same")
                      : tr("input b"),
            bar_colour(), 0, true);
    if (!signal().a_varies) {
      const std::string text = "a = " + number_in(r_, r_.trace.input[0], 0);
      if (x + text_width(text, 12, Face::regular) <= right_) p_.text({x, y}, text, t.faint_text, 12);
    }
  }

  Colour bar_colour() const { return mix(p_.theme.background, p_.theme.ghost_text, 0.6f); }

  void grid(const Strip& strip, const std::vector<Tick>& ticks) {
    const Theme& t = p_.theme;
    for (const Tick& tick : ticks) {
      const float y = strip.axis.at(tick.value);
      p_.line({left_, y}, {right_, y}, tick.value == 0 ? mix(t.line, t.ghost_text, 0.8f) : t.line);
      if (has_axis_)
        p_.text({left_ - 10, y}, tick.name, t.faint_text, tick_text, Face::regular, Align::right);
    }
    if (!has_axis_ || &strip != &main_) return;
    // The ticks of the samples' numbers are at the bottom of the picture.
    const Axis across{0, static_cast<double>(n_), left_, right_, false};
    float free_from = left_;
    for (const Tick& tick : linear_ticks(across, 80)) {
      const auto j = static_cast<std::size_t>(tick.value);
      if (tick.value != std::floor(tick.value) || j >= n_) continue;
      const float x = left_ + (right_ - left_) * (static_cast<float>(j) + 0.5f) / static_cast<float>(n_);
      const std::string text = (j == 0 ? "j = " : "") + count_text(j);
      const float half = text_width(text, tick_text, Face::regular) / 2,
                  at = std::clamp(x, p_.margin + half, right_ - half);
      if (at - half < free_from && j > 0) continue;
      free_from = at + half + 10;
      p_.text({at, p_.height - 11}, text, t.faint_text, tick_text, Face::regular, Align::centre);
    }
  }

  void draw_input() {
    const float zero = main_.axis.at(0), width = pitch_ < 4 ? pitch_ : pitch_ - std::min(6.0f, pitch_ * 0.3f);
    for (std::size_t c = 0; c < columns_; ++c) {
      const Extremes e = signal().b.extremes(first(c), first(c + 1));
      if (e.none()) continue;
      const float a = main_.axis.at(e.low * input_scale()), b = main_.axis.at(e.high * input_scale());
      const float top = std::min({zero, a, b}), bottom = std::max({zero, a, b});
      p_.rect({centre(c) - width / 2, top, width, std::max(0.5f, bottom - top)}, bar_colour());
    }
  }

  // Draws a series as a line. The line of a column goes from the column's lowest to its highest sample.
  void draw_line(const Series& numbers, const Strip& strip, Colour colour, float thickness) {
    std::optional<Point> before;
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::size_t begin = first(c), end = first(c + 1);
      const float x = centre(c);
      if (is_merged()) {
        // Includes the last sample of the previous column, so that the line has no gaps.
        const Extremes e = numbers.extremes(begin > 0 ? begin - 1 : 0, end);
        if (e.none()) continue;
        const float a = strip.axis.at(e.low), b = strip.axis.at(e.high);
        p_.line({x, a + thickness / 2}, {x, b - thickness / 2}, colour, pitch_);
        continue;
      }
      if (!std::isfinite(numbers[begin])) {
        before.reset();
        continue;
      }
      const Point at{x, strip.axis.at(numbers[begin])};
      if (before) p_.line(*before, at, colour, thickness);
      if (pitch_ >= 7 || (n_ == 1 && !before)) p_.disc(at, thickness > 3 ? 4.5f : 2.5f, colour);
      before = at;
    }
  }

  // Writes the name of a strip above the strip's lines, at the upper left.
  void name_strip(const Strip& strip, const std::string& name, const std::vector<Tick>& ends) {
    const Theme& t = p_.theme;
    const float zero = strip.axis.at(0);
    p_.line({left_, zero}, {right_, zero}, mix(t.line, t.ghost_text, 0.8f));
    p_.line({left_, strip.top - gap / 2}, {right_, strip.top - gap / 2}, t.line);
    float lowest = p_.height;
    for (const Tick& tick : ends) {
      const float y = strip.axis.at(tick.value);
      if (lowest - y < tick_text + 1) continue;
      p_.text({left_ - 10, y}, tick.name, t.faint_text, tick_text, Face::regular, Align::right);
      lowest = y;
    }
    p_.text({left_ + 4, strip.top + 5}, cut(name, tick_text, Face::regular, right_ - left_ - 8), t.faint_text,
            tick_text);
  }

  // Draws the input in a separate strip, because the input is much smaller than the output.
  void draw_input_alone() {
    draw_line(signal().b, *input_, p_.theme.faint_text, 1.5f);
    name_strip(*input_, tr("input b"), ends_of(signal().b.extremes()));
  }

  void draw_factor() {
    draw_line(signal().a, *factor_, p_.theme.broadcast, 1.5f);
    name_strip(*factor_, "a", ends_of(signal().a.extremes()));
  }

  void draw_difference() {
    const Signal& s = signal();
    const double most = std::abs(s.difference[s.largest]);
    const float zero = difference_->axis.at(0), width = std::clamp(pitch_ * 0.6f, 1.0f, 10.0f);
    for (std::size_t c = 0; c < columns_ && most > 0; ++c) {
      const Extremes e = difference().extremes(first(c), first(c + 1));
      if (e.none() || (e.low == 0 && e.high == 0)) continue;
      const float a = difference_->axis.at(e.low), b = difference_->axis.at(e.high);
      const float top = std::min({zero, a, b}), bottom = std::max({zero, a, b});
      p_.rect({centre(c) - width / 2, top, width, bottom - top}, p_.theme.text);
    }
    std::string name = tr("difference between the two y: 0 everywhere");
    const std::string count = count_text(differing_), all = count_text(stored_);
    if (stored_ == 0) name = tr("difference between the two y: no number is stored yet");
    else if (stored_ < n_ || differing_ > 0)
      name = tr("difference between the two y: {} of {} stored numbers differ", count, all);
    name_strip(*difference_, name, most > 0 ? ends_of({-most, most}) : std::vector<Tick>{{0, "0"}});
  }

  // Makes each column react to the mouse, and draws a line at the sample under the mouse.
  void samples() {
    const float top = p_.top + legend_height, bottom = p_.height - (has_axis_ ? 22.0f : 0.0f);
    const auto j = hovered();
    for (std::size_t c = 0; c < columns_; ++c) {
      p_.target({left_ + pitch_ * static_cast<float>(c), top, pitch_, bottom - top},
                OwnId{signal_name, static_cast<int>(first(c))});
      if (!j || *j < first(c) || *j >= first(c + 1)) continue;
      p_.line({centre(c), top}, {centre(c), bottom}, p_.theme.text);
      for (const auto& [s, radius, colour] :
           {std::tuple(&signal().sequential, 6.0f, p_.theme.good), {&y(), 4.0f, p_.theme.now}})
        if (std::isfinite((*s)[*j])) p_.disc({centre(c), main_.axis.at((*s)[*j])}, radius, colour);
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  std::size_t n_ = 0, columns_ = 0;
  // The number of stored outputs, and the number of stored outputs that differ from the loop.
  std::size_t stored_ = 0, differing_ = 0;
  std::optional<Series> y_, stored_difference_;  // of the stored outputs; nullopt after all are stored
  float left_ = 0, right_ = 0, pitch_ = 0;
  bool has_axis_ = true;  // true if there is room for numbers beside the plot
  Strip main_;
  std::optional<Strip> factor_, input_, difference_;
  std::vector<Tick> ticks_;
};

ViewPicture draw_signal(const ViewInput& in) { return SignalPicture(in).draw(); }

Lines signal_tip(const Reading& at, const Id& id) {
  const auto* own = as<OwnId>(id);
  if (!own || own->view != signal_name || !has_signal(at.recording)) return {};
  if (!is_index(own->thing, at.recording.signal->y.size())) return {};
  return lines_of(at.recording, at.cursor.step, static_cast<std::size_t>(own->thing));
}

Id sees_samples(const Id& hover) {
  const auto* own = as<OwnId>(hover);
  return own && own->view == signal_name ? hover : Id();
}

}  // namespace

extern const View signal_view{.name = signal_name,
                              .title = tr_noop("Signal"),
                              .home = Home::tree,
                              .draw = draw_signal,
                              .tip = signal_tip,
                              .has_something = has_signal,
                              .comes_first = has_signal,
                              .sees = sees_samples,
                              .shows_the_end = true};

}  // namespace upsweep
