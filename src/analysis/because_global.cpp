#include "analysis/because_global.hpp"

#include <set>

#include "analysis/coalescing.hpp"
#include "analysis/facts.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

std::int64_t floor_of(std::int64_t number, std::int64_t by) {
  return (number >= 0 ? number : number - by + 1) / by;
}

}  // namespace

BecauseGlobal because_global(const Trace& trace, int event) {
  const Event& e = trace.events[static_cast<std::size_t>(event)];
  const std::int64_t cell = cell_bytes(e);
  const std::int64_t size =
      e.buffer < trace.buffers.size()
          ? trace.buffers[e.buffer].count * cell_bytes(trace.buffers[e.buffer].cells, trace.element_bytes())
          : 0;
  BecauseGlobal b{.event = event, .width = e.width};
  std::set<std::int64_t> different;
  std::optional<std::int64_t> last, distance;
  bool is_even = true;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    LaneBytes& access = b.lanes[static_cast<std::size_t>(lane)];
    access.active = true;
    ++b.active;
    access.byte = trace.lanes[entry_of(e, lane)].address;
    access.element = floor_of(access.byte, cell);
    access.sector = floor_of(access.byte, sector_bytes);
    access.inside = (e.flags & is_outside) == 0 || (access.byte >= 0 && access.byte + e.width <= size);
    if (access.inside) different.insert(access.byte);
    if (last) {
      const std::int64_t here = access.byte - *last;
      is_even = is_even && distance.value_or(here) == here;
      distance = here;
    }
    last = access.byte;
  }
  if (is_even) b.stride_bytes = distance;
  b.bytes = static_cast<int>(different.size()) * e.width;
  if (is_atomic(e.kind)) {
    b.contention = contention(trace, e);
    return b;
  }
  const SectorCost cost = sector_cost(trace, e);
  b.sectors = cost.sectors;
  b.fewest = cost.ideal;
  return b;
}

int sectors_apart(std::int64_t bytes, int width) {
  std::array<std::int64_t, 32> addresses{};
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    addresses[lane] = static_cast<std::int64_t>(lane) * bytes;
  return sector_cost(width, ~0u, addresses).sectors;
}

}  // namespace upsweep
