// Compares a GPU with the emulator and with the oracle. Needs a GPU: run by `./test --gpu`.
#include "machine/gpu/gpu.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "gpu/counts_and_times.hpp"
#include "gpu/small_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/source_file.hpp"
#include "support/trace_difference.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// All tests use the same Gpu, so that each kernel is compiled only once.
Gpu& gpu() {
  static Gpu the_gpu;
  return the_gpu;
}
Emulator& emulator() {
  static Emulator the_emulator;
  return the_emulator;
}

const RecordOptions all_blocks{.first_block = 0, .blocks = UINT32_MAX};

// Runs a kernel on the GPU with and without the recorder, and compares both runs with the emulator and the
// oracle. If the emulator cannot keep the events of all blocks, only the first blocks are recorded in full.
void compare(const Algorithm& a, const Settings& s, std::uint64_t seed) {
  const std::vector<Value> input = random_data(s, seed);
  RecordOptions focus = all_blocks;
  Trace emulated = emulator().record(s, input, focus);
  if (emulated.dropped > 0 || !std::ranges::all_of(emulated.runs, &BlockRun::in_focus))
    emulated = emulator().record(s, input, focus = {});
  ASSERT_EQ(emulated.dropped, 0u) << describe(s);
  const Trace traced = gpu().record(a, s, input, focus);
  ASSERT_FALSE(traced.stopped) << describe(s);
  ASSERT_FALSE(check(a, s, input, traced.output)) << describe(s);
  ASSERT_EQ(traced.dropped, 0u) << describe(s);
  if (focus.blocks == all_blocks.blocks) {
    EXPECT_EQ(difference(traced.counts, counts_of_events(traced)), "") << describe(s);
  }
  ASSERT_EQ(disorder(traced), "") << describe(s);
  if (is_deterministic(traced)) {
    ASSERT_EQ(difference(traced, emulated), "") << describe(s);
    ASSERT_EQ(difference(traced.counts, emulated.counts), "") << describe(s) << ", traced | emulated";
    ASSERT_EQ(incoherence(traced), std::nullopt) << describe(s);
  } else {
    ASSERT_EQ(traced.steps, emulated.steps) << describe(s);
    ASSERT_EQ(difference(steady_counts(traced), steady_counts(emulated)), "")
        << describe(s) << ", traced | emulated";
    ASSERT_EQ(traced.grids.size(), emulated.grids.size()) << describe(s);
  }
  const std::vector<Value> fast = gpu().run(a, s, input);
  if (is_deterministic(traced)) {
    ASSERT_TRUE(fast == traced.output) << describe(s) << ": fast gives " << exact_text(fast.front(), s)
                                       << " first, traced " << exact_text(traced.output.front(), s);
  } else {
    ASSERT_FALSE(check(a, s, input, fast)) << describe(s) << ", fast";
  }
}

bool valid(const Settings& s) {
  try {
    validate(s);
    return true;
  } catch (const RequestError&) { return false; }
}

class Machines : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Machines, AgreeOnEveryVariantAndSize) {
  const Algorithm& a = *GetParam();
  int runs = 0;
  bool first = true;
  for (Settings s : every_variant(a)) {
    const std::vector<int> sizes =
        first ? std::vector{1, 2, 3, 31, 32, 33, 100, 255, 256, 1000, 1023, 1024, 1025, 2047, 5000}
              : std::vector{1, 33, 1000, 2047};
    const std::vector<int> blocks = first ? std::vector{32, 64, 96, 256, 1024} : std::vector{32, 256};
    first = false;
    for (const int n : sizes)
      for (const int block : blocks) {
        s.n = n;
        s.block = block;
        if (!valid(s)) continue;
        compare(a, s, 1000 + static_cast<std::uint64_t>(runs++));
        if (HasFatalFailure()) return;
      }
  }
  std::cout << runs << " recordings agree\n";
}

TEST_P(Machines, AgreeOnEveryTypeAndOperator) {
  const Algorithm& a = *GetParam();
  int runs = 0;
  for (Settings s : every_type(a))
    for (const auto& [n, block] : {std::pair(1, 64), {33, 512}, {1000, 64}, {1000, 512}, {3001, 512}}) {
      s.n = n;
      s.block = block;
      if (!valid(s)) continue;
      compare(a, s, 2000 + static_cast<std::uint64_t>(runs++));
      if (HasFatalFailure()) return;
    }
  std::cout << runs << " recordings agree\n";
}

TEST_P(Machines, FastIsRightAtEverySize) {
  const Algorithm& a = *GetParam();
  int runs = 0;
  for (Settings s : every_choice(a))
    for (const int n : {65535, 65537, (1 << 20) + 7})
      for (const int block : {64, 256, 1024}) {
        s.n = n;
        s.block = block;
        if (!valid(s) || is_unsafe(a, s)) continue;
        const std::vector<Value> input = random_data(s, static_cast<std::uint64_t>(runs++));
        ASSERT_FALSE(check(a, s, input, gpu().run(a, s, input))) << describe(s);
      }
  std::cout << runs << " large runs right\n";
}

INSTANTIATE_TEST_SUITE_P(All, Machines, testing::ValuesIn(correct_algorithms(Language::cuda)),
                         [](const auto& info) { return info.param->name; });

TEST(Gpu, BlocksOutOfFocusCountAndSayHowTheyWait) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    Settings s = first_settings(*a);
    s.n = 20000;
    s.block = std::max(64, a->least_threads);
    if (!a->many_blocks || !valid(s)) continue;
    const std::vector<Value> input = random_data(s, 4);
    const Trace whole = gpu().record(*a, s, input, all_blocks),
                part = gpu().record(*a, s, input, {.first_block = 1, .blocks = 2});
    EXPECT_EQ(difference(steady_counts(part), steady_counts(whole)), "") << describe(s);
    EXPECT_EQ(part.runs.size(), whole.runs.size()) << describe(s);
    for (const BlockRun& r : part.runs) EXPECT_EQ(r.in_focus, r.block == 1 || r.block == 2);
    for (const Event& e : part.events)
      EXPECT_TRUE(e.block == 1 || e.block == 2 || is_atomic(e.kind) || e.kind == Kind::fence ||
                  (e.flags & is_volatile) != 0)
          << describe(s) << ": " << describe_event(part, static_cast<std::size_t>(&e - part.events.data()));
    EXPECT_EQ(disorder(part), "") << describe(s);
  }
}

// Recording a million elements may take at most 10 s.
TEST(Gpu, RecordsAMillionElements) {
  for (const char* name :
       {"scan_large", "scan_decoupled_lookback", "reduce_single_pass", "reduce_atomic", "reduce_nested"}) {
    Settings s = first_settings(algorithm(name));
    s.n = (1 << 20) + 7;
    s.block = 256;
    s.grid = 512;
    const std::vector<Value> input = random_data(s, 8);
    gpu().record(s, input);
    const auto begin = std::chrono::steady_clock::now();
    const Trace t = gpu().record(s, input);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::cout << fmt::format("{:<24} {:.2f} s, {} events, {} blocks, {} dropped\n", name, seconds.count(),
                             t.events.size(), t.runs.size(), t.dropped);
    EXPECT_FALSE(t.stopped) << name;
    EXPECT_FALSE(check(s, input, t.output)) << name;
    EXPECT_EQ(t.dropped, 0u) << name;
    EXPECT_LT(seconds.count(), 10) << name;
  }
}

TEST(Gpu, TypedFormulasAndMoreSharedMemoryThanAGpuGivesUnasked) {
  const Settings wide{.n = 1024, .block = 512, .type = Scalar::float64, .op = Operator::affine};
  const Settings narrow{.n = 1024, .block = 512, .type = Scalar::float16};
  for (Settings s : {wide, narrow})
    for (const char* layout : {"i + i / 7", "2 * i", "i + (i >> 40) + (i >> 5)", "(i ^ 5)"}) {
      s.choose("layout", layout);
      const std::vector<Value> input = seeded_data(s, 7);
      const Trace traced = gpu().record(s, input);
      EXPECT_EQ(difference(traced, emulator().record(s, input)), "") << describe(s);
      EXPECT_TRUE(gpu().run(s, input) == traced.output) << describe(s);
    }
}

TEST(Gpu, RecordsFromAnotherThread) {
  const Settings s{.n = 100, .block = 64};
  const std::vector<Value> input = seeded_data(s, 3);
  const Trace here = gpu().record(s, input);
  Trace there;
  std::thread([&] { there = gpu().record(s, input); }).join();
  EXPECT_EQ(difference(there, here), "");
}

TEST(Gpu, RunsBlellochWithAndWithoutPadding) {
  Settings s{.n = 1024, .block = 512};
  for (const char* layout : {"none", "pad32"}) {
    s.choose("layout", layout);
    EXPECT_FALSE(check(s, seeded_data(s, 1), gpu().run(s, seeded_data(s, 1))));
  }
}

TEST(Gpu, RecordsAgainWithMoreRoomWhereTheFirstWasTooLittle) {
  const int trips = 3000;
  const Settings s{.algorithm = "long_loop", .n = 1024, .block = 1024, .type = Scalar::int32};
  const Algorithm a = kernel(
      s.algorithm,
      fmt::format("  T x = in[t % n];\n  for (int i = 0; i < {}; i++) temp[t] = x;\n  out[t] = temp[t];",
                  trips));
  const Trace trace = gpu().record(a, s, seeded_data(s, 1));
  EXPECT_EQ(trace.dropped, 0u);
  EXPECT_EQ(trace.events.size(), 32u * (trips + 3));
  EXPECT_EQ(incoherence(trace), std::nullopt);
}

TEST(Gpu, RecordsMoreStepsThanExpected) {
  const int trips = 300;
  const Settings s{.algorithm = "many_barriers", .n = 1024, .block = 1024, .type = Scalar::int32};
  const Algorithm a = kernel(
      s.algorithm,
      fmt::format(
          "  T x = in[t];\n  for (int i = 0; i < {}; i++) {{\n    temp[t] = x;\n    __syncthreads();\n    "
          "step(Phase::scan, i);\n    x = op(x, temp[n - 1 - t]);\n    __syncthreads();\n  }}\n  out[t] = x;",
          trips));
  const Trace trace = gpu().record(a, s, seeded_data(s, 1));
  EXPECT_EQ(trace.dropped, 0u);
  ASSERT_EQ(trace.steps.size(), 2u * trips + 1);
  EXPECT_EQ(trace.snapshots.size(), 2u * trips);
  EXPECT_EQ(trace.steps[599], (Step{Phase::scan, 299}));
  EXPECT_EQ(incoherence(trace), std::nullopt);
}

// ---- runs that never end ----

// Records a run that never ends. Expects that the recording ends soon, that it contains the events before the
// stop, and that the GPU still works afterwards.
Trace hopeless(const Algorithm& a, const Settings& s) {
  const std::vector<Value> input = seeded_data(s, 1);
  gpu().record(Settings{.n = 32, .block = 32}, seeded_data(Settings{.n = 32, .block = 32}, 1));
  try {
    gpu().record(a, s, input, {.first_block = 1000});  // compiles the kernel before the time is measured
  } catch (const WorkError&) {}
  const auto begin = std::chrono::steady_clock::now();
  Trace t = gpu().record(a, s, input);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << fmt::format("{}: {:.2f} s, {} events, {} dropped: {}\n", a.name, seconds.count(),
                           t.events.size(), t.dropped, in_words(t.stopped));
  EXPECT_LT(seconds.count(), 1.5) << a.name;
  EXPECT_TRUE(t.stopped) << a.name;
  EXPECT_GT(t.events.size(), 0u) << a.name;
  const Settings ordinary{.n = 100, .block = 64};
  EXPECT_FALSE(check(ordinary, seeded_data(ordinary, 2), gpu().run(ordinary, seeded_data(ordinary, 2))))
      << "after " << a.name;
  return t;
}

class Stops : public testing::TestWithParam<Hopeless> {};

TEST_P(Stops, WithinASecondAndSaysWhere) {
  const Hopeless& h = GetParam();
  const Algorithm a = kernel(h.name, h.body, "1 words");
  const Settings s{.algorithm = h.name, .n = 64 * h.blocks, .block = 64, .type = Scalar::int32};
  const Trace t = hopeless(a, s);
  EXPECT_NE(in_words(t.stopped).find(h.says), std::string::npos) << in_words(t.stopped);
  EXPECT_THROW(gpu().record(kernel("x", "  nonsense;"), s, seeded_data(s, 1)), WorkError);
}
INSTANTIATE_TEST_SUITE_P(All, Stops, testing::ValuesIn(hopeless_kernels),
                         [](const auto& info) { return info.param.name; });

// A GPU must be able to record every broken kernel of the catalogue. If the emulator stops a run, the GPU
// must stop the run for the same reason.
TEST(Gpu, RecordsEveryBug) {
  for (const Algorithm& a : cuda_algorithms()) {
    if (!a.is_broken()) continue;
    for (Settings s : every_variant(a))
      for (const int n : {33, 1000}) {
        s.n = n;
        s.block = smallest_block(a, s);
        if (!valid(s)) continue;
        const std::vector<Value> input = random_data(s, 5);
        gpu().record(a, s, input);  // compiles the kernel before the time is measured
        const auto begin = std::chrono::steady_clock::now();
        const Trace t = gpu().record(a, s, input);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const Trace e = emulator().record(s, input);
        std::cout << fmt::format("{}: {:.2f} s, {} events, emulated {}, {} dropped; {} | {}\n", describe(s),
                                 seconds.count(), t.events.size(), e.events.size(), t.dropped,
                                 in_words(t.stopped), in_words(e.stopped));
        EXPECT_LT(seconds.count(), 1.5) << describe(s);
        EXPECT_EQ(t.stopped.kind, e.stopped.kind) << describe(s);
      }
  }
}
TEST(Gpu, RecordsWithoutAnyOneBarrier) {
  int runs = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (const int line : barrier_lines(*a)) {
      Settings s = first_settings(*a);
      s.n = 100;
      s.block = std::max(128, a->least_threads);
      s.without_barrier = line;
      if (!valid(s)) continue;
      const Trace t = gpu().record(*a, s, random_data(s, 5));
      EXPECT_TRUE(std::none_of(t.events.begin(), t.events.end(),
                               [&](const Event& e) { return e.line == line && e.kind == Kind::barrier; }));
      ++runs;
    }
  std::cout << runs << " barriers taken out\n";
}

TEST(Gpu, RefusesALayoutThatItHasNoRoomFor) {
  Settings s{.n = 1024, .block = 512};
  s.choose("layout", "100 * i");
  EXPECT_THROW(gpu().record(s, seeded_data(s, 1)), RequestError);
}

TEST(Gpu, SaysInASentenceThatAKernelFailed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a failed kernel makes the GPU unusable for its process
  const auto fail = [] {
    try {
      const Settings s{.algorithm = "trap", .n = 32, .block = 32};
      Gpu().run(kernel("trap", "  out[t] = in[t];\n  if (t == 5) __trap();"), s, seeded_data(s, 1));
    } catch (const WorkError& e) {
      std::cerr << in_words(e) << "\n";
      std::exit(1);
    }
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(1),
              "Running the kernel on the GPU failed: .*CUDA_ERROR.*Restart Upsweep");
}

// Tests a few cases of each algorithm, for tools that make runs slow (compute-sanitizer).
class EveryAlgorithm : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, RunsAtAwkwardSizes) {
  const Algorithm& a = *GetParam();
  for (Settings s : every_choice(a))
    for (const int n : {33, 1000}) {
      s.n = n;
      s.block = std::max(64, a.least_threads);
      if (!valid(s)) s.block = smallest_block(a, s);
      if (!valid(s) || is_unsafe(a, s)) continue;
      const std::vector<Value> input = random_data(s, 9);
      EXPECT_FALSE(check(a, s, input, gpu().run(a, s, input))) << describe(s);
    }
}
TEST_P(EveryAlgorithm, IsRecordedAtAnAwkwardSize) {
  const Algorithm& a = *GetParam();
  Settings s = first_settings(a);
  s.n = 333;
  s.block = std::max(smallest_block(a, s), a.least_threads);
  if (!valid(s)) return;
  const std::vector<Value> input = random_data(s, 9);
  EXPECT_FALSE(check(a, s, input, gpu().record(a, s, input).output)) << describe(s);
}
INSTANTIATE_TEST_SUITE_P(Correct, EveryAlgorithm, testing::ValuesIn(correct_algorithms(Language::cuda)),
                         [](const auto& test) { return test.param->name; });

// ---- the convergence rule ----

class Converges : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string file = std::string("tests/kernels/") + GetParam() + ".cuh";
    const Algorithm a = parse_kernel(GetParam(), file, source_file(file));
    const Settings s{.algorithm = a.name, .n = 96, .block = 96, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 5);
    traced_ = gpu().record(a, s, input);
    EXPECT_FALSE(traced_.stopped);
    emulated_ = emulator().record(a, *test_kernels(GetParam()), s, input);
    fast_ = gpu().run(a, s, input);
  }
  Trace traced_, emulated_;
  std::vector<Value> fast_;
};

TEST_P(Converges, AsTheEmulatorsRuleSays) { EXPECT_EQ(difference(traced_, emulated_), ""); }

TEST_P(Converges, EveryLaneDoesTheSameWhateverTheOrder) {
  EXPECT_EQ(lane_histories(traced_), lane_histories(emulated_));
  EXPECT_TRUE(fast_ == traced_.output);
  EXPECT_TRUE(emulated_.output == traced_.output);
}

INSTANTIATE_TEST_SUITE_P(All, Converges,
                         testing::Values("convergence_branches", "convergence_exits", "convergence_loops"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace upsweep
