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

// A kernel file with these Names, Buffers, Shared and Launches.
Algorithm parsed(const std::string& data, const std::string& fields) {
  return parse_kernel(
      "test", "kernels/test.cuh",
      "// Title\n// Idea  x\n// Gives  copy\n// Elements  any\n// Blocks  any\n// Variants  none\n"
      "// Steps  0\n// Operations  0\n// Watch  x\n// Source  x\n" +
          (data.empty() ? "" : "// Data  " + data + "\n") + fields +
          "template <class T>\n__global__ void count(Global<const T> in, Global<unsigned> counts, int pass) "
          "{\n"
          "}\n"
          "template <class T>\n__global__ void move(Global<const T> in, Global<T> out, int pass) {\n"
          "}\n");
}
std::string refusal(const std::string& data, const std::string& fields) {
  try {
    plan(parsed(data, fields), {.n = 1000, .block = 64});
  } catch (const WorkError& e) { return e.what(); }
  return {};
}

TEST(Launches, RepeatInLoopsThatChooseTheirMemory) {
  const Algorithm a = parsed(
      "",
      "// Names  passes = 3\n// Buffers  keys: n, counts: 256 words\n"
      "// Launches  for pass < passes { count<<<2, block>>>(pass == 0 ? in : pass % 2 ? keys : out, counts, "
      "pass);\n"
      "//   move<<<2, block>>>(pass == 0 ? in : pass % 2 ? keys : out, pass % 2 ? out : keys, pass) };\n"
      "//   move<<<1, block>>>(keys, out, n)\n");
  const Plan p = plan(a, {.n = 1000, .block = 64});
  ASSERT_EQ(p.launches.size(), 7u);
  std::vector<std::string> text;
  for (const PlannedLaunch& l : p.launches) {
    std::string given = l.kernel;
    for (const Argument& x : l.arguments)
      given += " " +
               (x.buffer < 0 ? std::to_string(x.number) : p.buffers[static_cast<std::size_t>(x.buffer)].name);
    text.push_back(given);
  }
  EXPECT_EQ(text, (std::vector<std::string>{"count in counts 0", "move in keys 0", "count keys counts 1",
                                            "move keys out 1", "count out counts 2", "move out keys 2",
                                            "move keys out 1000"}));
}

TEST(Launches, LoopsMayStandInLoopsAndHaveConditions) {
  const Algorithm a = parsed(
      "", "// Launches  for i < 3 { for k < i { move<<<1 + k, block>>>(in, out, 10 * i + k) if k != 1 } }\n");
  std::vector<std::int64_t> numbers;
  for (const PlannedLaunch& l : plan(a, {.n = 10, .block = 32}).launches)
    numbers.push_back(l.arguments[2].number);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{10, 20}));
}

TEST(Launches, HaveUpToThreeExtents) {
  const Algorithm a = parsed("rows x columns",
                             "// Launches  move<<<(columns, (rows + 1) / 2, 3), (8, 4, 2)>>>(in, out, n)\n");
  Settings s{.n = 15, .block = 64};
  s.columns = 5;
  const PlannedLaunch l = plan(a, s).launches[0];
  EXPECT_EQ(l.grid_dim(), (Dim3{5, 2, 3}));
  EXPECT_EQ(l.block_dim(), (Dim3{8, 4, 2}));
  EXPECT_EQ(l.blocks, 30);
  EXPECT_EQ(l.threads, 64);
}

TEST(Launches, ThatMakeNoSenseAreRefused) {
  const auto launch = [](const std::string& text) {
    return refusal("rows x columns", "// Launches  " + text + "\n");
  };
  EXPECT_EQ(launch("move<<<(1), (32)>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<(1, 2, 3, 4), 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<(), 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<1, (32, 33)>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<1, (1, 1, 65)>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<(1, 70000), 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<(70000, 60000), 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("for i < 5000 { move<<<1, 32>>>(in, out, n) }"), "");
  EXPECT_NE(launch("for i < 0 - 1 { move<<<1, 32>>>(in, out, n) }"), "");
  EXPECT_NE(launch("for n < 2 { move<<<1, 32>>>(in, out, n) }"), "");
  EXPECT_NE(launch("for i < 2 { }"), "");
  EXPECT_NE(launch("for i < 2 move<<<1, 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("for i < 2 { move<<<1, 32>>>(in, out, n)"), "");
  EXPECT_NE(launch("move<<<1, 32>>>(n ? in, out, n)"), "");
  EXPECT_NE(launch("move<<<1, 32>>>(in, n ? in : out, n)"), "");
  EXPECT_NE(refusal("rows", "// Launches  move<<<1, 32>>>(in, out, n)\n"), "");
  EXPECT_NE(refusal("rows x n", "// Launches  move<<<1, 32>>>(in, out, n)\n"), "");
  EXPECT_NE(refusal("rows x x", "// Launches  move<<<1, 32>>>(in, out, n)\n"), "");
}

TEST(ShapedData, LiesInMemoryRowByRow) {
  const Algorithm a = parsed("h x w",
                             "// Buffers  sums: h x ceil_div(w, 4), marks: h + 1 x 2 words\n"
                             "// Shared  a: 3 x 5 pitch 8, b: 4 x 4, flags: 2 x 3 pitch 4 words\n"
                             "// Launches  move<<<1, 32>>>(in, out, n)\n");
  Settings s{.n = 12, .block = 32, .type = Scalar::float16};
  s.columns = 6;
  const Plan p = plan(a, s);
  EXPECT_EQ(p.buffers[2], (GlobalBuffer{"sums", Cells::elements, 4, 2}));
  EXPECT_EQ(p.buffers[3], (GlobalBuffer{"marks", Cells::words, 6, 2}));
  const SharedShape& shape = p.launches[0].shared;
  EXPECT_EQ(shape.name, "a");
  EXPECT_EQ(shape.elements, 15);
  EXPECT_EQ(shape.columns, 5);
  EXPECT_EQ(shape.cells_per_buffer, 24);
  EXPECT_EQ(shape.cell, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20}));
  EXPECT_EQ(shape.more, (std::vector<SharedRegion>{{"b", Cells::elements, 48, 16, 4, 4},
                                                   {"flags", Cells::words, 80, 8, 3, 4}}));
  EXPECT_EQ(shape.bytes, 112u);
  std::vector<int> elements;
  for (const CellPlace& c : cell_places(shape, 2))
    if (c.region == 2) elements.push_back(c.element);
  EXPECT_EQ(elements, (std::vector<int>{0, 1, 2, -1, 3, 4, 5, -1}));
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
