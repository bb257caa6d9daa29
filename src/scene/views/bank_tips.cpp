#include "scene/views/bank_tips.hpp"

#include <fmt/format.h>

#include <bit>

#include "analysis/banks.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

Lines request_tip(const Trace& trace, const AccessId& by, const BankModel& banks) {
  const Event* e = event_of(trace, by);
  if (!e || !is_shared(e->kind)) return {};
  const BankCost cost = bank_cost(trace, *e, banks);
  TipLines tip;
  tip.add(tr("{} of warp {}, line {}", is_load(e->kind) ? tr("Load") : tr("Store"), e->warp, e->line));
  tip.add(tr("{}, {} bytes each", counted(std::popcount(e->mask), "active lane"), e->width));
  tip.add(tr("1 request, {}, {} excess: {}", counted(cost.wavefronts, "wavefront"), cost.excess(),
             conflict_name(cost.degree)));
  tip.lines.emplace_back(tr(wavefront_meaning));
  tip.lines.push_back(wavefront_counter(e->kind));
  return std::move(tip.lines);
}

Lines served_tip(const Trace& trace, const ServedId& id, const BankModel& banks) {
  const Event* e = event_of(trace, id.by);
  if (!e || !is_shared(e->kind)) return {};
  const SharedShape& shape = trace.grids[e->grid].shared;
  const auto places = cell_places(shape, trace.element_bytes());
  if (!is_index(id.cell, places.size())) return request_tip(trace, id.by, banks);
  const CellPlace& place = places[static_cast<std::size_t>(id.cell)];
  std::uint32_t lanes = 0;
  Value v{};
  for_each_lane(*e, [&](int lane, std::uint32_t entry) {
    if (cell_at(places, trace.lanes[entry].address) != id.cell) return;
    lanes |= 1u << lane;
    v = trace.values[entry];
  });
  if (lanes == 0) return request_tip(trace, id.by, banks);
  TipLines tip;
  tip.add("{} = {}", place.element >= 0 ? cell_name(shape, place) : tr("cell {}", id.cell),
          exact_value(trace, v, place.cells));
  tip.add(tr("byte {} / 4 = word {}; {} mod {} = bank {}", grouped(place.byte), place.byte / 4,
             place.byte / 4, banks.banks, bank_of(static_cast<std::uint32_t>(place.byte), banks)));
  if (std::popcount(lanes) == 1)
    tip.add(tr("for {}", thread_text({id.by.event, e->warp, std::countr_zero(lanes), e->line})));
  else tip.add(tr("for {} at once: one word, a broadcast", counted(std::popcount(lanes), "lane")));
  return std::move(tip.lines);
}

Lines bank_tip(const BankId& id, const BankModel& banks) {
  if (id.bank < 0) return {};
  return {tr("Bank {}", id.bank),
          tr("A bank serves one 4-byte word per wavefront; word w is in bank w mod {}", banks.banks)};
}

}  // namespace

Lines banks_tip(const Reading& at, const Id& id) {
  const BankModel banks = banks_of(at.cursor);
  if (const auto* request = as<RequestId>(id)) return request_tip(at.recording.trace, request->by, banks);
  if (const auto* served = as<ServedId>(id)) return served_tip(at.recording.trace, *served, banks);
  if (const auto* bank = as<BankId>(id)) return bank_tip(*bank, banks);
  return {};
}

}  // namespace upsweep
