#include "analysis/coalescing.hpp"

#include <algorithm>
#include <array>

namespace upsweep {

SectorCost sector_cost(const Trace& trace, const Event& event) {
  std::array<std::uint32_t, 32> addresses;
  auto end = addresses.begin();
  for_each_lane(event, [&](int, std::uint32_t entry) { *end++ = trace.lanes[entry].address; });
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
