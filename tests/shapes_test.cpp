// Tests two-dimensional grids and data, and phases whose names come from a kernel file. Tests how the file is
// read, how the kernel runs, and the sentences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "analysis/recording.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "support/long_tests.hpp"
#include "support/look_at.hpp"
#include "support/source_file.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/pattern.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace shapes_test {

Algorithm transpose() {
  return parse_kernel("transpose", "tests/kernels/transpose.cuh", source_file("tests/kernels/transpose.cuh"));
}

Settings shaped(int rows, int columns, int block, const char* row_cells = "33") {
  Settings s{.algorithm = "transpose", .n = rows * columns, .block = block, .type = Scalar::int32};
  s.columns = columns;
  s.choices["row_cells"] = row_cells;
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
  EXPECT_EQ(quantities(a, s, 12)[4], 6);
  EXPECT_EQ(quantities(a, s, 12)[5], 2);
  EXPECT_EQ(columns_of(algorithm("scan_blelloch"), {}), 0);
}

TEST(ShapedData, IsRefusedWhereRowsAreNotWholeOrThereAreNone) {
  Settings s;
  s.columns = 8;
  EXPECT_THROW(validate(s), RequestError);  // the default algorithm, a scan, accepts no columns
}

// Parses a kernel file whose field Data is `data`, with the additional fields `fields`. Returns the algorithm
// of the file.
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
  } catch (const WorkError& e) { return in_words(e); }
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
  EXPECT_EQ(launch("move<<<1, 32>>>(in, n ? in : out, n)"), "") << "a run may overwrite its input";
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
  for (int run = 0; run < 20; ++run) {
    const int rows = run % 5 == 0 ? 1 : any(100), columns = run % 7 == 0 ? 1 : any(100);
    const Settings s = shaped(rows, columns, 32 * any(32), run % 2 ? "32" : "33");
    const Trace t = recorded(s);
    ASSERT_FALSE(contradiction(t));
    EXPECT_FALSE(t.stopped);
    EXPECT_EQ(t.output, oracle(transpose(), s, t.input));
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        ASSERT_EQ(t.output[static_cast<std::size_t>(c * rows + r)],
                  t.input[static_cast<std::size_t>(r * columns + c)])
            << rows << " x " << columns << " by " << s.block;
    EXPECT_TRUE(unpack(pack(t), "x") == t);
    EXPECT_TRUE(hazards(t).findings.empty());
  }
}

TEST(ShapedData, FillsWholeRowsInEveryFile) {
  const Trace good = recorded(shaped(6, 8, 64));
  ASSERT_FALSE(contradiction(good));
  const std::vector<std::function<void(Trace&)>> wrong = {
      [](Trace& t) { t.settings.columns = 7; },
      [](Trace& t) { t.settings.columns = -1; },
      [](Trace& t) { t.buffers[0].columns = 49; },
      [](Trace& t) { t.buffers[1].columns = -48; },
      [](Trace& t) { t.grids[0].blocks_across.y = 2; },
      [](Trace& t) { t.grids[0].threads_across.z = 0; },
      [](Trace& t) {
        t.grids[0].threads_across = {1 << 16, 1 << 16};
      },
      [](Trace& t) { t.grids[0].shared.columns = 33; },
      [](Trace& t) {
        t.grids[0].shared.more = {{"more", Cells::elements, t.grids[0].shared.bytes, 0, 5, 4}};
      }};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Trace t = good;
    wrong[i](t);
    EXPECT_NE(in_words(contradiction(t)).find("rows"), std::string::npos)
        << i << ": " << in_words(contradiction(t));
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

// Records a transpose with or without its barrier.
Recording derived(const Settings& s, bool barrier = true) {
  Settings with = s;
  if (!barrier) with.without_barrier = barrier_lines(transpose()).at(0);
  Recording r;
  r.trace = recorded(with);
  r.facts = facts(r.trace);
  r.work = work(r.trace);
  return r;
}

TEST(ShapedData, HasOnlyTheConflictsThatPaddingTakesAway) {
  for (const int block : {32, 256, 1024}) {
    const Recording padded = derived(shaped(64, 64, block)), plain = derived(shaped(64, 64, block, "32"));
    EXPECT_EQ(padded.facts.steps.at(1).max_degree, 1);
    EXPECT_EQ(plain.facts.steps.at(1).max_degree, 32);
    EXPECT_EQ(padded.facts.totals.shared_load.excess + padded.facts.totals.shared_store.excess, 0);
    EXPECT_EQ(plain.facts.totals.shared_load.excess, 31 * 4 * 32);
    EXPECT_EQ(plain.facts.totals.shared_store.excess, 0);
    for (const GlobalTotals& global : {plain.facts.totals.global_load, plain.facts.totals.global_store})
      EXPECT_EQ(global.sectors, global.ideal_sectors);
  }
}

TEST(ShapedData, IsSaidInRowsAndColumns) {
  const Recording r = derived(shaped(70, 40, 256, "32"));
  const std::string loads = words(r, {0, -1, 0}), writes = words(r, {1, -1, 3});
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), text.npos) << "\"" << part << "\" is missing in: " << text;
  };
  says(loads,
       "In block 0 (0, 0), threads with x = 0–31 and y = 0–7 each load in[y, y+8 … y+24][x] into tile[y, y+8 "
       "… y+24][x]. "
       "x and y are threadIdx.x and threadIdx.y.");
  says(writes,
       "Transpose. In block 3 (1, 1), threads with x = 0–31 and y = 0–7 each write tile[x][y] to "
       "out[y+32][x+32].");
  says(writes,
       "Words 0, 32 and 30 more share bank 0: a 32-way bank conflict. Reading tile[x][0] in warp 0 takes 32 "
       "wavefronts");

  const Recording small = derived(shaped(5, 1, 128));
  says(words(small, {0, -1, 0}),
       "Threads with x = 0 and y = 0–3 each load in[y][0] into tile[y][0]. Thread 0 (0, 0) loads in[4][0] "
       "into tile[4][0]");
  EXPECT_EQ(configuration_text(r.trace.grids[0]), "transpose<<<(2, 3), (32, 8)>>>");
}

TEST(ShapedData, ShowsInTheTreeWhereEveryElementWent) {
  const Recording r = derived(shaped(5, 70, 64));
  const Tree& tree = r.tree(0, 2);  // the tile has 5 rows, and columns 64 to 69
  ASSERT_EQ(tree.rows.size(), 3u);
  EXPECT_EQ(tree.rows[0].place, TreeRow::Place::loaded);
  EXPECT_EQ(tree.rows[1].place, TreeRow::Place::shared);
  EXPECT_TRUE(tree.rows[2].output);
  for (const TreeRow& row : tree.rows) ASSERT_EQ(row.nodes.size(), 30u);
  for (int k = 0; k < 30; ++k) {
    const TreeNode& out = tree.rows[2].nodes[static_cast<std::size_t>(k)];
    EXPECT_EQ(out.element, k);  // the output of the tile has 6 rows and 5 columns
    EXPECT_EQ(node_name(r.trace, tree.rows[2], out), fmt::format("out[{}][{}]", 64 + k / 5, k % 5));
    ASSERT_EQ(out.sources.size(), 1u);
    const TreeNode& tile = tree.rows[1].nodes[static_cast<std::size_t>(out.sources[0].node)];
    EXPECT_EQ(node_name(r.trace, tree.rows[1], tile), fmt::format("tile[{}][{}]", k % 5, k / 5));
    ASSERT_EQ(tile.sources.size(), 1u);
    const TreeNode& in = tree.rows[0].nodes[static_cast<std::size_t>(tile.sources[0].node)];
    EXPECT_EQ(node_name(r.trace, tree.rows[0], in), fmt::format("in[{}][{}]", k % 5, 64 + k / 5));
    EXPECT_EQ(in.element, k % 5 * 6 + k / 5);
  }
}

TEST(ShapedData, RacesWithoutItsBarrier) {
  for (const char* row_cells : {"32", "33"}) {
    const Recording r = derived(shaped(40, 40, 256, row_cells), false);
    const Hazards found = hazards(r.trace);
    ASSERT_FALSE(found.findings.empty());
    bool race = false;
    for (const HazardFinding& f : found.findings) {
      if (f.kind != Hazard::shared_race) continue;
      race = true;
      EXPECT_EQ(what_happens(r.trace, f),
                "Thread 1 (1, 0) reads tile[1][0] in line 25, thread 32 (0, 1) writes it in line 21, and "
                "nothing orders the two accesses.");
    }
    EXPECT_TRUE(race);
  }
}

TEST(ShapedData, CompilesForEveryGpu) {
  if (sanitized) GTEST_SKIP() << "NVIDIA's compiler does the work.";
  if (!nvrtc_available())
    GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here.";
  int turn = 0;
  for (const Mode mode : {Mode::fast, Mode::traced})
    for (const char* architecture : {"sm_75", "sm_90", "sm_120"})
      if (turn++ % 2 == 0 || tries_everything())  // because a compilation takes almost a second
        EXPECT_EQ(compile(program(transpose(), shaped(70, 40, 256), mode), architecture).log, "");
}

TEST(Patterns, AreOfThePlacesOfThreads) {
  const Dim3 block{4, 3, 2};
  std::mt19937 random(3);
  for (int run = 0; run < 200; ++run) {
    const auto any = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    const PlacePattern p{{any(9) - 4, any(9) - 4, any(9) - 4}, any(100) - 50};
    std::vector<int> threads, indices;
    for (int t = 0; t < 24; ++t) {
      const Dim3 at = block.place(static_cast<unsigned>(t));
      threads.push_back(t);
      indices.push_back(
          static_cast<int>(p.scale[0] * at.x + p.scale[1] * at.y + p.scale[2] * at.z + p.offset));
    }
    EXPECT_EQ(fit(block, threads, indices), p);
    indices[static_cast<std::size_t>(any(24))] += 1000;
    EXPECT_EQ(fit(block, threads, indices), std::nullopt);
  }
  EXPECT_EQ(text(PlacePattern{{1, 32, 0}, 3}), "32y+x+3");
  EXPECT_EQ(text(PlacePattern{{-2, 0, 1}, -1}), "−2x+z−1");
  EXPECT_EQ(text(PlacePattern{{0, 0, 0}, 7}), "7");
  EXPECT_EQ(index_text({2, 2, 1}, 8, {0, 1, 2, 3}, {0, 9, 18, 27}), "[2y+x][2y+x]");
  EXPECT_EQ(index_text({2, 2, 1}, 0, {0, 1, 2, 3}, {0, 1, 8, 9}), "[8y+x]");
  EXPECT_EQ(index_text({4, 1, 1}, 8, {0, 1, 2, 3}, {16, 17, 18, 19}), "[2][t]");
}

}  // namespace shapes_test
}  // namespace upsweep
