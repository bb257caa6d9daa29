// Makes questions about shared memory: which elements the step writes, and which value an element has
// afterwards.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/block_index.hpp"
#include "questions/kinds.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// The last store of a step to one cell of the main array in shared memory (region 0), and the number of lanes
// that stored into this cell.
struct Stored {
  int event = -1, lane = -1;
  int times = 0;  // how many lanes stored into the cell
  std::uint32_t entry = 0;
};

// The effects of a block's step on the main array in shared memory (region 0).
struct StepOfMemory {
  std::map<int, Stored> stores;  // by index into BlockIndex::places()
  // True if the main array holds elements, and the step has no atomics on shared memory, no out-of-bounds
  // accesses to shared memory, and no stores into padding.
  bool is_clear = true;
};

StepOfMemory step_of_memory(const Asking& a, int step, int block) {
  StepOfMemory result;
  const Trace& t = a.trace();
  const int grid = grid_index(t, step);
  const SharedShape& shape = t.grids[static_cast<std::size_t>(grid)].shared;
  if (shape.cells != Cells::elements || shape.elements <= 0) return {{}, false};
  const std::vector<CellPlace>& places = a.recording().block(grid, block).places();
  const EventRange range = step_events(t, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = t.events[i];
    if (e.kind == Kind::shared_atomic || (is_shared(e.kind) && (e.flags & is_outside) != 0))
      return {{}, false};
    if (e.kind != Kind::shared_store || e.buffer != 0) continue;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const int cell = cell_at(places, t.lanes[entry].address);
      if (cell < 0 || places[static_cast<std::size_t>(cell)].element < 0) {
        result.is_clear = false;
        return;
      }
      Stored& s = result.stores[cell];
      s = {static_cast<int>(i), lane, s.times + 1, entry};
    });
  }
  return result;
}

const CellPlace& place_of_cell(const Asking& a, int step, int block, int cell) {
  return a.recording().block(grid_index(a.trace(), step), block).places()[static_cast<std::size_t>(cell)];
}

// --- value

std::vector<About> written_cells(const Asking& a, int step, int block) {
  std::vector<About> all;
  if (step < 0) return all;
  const StepOfMemory memory = step_of_memory(a, step, block);
  if (!memory.is_clear) return all;
  for (const auto& [cell, stored] : memory.stores) {
    const int element = place_of_cell(a, step, block, cell).element;
    if (stored.times != 1 || (a.order.element && *a.order.element != element)) continue;
    const Event& e = a.event(stored.event);
    if (a.order.line && *a.order.line != e.line) continue;
    all.push_back({.block = block,
                   .warp = e.warp,
                   .lane = stored.lane,
                   .element = element,
                   .cell = cell,
                   .event = stored.event,
                   .line = e.line});
  }
  return all;
}

bool can_be_typed(const Value& value, const Settings& s) {
  for (int k = 0; k < scalars_per_element(s.op); ++k)
    if (!std::isfinite(scalar(value, s.type, k))) return false;
  return true;
}

std::optional<Question> value(const Asking& a, int step, const About& about) {
  const Trace& t = a.trace();
  if (scalars_per_element(t.settings.op) != 1) return {};
  const int grid = grid_index(t, step);
  const BlockIndex& block = a.recording().block(grid, about.block);
  const EventRange range = step_events(t, about.block, step);
  const auto cell = static_cast<std::size_t>(about.cell);
  const Cell before = block.cell_at(t, cell, range.first), after = block.cell_at(t, cell, range.last);
  if (!after.known || !can_be_typed(after.value, t.settings)) return {};
  Question q = begin_question(QuestionKind::value, step, about, AnswerForm::value);
  q.answer.value = after.value;
  // Misconception 13 confuses Blelloch's scan with Brent and Kung's scan, which only adds. Blelloch's scan
  // also moves values to other elements, and clears the root.
  std::uint32_t entry = 0;
  for_each_lane(a.event(about.event), [&](int lane, std::uint32_t at) {
    if (lane == about.lane && t.lanes[at].address == before.byte) entry = at;
  });
  const Origin origin = t.lanes[entry].left;
  const bool moved = origin == 0 || !(t.events[origin_event(origin)].kind == Kind::operation);
  const Phase phase = t.steps[static_cast<std::size_t>(step)].phase;
  if (before.known && moved && (phase == Phase::clear || phase == Phase::down_sweep) &&
      can_be_typed(before.value, t.settings))
    misread(q, {{}, before.value}, 13);
  return q;
}

// --- written

std::vector<About> blocks_that_write(const Asking& a, int step, int block) {
  if (step < 0) return {};
  const StepOfMemory memory = step_of_memory(a, step, block);
  if (!memory.is_clear || memory.stores.empty()) return {};
  return {{.block = block}};
}

std::optional<Question> written(const Asking& a, int step, const About& about) {
  const Trace& t = a.trace();
  const int grid = grid_index(t, step);
  const StepOfMemory memory = step_of_memory(a, step, about.block);
  std::set<int> buffers;
  std::set<std::int64_t> elements, computed;
  for (const auto& [cell, stored] : memory.stores) {
    const CellPlace& place = place_of_cell(a, step, about.block, cell);
    buffers.insert(place.buffer);
    elements.insert(place.element);
    const Origin origin = t.lanes[stored.entry].left;
    if (origin != 0 && t.events[origin_event(origin)].kind == Kind::operation) computed.insert(place.element);
  }
  if (buffers.size() != 1 || elements.empty() || elements.size() > most_marks) return {};
  Question q = begin_question(QuestionKind::written, step, about, AnswerForm::places);
  q.place_of = PlaceOf::elements;
  q.about.cell = memory.stores.begin()->first;  // tells which buffer of a double buffer is meant
  q.places = numbers_between(0, t.grids[static_cast<std::size_t>(grid)].shared.elements - 1);
  q.answer.numbers = {elements.begin(), elements.end()};
  // A learner with misconception 13 marks only the elements that get a sum, because Brent and Kung's scan
  // writes no other elements.
  const Phase phase = t.steps[static_cast<std::size_t>(step)].phase;
  if (phase == Phase::down_sweep && !computed.empty()) misread(q, {{computed.begin(), computed.end()}}, 13);
  return q;
}

constexpr QuestionMaker kinds_of_memory[] = {{QuestionKind::value, written_cells, value},
                                             {QuestionKind::written, blocks_that_write, written}};

}  // namespace

std::span<const QuestionMaker> memory_questions() { return kinds_of_memory; }

}  // namespace upsweep
