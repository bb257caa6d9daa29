// Tests wrong results: which element is wrong, and where the run first differs from the run of the correct
// kernel.
#include "study/wrong_result.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/departure.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "support/endless.hpp"
#include "support/long_tests.hpp"
#include "support/sanitizers.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace wrong_result_test {

Settings settings_for(const Algorithm& a, int n, int block = 64) {
  Settings s{.algorithm = a.name, .n = n, .type = Scalar::int64};
  fit_kind(a, s);
  s.block = a.many_blocks ? std::max(block, a.least_threads) : smallest_block(a, s);
  s.grid = 4;
  return s;
}

Trace run(const Settings& s, std::uint64_t schedule = 0, std::uint64_t seed = 3, bool lockstep = false) {
  RecordOptions options;
  options.blocks = UINT32_MAX;
  options.schedule = schedule;
  options.lockstep = lockstep;
  return Emulator().record(s, seed % 2 ? seeded_data(s, seed) : random_data(s, seed), options);
}

std::vector<const Algorithm*> bugs() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& a : cuda_algorithms())
    if (a.is_broken()) all.push_back(&a);
  return all;
}

std::set<int> lines_of_flaws(const Algorithm& a) {
  std::set<int> lines;
  for (const Flaw& f : a.flaws) lines.insert(f.line);
  return lines;
}

// Returns the lines of both parties of every finding. The parties of a race are its two accesses.
std::set<int> lines_of_findings(const Trace& trace) {
  std::set<int> lines;
  for (const HazardFinding& f : hazards(trace).findings) lines.insert({f.party.line, f.other.line});
  return lines;
}

TEST(RightKernel, IsACorrectOneWithTheSameResult) {
  EXPECT_EQ(bugs().size(), 18u);
  for (const Algorithm* a : bugs()) {
    ASSERT_TRUE(a->right) << a->name;
    const Algorithm& right = algorithm(a->right->algorithm);
    EXPECT_FALSE(right.is_broken()) << a->name;
    EXPECT_EQ(right.commutative, a->commutative) << a->name;
    for (const auto& [choice, option] : a->right->choices) {
      ASSERT_NE(right.choice(choice), nullptr) << a->name;
      EXPECT_NE(right.choice(choice)->option(option), nullptr) << a->name;
    }
    for (const int n : {1, 2, 31, 100, 777}) {
      const Settings s = settings_for(*a, n);
      const auto other = right_settings(*a, s);
      ASSERT_TRUE(other) << a->name << " " << n;
      EXPECT_EQ(result_of(right, *other), result_of(*a, s)) << a->name;
      EXPECT_EQ(other->n, n);
      const Trace trace = run(*other);
      EXPECT_FALSE(wrong_result(trace)) << a->name;
    }
  }
}

class BugWithWrongResult : public testing::TestWithParam<std::string> {};

// A kernel file lists the flaws (bugs) of its kernel. If a bug causes a wrong result, the analysis must name
// the line of a flaw. If no flaw has the kind `wrong result`, the analysis may also name a line of a hazard.
TEST_P(BugWithWrongResult, HasAPlace) {
  const Algorithm& a = algorithm(GetParam());
  std::mt19937 random(5);
  const bool promised =
      std::any_of(a.flaws.begin(), a.flaws.end(), [](const Flaw& f) { return f.kind == "wrong result"; });
  int wrong_runs = 0, sizes = 0;
  for (const int n : {1, 2, 33, 100, 512, 1000, 1 + static_cast<int>(random() % 1500)}) {
    if (n > 512 && is_endless(a) && !tries_everything()) continue;  // because such a recording is long
    ++sizes;
    for (const std::uint64_t schedule : {0, 1, 7}) {
      const Trace trace =
          run(settings_for(a, n), schedule, 2 * (random() % 1000));  // numbers that do not occur twice
      if (trace.stopped && schedule > 0) continue;                   // recordings of stopped runs are long
      const auto wrong = wrong_result(trace);
      EXPECT_EQ(static_cast<bool>(wrong),
                static_cast<bool>(check(trace.settings, trace.input, trace.output)));
      if (!wrong) continue;
      ++wrong_runs;
      EXPECT_EQ(wrong->right, a.right->algorithm);
      ASSERT_TRUE(wrong->departure) << a.name << " n = " << n << ", schedule " << schedule;
      EXPECT_LT(wrong->departure->step, trace.steps.size());
      // A run that never ends must first differ from the run of the correct kernel in the first or second
      // iteration of the endless loop. With n = 1, only the result is wrong.
      if (trace.stopped && n > 1) { EXPECT_LE(wrong->departure->step, 2u) << "the second iteration"; }
      if (trace.stopped || n < 100) continue;  // perhaps this run does not execute the flawed lines
      std::set<int> lines = lines_of_flaws(a);
      if (lines.contains(0)) continue;  // this flaw has no line
      if (!promised) lines.merge(lines_of_findings(trace));
      EXPECT_TRUE(lines.contains(wrong->departure->line))
          << a.name << " n = " << n << ", schedule " << schedule << ": " << departure_text(trace, *wrong);
    }
  }
  if (promised) { EXPECT_GE(wrong_runs, 6) << "of " << 3 * sizes; }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, BugWithWrongResult, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Algorithm* a : bugs()) names.push_back(a->name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

// The departure is the place where a run first differs from the run of the correct kernel. The place must not
// depend on the numbers in the input. If all these numbers are equal, a sum of the wrong elements can have
// the correct value. Even then, the departure must be at the same place as with different numbers.
TEST(Departure, DependsOnlyOnWhatValuesConsistOf) {
  for (const char* name : {"bug_missing_fold", "bug_partition_remainder", "bug_lost_root_clear",
                           "bug_stray_semicolon", "bug_tail_added_twice", "bug_missing_breaks"}) {
    const Settings s = settings_for(algorithm(name), 900);
    std::optional<Departure> first;
    for (const int same : {0, 1, 2}) {
      std::vector<Value> input = seeded_data(s, 4);
      if (same == 1) std::fill(input.begin(), input.end(), input[1]);
      if (same == 2) set_scalar(input[5], s.type, 0, 1000);
      RecordOptions all;
      all.blocks = UINT32_MAX;
      const auto wrong = wrong_result(Emulator().record(s, input, all));
      if (!wrong) continue;
      ASSERT_TRUE(wrong->departure) << name;
      if (!first) first = wrong->departure;
      EXPECT_EQ(std::tuple(wrong->departure->step, wrong->departure->line),
                std::tuple(first->step, first->line))
          << name;
    }
    EXPECT_TRUE(first) << name;
  }
}

TEST(Departure, SaysWhatTheThreadDid) {
  const auto text = [](const char* name, int n, int block = 64) {
    const Trace trace = run(settings_for(algorithm(name), n, block));
    const auto wrong = wrong_result(trace);
    return wrong ? wrong_text(trace, mistake_of(*wrong, trace.settings), wrong) : "";
  };
  EXPECT_EQ(text("bug_lost_root_clear", 8),
            "Wrong result: out[0] is 54, expected 0. The run first differs from scan_blelloch in step 5, "
            "line 51: thread 0 reads 54 from temp[7], expected 0.");
  EXPECT_EQ(text("bug_partition_remainder", 100),
            "Wrong result: out[0] is 0, expected 473. The run first differs from reduce_two_pass_blocked in "
            "step 1, line 33: thread 1 of block 0 writes 0 to temp[1], expected 7.");
  EXPECT_EQ(text("bug_half_stored", 8),
            "Wrong result: no thread wrote out[4], expected 29. The run first differs from scan_brent_kung "
            "in step 7, line 56: no thread stores to out[4] after this line.");
  EXPECT_EQ(text("bug_output_never_written", 8),
            "Wrong result: no thread wrote out[0], expected 7. The run first differs from scan_hillis_steele "
            "in step 7, line 33: no thread stores to out[0] after this line.");
  EXPECT_EQ(text("bug_half_loaded", 8),
            "Wrong result: out[4] is 28, expected 29. The run first differs from scan_brent_kung in step 6, "
            "line 44: thread 1 reads temp[4], which no thread wrote before, expected 1.");
}

// If a barrier is missing, at least 90 % of the wrong runs must first differ from the run of the correct
// kernel at a line of a race. There are two reasons for exceptions.
//
// The order of lanes in one request is not recorded, so the analysis may notice an overwritten value only
// when the value is read. Blocks that take their tiles from a counter may take other tiles on another
// schedule.
TEST(Departure, OfARaceIsOneOfItsAccesses) {
  int wrong_runs = 0, placed = 0;
  std::string elsewhere;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    for (const int line : barrier_lines(a)) {
      Settings s = settings_for(a, 300);
      s.without_barrier = line;
      for (const std::uint64_t schedule : {0, 5}) {
        if (schedule == 0 && sanitized) continue;
        const Trace trace = run(s, schedule, 4);  // no number occurs twice
        if (trace.stopped) continue;
        const auto wrong = wrong_result(trace);
        if (!wrong) continue;
        ++wrong_runs;
        EXPECT_EQ(wrong->right, "");
        if (!wrong->departure) {
          ADD_FAILURE() << a.name << " without the barrier of line " << line << ", schedule " << schedule;
          continue;
        }
        const bool at_race = lines_of_findings(trace).contains(wrong->departure->line);
        placed += at_race;
        if (!at_race) elsewhere += departure_text(trace, *wrong) + "\n";
      }
    }
  }
  EXPECT_GT(wrong_runs, 30);
  EXPECT_GE(100 * placed, 90 * wrong_runs) << elsewhere;
}

TEST(WrongResult, KnowsThatNoThreadWroteTheElement) {
  for (const char* name : {"bug_output_never_written", "bug_half_stored"})
    for (const int n : {2, 9, 100}) {
      const Recording r = make_recording(run(settings_for(algorithm(name), n)));
      ASSERT_TRUE(r.wrong) << name;
      EXPECT_FALSE(r.wrong->written);
      EXPECT_NE(in_words(r.mistake).find("no thread wrote out["), std::string::npos) << in_words(r.mistake);
      ASSERT_TRUE(r.wrong->departure);
      EXPECT_EQ(r.wrong->departure->how, Departure::How::ends);
    }
  const Recording right = make_recording(run(settings_for(algorithm("scan_blelloch"), 100)));
  EXPECT_FALSE(right.wrong);
  EXPECT_EQ(wrong_text(right), "");
}

TEST(WrongResult, OfARunWithFewBlocksInFocusHasAPlaceToo) {
  Settings s = settings_for(algorithm("bug_missing_fold"), 20333);
  for (const std::uint32_t first : {0u, 7u}) {
    RecordOptions few;
    few.first_block = first;
    few.blocks = 1;
    const auto wrong = wrong_result(Emulator().record(s, seeded_data(s, 3), few));
    ASSERT_TRUE(wrong && wrong->departure);
    EXPECT_EQ(wrong->departure->line, algorithm(s.algorithm).flaws[0].line);
    EXPECT_EQ(wrong->departure->block, 39u) << "the last block of 40 has the tail";
  }
}

TEST(WrongResult, OfALargeRunHasNoPlace) {
  Settings s = settings_for(algorithm("bug_partition_remainder"), (1 << 20) + 3);
  RecordOptions few;
  few.blocks = 1;
  const auto wrong = wrong_result(Emulator().record(s, seeded_data(s, 3), few));
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->departure);
}

TEST(WrongResult, IsLookedForOnlyAsLongAsTheJobIsWanted) {
  const Trace trace = run(settings_for(algorithm("bug_missing_fold"), 5001));
  Job job;
  EXPECT_TRUE(wrong_result(trace, &job)->departure);
  job.cancel();
  EXPECT_THROW(wrong_result(trace, &job), Cancelled);
}

// In a recording of an earlier version, the text of a broken kernel does not name the correct kernel. In this
// case, the analysis must use the correct kernel that the catalogue names.
TEST(WrongResult, OfAnOlderTextUsesTheCataloguesRightKernel) {
  Trace trace = run(settings_for(algorithm("bug_lost_root_clear"), 64));
  const auto at = trace.text.find("// Right"), end = trace.text.find('\n', at);
  trace.text.replace(at, end - at, "// Needs       scalar");
  const auto wrong = wrong_result(trace);
  ASSERT_TRUE(wrong && wrong->departure);
  EXPECT_EQ(wrong->departure->line, algorithm("bug_lost_root_clear").flaws[0].line);
  trace.settings.algorithm = trace.text = "unknown";
  EXPECT_FALSE(wrong_result(trace));
}

}  // namespace wrong_result_test
}  // namespace upsweep
