#include "analysis/because.hpp"

#include <algorithm>
#include <set>

#include "analysis/banks.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"

namespace upsweep {
namespace {

// Returns the distance from each active lane to the next one, if all are equal. `position` returns a lane's
// position, or nothing.
template <class Position>
std::optional<std::int64_t> even_distance(const std::array<LaneAccess, 32>& lanes, Position position) {
  std::optional<std::int64_t> last, distance;
  for (const LaneAccess& lane : lanes) {
    if (!lane.active) continue;
    const std::optional<std::int64_t> here = position(lane);
    if (!here) return std::nullopt;
    if (last && distance.value_or(*here - *last) != *here - *last) return std::nullopt;
    if (last) distance = *here - *last;
    last = here;
  }
  return distance;
}

}  // namespace

Because because(const Recording& recording, int event) {
  const Trace& trace = recording.trace;
  const Event& e = trace.events[static_cast<std::size_t>(event)];
  const SharedShape& shape = trace.grids[e.grid].shared;
  const std::vector<CellPlace> places = cell_places(shape, trace.element_bytes());
  Because b{.event = event, .width = e.width};
  const std::vector<int> all = shared_requests(trace, static_cast<int>(e.block), static_cast<int>(e.step));
  b.of = static_cast<int>(all.size());
  b.number = static_cast<int>(std::ranges::lower_bound(all, event) - all.begin()) + 1;

  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    LaneAccess& access = b.lanes[static_cast<std::size_t>(lane)];
    if (access.active) return;  // the further elements of a vector
    const std::int64_t address = trace.lanes[entry].address;
    access.active = true;
    ++b.active;
    access.word = address >= 0 ? address / 4 : (address - 3) / 4;
    access.bank = static_cast<int>((access.word % bank_count + bank_count) % bank_count);
    if (const int cell = cell_at(places, address);
        cell >= 0 && places[static_cast<std::size_t>(cell)].element >= 0)
      access.element = places[static_cast<std::size_t>(cell)].element;
  });
  b.stride_words = even_distance(b.lanes, [](const LaneAccess& a) { return std::optional(a.word); });
  b.stride_elements = even_distance(b.lanes, [](const LaneAccess& a) { return a.element; });

  b.padded = b.stride_words && b.stride_elements && *b.stride_words * 4 != *b.stride_elements * cell_bytes(e);

  const BankCost cost = bank_cost(trace, e);
  b.wavefronts = cost.wavefronts;
  b.groups = cost.groups;
  std::array<std::set<std::uint32_t>, bank_count> used;
  for (const Wavefront& wave :
       wavefronts(is_load(e.kind), e.width, lanes_inside(trace, e), addresses_of(trace, e)))
    for (const Wavefront::Served& s : wave.served) used[static_cast<std::size_t>(s.bank)].insert(s.word);
  for (int bank = 0; bank < bank_count; ++bank) {
    const auto count = static_cast<int>(used[static_cast<std::size_t>(bank)].size());
    b.words += count;
    b.banks += count > 0;
    if (count > b.most_words) b.most_words = count, b.fullest_bank = bank;
  }
  return b;
}

}  // namespace upsweep
