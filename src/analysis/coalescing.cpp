#include "analysis/coalescing.hpp"

#include <algorithm>
#include <array>

#include "analysis/memory.hpp"

namespace upsweep {

SectorCost sector_cost(const Trace& trace, const Event& event) {
  // The first byte of every lane's access; lanes outside of the buffer ask for nothing.
  const bool checked = (event.flags & is_outside) != 0 && event.buffer < trace.buffers.size();
  std::int64_t size = 0;
  if (checked) {
    const GlobalBuffer& buffer = trace.buffers[event.buffer];
    size = buffer.count * (buffer.cells == Cells::words ? 4 : trace.element_bytes());
  }
  std::array<std::int64_t, 32> addresses{};
  auto end = addresses.begin();
  for (std::uint32_t m = event.mask; m != 0; m &= m - 1) {
    const std::int64_t address = trace.lanes[entry_of(event, std::countr_zero(m))].address;
    if (!checked || (address >= 0 && address + event.width <= size)) *end++ = address;
  }
  std::sort(addresses.begin(), end);
  end = std::unique(addresses.begin(), end);

  // Accesses are aligned to their width, so that none straddles two sectors and different ones do not
  // overlap.
  SectorCost cost;
  const int bytes = static_cast<int>(end - addresses.begin()) * event.width;
  cost.ideal = (bytes + sector_bytes - 1) / sector_bytes;
  end = std::unique(addresses.begin(), end,
                    [](auto a, auto b) { return a / sector_bytes == b / sector_bytes; });
  cost.sectors = static_cast<int>(end - addresses.begin());
  return cost;
}

}  // namespace upsweep
