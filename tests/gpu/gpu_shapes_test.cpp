// Compares a GPU with the emulator: two-dimensional grids and data, and buffers of counts and numbers. Also
// compares the times of the parts of a run with the time of the whole run. Needs a GPU: run by `./test
// --gpu`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "catalogue/data.hpp"
#include "emulated/sized_kernels.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu.hpp"
#include "measure/measure.hpp"
#include "support/source_file.hpp"
#include "support/trace_difference.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr const char* file = "tests/kernels/transpose.cuh";

TEST(GpuShapes, AreRecordedAsOnTheEmulatorAndRunFastAsRecorded) {
  const Algorithm a = parse_kernel("transpose", file, source_file(file));
  Gpu gpu;
  Emulator emulator;
  std::mt19937 random(5);
  const auto any = [&](int most) { return 1 + static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int run = 0; run < 12; ++run) {
    const int rows = any(90), columns = any(90);
    Settings s{.algorithm = "transpose", .n = rows * columns, .block = 32 * any(32), .type = Scalar::int32};
    s.columns = columns;
    s.choices["row_cells"] = run % 2 ? "32" : "33";
    SCOPED_TRACE(fmt::format("{} x {} by {} threads, rows of {} cells", rows, columns, s.block,
                             s.choices["row_cells"]));
    const std::vector<Value> input = seeded_data(s, static_cast<std::uint64_t>(run));
    const RecordOptions all{.blocks = UINT32_MAX};
    const Trace traced = gpu.record(a, s, input, all),
                emulated = emulator.record(a, *test_kernels("transpose"), s, input, all);
    EXPECT_EQ(difference(traced, emulated), "");
    EXPECT_EQ(incoherence(traced), std::nullopt);
    EXPECT_EQ(traced.steps, (std::vector<Step>{{Phase::load, 0}, {"transpose", 0}}));
    EXPECT_EQ(gpu.run(a, s, input), emulated.output);
    EXPECT_TRUE(hazards(traced).findings.empty());
  }
}

TEST(GpuShapes, WithoutItsBarrierItRaces) {
  const Algorithm a = parse_kernel("transpose", file, source_file(file));
  Settings s{.algorithm = "transpose", .n = 40 * 40, .block = 256, .type = Scalar::int32};
  s.without_barrier = barrier_lines(a).at(0);
  const Hazards found = hazards(Gpu().record(a, s, seeded_data(s, 1), {.blocks = UINT32_MAX}));
  EXPECT_TRUE(std::any_of(found.findings.begin(), found.findings.end(),
                          [](const HazardFinding& f) { return f.kind == Hazard::shared_race; }));
}

// Records a kernel of tests/sized on the GPU and on the emulator, runs the kernel without the recorder, and
// compares all outputs.
void compare(const std::string& name, const Settings& s, const Inputs& inputs, bool same_events) {
  const std::string path = "tests/sized/" + name + ".cuh";
  const Algorithm a = parse_kernel(name, path, source_file(path));
  SCOPED_TRACE(
      fmt::format("{} n={} block={} {} {}", name, s.n, s.block, upsweep::name(s.type), upsweep::name(s.op)));
  Gpu gpu;
  const RecordOptions all{.blocks = UINT32_MAX};
  const Trace traced = gpu.record(a, s, inputs, all),
              emulated = Emulator().record(a, *sized_kernels(name), s, inputs, all);
  EXPECT_FALSE(traced.stopped);
  if (same_events) EXPECT_EQ(difference(traced, emulated), "");
  EXPECT_EQ(incoherence(traced), std::nullopt);
  EXPECT_TRUE(hazards(traced).findings.empty());
  EXPECT_TRUE(traced.more_inputs == emulated.more_inputs);
  EXPECT_TRUE(traced.output == emulated.output);
  EXPECT_TRUE(traced.more_outputs == emulated.more_outputs);
  const Contents fast = gpu.run_all(a, s, inputs);
  ASSERT_EQ(fast.size(), 1 + emulated.more_outputs.size());
  EXPECT_TRUE(fast[0] == emulated.output);
  for (std::size_t i = 1; i < fast.size(); ++i) EXPECT_TRUE(fast[i] == emulated.more_outputs[i - 1]) << i;
}

TEST(GpuCounts, AreRecordedAsOnTheEmulatorAndRunFastAsRecorded) {
  std::mt19937 random(6);
  constexpr std::pair<Scalar, Operator> kinds[] = {
      {Scalar::float32, Operator::max},    {Scalar::int64, Operator::sum},
      {Scalar::float32, Operator::affine}, {Scalar::float16, Operator::min},
      {Scalar::float64, Operator::affine}, {Scalar::uint32, Operator::affine},
      {Scalar::float16, Operator::affine}};
  for (const auto& [type, op] : kinds)
    for (const int n : {1, 65, 500}) {
      Settings s{.n = n, .block = 64, .type = type, .op = op};
      Contents marks(1);
      for (int i = 0; i < n; ++i) marks[0].push_back({static_cast<std::uint32_t>(random())});
      const std::vector<Value> input = seeded_data(s, static_cast<std::uint64_t>(n));
      s.algorithm = "compact_marked";
      compare(s.algorithm, s, {input, marks}, true);
      s.algorithm = "rank_marked";
      // The two recordings may have different events, because the number of polls of a message varies.
      compare(s.algorithm, s, {input, marks}, false);
      if (op != Operator::affine || n > 128) continue;
      s.algorithm = "recurrence";
      s.block = 128;
      compare(s.algorithm, s, input, true);
    }
}

// The time of each part is measured within whole runs. The sum of these times may differ a little from the
// time of a whole run, because of the pauses between launches and the cost of measuring.
TEST(GpuShapes, PartsOfARunAddUpToTheRun) {
  SweepRequest r;
  Candidate c;
  c.settings = {.algorithm = "summed_area_table", .choices = {{"channels", "3"}}};
  for (std::vector<std::string> part :
       {std::vector<std::string>{}, {"deinterleave", "interleave"}, {"transpose"}, {"scan_rows"}}) {
    c.part = std::move(part);
    r.kernels.push_back(c);
  }
  r.sizes = {1 << 22};
  r.peers = false;
  double whole = 0, parts = 0;
  for (const Timing& t : measure(r).rows) {
    ASSERT_FALSE(t.missing) << t.variant << ": " << in_words(t.missing);
    if (t.contender == Contender::copy) continue;
    std::cout << fmt::format("{}: {:.1f} us\n", t.variant, 1e6 * t.seconds.median);
    EXPECT_GT(t.seconds.median, 0);
    (t.contender == Contender::part ? parts : whole) += t.seconds.median;
  }
  EXPECT_NEAR(parts / whole, 1, 0.15);
}

}  // namespace
}  // namespace upsweep
