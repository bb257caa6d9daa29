#include "scene/views/cells.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/banks.hpp"
#include "analysis/block_index.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/next_request.hpp"
#include "scene/views/tip_lines.hpp"

namespace upsweep {
namespace {

bool touches(const Trace& trace, const std::vector<CellPlace>& places, const Event& e, int cell) {
  bool found = false;
  if (is_shared(e.kind))
    for_each_lane(
        e, [&](int, std::uint32_t entry) { found |= cell_at(places, trace.lanes[entry].address) == cell; });
  return found;
}

}  // namespace

std::set<int> cells_that_differ(const ViewInput& in) {
  if (!in.beside) return {};
  const auto cells = [](const Recording& r, const Cursor& at) {
    return memory_at(r.trace, grid_index(r.trace, at.step), at.block,
                     step_events(r.trace, at.block, at.step).last);
  };
  std::map<std::tuple<int, int, int>, const Cell*> others;
  const std::vector<Cell> own = cells(in.recording, in.cursor),
                          beside = cells(in.beside->recording, in.beside->cursor);
  for (const Cell& c : beside)
    if (c.element >= 0) others[{c.region, c.buffer, c.element}] = &c;
  std::set<int> differ;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto other = others.find({own[i].region, own[i].buffer, own[i].element});
    if (own[i].element < 0 || other == others.end()) continue;
    if (own[i].known != other->second->known || (own[i].known && own[i].value != other->second->value))
      differ.insert(static_cast<int>(i));
  }
  return differ;
}

float smallest_value(const ViewInput& in) { return (in.presented ? 7.0f : 7.5f) / in.enlarged; }

float fitting_size(std::string_view value, float size, float least, Face face, float room) {
  while (size > least && text_width(value, size, face) > room) size = std::max(least, size - 0.5f);
  return size;
}

Lines cell_tip(const Reading& at, const Id& id) {
  const auto* pointed = as<CellId>(id);
  if (!pointed) return {};
  const Trace& trace = at.recording.trace;
  const int grid = grid_index(trace, at.cursor.step);
  const BlockIndex& block = at.recording.block(grid, at.cursor.block);
  if (!is_index(pointed->cell, block.places().size())) return {};
  const Cell c = block.cell_at(trace, static_cast<std::size_t>(pointed->cell),
                               step_events(trace, at.cursor.block, at.cursor.step).last);
  const std::string name = cell_name(trace.grids[static_cast<std::size_t>(grid)].shared, c);
  TipLines tip;
  if (c.element < 0) {
    tip.lines = {tr("Padding"),
                 tr("Padding holds no element. Padding moves the later elements to other banks.")};
  } else if (c.known) {
    const Cell old = block.cell_at(trace, static_cast<std::size_t>(pointed->cell),
                                   step_events(trace, at.cursor.block, at.cursor.step).first);
    tip.add("{} = {}{}", name, exact_value(trace, c.value, c.cells),
            old.known && old.value != c.value
                ? tr("; {} before this step", exact_value(trace, old.value, old.cells))
                : "");
  } else {
    tip.add(tr("{}: nothing stored yet", name));
  }
  const BankModel banks = banks_of(at.cursor);
  tip.add(tr("byte {} / 4 = word {}; {} mod {} = bank {}{}", grouped(c.byte), c.byte / 4, c.byte / 4,
             banks.banks, bank_of(c.byte, banks),
             c.bytes > 4 ? tr(" and the next {}", c.bytes / 4 - 1) : ""));
  if (c.writer > 0) {
    const Event& e = trace.events[c.writer - 1];
    tip.add(tr("stored in {} by thread {}, line {}", step_text(trace, trace.steps.at(e.step)),
               thread_text(trace.grids[e.grid], c.writer_thread), e.line));
  }
  if (const std::string expected = expected_in_cell(at.recording, at.cursor, pointed->cell);
      !expected.empty())
    tip.add(tr("In this cell, the run first differs from the correct kernel, which has {}.", expected));
  return std::move(tip.lines);
}

Click click_on_cell(const Reading& at, const Id& id) {
  const auto* pointed = as<CellId>(id);
  if (!pointed) return {};
  const Trace& trace = at.recording.trace;
  const int grid = grid_index(trace, at.cursor.step);
  const auto places = cell_places(trace.grids[static_cast<std::size_t>(grid)].shared, trace.element_bytes());
  const auto is_touched = [&](const Event& e) { return touches(trace, places, e, pointed->cell); };
  if (const int event = next_request(at, is_touched); event >= 0) return GoToRequest{event};
  const EventRange block = block_events(trace, grid, at.cursor.block);
  for (std::size_t i = block.last; i-- > block.first;) {
    const Event& e = trace.events[i];
    if (static_cast<int>(e.step) < at.cursor.step && !is_load(e.kind) && is_touched(e))
      return GoToStep{static_cast<int>(e.step)};
  }
  return {};
}

}  // namespace upsweep
