#include "analysis/because.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/facts.hpp"
#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"

namespace upsweep {
namespace {

// Returns the distance between the positions of neighbouring active lanes. Returns nullopt if the distances
// differ, if an active lane has no position, or if fewer than two lanes are active. `position` returns a
// lane's position, or nullopt if the lane has none.
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

Because because(const Recording& recording, int event, const BankModel& model) {
  const Trace& trace = recording.trace;
  const Event& e = trace.events[static_cast<std::size_t>(event)];
  const SharedShape& shape = trace.grids[e.grid].shared;
  const std::vector<CellPlace> places = cell_places(shape, trace.element_bytes());
  Because b{.event = event, .model = model, .width = e.width};
  if (!is_atomic(e.kind)) {
    const std::vector<int>& all = recording.step(static_cast<int>(e.block), static_cast<int>(e.step)).shared;
    b.of = static_cast<int>(all.size());
    b.number = static_cast<int>(std::ranges::lower_bound(all, event) - all.begin()) + 1;
  }
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    LaneAccess& access = b.lanes[static_cast<std::size_t>(lane)];
    if (access.active) return;  // skips the other elements of a vector access
    const std::int64_t address = trace.lanes[entry].address;
    access.active = true;
    ++b.active;
    access.word = address >= 0 ? address / 4 : (address - 3) / 4;
    access.bank = static_cast<int>((access.word % model.banks + model.banks) % model.banks);
    access.place = cell_at(places, address);
    if (access.place < 0 || places[static_cast<std::size_t>(access.place)].element < 0) return;
    const CellPlace& place = places[static_cast<std::size_t>(access.place)];
    access.element = place.element;
    const std::int64_t first = place.region > 0
                                   ? shape.more[static_cast<std::size_t>(place.region) - 1].first
                                   : std::int64_t{place.buffer} * shape.cells_per_buffer * place.bytes;
    access.cell = (place.byte - first) / place.bytes;
  });
  b.stride_words = even_distance(b.lanes, [](const LaneAccess& a) { return std::optional(a.word); });
  b.stride_elements = even_distance(b.lanes, [](const LaneAccess& a) { return a.element; });

  b.padded = b.stride_words && b.stride_elements && *b.stride_words * 4 != *b.stride_elements * cell_bytes(e);

  std::array<std::set<std::uint32_t>, bank_count> used;
  const std::vector<Wavefront> waves =
      wavefronts(is_load(e.kind), e.width, lanes_inside(trace, e), addresses_of(trace, e), model);
  for (std::size_t w = 0; w < waves.size(); ++w)
    for (const Wavefront::Served& s : waves[w].served) {
      used[static_cast<std::size_t>(s.bank)].insert(s.word);
      for (std::uint32_t m = s.lanes; m != 0; m &= m - 1) {
        LaneAccess& access = b.lanes[static_cast<std::size_t>(std::countr_zero(m))];
        if (access.word == s.word) access.wavefront = static_cast<int>(w);
      }
    }
  for (int bank = 0; bank < bank_count; ++bank) {
    const auto count = static_cast<int>(used[static_cast<std::size_t>(bank)].size());
    b.words += count;
    b.banks += count > 0;
    if (count > b.most_words) b.most_words = count, b.fullest_bank = bank;
  }
  if (is_atomic(e.kind)) {
    b.contention = contention(trace, e);
    for (LaneAccess& access : b.lanes) access.wavefront = -1;
    return b;
  }
  const BankCost cost = bank_cost(trace, e, model);
  b.wavefronts = cost.wavefronts;
  b.groups = cost.groups;
  return b;
}

WordsApart words_apart(std::int64_t words, int width, const BankModel& model) {
  Addresses addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    addresses[lane] = static_cast<std::uint32_t>(static_cast<std::int64_t>(lane) * words * 4);
  std::set<int> banks;
  for (const Wavefront& wave : wavefronts(true, width, ~0u, addresses, model))
    for (const Wavefront::Served& s : wave.served) banks.insert(s.bank);
  return {words, static_cast<int>(banks.size()), bank_cost(true, width, ~0u, addresses, model).degree};
}

}  // namespace upsweep
