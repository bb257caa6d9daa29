#include "scene/charts/figure_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/grouped.hpp"
#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/charts/chart_scale.hpp"
#include "scene/charts/sweep_series.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using Chart = std::function<Scene(const ChartFrame&)>;

constexpr float remark_size = 11, remark_pitch = 16;
constexpr float enough_for_axes = 420, most_for_axes = 1e6;  // heights in dp

std::vector<std::string> lines_of(const std::vector<std::string>& notes, float room) {
  std::vector<std::string> lines;
  for (const std::string& note : notes)
    for (std::string& line : wrapped(note, remark_size, Face::regular, room))
      lines.push_back(with_plain_spaces(std::move(line)));
  return lines;
}

// Draws the chart, at most `most` dp high, with the notes below. If the chart would not be high enough,
// leaves out the last lines of the notes.
Scene draw_with_notes(const std::vector<std::string>& notes, const ChartFrame& f, float most,
                      const Chart& chart) {
  Painter p(f.theme, f.width, f.height);
  const float room = f.width - 2 * p.margin, least_chart = std::max(150.0f, f.height * 0.56f);
  std::vector<std::string> lines = lines_of(notes, room);
  const float fit = std::max(0.0f, (f.height - least_chart - 12) / remark_pitch);
  if (static_cast<float>(lines.size()) > fit) {
    lines.resize(static_cast<std::size_t>(fit));
    if (!lines.empty()) lines.back() = cut(lines.back() + " …", remark_size, Face::regular, room);
  }
  const float high = lines.empty() ? 0 : static_cast<float>(lines.size()) * remark_pitch + 12;
  const float under = std::min(f.height - high, most);
  Scene scene = chart({f.theme, f.width, under, f.hover});
  for (std::size_t i = 0; i < lines.size(); i++)
    p.text({p.margin, under + 4 + remark_pitch * (static_cast<float>(i) + 0.5f)},
           cut(lines[i], remark_size, Face::regular, room), f.theme.faint_text, remark_size);
  scene.height = f.height;
  scene.shapes.insert(scene.shapes.end(), p.scene.shapes.begin(), p.scene.shapes.end());
  return scene;
}

// Draws a chart with notes. In a large picture, enlarges the chart and the notes as far as the width and the
// height allow.
//
// `enough` is the smallest height in dp at which the chart is legible. `most` is the chart's greatest height.
Scene with_notes(const std::vector<std::string>& notes, const ChartFrame& frame, float enough, float most,
                 const Chart& chart) {
  return draw_magnified(frame, [&](const ChartFrame& f) {
    const float lines = static_cast<float>(lines_of(notes, std::min(f.width, 800.0f)).size());
    const float factor = std::min(f.width / 800, f.height / (enough + lines * remark_pitch + 12));
    return draw_magnified(f, factor,
                          [&](const ChartFrame& g) { return draw_with_notes(notes, g, most, chart); });
  });
}

// Returns how many times faster an entry is than another entry at one size: the published factor and the
// measured factor, such as "3.42 ×, here 3.21 ×, over naive". Returns an empty text if no factor was
// published.
std::string claimed(const Figure& f, const Timings& rows, int entry, int n) {
  for (const FigureClaim& c : f.claims) {
    if (c.faster != entry || !(c.factor > 0)) continue;
    const FigureEntry& slower = f.entries[static_cast<std::size_t>(c.slower)];
    const Timing *a = row_at(rows, f.entries[static_cast<std::size_t>(entry)], n),
                 *b = row_at(rows, slower, n);
    const bool both = a && b && was_measured(*a) && was_measured(*b);
    const std::string here =
        both ? tr(", measured {} ×", figures_text(b->seconds.median / a->seconds.median)) : "";
    return tr("{:g} ×{}, over {}", c.factor, here, tr(slower.label));
  }
  return {};
}

Ladder ladder_of(const Figure& f, const Timings& rows) {
  const bool one_size = f.sizes.size() == 1;
  Ladder ladder{.title = tr(f.title),
                .what = one_size ? tr("{} of {} {}", tr(f.what), size_name(f, f.sizes.front()), name(f.type))
                                 : fmt::format("{}, {}", tr(f.what), name(f.type)),
                .here = origin_text(rows),
                .published_by = f.publisher,
                .rungs = {}};
  for (const int n : f.sizes)
    for (const FigureEntry& e : f.entries) {
      Rung rung{.name = one_size ? tr(e.label) : size_name(f, n) + ": " + tr(e.label),
                .seconds = {},
                .published = published(f, e, n),
                .missing = {}};
      if (const Timing* t = row_at(rows, e, n)) {
        rung.seconds = t->seconds;
        rung.missing = in_words(t->missing);
        rung.bytes = t->bytes;
      }
      rung.published_text = claimed(f, rows, static_cast<int>(&e - f.entries.data()), n);
      ladder.rungs.push_back(std::move(rung));
    }
  return ladder;
}

}  // namespace

std::string size_name(const Figure& f, int n) {
  if (!f.squares) return size_text(n);
  const std::string side = grouped(std::llround(std::sqrt(n)));
  return side + " × " + side;
}

Scene draw_figure(const Figure& f, const Timings& rows, const ChartFrame& frame,
                  const std::vector<EntryCounts>& counted) {
  const std::vector<std::string> notes = notes_to_wrap(f, rows, counted);
  if (f.kind == Figure::Kind::ladder) {
    const float enough = 64 + 40 * static_cast<float>(f.entries.size() * f.sizes.size());
    return with_notes(notes, frame, enough, enough,
                      [&](const ChartFrame& part) { return draw_ladder(ladder_of(f, rows), part); });
  }
  return with_notes(notes, frame, enough_for_axes, most_for_axes, [&](const ChartFrame& part) {
    return draw_size_sweep({.timings = rows,
                            .measure = Measure::time,
                            .least_n = f.sizes.front(),
                            .most_n = f.sizes.back(),
                            .title = tr(f.title),
                            .complete = true},
                           part);
  });
}

Scene draw_figure(const Figure& f, const std::vector<WorkCount>& counts, const ChartFrame& frame) {
  return with_notes(figure_notes(f, counts), frame, enough_for_axes, most_for_axes,
                    [&](const ChartFrame& part) { return draw_counts(f, counts, part); });
}

}  // namespace upsweep
