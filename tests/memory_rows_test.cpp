// Shared memory is drawn in rows of 32 words. Tests which cell is the first in each row.
#include "scene/views/memory_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace upsweep {
namespace memory_rows_test {

TEST(MemoryRows, BeginWithTheFirstCellThatIsNotBeforeThem) {
  std::mt19937 random(5);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int run = 0; run < 2'000; ++run) {
    constexpr std::uint32_t row = 128;  // bytes
    // In some runs, all cells have the same size. Between cells, there is no gap, a small gap, or a gap of up
    // to 3 rows.
    const std::uint32_t widest = 2u << below(4), widest_gap = run % 4 == 0 ? 3 * row : below(9);
    std::vector<Cell> cells(1 + below(run % 10 == 0 ? 1'000 : 100));
    std::uint32_t byte = widest_gap == 0 ? 0 : below(widest_gap);
    for (Cell& cell : cells) {
      cell.byte = byte;
      cell.bytes = static_cast<int>(run % 2 == 0 ? widest : 2u << below(4));
      byte += static_cast<std::uint32_t>(cell.bytes) + (widest_gap == 0 ? 0 : below(widest_gap));
    }
    const auto rows = cells.back().byte / row + 1;
    std::vector<int> expected;
    for (std::uint32_t r = 0; r <= rows; ++r)
      expected.push_back(static_cast<int>(
          std::ranges::find_if(cells, [&](const Cell& c) { return c.byte >= r * row; }) - cells.begin()));
    ASSERT_EQ(first_cells(cells, static_cast<int>(rows)), expected) << "run " << run;
  }
}

}  // namespace memory_rows_test
}  // namespace upsweep
