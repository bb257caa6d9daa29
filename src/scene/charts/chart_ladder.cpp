// Draws a ladder: one bar for each rung (a stage of an optimisation), in the given order. A bar ends at the
// median time. A line across the bar's end shows the quartiles.
//
// Published times usually come from another GPU, so these times have a separate scale beside our times.
// Readers can compare only the order of the rungs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/charts/chart_scale.hpp"
#include "scene/charts/charts.hpp"
#include "scene/charts/sweep_series.hpp"
#include "scene/paint.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

class LadderPicture {
 public:
  LadderPicture(const Ladder& in, const ChartFrame& frame)
      : p_(frame.theme, frame.width, frame.height), in_(in), hover_(frame.hover) {}

  Scene draw() {
    draw_title(p_, {.name = in_.title, .what = heading(), .readout = readout()});
    if (in_.rungs.empty()) {
      p_.sentence(tr("Nothing was measured yet."));
      return std::move(p_.scene);
    }
    lay_out();
    for (std::size_t place = 0; place < shown_.size(); place++) rung(shown_[place], y_of(place));
    if (shown_.size() < in_.rungs.size())
      p_.text({p_.margin, y_of(shown_.size())},
              cut(tr("and {} more", in_.rungs.size() - shown_.size()), size_, Face::regular,
                  p_.width - 2 * p_.margin),
              p_.theme.faint_text, size_);
    return std::move(p_.scene);
  }

 private:
  struct Column {
    float left = 0, room = 0;  // the x at which the bars begin, and the width of the longest possible bar
    float numbers = 0;         // the width of the longest number with its note
    double most = 0;           // the value at which a bar has the length `room`
    double whole = 0;          // the greatest value that a bar shows without a break
    // If the longest bar is far longer than the other bars, a break shortens the longest bar. Without the
    // break, the other bars would be too short to see.
    void scale(std::vector<double> ends, bool may_break) {
      if (ends.empty()) return;
      std::sort(ends.begin(), ends.end());
      most = whole = ends.back();
      const double beyond = 8 * ends[ends.size() / 2];
      if (!may_break || most <= beyond) return;
      whole = *std::prev(std::upper_bound(ends.begin(), ends.end(), beyond));
      most = 1.15 * whole;
    }
    bool breaks(double value) const { return value > whole && room > 60; }
    // Returns the length of a bar in dp, at most `room`.
    float length(double value) const {
      return most > 0 ? static_cast<float>(std::clamp(value / most, 0.0, 1.0)) * room : 0;
    }
  };

  // Returns the value that stands for a time in the chart: the bandwidth at this time, or the time itself.
  double shown(const Rung& r, double seconds) const { return in_.bandwidth ? r.bytes / seconds : seconds; }
  bool was_measured(const Rung& r) const {
    return r.seconds.count > 0 && is_positive(r.seconds.median) && is_positive(shown(r, r.seconds.median));
  }
  bool was_published(const Rung& r) const {
    return is_positive(r.published) && is_positive(shown(r, r.published));
  }
  // Returns a number as text. Times are in µs, as in the published tables.
  std::string number(double value) const {
    return in_.bandwidth ? bandwidth_text(value) : figures_text(value * 1e6) + " µs";
  }
  // Returns the lower and the upper quartile. If the median is outside the quartiles, extends the range to
  // the median.
  std::pair<double, double> quartiles(const Rung& r) const {
    const double median = shown(r, r.seconds.median);
    double low = median, high = median;
    for (const double seconds : {r.seconds.lower_quartile, r.seconds.upper_quartile})
      if (is_positive(seconds) && is_positive(shown(r, seconds))) {
        low = std::min(low, shown(r, seconds));
        high = std::max(high, shown(r, seconds));
      }
    return {low, high};
  }

  std::string heading() const {
    std::string text =
        in_.bandwidth ? tr("GB/s, median and quartiles") : tr("time in µs, median and quartiles");
    if (!in_.what.empty()) text += " · " + in_.what;
    if (!in_.here.empty()) text += " · " + in_.here;
    return text;
  }

  std::string readout() const {
    if (hover_ < 0 || hover_ >= static_cast<int>(in_.rungs.size())) return {};
    const Rung& r = in_.rungs[static_cast<std::size_t>(hover_)];
    std::string text = r.name;
    if (was_measured(r))
      text += tr(" · {} (quartiles {} – {}, {})", number(shown(r, r.seconds.median)),
                 number(quartiles(r).first), number(quartiles(r).second), counted(r.seconds.count, "run"));
    else text += " · " + (r.missing.empty() ? tr("nothing was measured") : r.missing);
    if (was_published(r)) text += tr(" · published: {}", number(shown(r, r.published)));
    return text;
  }

  void lay_out() {
    const Theme& t = p_.theme;
    bool published = false, timed = false, named = false;
    float widest = 0;
    std::vector<double> ours, published_ends;
    for (const Rung& r : in_.rungs) {
      timed = timed || was_published(r);
      published = published || timed || !r.published_text.empty();
      named = named || !r.name.empty();
      widest = std::max(widest, text_width(r.name, 12, r.chosen ? Face::bold : Face::regular));
    }
    const float gap = 12, inner = p_.width - 2 * p_.margin;
    const float names = named ? std::min(widest + gap, inner * 0.34f) : 0;
    const float left = p_.margin + names, room = inner - names;
    // The column of published times takes about a third of the width. If the bars in this column would be
    // shorter than 16 dp, the column shows only numbers.
    const float theirs = published ? std::max(room * 0.36f, 76.0f) : 0;
    ours_.left = left;
    ours_.room = room - theirs - (published ? gap : 0);
    theirs_.left = p_.width - p_.margin - theirs;
    theirs_.room = theirs;
    for (const Rung& r : in_.rungs) {
      if (was_measured(r)) {
        ours.push_back(quartiles(r).second);
        const float note = r.note.empty() ? 0 : note_gap + text_width(r.note, 12, Face::regular);
        ours_.numbers =
            std::max(ours_.numbers, text_width(number(shown(r, r.seconds.median)), 12, Face::bold) + note);
      }
      if (was_published(r)) {
        published_ends.push_back(shown(r, r.published));
        theirs_.numbers =
            std::max(theirs_.numbers, text_width(number(shown(r, r.published)), 12, Face::regular));
      }
    }
    ours_.scale(std::move(ours), !in_.bandwidth);
    theirs_.scale(std::move(published_ends), !in_.bandwidth);
    for (Column* c : {&ours_, &theirs_}) {
      c->room -= c->numbers + 10;
      if (c->room < 16) c->room = 0;
    }
    names_ = names - gap;
    first_ = p_.top;
    if (published) {
      const std::string here = in_.here.empty() ? tr("measured") : in_.here;
      const std::string there =
          (in_.published_by.empty() ? tr("published") : in_.published_by) + (timed ? tr(", own scale") : "");
      p_.text({ours_.left, first_ + 6}, cut(here, 11, Face::bold, theirs_.left - ours_.left - gap),
              t.faint_text, 11, Face::bold);
      p_.text({theirs_.left, first_ + 6}, cut(there, 11, Face::bold, theirs), t.faint_text, 11, Face::bold);
      first_ += 18;
    }
    const float room_below = p_.height - 8 - first_;
    const auto count = static_cast<float>(in_.rungs.size());
    pitch_ = std::clamp(room_below / count, 13.0f, 40.0f);
    size_ = pitch_ < 16 ? 10.0f : 12.0f;
    choose_shown(pitch_ * count > room_below + 0.5f
                     ? static_cast<std::size_t>(std::max(0, static_cast<int>(room_below / pitch_) - 1))
                     : in_.rungs.size());
  }

  // Chooses at most `most` rungs (bars) to draw. Leaves out rungs from the end of the list. Leaves out a rung
  // with `kept` or `chosen` only if all other rungs are left out.
  void choose_shown(std::size_t most) {
    shown_.resize(in_.rungs.size());
    std::iota(shown_.begin(), shown_.end(), 0);
    for (const bool kept : {false, true})
      for (int i = static_cast<int>(in_.rungs.size()) - 1; i >= 0 && shown_.size() > most; i--)
        if (const Rung& r = in_.rungs[static_cast<std::size_t>(i)]; (r.kept || r.chosen) == kept)
          std::erase(shown_, i);
  }

  float y_of(std::size_t place) const { return first_ + pitch_ * (static_cast<float>(place) + 0.5f); }

  void rung(int i, float y) {
    const Theme& t = p_.theme;
    const Rung& r = in_.rungs[static_cast<std::size_t>(i)];
    const float high = std::min({pitch_ - 4, pitch_ * 0.65f + 2, 24.0f});
    const TimeId id{i};
    const bool lit = hover_ == i;
    if (lit)
      p_.rect({p_.margin - 6, y - pitch_ / 2 + 0.5f, p_.width - 2 * p_.margin + 12, pitch_ - 1},
              {.fill = faded(t.ghost_text, 0.2f), .radius = 4});
    const Face face = r.chosen ? Face::bold : Face::regular;
    p_.text({ours_.left - 12, y}, cut_name(r.name, size_, face, names_), r.chosen ? t.text : t.faint_text,
            size_, face, Align::right);
    if (was_measured(r)) {
      const float length = bar(ours_, y, high, shown(r, r.seconds.median),
                               r.chosen ? t.now : mix(t.background, t.ghost_text, 0.8f), id);
      const float from = ours_.left + ours_.length(quartiles(r).first),
                  to = ours_.left + ours_.length(quartiles(r).second);
      if (ours_.breaks(shown(r, r.seconds.median))) broken(length, y, high);
      else if (to - from >= 1.5f) spread(from, length, to, y, high * 0.25f, r.chosen ? t.on_now : t.text);
      const std::string median = number(shown(r, r.seconds.median));
      const float x = std::max(length, to) + 8;
      p_.text({x, y}, median, t.text, size_, face);
      if (!r.note.empty())
        p_.text({x + text_width(median, size_, face) + note_gap, y}, r.note, t.conflict, size_);
    } else {
      const bool beside = was_published(r) || !r.published_text.empty();
      const float room = (beside ? theirs_.left : p_.width - p_.margin) - ours_.left - 12;
      p_.text({ours_.left, y},
              cut(r.missing.empty() ? tr("not measured yet") : r.missing, size_, Face::regular, room),
              t.faint_text, size_);
    }
    if (was_published(r)) {
      // Bars of published times are outlined and hatched, so that readers can distinguish these bars from
      // bars of our times.
      const float length = theirs_.length(shown(r, r.published));
      if (theirs_.room > 0)
        p_.rect(
            {theirs_.left, y - high / 2, std::max(2.0f, length), high},
            {.stroke = t.ghost_text, .width = 1, .radius = std::min(3.0f, length / 2), .hatch = length > 6});
      if (theirs_.breaks(shown(r, r.published))) broken(theirs_.left + length, y, high);
      p_.text({theirs_.left + (theirs_.room > 0 ? std::max(2.0f, length) + 8 : 0), y},
              number(shown(r, r.published)), t.faint_text, size_);
    } else if (!r.published_text.empty()) {
      p_.text({theirs_.left, y},
              cut(r.published_text, size_, Face::regular, p_.width - p_.margin - theirs_.left), t.faint_text,
              size_);
    }
    p_.target({p_.margin, y - pitch_ / 2, p_.width - 2 * p_.margin, pitch_}, id);
  }

  // Draws the quartiles of a time: a line from the lower to the upper quartile, across the bar's end.
  // `inside` is the colour of the part of the line that is on the bar.
  void spread(float from, float end, float to, float y, float cap, Colour inside) {
    const Colour outside = p_.theme.text;
    p_.line({from, y}, {end, y}, inside, 1.2f);
    p_.line({end, y}, {to, y}, outside, 1.2f);
    p_.line({from, y - cap}, {from, y + cap}, inside, 1.2f);
    p_.line({to, y - cap}, {to, y + cap}, to > end ? outside : inside, 1.2f);
  }

  // Draws a gap near the end of a bar, to show that the bar is broken.
  void broken(float end, float y, float high) {
    const float up = high / 2 + 1, lean = 3, x = end - 16;
    p_.line({x - lean, y + up}, {x + lean, y - up}, p_.theme.background, 6);
    for (const float side : {x - 3, x + 3})
      p_.line({side - lean, y + up}, {side + lean, y - up}, p_.theme.faint_text, 1.2f);
  }

  // Draws a bar and returns the x of its right end. Draws nothing if the column contains only numbers.
  float bar(const Column& c, float y, float high, double value, Colour colour, const Id& id) {
    if (c.room <= 0) return c.left - 8;
    const float length = std::max(2.0f, c.length(value));
    p_.rect({c.left, y - high / 2, length, high}, {.fill = colour, .radius = std::min(3.0f, length / 2)}, id);
    return c.left + length;
  }

  static constexpr float note_gap = 10;
  Painter p_;
  const Ladder& in_;
  const int hover_;
  Column ours_, theirs_;
  float names_ = 0, first_ = 0, pitch_ = 24, size_ = 12;
  std::vector<int> shown_;  // the indices of the rungs (bars) that are drawn
};

}  // namespace

Scene draw_ladder(const Ladder& ladder, const ChartFrame& frame) {
  return draw_magnified(frame, [&](const ChartFrame& f) { return LadderPicture(ladder, f).draw(); });
}

AtFullSize at_full_size(const Timings& timings, int n, Cache cache, int chosen, std::span<const int> kept) {
  AtFullSize made;
  const std::vector<SweepSeries> series = sweep_series(timings, cache, Measure::bandwidth);
  std::vector<std::pair<Rung, int>> found;
  for (const SweepSeries& s : series) {
    const auto at = s.rows.find(n);
    if (at == s.rows.end()) continue;
    const Timing& t = timings.rows[static_cast<std::size_t>(at->second)];
    const auto is_of = [&](int row) {
      return std::ranges::any_of(s.rows, [&](const auto& r) { return r.second == row; });
    };
    Rung rung{s.label, t.seconds, 0, missing_text(timings, t, Measure::bandwidth), is_of(chosen), t.bytes};
    rung.kept = std::ranges::any_of(kept, is_of);
    if (t.excess_wavefronts > 0) rung.note = short_count(t.excess_wavefronts) + tr(" excess");
    found.emplace_back(std::move(rung), at->second);
  }
  const auto speed = [&](const std::pair<Rung, int>& f) {
    return measured(timings, timings.rows[static_cast<std::size_t>(f.second)], Measure::bandwidth).value;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& a, const auto& b) { return speed(a) > speed(b); });
  for (auto& [rung, row] : found) {
    made.ladder.rungs.push_back(std::move(rung));
    made.rows.push_back(row);
  }
  const std::string settings = common_settings(timings, series);
  constexpr int full = 1 << 20;
  const bool small = !found.empty() && n < full;
  made.ladder.title = small ? tr("At the largest n measured, ") + grouped(n) : tr("At full size");
  if (small) made.ladder.what = settings;
  else if (!found.empty()) made.ladder.what = size_text(n) + (settings.empty() ? "" : " " + settings);
  made.ladder.here = origin_text(timings);
  made.ladder.bandwidth = true;
  return made;
}

}  // namespace upsweep
