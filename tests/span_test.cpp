// Tests the span: the length of the longest chain of operations in which each operation uses the result of
// the previous operation.
#include "analysis/span.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "analysis/work.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/look_at.hpp"

namespace upsweep {
namespace span_test {

Settings settings(std::string algorithm, int n, int block, int grid = 16) {
  Settings s;
  s.algorithm = std::move(algorithm);
  s.n = n;
  s.block = block;
  s.grid = grid;
  return s;
}

Trace record(const Settings& s, const RecordOptions& options = {}) {
  return Emulator().record(s, seeded_data(s, 7), options);
}

// In scan_per_output, the last thread makes n - 1 additions in sequence, for any number of threads.
TEST(Span, IsAtLeastTheWorkOfTheBusiestThread) {
  const Work w = work(record(settings("scan_per_output", 1024, 1024)));
  EXPECT_EQ(w.steps, 1);
  EXPECT_EQ(w.operations, 1024 * 1023 / 2);
  EXPECT_EQ(w.span, 1023);
  EXPECT_EQ(w.peak, 1023);  // all threads except thread 0, which only copies, make their first addition
  EXPECT_EQ(w.average(), 512);
}

// In reduce_two_pass, thread 0 adds all sums in sequence. A tree needs only log2(block) steps.
TEST(Span, ASerialTailIsLessParallelThanATree) {
  const Work tail = work(record(settings("reduce_two_pass", 4096, 256))),
             tree = work(record(settings("reduce_two_pass_tree", 4096, 256)));
  EXPECT_EQ(tail.operations, tree.operations);
  EXPECT_EQ(tail.span, 255 + 31);
  EXPECT_EQ(tree.span, 8 + 5);
  EXPECT_EQ(tail.peak, 16);
  EXPECT_EQ(tree.peak, 16 * 128);
}

// A child grid of a block depends only on values of this block, even if the child grid waits for other grids.
// Therefore the span must not contain such a wait.
TEST(Span, ChildrenOfDifferentBlocksDoNotDependOnEachOther) {
  Settings s = settings("reduce_nested", 4096, 256);
  const Work per_block = work(record(s));
  s.choices["children"] = "one_child";
  const Work one_child = work(record(s));
  EXPECT_EQ(per_block.span, 12);
  EXPECT_EQ(one_child.span, 12);
  EXPECT_GT(per_block.steps, 100);
}

TEST(Span, AnInstructionThatAddsUpAWarpAppliesTheOperatorInATree) {
  Settings s = settings("reduce_shuffle", 64, 64);
  s.type = Scalar::int32;
  s.choices["within_warp"] = "redux";
  const Work w = work(record(s));
  EXPECT_EQ(w.operations, 31 * 5);  // three warps in the first launch, and two warps in the second launch
  EXPECT_EQ(w.span, 20);
  EXPECT_EQ(w.peak, 32);
  EXPECT_EQ(w.steps, 4);
}

// The depth of an operation is the length of the longest chain that ends with this operation. The peak is the
// largest number of operations with the same depth. Therefore the peak must be at least the average.
TEST(Span, ThePeakIsAtLeastTheAverageForEveryAlgorithm) {
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (const int n : {100, 256, 1024}) {
      Settings s = first_settings(*a);
      s.n = n;
      s.block = std::max(32, a->least_threads);
      try {
        validate(s);
      } catch (const RequestError&) {
        s.block = smallest_block(*a, s);
        if (s.block > a->most_threads) continue;
      }
      const Work w = work(record(s));
      ASSERT_TRUE(w.peak) << describe(s);
      EXPECT_GE(static_cast<double>(*w.peak), w.average().value_or(0)) << describe(s);
      EXPECT_LE(*w.peak, w.operations) << describe(s);
    }
}

// These recordings contain only the events of two blocks. Nevertheless, their span must be the span of all
// blocks, because the emulator counts the span during the run.
TEST(Span, IsThatOfTheFormulaForManyBlocks) {
  RecordOptions few;
  few.blocks = 2;
  int known = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    if (!a->many_blocks && a->elements_per_thread) continue;
    int index = 0;
    for (Settings s : every_choice(*a)) {
      if (index++ % 2 != 0 && !tries_everything()) continue;  // because all choices would take long
      for (const auto& [n, block, grid] :
           {std::tuple{1 << 14, 64, 64}, std::tuple{1 << 14, 64, 256}, std::tuple{1 << 13, 32, 128}}) {
        if ((sanitized || grid == 256) && block != 32 && !tries_everything()) continue;
        s.n = n;
        s.block = std::max(block, a->least_threads);
        s.grid = grid;
        if (s.type == Scalar::float32) s.type = Scalar::uint32;
        try {
          validate(s);
        } catch (const RequestError&) { continue; }
        const auto promised = promise(*a, s);
        ASSERT_TRUE(promised && promised->span) << describe(s);
        if (promised->operations > (tries_everything() ? 1 << 20 : 1 << 18)) continue;
        const Trace trace = record(s, few);
        if (promised->at_most) EXPECT_LE(trace.span, promised->span) << describe(s);
        else EXPECT_EQ(trace.span, promised->span) << describe(s) << " grid " << grid;
        const bool all = std::ranges::all_of(trace.runs, &BlockRun::in_focus);
        EXPECT_EQ(span_of_events(trace).has_value(), all);
        known += !all;
      }
    }
  }
  EXPECT_GT(known, tries_everything() ? 30 : 15);
}

// The span must not depend on the order in which lanes, warps and blocks take turns.
TEST(Span, IsTheSameInEverySchedule) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    Settings s = first_settings(*a);
    s.n = 128;
    s.block = std::max(smallest_block(*a, s), a->least_threads);
    const Trace usual = record(s);
    for (const std::uint64_t schedule : {1, 2, 3}) {
      RecordOptions options;
      options.schedule = schedule;
      const Trace other = record(s, options);
      EXPECT_EQ(other.span, usual.span) << a->name;
      EXPECT_EQ(span_of_events(other)->length, usual.span) << a->name;
    }
  }
}

// Returns a copy of the recording without its span.
Trace silent(Trace trace) {
  trace.span = -1;
  trace.operating.clear();
  return trace;
}

TEST(Span, IsNotKnownIfValuesPassThroughBlocksOutOfFocus) {
  RecordOptions few;
  few.blocks = 1;
  const Settings s = settings("scan_large", 1000, 64);
  const Work w = work(silent(record(s, few)));
  EXPECT_FALSE(w.span);
  EXPECT_FALSE(w.peak);
  EXPECT_FALSE(w.average());
  EXPECT_GT(w.operations, 1000);
  EXPECT_EQ(work(silent(record(s))).span, work(record(s)).span);
  Trace dropped = silent(record(s));
  dropped.dropped = 1;
  EXPECT_FALSE(work(dropped).span);
}

// GPUs do not count the span, so it is computed from the events.
TEST(Span, OfRecordingsThatComeWithTheProgramIsThatOfTheFormula) {
  int known = 0;
  for (const Shipped& shipped : shipped_recordings()) {
    const Trace trace = open_recording(shipped.name);
    const auto found = span(trace);
    const Algorithm& a = algorithm(trace.settings.algorithm);
    if (!found || a.is_broken()) continue;
    const auto promised = promise(a, trace.settings);
    if (!promised || !promised->span) continue;
    EXPECT_EQ(found->length, promised->span) << shipped.name;
    ++known;
  }
  EXPECT_GT(known, 8);
}

TEST(Span, IsZeroWithoutOperations) {
  const Work w = work(record(settings("nested_hello", 64, 32)));
  EXPECT_EQ(w.span, 0);
  EXPECT_EQ(w.peak, 0);
  EXPECT_FALSE(w.average());
}

}  // namespace span_test
}  // namespace upsweep
