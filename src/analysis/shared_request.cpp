#include "analysis/shared_request.hpp"

#include <algorithm>
#include <bit>

#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"

namespace upsweep {
namespace {

// Returns, for each wavefront, the index of the group of lanes that the wavefront serves. Wavefronts of one
// group follow each other. Two neighbouring groups count as one group if the bank model serves both together.
std::vector<int> groups_of(const Event& e, std::uint32_t mask, const BankCost& cost,
                           const std::vector<Wavefront>& waves, const BankModel& model) {
  int lanes_per_group = model.lanes * 4 / std::max<int>(e.width, 4);
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

bool has_wavefronts(Kind k) { return k == Kind::shared_load || k == Kind::shared_store; }

template <class Fits>
std::vector<int> fitting(const Trace& trace, int block, int step, Fits fits) {
  std::vector<int> out;
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; i++)
    if (fits(trace.events[i].kind)) out.push_back(static_cast<int>(i));
  return out;
}

// Returns the chosen request if fits() is true for its kind. Otherwise, returns `otherwise`.
template <class Fits>
int pick(const Recording& recording, const Place& place, Fits fits, int otherwise) {
  const int chosen = chosen_event(recording, place);
  return chosen >= 0 && fits(recording.trace.events[chosen].kind) ? chosen : otherwise;
}
const StepIndex& step_at(const Recording& recording, const Place& place) {
  return recording.step(place.block, place.step);
}

}  // namespace

bool is_request(Kind k) { return is_access(k) || k == Kind::shuffle || k == Kind::vote; }

std::vector<int> requests(const Trace& trace, int block, int step) {
  return fitting(trace, block, step, is_request);
}
std::vector<int> shared_requests(const Trace& trace, int block, int step) {
  return fitting(trace, block, step, has_wavefronts);
}

int chosen_event(const Recording& recording, const Place& place) {
  if (place.request < 0) return -1;
  const std::vector<int>& all = step_at(recording, place).requests;
  return place.request < static_cast<int>(all.size()) ? all[place.request] : -1;
}

int request_event(const Recording& recording, const Place& place) {
  return pick(recording, place, has_wavefronts, step_at(recording, place).costliest_shared);
}

int global_event(const Recording& recording, const Place& place) {
  return pick(recording, place, is_global, step_at(recording, place).most_wasteful);
}

int shuffle_event(const Recording& recording, const Place& place) {
  return pick(
      recording, place, [](Kind k) { return k == Kind::shuffle || k == Kind::vote; },
      step_at(recording, place).first_exchange);
}

BankModel banks_of(const Place& place) { return place.half_warps ? half_warp_banks : BankModel(); }

SharedRequest chosen_request(const Recording& recording, const Place& place) {
  const Trace& trace = recording.trace;
  SharedRequest r;
  r.banks = banks_of(place);
  r.event = request_event(recording, place);
  if (r.event < 0) return r;
  const std::vector<int>& all = step_at(recording, place).shared;
  r.of = static_cast<int>(all.size());
  r.number = static_cast<int>(std::lower_bound(all.begin(), all.end(), r.event) - all.begin()) + 1;

  const Event& e = trace.events[r.event];
  r.cost = bank_cost(trace, e, r.banks);
  const std::uint32_t inside = lanes_inside(trace, e);
  r.waves = wavefronts(is_load(e.kind), e.width, inside, addresses_of(trace, e), r.banks);
  const std::vector<int> group = groups_of(e, inside, r.cost, r.waves, r.banks);
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
