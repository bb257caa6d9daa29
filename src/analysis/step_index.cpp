#include "analysis/step_index.hpp"

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"

namespace upsweep {

StepIndex::StepIndex(const Trace& trace, int block, int step) {
  BankCost first;
  int most_wavefronts = -1, most_wasted = -1;
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    const int event = static_cast<int>(i);
    if (is_request(e.kind)) requests.push_back(event);
    if (is_shared(e.kind)) touching_shared.push_back(event);
    switch (e.kind) {
      case Kind::shared_load:
      case Kind::shared_store: {
        const BankCost cost = bank_cost(trace, e);
        if (shared.empty()) first = cost;
        shared_alike = shared_alike && cost.wavefronts == first.wavefronts && cost.groups == first.groups;
        shared.push_back(event);
        ++shared_totals.requests;
        shared_totals.wavefronts += cost.wavefronts;
        shared_totals.excess += cost.excess();
        if (cost.wavefronts > most_wavefronts) {
          most_wavefronts = cost.wavefronts;
          costliest_shared = event;
        }
        break;
      }
      case Kind::global_load:
      case Kind::global_store:
      case Kind::global_atomic: {
        const SectorCost cost = sector_cost(trace, e);
        global.push_back(event);
        if (cost.sectors - cost.ideal > most_wasted) {
          most_wasted = cost.sectors - cost.ideal;
          most_wasteful = event;
        }
        if (is_atomic(e.kind)) break;
        GlobalTotals& totals = is_load(e.kind) ? global_load : global_store;
        ++totals.requests;
        totals.sectors += cost.sectors;
        totals.ideal_sectors += cost.ideal;
        break;
      }
      case Kind::shuffle:
      case Kind::vote:
        exchanges.push_back(event);
        votes += e.kind == Kind::vote;
        if (first_exchange < 0 ||
            (e.kind == Kind::shuffle && trace.events[first_exchange].kind == Kind::vote))
          first_exchange = event;
        break;
      case Kind::barrier: has_barrier = true; break;
      case Kind::warp_barrier: ++warp_barriers; break;
      case Kind::fence:
        ++(static_cast<Scope>(e.detail) == Scope::device ? device_fences : block_fences);
        break;
      default: break;
    }
  }
}

}  // namespace upsweep
