// Grids and data of two dimensions, and phases of a kernel's own: from a kernel file to what is said of a
// run.
#include <gtest/gtest.h>

#include <random>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/source_file.hpp"
#include "trace/file.hpp"
#include "trace/sound.hpp"

namespace upsweep {
namespace {

Algorithm transpose() {
  return parse_kernel("transpose", "tests/kernels/transpose.cuh", source_file("tests/kernels/transpose.cuh"));
}

Settings shaped(int rows, int columns, int block, const char* row_cells = "33") {
  Settings s{.algorithm = "transpose", .n = rows * columns, .block = block, .type = Scalar::int32};
  s.columns = columns;
  s.variants["row_cells"] = row_cells;
  return s;
}

Trace recorded(const Settings& s) {
  const Algorithm a = transpose();
  return Emulator().record(a, *test_kernels("transpose"), s, seeded_data(s, 7), {.blocks = UINT32_MAX});
}

TEST(Extents, CountAlongXFirst) {
  const Across across{3, 2};
  const Dim3 extents = across.extents(24);
  EXPECT_EQ(extents, (Dim3{4, 3, 2}));
  unsigned number = 0;
  for (unsigned z = 0; z < 2; ++z)
    for (unsigned y = 0; y < 3; ++y)
      for (unsigned x = 0; x < 4; ++x) EXPECT_EQ(extents.place(number++), (Dim3{x, y, z}));
}

TEST(ShapedData, IsAsSquareAsItsNumberUnlessTheSettingsSay) {
  const Algorithm a = transpose();
  Settings s = shaped(1, 1, 32);
  s.columns = 0;
  for (const auto& [n, columns] : std::vector<std::pair<int, int>>{
           {1, 1}, {12, 4}, {1024, 32}, {1000, 40}, {997, 997}, {INT32_MAX, INT32_MAX}}) {
    s.n = n;
    EXPECT_EQ(columns_of(a, s), columns);
  }
  s.n = 12, s.columns = 2;
  EXPECT_EQ(columns_of(a, s), 2);
  EXPECT_EQ(quantities(a, s, 12)[3], 6);
  EXPECT_EQ(quantities(a, s, 12)[4], 2);
  EXPECT_EQ(columns_of(algorithm("scan_blelloch"), {}), 0);
}

TEST(ShapedData, IsRefusedWhereRowsAreNotWholeOrThereAreNone) {
  Settings s;
  s.columns = 8;
  EXPECT_THROW(validate(s), RequestError);  // a scan
}

TEST(ShapedData, PlansGridsBlocksAndMemoryOfTwoDimensions) {
  const Plan p = plan(transpose(), shaped(70, 40, 256));
  EXPECT_EQ(p.buffers[0], (GlobalBuffer{"in", Cells::elements, 2800, 40}));
  ASSERT_EQ(p.launches.size(), 1u);
  EXPECT_EQ(p.launches[0].grid_dim(), (Dim3{2, 3, 1}));
  EXPECT_EQ(p.launches[0].block_dim(), (Dim3{32, 8, 1}));
  EXPECT_EQ(p.launches[0].blocks, 6);
  EXPECT_EQ(p.launches[0].threads, 256);
  const SharedShape& tile = p.launches[0].shared;
  EXPECT_EQ(tile.elements, 1024);
  EXPECT_EQ(tile.columns, 32);
  EXPECT_EQ(tile.cells_per_buffer, 32 * 33);
  EXPECT_EQ(tile.cell[33], 34u);
  EXPECT_EQ(tile.bytes, 4u * 32 * 33);
}

TEST(ShapedData, IsTransposedByEveryBlockAndShape) {
  std::mt19937 random(1);
  const auto any = [&](int most) { return 1 + static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int run = 0; run < 40; ++run) {
    const int rows = run % 5 == 0 ? 1 : any(100), columns = run % 7 == 0 ? 1 : any(100);
    const Settings s = shaped(rows, columns, 32 * any(32), run % 2 ? "32" : "33");
    const Trace t = recorded(s);
    ASSERT_EQ(contradiction(t), "");
    EXPECT_EQ(t.stopped, "");
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        ASSERT_EQ(t.output[static_cast<std::size_t>(c * rows + r)],
                  t.input[static_cast<std::size_t>(r * columns + c)])
            << rows << " x " << columns << " by " << s.block;
    EXPECT_TRUE(unpack(pack(t), "x") == t);
    EXPECT_TRUE(hazards(t).findings.empty());
  }
}

TEST(ShapedData, ThreadsAndBlocksAreNumberedAsCudaDoes) {
  const Trace t = recorded(shaped(70, 40, 128));               // 2 x 3 blocks of 32 x 4 threads
  const Event& first = t.events[block_events(t, 0, 3).first];  // block (1, 1)
  EXPECT_EQ(first.kind, Kind::global_load);
  EXPECT_EQ(t.lanes[first.first].address, 4 * (32 * 40 + 32));
  const EventRange range = block_events(t, 0, 0);
  for (std::size_t e = range.first; e < range.last; ++e)
    if (t.events[e].warp == 3 && is_global(t.events[e].kind)) {
      EXPECT_EQ(t.lanes[t.events[e].first].address, 4 * 3 * 40);
      break;
    }
  EXPECT_EQ(t.grids[0].block_dim(), (Dim3{32, 4, 1}));
  EXPECT_EQ(t.steps, (std::vector<Step>{{Phase::load, 0}, {"transpose", 0}}));
}

}  // namespace
}  // namespace upsweep
