#include "analysis/coalescing.hpp"

#include <array>
#include <bit>

namespace upsweep {

SectorCost sector_cost(const Trace& trace, const Event& event) {
  const bool checked = (event.flags & is_outside) != 0 && event.buffer < trace.buffers.size();
  std::int64_t size = 0;
  if (checked) {
    const GlobalBuffer& buffer = trace.buffers[event.buffer];
    size = buffer.count * cell_bytes(buffer.cells, trace.element_bytes());
  }
  std::array<std::int64_t, 32> addresses{};
  std::uint32_t inside = 0;
  for (std::uint32_t m = event.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::int64_t address = trace.lanes[entry_of(event, lane)].address;
    if (checked && (address < 0 || address + event.width > size)) continue;
    addresses[static_cast<std::size_t>(lane)] = address;
    inside |= m & -m;
  }
  return sector_cost(event.width, inside, addresses);
}

}  // namespace upsweep
