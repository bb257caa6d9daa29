#include "analysis/coalescing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

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

std::int64_t different_sectors(const Trace& trace, std::span<const int> events) {
  struct Sectors {
    int buffer;
    std::int64_t first, last;
    auto operator<=>(const Sectors&) const = default;
  };
  // A coalesced request reads neighbouring sectors, so there are far fewer entries than lanes.
  std::vector<Sectors> read;
  for (const int i : events) {
    const Event& e = trace.events[static_cast<std::size_t>(i)];
    if (!is_load(e.kind)) continue;
    for_each_lane(e, [&](int, std::uint32_t entry) {
      const std::int64_t sector = trace.lanes[entry].address / sector_bytes;
      const bool continues = !read.empty() && read.back().buffer == e.buffer &&
                             (sector == read.back().last || sector == read.back().last + 1);
      if (continues) read.back().last = sector;
      else read.push_back({e.buffer, sector, sector});
    });
  }
  std::sort(read.begin(), read.end());
  std::int64_t different = 0;
  for (std::size_t i = 0, widest = 0; i < read.size(); ++i) {
    // Among the entries before i, `widest` is the one that ends last in its buffer.
    const bool overlaps =
        i > 0 && read[i].buffer == read[widest].buffer && read[i].first <= read[widest].last;
    const std::int64_t first = overlaps ? read[widest].last + 1 : read[i].first;
    if (read[i].last < first) continue;
    different += read[i].last - first + 1;
    widest = i;
  }
  return different;
}

}  // namespace upsweep
