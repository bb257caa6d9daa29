// Compares grids and data of two dimensions on a GPU with the emulator. Needs a GPU: run by `./test --gpu`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu.hpp"
#include "support/source_file.hpp"
#include "support/trace_difference.hpp"

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

}  // namespace
}  // namespace upsweep
