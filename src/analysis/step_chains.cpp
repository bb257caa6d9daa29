#include "analysis/step_chains.hpp"

#include <algorithm>

namespace upsweep {

StepEvents::StepEvents(const Trace& trace, int block, int step)
    : trace_(trace),
      step_(step),
      events_(step_events(trace, block, step)),
      block_(upsweep::block_events(trace, grid_index(trace, step), block)),
      entries_(events_.empty() ? EntryRange{} : lane_entries(trace, events_)),
      places_(cell_places(trace.grid_of(static_cast<std::uint32_t>(std::max(step, 0))).shared,
                          trace.element_bytes())) {}

TouchedCell StepEvents::touched(const Event& e, std::uint32_t entry) const {
  const std::int64_t address = trace_.lanes[entry].address;
  if (is_global(e.kind)) return {static_cast<int>(address / cell_bytes(e)), e.buffer, 0};
  const int at = cell_at(places_, address);
  if (at < 0) return {static_cast<int>(address / trace_.element_bytes()), 0, e.buffer};
  const CellPlace& p = places_[static_cast<std::size_t>(at)];
  return {p.element, p.buffer, p.region};
}

const Event* StepEvents::source(Origin o, int lane) const {
  if (o == 0) return nullptr;
  const std::uint32_t event = origin_event(o);
  if (event < block_.first || event >= block_.last) return nullptr;
  const Event& e = trace_.events[event];
  return has_lanes(e.kind) && (e.mask >> lane & 1) != 0 ? &e : nullptr;
}

int StepEvents::part_of(const Event& e, Origin o) {
  return is_atomic(e.kind) ? 0 : std::min<int>(origin_part(o), e.parts - 1);
}

StepChains::StepChains(const StepEvents& step, CancelCheck& check_cancelled)
    : step_(step), chains_(step.entries()) {
  const Trace& trace = step.trace();
  for (std::size_t i = step.events().first; i < step.events().last; i++) {
    check_cancelled();
    const Event& e = trace.events[i];
    if (e.kind != Kind::operation) continue;
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      Chain chain = chain_of(trace.lanes[at].left, lane, i);
      chain.append(chain_of(trace.lanes[at].right, lane, i));
      chains_[step.local(at)] = chain;
    });
  }
}

// Returns the chain that produced an operand of an operation. If no operation of this step computed the
// operand, returns a chain of one value. `before` is the operation that uses the operand.
Chain StepChains::chain_of(Origin o, int lane, std::size_t before) const {
  const Event* e = step_.source(o, lane);
  if (e && e->kind == Kind::operation && step_.holds(*e) && origin_event(o) < before) return at(*e, lane);
  Chain one;
  one.values = 1;
  if (e && is_load(e->kind)) {
    const TouchedCell at = step_.touched(*e, entry_of(*e, lane, StepEvents::part_of(*e, o)));
    one.loads = 1;
    one.memory = {is_shared(e->kind), is_shared(e->kind) ? at.region : at.buffer};
    one.first = one.last = at.index;
    one.first_load = o;
  } else if (e) {
    one.rest = o;
  }
  return one;
}

}  // namespace upsweep
