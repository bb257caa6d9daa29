// The GPU against the emulator and the oracle. Needs a GPU: run by `./test --gpu`.
#include "machine/gpu.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator.hpp"
#include "render/render.hpp"
#include "scene/views.hpp"
#include "source_file.hpp"
#include "trace/value.hpp"
#include "trace_difference.hpp"
#include "ui/recording.hpp"

namespace upsweep {
namespace {

constexpr Scalar scalars[] = {Scalar::int32, Scalar::uint32, Scalar::float32, Scalar::float64};
constexpr Operator operators[] = {Operator::sum, Operator::product, Operator::min, Operator::max,
                                  Operator::affine};
constexpr int block_sizes[] = {32, 64, 96, 256, 512, 1024};

// One GPU for the whole program: what it compiled is kept.
Gpu& gpu() {
  static Gpu the_gpu;
  return the_gpu;
}
Emulator& emulator() {
  static Emulator the_emulator;
  return the_emulator;
}

std::string describe(const Settings& s) {
  return fmt::format("{} n={} block={} {} {} {} {}", s.algorithm, s.n, s.block, name(s.type), name(s.op),
                     s.layout, s.load_pattern);
}

std::vector<int> sizes(const Algorithm& a) {
  std::vector<int> all = {1, 2, 3, 31, 32, 33, 64, 100, 127, 255, 256, 1000, 1023, 1024};
  if (largest_in_block(a) > 1024) all.insert(all.end(), {1025, 2047, largest_in_block(a)});
  return all;
}

struct Case {
  const Algorithm* algorithm;
  Scalar type;
  Operator op;
};
std::string case_name(const Case& c) {
  return fmt::format("{}_{}_{}", c.algorithm->name, name(c.type), name(c.op));
}
void PrintTo(const Case& c, std::ostream* out) { *out << case_name(c); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Algorithm& a : algorithms())
    for (const Scalar type : scalars)
      for (const Operator op : operators)
        if (!a.commutative || op != Operator::affine) all.push_back({&a, type, op});
  return all;
}

class Machines : public testing::TestWithParam<Case> {
 protected:
  // Calls f(settings) for every layout, load pattern, size and block size of the case.
  template <class F>
  static void for_each_settings(F f) {
    const Case& c = GetParam();
    for (const std::string_view layout : layout_names)
      for (const std::string_view pattern : load_pattern_names)
        for (const int n : sizes(*c.algorithm))
          for (const int block : block_sizes) {
            if ((!c.algorithm->layouts && layout != "none") ||
                (!c.algorithm->load_patterns && pattern != "halves"))
              continue;
            if (block < smallest_block(*c.algorithm, n)) continue;
            Settings s{.algorithm = c.algorithm->name, .n = n, .block = block, .type = c.type, .op = c.op};
            s.layout = layout;
            s.load_pattern = pattern;
            f(s);
          }
  }
};

TEST_P(Machines, TracedGivesTheEmulatorsEventsAndFastTracedsOutput) {
  int runs = 0;
  for_each_settings([&](const Settings& s) {
    if (HasFailure()) return;
    validate(s);
    const std::vector<Value> input = seeded_data(s, 1000 + static_cast<std::uint64_t>(runs));
    const Trace traced = gpu().record(s, input);
    EXPECT_EQ(difference(traced, emulator().record(s, input)), "") << describe(s);
    EXPECT_EQ(incoherence(traced).value_or(""), "") << describe(s);
    EXPECT_EQ(check(s, input, traced.output), "") << describe(s);
    const std::vector<Value> fast = gpu().run(s, input);
    EXPECT_TRUE(fast == traced.output) << describe(s) << ": fast gives " << exact_text(fast.front(), s)
                                       << " first, traced " << exact_text(traced.output.front(), s);
    ++runs;
  });
  std::cout << runs << " recordings agree\n";
}

INSTANTIATE_TEST_SUITE_P(All, Machines, testing::ValuesIn(cases()),
                         [](const auto& info) { return case_name(info.param); });

TEST(Gpu, TypedFormulasAndMoreSharedMemoryThanAGpuGivesUnasked) {
  Settings s{.n = 1024, .block = 512, .type = Scalar::float64, .op = Operator::affine};
  for (const char* layout : {"i + i / 7", "2 * i", "6 * i", "i + (i >> 40) + (i >> 5)", "(i ^ 5)"}) {
    s.layout = layout;
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
    s.layout = layout;
    EXPECT_EQ(check(s, seeded_data(s, 1), gpu().run(s, seeded_data(s, 1))), "");
  }
}

Algorithm kernel(const std::string& name, const std::string& body) {
  Algorithm a;
  a.name = name;
  a.file = "tests/" + name;
  a.gives = "inclusive scan";
  a.text = "template <class T>\n__global__ void " + name +
           "(Global<const T> in, Global<T> out, int n) {\n  Shared<T> temp;\n  const int t = threadIdx.x;\n" +
           body + "\n}\n";
  return a;
}

TEST(Gpu, RecordsAgainWithMoreRoomWhereTheFirstWasTooLittle) {
  const int trips = 900;
  const Settings s{.algorithm = "long_loop", .n = 1024, .block = 1024, .type = Scalar::int32};
  const Algorithm a = kernel(
      s.algorithm,
      fmt::format("  T x = in[t % n];\n  for (int i = 0; i < {}; i++) temp[t] = x;\n  out[t] = temp[t];",
                  trips));
  const Trace trace = gpu().record(a, s, seeded_data(s, 1), s.n);
  EXPECT_EQ(trace.dropped, 0u);
  EXPECT_EQ(trace.events.size(), 32u * (trips + 3));
  EXPECT_EQ(incoherence(trace).value_or(""), "");
}

TEST(Gpu, RecordsMoreStepsThanExpected) {
  const int trips = 300;
  const Settings s{.algorithm = "many_barriers", .n = 64, .block = 64, .type = Scalar::int32};
  const Algorithm a = kernel(
      s.algorithm,
      fmt::format(
          "  T x = in[t];\n  for (int i = 0; i < {}; i++) {{\n    temp[t] = x;\n    __syncthreads();\n    "
          "step(Phase::scan, i);\n    x = op(x, temp[n - 1 - t]);\n    __syncthreads();\n  }}\n  out[t] = x;",
          trips));
  const Trace trace = gpu().record(a, s, seeded_data(s, 1), s.n);
  EXPECT_EQ(trace.dropped, 0u);
  ASSERT_EQ(trace.steps.size(), 2u * trips + 1);
  EXPECT_EQ(trace.snapshots.size(), 2u * trips);
  EXPECT_EQ(trace.steps[599], (Step{Phase::scan, 299}));
  EXPECT_EQ(incoherence(trace).value_or(""), "");
}

TEST(Gpu, RefusesALayoutThatItHasNoRoomFor) {
  Settings s{.n = 1024, .block = 512};
  s.layout = "100 * i";
  EXPECT_THROW(gpu().record(s, seeded_data(s, 1)), RequestError);
}

TEST(Gpu, SaysInASentenceThatAKernelFailed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a failed kernel costs the process its GPU
  const auto fail = [] {
    try {
      const Settings s{.algorithm = "trap", .n = 32, .block = 32};
      Gpu().run(kernel("trap", "  out[t] = in[t];\n  if (t == 5) __trap();"), s, seeded_data(s, 1), 32);
    } catch (const WorkError& e) {
      std::cerr << e.what() << "\n";
      std::exit(1);
    }
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(1),
              "Running the kernel on the GPU failed: .*CUDA_ERROR.*restarted");
}

// A part of everything, up to the largest block, for tools that make it slow (compute-sanitizer).
TEST(Gpu, EveryAlgorithmAtAwkwardSizes) {
  for (const Algorithm& a : algorithms())
    for (const int n : {1, 33, 300, 1000, largest_in_block(a)})
      for (const std::string_view layout : layout_names)
        for (const bool affine : {false, true}) {
          if (!a.layouts && layout != "none") continue;
          Settings s{.algorithm = a.name, .n = n, .block = smallest_block(a, n)};
          if (affine && !a.commutative) s.op = Operator::affine, s.type = Scalar::float64;
          if (a.load_patterns && affine) s.load_pattern = "neighbours";
          s.layout = layout;
          const std::vector<Value> input = seeded_data(s, 9);
          const Trace traced = gpu().record(s, input);
          EXPECT_EQ(difference(traced, emulator().record(s, input)), "") << describe(s);
          EXPECT_TRUE(gpu().run(s, input) == traced.output) << describe(s);
        }
}

// Compiled and cached, a block of 1,024 elements is recorded, analysed and drawn, in all views, before a
// person notices.
TEST(Gpu, RecordsAnalysesAndDrawsABlockInUnder50Milliseconds) {
  constexpr int width = 1920, height = 1080;
  const OffscreenContext context(width, height);
  Renderer renderer;
  std::cout << "drawn by " << context.renderer() << "\n";
  for (const Algorithm& a : algorithms()) {
    Settings s{.algorithm = a.name, .n = 1024, .block = smallest_block(a, 1024)};
    const std::vector<Value> input = seeded_data(s, 1);
    std::vector<double> recorded, analysed, drawn;  // milliseconds
    for (int i = 0; i < 21; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const auto elapsed = [&] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      };
      Trace trace = gpu().record(s, input);
      recorded.push_back(elapsed());
      const Recording r = make_recording(std::move(trace));
      analysed.push_back(elapsed());
      Cursor cursor;
      cursor.step = 5;
      renderer.begin(width, height, dark_theme().background);
      for (const View& view : views())
        renderer.draw(view.draw({r, cursor, dark_theme(), width / 2, height / 2}), 0, 0, 1);
      EXPECT_EQ(context.read().width, width);
      drawn.push_back(elapsed());
    }
    const auto median = [](std::vector<double>& ms) {  // but for the first, which compiles
      std::sort(ms.begin() + 1, ms.end());
      return ms[11];
    };
    std::cout << fmt::format(
        "{:<20} recorded after {:.2f} ms, analysed after {:.2f} ms, drawn after {:.2f} ms (medians of 20; "
        "slowest {:.2f} ms)\n",
        a.name, median(recorded), median(analysed), median(drawn), drawn.back());
    EXPECT_LT(median(drawn), 50) << a.name;
  }
}

class Converges : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string file = fmt::format("tests/kernels/{}.cuh", GetParam());
    const Algorithm a = parse_kernel(GetParam(), file, source_file(file));
    const Settings s{.algorithm = a.name, .n = 96, .block = 96, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 5);
    traced_ = gpu().record(a, s, input, s.n);
    emulated_ = emulator().record(a, *test_kernels(a.name), s, input);
    fast_ = gpu().run(a, s, input, s.n);
  }
  Trace traced_, emulated_;
  std::vector<Value> fast_;
};

// A warp's requests as text. Groups of lanes that have no lane in common have no order of their own (which
// side of a branch goes first is the hardware's choice): of those that could come next, the one on the
// smallest line does. And groups at the same place, one right after the other, count as one: the hardware may
// keep lanes apart that the rule brings together (on an H200 it does so once, behind the nested branches),
// but it may never bring lanes together that the rule keeps apart.
std::vector<std::string> requests(const Trace& trace, int warp) {
  std::vector<Event> rest, ordered;
  for (const Event& e : trace.events)
    if (e.warp == warp) rest.push_back(e);
  while (!rest.empty()) {
    std::uint32_t seen = 0;
    auto next = rest.end();
    for (auto it = rest.begin(); it != rest.end(); ++it) {
      if ((it->mask & seen) == 0 && (next == rest.end() || it->line < next->line)) next = it;
      seen |= it->mask;
    }
    const bool split = !ordered.empty() && ordered.back().line == next->line &&
                       ordered.back().kind == next->kind && (ordered.back().mask & next->mask) == 0;
    if (split) ordered.back().mask |= next->mask;
    else ordered.push_back(*next);
    rest.erase(next);
  }
  std::vector<std::string> all;
  for (const Event& e : ordered)
    all.push_back(
        fmt::format("step {} line {} kind {} mask {:08x}", e.step, e.line, static_cast<int>(e.kind), e.mask));
  return all;
}

TEST_P(Converges, AsTheEmulatorsRuleSays) {
  for (int warp = 0; warp < traced_.grids.front().warps(); ++warp)
    EXPECT_EQ(requests(traced_, warp), requests(emulated_, warp));
}

TEST_P(Converges, EveryLaneDoesTheSameWhateverTheOrder) {
  EXPECT_EQ(lane_histories(traced_), lane_histories(emulated_));
  EXPECT_TRUE(fast_ == traced_.output);
  EXPECT_TRUE(emulated_.output == traced_.output);
}

INSTANTIATE_TEST_SUITE_P(
    All, Converges,
    testing::Values("convergence_branches", "convergence_exits", "convergence_loops"),
    [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace upsweep
