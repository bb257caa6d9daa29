#include "analysis/shared_request.hpp"

#include <algorithm>
#include <bit>

#include "analysis/coalescing.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// Which group of lanes each wavefront serves. Wavefronts of one group follow each other; where the rule
// served two neighbouring groups together (fewer groups than the lanes would make), a group is twice as wide.
std::vector<int> groups_of(const Event& e, std::uint32_t mask, const BankCost& cost,
                           const std::vector<Wavefront>& waves) {
  int lanes_per_group = 32 * 4 / std::max<int>(e.width, 4);
  const auto group_mask = [](int lanes, int group) {
    return (lanes == 32 ? ~0u : (1u << lanes) - 1) << (lanes * group % 32);
  };
  int groups = 0;
  for (int g = 0; g < 32 / lanes_per_group; g++) groups += (mask & group_mask(lanes_per_group, g)) != 0;
  if (groups > cost.groups) lanes_per_group *= 2;
  std::vector<int> of;
  for (const Wavefront& w : waves) {
    const std::uint32_t lanes = w.served.empty() ? 1 : w.served[0].lanes;
    of.push_back(std::countr_zero(lanes) / lanes_per_group);
  }
  return of;
}

bool is_request(Kind k) { return is_access(k) || k == Kind::shuffle || k == Kind::vote; }
bool has_wavefronts(Kind k) { return k == Kind::shared_load || k == Kind::shared_store; }

template <class Fits>
std::vector<int> fitting(const Trace& trace, int block, int step, Fits fits) {
  std::vector<int> out;
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; i++)
    if (fits(trace.events[i].kind)) out.push_back(static_cast<int>(i));
  return out;
}

// The chosen request if it is of this kind, else the first of those that cost most.
template <class Fits, class Cost>
int pick(const Recording& recording, const Place& place, Fits fits, Cost cost) {
  const Trace& trace = recording.trace;
  const int chosen = chosen_event(recording, place);
  if (chosen >= 0 && fits(trace.events[chosen].kind)) return chosen;
  int best = -1, most = -1;
  for (const int event : fitting(trace, place.block, place.step, fits))
    if (const int c = cost(trace.events[event]); c > most) {
      most = c;
      best = event;
    }
  return best;
}

}  // namespace

std::vector<int> requests(const Trace& trace, int block, int step) {
  return fitting(trace, block, step, is_request);
}
std::vector<int> shared_requests(const Trace& trace, int block, int step) {
  return fitting(trace, block, step, has_wavefronts);
}

int chosen_event(const Recording& recording, const Place& place) {
  if (place.request < 0) return -1;
  const std::vector<int> all = requests(recording.trace, place.block, place.step);
  return place.request < static_cast<int>(all.size()) ? all[place.request] : -1;
}

int request_event(const Recording& recording, const Place& place) {
  return pick(recording, place, has_wavefronts,
              [&](const Event& e) { return bank_cost(recording.trace, e).wavefronts; });
}

int global_event(const Recording& recording, const Place& place) {
  return pick(recording, place, is_global, [&](const Event& e) {
    const SectorCost cost = sector_cost(recording.trace, e);
    return cost.sectors - cost.ideal;
  });
}

int shuffle_event(const Recording& recording, const Place& place) {
  return pick(
      recording, place, [](Kind k) { return k == Kind::shuffle || k == Kind::vote; },
      [](const Event& e) { return e.kind == Kind::shuffle ? 1 : 0; });
}

SharedRequest chosen_request(const Recording& recording, const Place& place) {
  const Trace& trace = recording.trace;
  SharedRequest r;
  r.event = request_event(recording, place);
  if (r.event < 0) return r;
  const std::vector<int> all = shared_requests(trace, place.block, place.step);
  r.of = static_cast<int>(all.size());
  r.number = static_cast<int>(std::find(all.begin(), all.end(), r.event) - all.begin()) + 1;

  const Event& e = trace.events[r.event];
  r.cost = bank_cost(trace, e);
  const std::uint32_t inside = lanes_inside(trace, e);
  r.waves = wavefronts(is_load(e.kind), e.width, inside, addresses_of(trace, e));
  const std::vector<int> group = groups_of(e, inside, r.cost, r.waves);
  std::array<int, bank_count> words{};
  for (std::size_t w = 0; w < r.waves.size(); w++) {
    r.extra.push_back(w > 0 && group[w] == group[w - 1]);
    if (!r.extra.back()) words = {};
    for (const Wavefront::Served& s : r.waves[w].served) words[s.bank]++;
    for (int bank = 0; bank < bank_count; bank++) r.words[bank] = std::max(r.words[bank], words[bank]);
  }
  return r;
}

}  // namespace upsweep
