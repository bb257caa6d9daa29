// Removes one barrier at a time from each kernel, and runs the kernel with several schedules. The advice of
// each finding must name an interval of lines that contains the removed barrier. If a finding only refers to
// another finding, both findings must have the same interval.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/hazards.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "emulated/bug_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/hazard_script.hpp"
#include "support/long_tests.hpp"
#include "support/planted_bugs.hpp"
#include "trace/kernel_text.hpp"
#include "words/hazard_words.hpp"

namespace upsweep {
namespace advice_test {

// Returns the number and the text of each line that begins with a barrier.
std::vector<std::pair<int, std::string>> barriers_of(const Algorithm& a) {
  std::vector<std::pair<int, std::string>> found;
  if (a.name == "bug_barrier_in_divergent_loop") return {};  // this kernel's barrier is the bug
  const std::vector<std::string> lines = planted::lines_of(a.text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find_first_not_of(' ') == lines[i].find("__sync")) found.emplace_back(i + 1, lines[i]);
  std::erase_if(found, [](const auto& b) { return b.second.empty() || b.second.starts_with("//"); });
  return found;
}

bool holds(const LineInterval& i, int line) {
  return i.next_round ? line > i.from || line < i.to : line > i.from && line < i.to;
}

class WithoutABarrier : public testing::TestWithParam<std::string> {};

TEST_P(WithoutABarrier, AllAdviceLeadsToItsLine) {
  const Algorithm& a = algorithm(GetParam());
  const bool thorough = tries_everything();
  const KernelText text(a.text);
  Emulator emulator;
  for (const auto& [line, barrier] : barriers_of(a))
    for (int schedule = 0; schedule < (thorough ? 8 : 3); ++schedule)
      for (const int n : thorough ? std::vector{64, 100, 333, 512} : std::vector{150}) {
        Settings s = first_settings(a);
        s.n = n;
        s.type = Scalar::int32;
        if (!a.many_blocks) s.block = std::max(64, smallest_block(a, s));
        s.without_barrier = line;
        RecordOptions options;
        options.blocks = UINT32_MAX;
        options.schedule = static_cast<std::uint64_t>(schedule);
        const Trace trace = emulator.record(s, seeded_data(s, 3), options);
        const Hazards h = hazards(trace);
        bool all_follow = true;
        for (const HazardFinding& f : h.findings) {
          if (f.advice == Advice::race_first) {
            const auto cause = std::ranges::find_if(h.findings, [&](const HazardFinding& g) {
              return g.other.line == f.cause && g.party.line == f.other_cause;
            });
            ASSERT_NE(cause, h.findings.end());
            EXPECT_NE(cause->advice, Advice::race_first);
            EXPECT_EQ(f.interval, cause->interval);
          } else {
            all_follow = false;
          }
          if (a.is_broken() && !holds(f.interval, line)) continue;  // f is about the kernel's own bug
          SCOPED_TRACE(fmt::format("{} without line {}, n {}, schedule {}: {} {} {}", a.name, line, n,
                                   schedule, name(f.kind), what_happens(trace, f), advice_text(trace, f)));
          EXPECT_TRUE(holds(f.interval, line));
          EXPECT_EQ(f.branch, 0);
          EXPECT_EQ(f.warp_barrier, barrier.find("__syncwarp") != barrier.npos);
          for (const KernelText::Statement& branch : text.statements())
            if (branch.kind == KernelText::Statement::Kind::branch &&
                branch.together > (f.warp_barrier ? Together::warp : Together::block)) {
              EXPECT_FALSE(branch.first <= f.interval.from && f.interval.from < branch.last &&
                           branch.first < f.interval.to && f.interval.to <= branch.last)
                  << "inside the branch of line " << branch.first;
            }
        }
        EXPECT_EQ(all_follow, h.findings.empty());
      }
}
INSTANTIATE_TEST_SUITE_P(Catalogue, WithoutABarrier, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Algorithm& a : cuda_algorithms())
                             if (!barriers_of(a).empty()) names.push_back(a.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

// Returns the number of the first line of code that contains `part`.
int line_with(const Algorithm& a, const std::string& part) {
  const std::vector<std::string> lines = planted::lines_of(a.text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].starts_with("//") && lines[i].find(part) != std::string::npos)
      return static_cast<int>(i) + 1;
  ADD_FAILURE() << part;
  return 0;
}

Hazards hazards_of(const std::string& name, int n, std::uint64_t schedule) {
  Settings s;
  s.algorithm = name;
  s.n = n;
  s.block = 64;
  s.type = Scalar::int32;
  return hazards(Emulator().record(s, seeded_data(s, 3), {.schedule = schedule}));
}

// In each iteration of the kernel's loop, threads read a cell and then write a cell within one branch. The
// advice must be to end the branch after the read, because no barrier is allowed inside the branch.
TEST(AdviceInABranch, EndsTheBranch) {
  const Algorithm& a = algorithm("bug_two_barriers_needed");
  for (const std::uint64_t schedule : {0, 1, 2, 3, 4, 5}) {
    const Hazards h = hazards_of(a.name, 64, schedule);
    ASSERT_FALSE(h.findings.empty());
    for (const HazardFinding& f : h.findings) {
      EXPECT_EQ(f.advice, Advice::split_branch) << schedule;
      EXPECT_EQ(f.branch, line_with(a, "if (t >= stride"));
      EXPECT_EQ(f.interval.from, line_with(a, "T left ="));
      EXPECT_EQ(f.interval.to, line_with(a, "temp[t] = op(left, right)"));
      EXPECT_FALSE(f.interval.next_round);
    }
  }
}

// In each iteration of the kernel's loop, threads read cells and then write cells. The advice must name the
// places of two barriers. One barrier is between the read and the write of an iteration. The other barrier is
// between this write and the read of the next iteration.
TEST(Advice, NamesTwoPlacesIfOneBarrierIsNotEnough) {
  const Algorithm& a = algorithm("reduce_unrolled_warp");
  Settings s{.algorithm = a.name, .n = 512, .block = 64, .type = Scalar::int32};
  s.choose("tail", "volatile_only");
  const Trace trace = Emulator().record(s, seeded_data(s, 3));
  const Hazards h = hazards(trace);
  ASSERT_EQ(h.findings.size(), 1u);
  const HazardFinding& f = h.findings[0];
  EXPECT_EQ(f.advice, Advice::sync_warp);
  ASSERT_NE(f.second.from, 0);
  // f.interval is the place of the barrier between the two accesses of the finding. If these accesses are in
  // different steps, this place is between two iterations. Otherwise, the second place is between two
  // iterations.
  EXPECT_EQ(f.interval.next_round, f.party.step != f.other.step);
  EXPECT_NE(f.interval.next_round, f.second.next_round);
  EXPECT_NE(advice_text(trace, f).find(", and another "), std::string::npos);
}

TEST(Advice, KeepsThreadsFromReturningBeforeABarrier) {
  const Hazards h = hazards_of("bug_return_before_barrier", 100, 0);
  ASSERT_FALSE(h.findings.empty());
  EXPECT_TRUE(std::ranges::any_of(h.findings,
                                  [](const HazardFinding& f) { return f.advice == Advice::do_not_return; }));
  EXPECT_TRUE(std::ranges::none_of(h.findings,
                                   [](const HazardFinding& f) { return f.advice == Advice::move_barrier; }));
}

std::vector<HazardFinding> races_of(const std::string& name) {
  std::vector<HazardFinding> races;
  for (const PlantedBug& bug : planted_bugs("emulated_alone"))
    if (bug.name == name) {
      const Trace trace = Emulator().record(bug.algorithm, *bug_kernels(bug.file), bug.settings,
                                            seeded_data(bug.settings, 3), {});
      for (const HazardFinding& f : hazards(trace).findings)
        if (is_race(f.kind)) races.push_back(f);
    }
  EXPECT_FALSE(races.empty()) << name;
  return races;
}

int line_of_planted(const std::string& part) {
  const std::vector<std::string> lines = planted::lines_of(source_file("tests/bugs/emulated_alone.cuh"));
  const auto found =
      std::ranges::find_if(lines, [&](const std::string& l) { return l.find(part) != l.npos; });
  EXPECT_NE(found, lines.end()) << part;
  return static_cast<int>(found - lines.begin()) + 1;
}

// In a kernel with a lock, the advice must name no barrier: threads that wait for the lock would never reach
// a barrier between the lock and its release.
TEST(Advice, LeavesTurnsToTheFlag) {
  for (const HazardFinding& f : races_of("lock_without_a_fence")) {
    EXPECT_EQ(f.advice, Advice::order_by_flag);
    EXPECT_EQ(f.interval.from, 0);
  }
}

TEST(Advice, ComesAfterTheLastConditionOfALoop) {
  const int store = line_of_planted("if (t == 0) count[0] = 7;");
  for (const HazardFinding& f : races_of("race_with_a_loops_end")) {
    EXPECT_EQ(f.interval.from, store - 1);
    EXPECT_EQ(f.interval.to, store);
  }
}

TEST(Advice, EndsABranchBeforeItsElse) {
  for (const HazardFinding& f : races_of("race_between_two_branches")) {
    EXPECT_EQ(f.advice, Advice::split_branch);
    EXPECT_EQ(f.branch, line_of_planted("  else {") - 3);
  }
}

TEST(Advice, NamesTheLanesOfABranch) {
  for (const HazardFinding& f : races_of("race_in_half_a_warp")) {
    EXPECT_EQ(f.advice, Advice::sync_lanes);
    EXPECT_EQ(f.branch, line_of_planted("if (lane < 16)"));
  }
}

// One lane reads the flag, and another lane of the same warp reads the data. If the warp barrier between the
// two reads is missing, the advice must be to add a warp barrier there.
TEST(Advice, PassesAFlagOnWithinAWarp) {
  const Algorithm& a = algorithm("scan_decoupled_lookback");
  const int line = line_with(a, "__syncwarp();     // now the other lanes have read their status words, too");
  Settings s{.algorithm = a.name, .n = 1000, .block = 64, .type = Scalar::int32, .without_barrier = line};
  RecordOptions options;
  options.blocks = UINT32_MAX;
  const Hazards h = hazards(Emulator().record(s, seeded_data(s, 3), options));
  ASSERT_FALSE(h.findings.empty());
  for (const HazardFinding& f : h.findings) {
    EXPECT_EQ(f.advice, Advice::sync_warp) << name(f.kind) << " " << f.party.line;
    EXPECT_TRUE(holds(f.interval, line));
  }
}

// If one missing barrier causes races between several pairs of lines, the advice must be the same for all
// pairs.
TEST(AdviceOfALoop, IsTheSameForAllItsPairs) {
  const Algorithm& a = algorithm("bug_barrier_removed");
  for (const std::uint64_t schedule : {0, 1, 2, 3, 4, 5}) {
    std::set<std::string> advice;
    const Hazards h = hazards_of(a.name, 128, schedule);
    for (const HazardFinding& f : h.findings) {
      EXPECT_EQ(f.advice, Advice::sync_block);
      EXPECT_TRUE(holds(f.interval, line_with(a, "was removed here")));
      advice.insert(fmt::format("{} {} {}", f.interval.from, f.interval.to, f.interval.next_round));
    }
    EXPECT_EQ(advice.size(), 1u) << schedule;
  }
}

// The advice about two accesses must depend only on their lines in the text and on their steps, and not on
// which access happened first.
TEST(Advice, KnowsLoops) {
  const auto advice = [](int first, int first_step, int second, int second_step) {
    std::string said;
    for (const bool swapped : {false, true}) {
      Script s(1, 64);
      s.t.text =
          "__global__ void test(int n) {\n"     // 1
          "  Shared<T> temp;\n"                 // 2
          "  temp[t] = in[t];\n"                // 3
          "  for (int i = 0; i < n; ++i) {\n"   // 4
          "    step(Phase::load);\n"            // 5
          "    T x = temp[t + 1];  // a { b\n"  // 6
          "    if (threadIdx.x < n) {\n"        // 7
          "      temp[t] = x;\n"                // 8
          "    }\n"                             // 9
          "  }\n"                               // 10
          "  temp[0] = x;\n"                    // 11
          "}\n";
      s.t.steps.assign(4, {Phase::load, 1});
      s.t.grids[0].steps = 4;
      for (const bool one_first : {!swapped, swapped}) {
        s.write(0, one_first ? 0 : 1, one(one_first ? 0 : 1), one_first ? first : second, at(0));
        s.t.events.back().step = static_cast<std::uint32_t>(one_first ? first_step : second_step);
      }
      Trace t = s.trace();
      std::ranges::stable_sort(t.events, {}, &Event::step);
      const std::string text = advice_text(t, hazards(t).findings.at(0));
      if (swapped) { EXPECT_EQ(text, said); }
      said = text;
    }
    return said;
  };
  EXPECT_EQ(advice(3, 0, 6, 1), "Put a __syncthreads() between line 3 and line 6.");
  EXPECT_EQ(advice(8, 1, 6, 2),
            "Put a __syncthreads() into the loop of line 4, after line 9 or before line 6.");
  EXPECT_EQ(advice(6, 1, 8, 2),
            "Put a __syncthreads() into the loop of line 4, after line 6 or before line 7.");
  EXPECT_EQ(advice(6, 1, 8, 1), "Put a __syncthreads() between line 6 and line 7.");
  EXPECT_EQ(advice(6, 1, 6, 2),
            "Put a __syncthreads() into the loop of line 4, after line 6 or before line 6.");
  EXPECT_EQ(advice(6, 2, 11, 2), "Put a __syncthreads() between line 6 and line 11.");
  EXPECT_EQ(advice(11, 2, 11, 2).substr(0, 26), "Let only one thread write ");
}

}  // namespace advice_test
}  // namespace upsweep
