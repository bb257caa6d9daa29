#include "panels/timing_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/charts/sweep_series.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float least_chart = 132, room_for_two = 276, bar_pitch = 17, chart_head = 48;

Scene empty_picture(const Theme& theme, float width, float height) {
  Pen s(width, height, theme.background);
  const float margin = width < 640 ? 16 : 24;
  float y = 24;
  for (const std::string& line :
       wrapped(tr("No times yet. Press S to measure this kernel on this computer, or drop a file from "
                  "`upsweep bench --json` here."),
               13, Face::regular, width - 2 * margin)) {
    s.text({margin, y}, line, theme.faint_text, 13);
    y += 20;
  }
  return std::move(s.scene);
}

// Converts indices into s.rows to indices into the rows of all timings.
std::vector<int> of_all(const Selection& s, const std::vector<int>& rows) {
  std::vector<int> all;
  for (const int row : rows) all.push_back(s.rows[static_cast<std::size_t>(row)]);
  return all;
}

// Returns the index at which `rows` contains `row`, or -1.
int hovered(const std::vector<int>& rows, int row) {
  const auto at = std::find(rows.begin(), rows.end(), row);
  return row < 0 || at == rows.end() ? -1 : static_cast<int>(at - rows.begin());
}

}  // namespace

TimingPicture timing_picture(const TimingModel& model, const Chosen& chosen, TimingChart chart,
                             const Theme& theme, float width, float height) {
  const TimingSource* source = model.source();
  if (!source) return {empty_picture(theme, width, height), {}};
  const Timings& all = *source->timings;
  const int n = full_size(all, chosen);
  if (chart == TimingChart::sweep) {
    const Selection s = rows_for_sweep(all, chosen);
    std::vector<int> pinned;
    for (std::size_t i = 0; i < s.rows.size(); ++i)
      if (model.is_pinned(all.rows[static_cast<std::size_t>(s.rows[i])]))
        pinned.push_back(static_cast<int>(i));
    SizeSweep sweep{s.timings};
    sweep.cache = s.cache;
    sweep.pinned = pinned;
    sweep.chosen = s.chosen;
    if (source->least_n > 0) sweep.least_n = source->least_n, sweep.most_n = source->most_n;
    return {draw_size_sweep(sweep, {theme, width, height, hovered(s.rows, model.hover)}), s.rows};
  }
  if (chart == TimingChart::full_size) {
    const int most = static_cast<int>((height - chart_head) / bar_pitch);
    const Selection s = rows_for_bars(all, chosen, n, most);
    const AtFullSize bars = at_full_size(s.timings, n, s.cache, s.chosen, s.kept);
    const std::vector<int> rows = of_all(s, bars.rows);
    return {draw_ladder(bars.ladder, {theme, width, height, hovered(rows, model.hover)}), rows};
  }
  const Selection s = rows_for_sweep(all, chosen);
  const RooflineOf roofline = roofline_of(s.timings, n, s.cache);
  const std::vector<int> rows = of_all(s, roofline.rows);
  return {draw_roofline(roofline.roofline, {theme, width, height, hovered(rows, model.hover)}), rows};
}

bool has_room_to_compare(const Box& box) {
  return box.h - timing_header_height >= most_comparison_height(box.w) + least_chart;
}

void TimingPanel::lay_out(Session& session, const Theme& theme, const Box& box, bool large, Point mouse) {
  box_ = box;
  if (box.w <= 0 || box.h <= 0) {
    *this = {};
    return;
  }
  session.follow_compared();
  place(session, theme);
  const auto within = [&](const Box& b) { return Point{mouse.x - b.x, mouse.y - b.y}; };
  header_ = timing_header({session.timing, missing_, !large, large}, theme, box.w, within(box));
  comparison_panel_ = {};
  if (comparison_) comparison_panel_ = comparison_panel(*comparison_, theme, box.w, within(comparison_box_));
}

// Places the parts one below another: the header and the chosen chart. If there is enough room, the
// comparison and a second chart follow.
void TimingPanel::place(const Session& session, const Theme& theme) {
  const TimingModel& model = session.timing;
  const TimingSource* source = model.source();
  const Chosen chosen = session.chosen_times();
  Shown now{source ? source->timings : nullptr,
            chosen,
            model.chart,
            model.hover,
            model.pins(),
            box_,
            &theme,
            session.compared_facts().shown_cost(),
            session.compared_facts().compared_cost(),
            session.cursor().half_warps};
  if (now == shown_) return;
  shown_ = std::move(now);

  const float room = box_.h - timing_header_height;
  const bool compares = chosen.compared && has_room_to_compare(box_);
  // The room for the second chart does not depend on the sentence's length, so a new sentence never hides the
  // second chart.
  const bool two = compares && source && room - most_comparison_height(box_.w) >= room_for_two;
  comparison_.reset();
  if (compares) compare(session, chosen);
  const float comparing = compares ? comparison_height(*comparison_, box_.w) : 0, left = room - comparing;
  const float top = box_.y + timing_header_height, upper = two ? std::round(left * 0.55f) : left;
  charts_.clear();
  const auto add = [&](TimingChart chart, float y, float height) {
    charts_.push_back({chart,
                       {box_.x, y, box_.w, height},
                       timing_picture(model, chosen, chart, theme, box_.w, height),
                       ++drawings_});
  };
  add(model.chart, top, upper);
  if (two)
    add(model.chart == TimingChart::sweep ? TimingChart::full_size : TimingChart::sweep,
        top + upper + comparing, left - upper);
  // Without a comparison, the panel must say why the chosen kernel has no times. With a comparison, the
  // sentence of the comparison gives this reason.
  missing_ = !compares && source && !source->timings->rows.empty()
                 ? why_not_there(*source->timings, chosen.now)
                 : "";
  comparison_box_ = compares ? Box{box_.x, top + upper, box_.w, comparing} : Box{};
}

void TimingPanel::compare(const Session& session, const Chosen& chosen) {
  Comparison& c = comparison_.emplace();
  c.now = {name_beside(chosen.now, *chosen.compared), shown_.now_cost, -1, {}};
  c.compared = {name_beside(*chosen.compared, chosen.now), shown_.compared_cost, -1, {}};
  c.cases = session.timing.cases();
  c.shown_case = session.shown_case();
  const Trace& trace = session.recording().trace;
  c.has_banks = trace.machine != MachineKind::opengl;
  c.run = fmt::format("{}, n = {}{}", trace.grids.size() == 1 ? tr("the whole run") : tr("all launches"),
                      grouped(trace.settings.n), session.cursor().half_warps ? tr(", 32 banks") : "");
  if (!shown_.timings) return;
  const Timings& all = *shown_.timings;
  int lines = 0;
  if (!rows_of(all, chosen.now).empty()) c.now.line = lines++;
  if (!rows_of(all, *chosen.compared).empty()) c.compared.line = lines++;
  c.now.row = largest_row(all, chosen.now, *chosen.compared);
  c.compared.row = largest_row(all, *chosen.compared, chosen.now);
  const auto wavefronts = [](const std::optional<SharedCost>& cost) {
    return cost ? static_cast<double>(cost->wavefronts) : -1;
  };
  c.sentence = matter_sentence(all, chosen, wavefronts(c.now.cost), wavefronts(c.compared.cost));
}

const Button* TimingPanel::button(Point p) const {
  if (const Button* b = button_at(header_, {p.x - box_.x, p.y - box_.y})) return b;
  return button_at(comparison_panel_, {p.x - comparison_box_.x, p.y - comparison_box_.y});
}

int TimingPanel::row(Point p) const {
  for (const Placed& placed : charts_) {
    if (!placed.box.contains(p)) continue;
    const Id id = hit(placed.picture.scene, {p.x - placed.box.x, p.y - placed.box.y});
    const auto* time = as<TimeId>(id);
    if (time && time->row >= 0 && time->row < static_cast<int>(placed.picture.rows.size()))
      return placed.picture.rows[static_cast<std::size_t>(time->row)];
  }
  return -1;
}

std::vector<std::string> TimingPanel::tip(const Session& session) const {
  const TimingSource* source = session.timing.source();
  const int row = session.timing.hover;
  if (!source || row < 0 || row >= static_cast<int>(source->timings->rows.size())) return {};
  // The first line of the tooltip contains the name and the size. Each further line contains one number.
  std::vector<std::string> lines =
      timing_parts(*source->timings, as_run(source->timings->rows[static_cast<std::size_t>(row)]));
  lines[0] += ", n = " + lines[1];
  lines.erase(lines.begin() + 1);
  return lines;
}

std::vector<std::pair<std::string, Box>> TimingPanel::places() const {
  std::vector<std::pair<std::string, Box>> all;
  if (box_.w <= 0 || box_.h <= 0) return all;
  all.emplace_back("timing", box_);
  for (const auto& [panel, box] :
       {std::pair{&header_, &box_}, std::pair{&comparison_panel_, &comparison_box_}})
    for (const Button& b : panel->buttons)
      if (b.command.action != Action::none)
        all.emplace_back("button " + b.tip, Box{box->x + b.box.x, box->y + b.box.y, b.box.w, b.box.h});
  for (const Placed& p : charts_) {
    const auto& targets = p.picture.scene.targets;
    for (const Scene::Target& t : targets)
      if (t.id == Id(TimeId{0}))
        all.emplace_back(fmt::format("timing {}", timing_chart_names[static_cast<int>(p.chart)]),
                         Box{p.box.x + t.box.x, p.box.y + t.box.y, t.box.w, t.box.h});
  }
  return all;
}

}  // namespace upsweep
