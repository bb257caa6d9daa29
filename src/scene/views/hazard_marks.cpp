#include "scene/views/hazard_marks.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/hazard_steps.hpp"
#include "analysis/incidents.hpp"
#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {

void hazard_mark(Pen& p, const Theme& theme, Point middle, float width) {
  const float half = width / 2, top = middle.y - width * 0.46f, bottom = top + width * 0.9f;
  p.triangle({middle.x, top}, {middle.x - half, bottom}, {middle.x + half, bottom}, theme.conflict);
  const float stroke = std::max(1.2f, width * 0.12f);
  p.rect({middle.x - stroke / 2, top + width * 0.32f, stroke, width * 0.28f}, theme.on_now, stroke / 3);
  p.rect({middle.x - stroke / 2, top + width * 0.68f, stroke, stroke}, theme.on_now, stroke / 2);
}

void dashed_line(Pen& p, Point from, Point to, Colour colour, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y), dash = 4 + 2 * width, period = dash * 1.7f;
  if (length < 1) return;
  for (float at = 0; at < length; at += period) {
    const float a = at / length, b = std::min(at + dash, length) / length;
    p.line({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
           {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, width);
  }
}

void arrow(Pen& p, Point from, Point to, Colour colour, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y), head = 5 + 2 * width;
  if (length < 1) return;
  const Point d{(to.x - from.x) / length, (to.y - from.y) / length};
  const Point neck{to.x - d.x * head, to.y - d.y * head};
  p.line(from, neck, colour, width);
  const float half = head * 0.5f;
  p.triangle(to, {neck.x - d.y * half, neck.y + d.x * half}, {neck.x + d.y * half, neck.y - d.x * half},
             colour);
}

std::vector<HazardEntry> hazard_entries(const Recording& r, const Place& place) {
  std::vector<HazardEntry> all;
  if (hides_answer(r, place)) return all;
  const auto steps = static_cast<int>(r.trace.steps.size());
  if (r.mistake) {
    HazardEntry e{.number = 0, .step = steps - 1};
    if (r.wrong && r.wrong->departure) e.step = static_cast<int>(r.wrong->departure->step);
    all.push_back(e);
  }
  const Hazards* hazards = r.hazards();
  if (!hazards) return all;
  for (std::size_t i = 0; i < hazards->findings.size(); ++i) {
    const HazardFinding& f = hazards->findings[i];
    HazardEntry e{static_cast<int>(all.size()), &f, &r.incidents()[i], -1};
    if (f.party.event != HazardParty::none) e.step = static_cast<int>(f.party.step);
    else if (r.trace.stopped) e.step = steps - 1;
    all.push_back(e);
  }
  return all;
}

bool is_in_step(const Recording& r, const HazardEntry& entry, int step) {
  if (entry.finding) return is_in_step(*entry.finding, step);
  return r.wrong && r.wrong->departure && static_cast<int>(r.wrong->departure->step) == step;
}

std::vector<MarkedPlace> marked_places(const Recording& r, const Place& place) {
  std::vector<MarkedPlace> all;
  for (const HazardEntry& e : hazard_entries(r, place)) {
    if (!e.finding) {
      if (!r.wrong || !r.wrong->departure) continue;
      const Departure& d = *r.wrong->departure;
      if (d.how != Departure::How::ends)
        all.push_back({e.id(), static_cast<int>(d.step), static_cast<int>(d.grid), static_cast<int>(d.block),
                       d.shared, d.buffer, d.cell, true});
      continue;
    }
    const HazardFinding& f = *e.finding;
    if (!f.has_cell) continue;
    for (const HazardParty* p : {&f.party, &f.other})
      if (p->event != HazardParty::none &&
          (p == &f.party || p->step != f.party.step || p->block != f.party.block))
        all.push_back({{static_cast<int>(p->step), e.number},
                       static_cast<int>(p->step),
                       static_cast<int>(p->grid),
                       static_cast<int>(p->block),
                       f.shared,
                       f.buffer,
                       f.cell,
                       false});
  }
  return all;
}

namespace {

// Returns the index of the marked cell in `places`. Returns -1 if `places` does not contain the cell.
// Requires that `places` is the result of cell_places().
int cell_of(const Trace& trace, const std::vector<CellPlace>& places, const MarkedPlace& m) {
  const SharedShape& shape = trace.grids[static_cast<std::size_t>(m.grid)].shared;
  std::int64_t cell = m.cell;
  if (m.buffer > 0 && m.buffer <= std::ssize(shape.more)) {
    const SharedRegion& region = shape.more[static_cast<std::size_t>(m.buffer) - 1];
    cell = cell_at(places, region.first + m.cell * cell_bytes(region.cells, trace.element_bytes()));
  }
  const bool is_there =
      cell >= 0 && cell < std::ssize(places) && places[static_cast<std::size_t>(cell)].region == m.buffer;
  return is_there ? static_cast<int>(cell) : -1;
}

// Calls f(mark, index, cell) for each cell of shared memory that has a mark in the step and the block of
// `place`. `index` is the index of `cell` in cell_places().
template <class F>
void for_each_marked_cell(const Recording& r, const Place& place, F f) {
  const int grid = grid_index(r.trace, place.step);
  std::vector<CellPlace> places;
  for (const MarkedPlace& m : marked_places(r, place)) {
    if (!m.shared || m.step != place.step || m.grid != grid || m.block != place.block) continue;
    if (places.empty())
      places = cell_places(r.trace.grids[static_cast<std::size_t>(grid)].shared, r.trace.element_bytes());
    if (const int cell = cell_of(r.trace, places, m); cell >= 0)
      f(m, cell, places[static_cast<std::size_t>(cell)]);
  }
}

}  // namespace

std::map<int, FindingId> marked_cells(const Recording& r, const Place& place) {
  std::map<int, FindingId> marked;
  for_each_marked_cell(
      r, place, [&](const MarkedPlace& m, int cell, const CellPlace&) { marked.try_emplace(cell, m.id); });
  return marked;
}

std::string expected_in_cell(const Recording& r, const Place& place, int cell) {
  std::string text;
  for_each_marked_cell(r, place, [&](const MarkedPlace& m, int marked, const CellPlace& at) {
    if (m.departs && marked == cell && r.wrong->departure->has_expected)
      text = exact_value(r.trace, r.wrong->departure->expected, at.cells);
  });
  return text;
}

std::map<int, FindingId> marked_lines(const Recording& r, const Place& place) {
  std::map<int, FindingId> marked;
  for (const HazardEntry& e : hazard_entries(r, place)) {
    if (e.finding) {
      for (const HazardParty* p : {&e.finding->party, &e.finding->other})
        if (p->line > 0) marked.try_emplace(p->line, e.id());
    } else if (r.wrong && r.wrong->departure) {
      marked.try_emplace(r.wrong->departure->line, e.id());
    }
  }
  return marked;
}

Lines finding_tip(const Reading& at, const Id& id) {
  const auto* pointed = as<FindingId>(id);
  if (!pointed) return {};
  const Recording& r = at.recording;
  for (const HazardEntry& e : hazard_entries(r, at.cursor)) {
    if (e.number != pointed->entry) continue;
    if (!e.finding) return {tr("Wrong result"), wrong_text(r)};
    Lines lines{capitalised(std::string(tr(name(e.finding->kind)))), what_happens(r.trace, *e.finding)};
    if (const std::string advice = advice_text(r.trace, *e.finding); !advice.empty()) lines.push_back(advice);
    return lines;
  }
  return {};
}

Click click_on_finding(const Reading& at, const Id& id) {
  const auto* pointed = as<FindingId>(id);
  if (!pointed) return {};
  const auto all = hazard_entries(at.recording, at.cursor);
  if (!is_index(pointed->entry, all.size())) return {};
  const int last = static_cast<int>(at.recording.trace.steps.size()) - 1;
  return GoToFinding{std::clamp(pointed->step, -1, last), pointed->entry};
}

}  // namespace upsweep
