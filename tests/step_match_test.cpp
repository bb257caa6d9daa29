// Tests how the steps of two runs are paired. The runs are every algorithm with itself, random runs, and
// algorithms whose strides go in the same direction or in opposite directions.
#include "analysis/step_match.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "machine/emulator/emulator.hpp"

namespace upsweep {
namespace step_match_test {

Trace counted_alone(const std::string& name, int n, int block, const std::string& padding = "") {
  Settings s{.algorithm = name};
  fit_kind(algorithm(name), s);
  s.n = n;
  s.block = block;
  if (!padding.empty()) s.choose("layout", padding);
  return Emulator().record(s, random_data(s, 1), {.blocks = 0});
}

// Expects that every step of both runs occurs exactly once, and that the steps of each run are in order.
void expect_complete(const std::vector<StepPair>& pairs, const Trace& a, const Trace& b) {
  std::vector<int> left;
  std::set<int> right;
  for (const StepPair& p : pairs) {
    EXPECT_TRUE(p.baseline >= 0 || p.changed >= 0);
    if (p.baseline >= 0) left.push_back(p.baseline);
    if (p.changed < 0) continue;
    EXPECT_TRUE(right.empty() || *right.rbegin() < p.changed);
    EXPECT_TRUE(right.insert(p.changed).second);
  }
  ASSERT_EQ(left.size(), a.steps.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i], static_cast<int>(i));
  EXPECT_EQ(right.size(), b.steps.size());
}

// Selects the pairs whose step of run a has the phase `left`, or whose step of run b has the phase `right`.
// Returns the two strides of each pair, for example "16 4", or "16 -" if a step has no partner.
std::vector<std::string> strides(const std::vector<StepPair>& pairs, const Trace& a, const Trace& b,
                                 Phase left, Phase right) {
  std::vector<std::string> all;
  const auto stride = [](const Trace& t, int i) {
    return i < 0 ? std::string("-") : std::to_string(t.steps[static_cast<std::size_t>(i)].stride);
  };
  for (const StepPair& p : pairs)
    if ((p.baseline >= 0 && a.steps[static_cast<std::size_t>(p.baseline)].phase == left) ||
        (p.changed >= 0 && b.steps[static_cast<std::size_t>(p.changed)].phase == right))
      all.push_back(stride(a, p.baseline) + " " + stride(b, p.changed));
  return all;
}

TEST(StepMatch, ARunMatchesItselfStepByStep) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    Settings s{.algorithm = a->name};
    fit_kind(*a, s);
    s.n = a->largest.value_or(64) < 64 ? *a->largest : 64;
    s.block = smallest_block(*a, s);
    Trace t;
    try {
      t = Emulator().record(s, random_data(s, 1), {.blocks = 0});
    } catch (const std::exception&) { continue; }  // the algorithm does not accept this size
    for (const StepPair& p : match_steps(t, t)) EXPECT_EQ(p.baseline, p.changed) << a->name;
  }
}

TEST(StepMatch, PaddingChangesNoStep) {
  const Trace plain = counted_alone("scan_blelloch", 64, 32),
              padded = counted_alone("scan_blelloch", 64, 32, "pad32");
  for (const StepPair& p : match_steps(plain, padded)) EXPECT_EQ(p.baseline, p.changed);
}

TEST(StepMatch, StridesInTheSameDirectionAreMatchedByStride) {
  const Trace few = counted_alone("reduce_sequential", 16, 32),
              many = counted_alone("reduce_sequential", 64, 32);
  const auto pairs = match_steps(few, many);
  expect_complete(pairs, few, many);
  EXPECT_EQ(strides(pairs, few, many, Phase::reduce, Phase::reduce),
            (std::vector<std::string>{"- 32", "- 16", "8 8", "4 4", "2 2", "1 1"}));
}

TEST(StepMatch, StridesInOppositeDirectionsAreMatchedOneByOne) {
  const Trace up = counted_alone("reduce_interleaved", 64, 32),
              down = counted_alone("reduce_sequential", 64, 32);
  const auto pairs = match_steps(up, down);
  expect_complete(pairs, up, down);
  EXPECT_EQ(strides(pairs, up, down, Phase::reduce, Phase::reduce).front(), "1 32");
  EXPECT_EQ(strides(pairs, up, down, Phase::reduce, Phase::reduce).back(), "32 1");
}

TEST(StepMatch, ReduceAndUpSweepAreOneRole) {
  const Trace scan = counted_alone("scan_blelloch", 64, 32),
              reduction = counted_alone("reduce_interleaved", 64, 32);
  const auto pairs = match_steps(scan, reduction);
  expect_complete(pairs, scan, reduction);
  for (const std::string& s : strides(pairs, scan, reduction, Phase::up_sweep, Phase::reduce))
    EXPECT_EQ(s.find('-'), s.npos) << s;
  for (const std::string& s : strides(pairs, scan, reduction, Phase::down_sweep, Phase::down_sweep))
    EXPECT_TRUE(s.ends_with(" -")) << s;
}

// The steps of a run that have the same role, such as the down-sweep. A pass is a sequence of steps with the
// same stride. For example, five steps with the strides 1 1 2 2 1 belong to the passes 0 0 1 1 2.
struct Passes {
  std::vector<int> strides;    // the stride of each pass
  std::map<int, int> pass_of;  // the pass of each step
};

std::string role(const Phase& phase) {
  return phase == Phase::reduce    ? "up_sweep"
         : phase == Phase::reverse ? "down_sweep"
                                   : std::string(phase.name());
}

std::map<std::string, Passes> passes_of(const Trace& t) {
  std::map<std::string, Passes> all;
  for (int i = 0; i < std::ssize(t.steps); ++i) {
    const Step& step = t.steps[static_cast<std::size_t>(i)];
    if (step.stride == 0) continue;
    Passes& p = all[role(step.phase)];
    if (p.strides.empty() || p.strides.back() != step.stride) p.strides.push_back(step.stride);
    p.pass_of[i] = static_cast<int>(std::ssize(p.strides)) - 1;
  }
  return all;
}

// Returns the roles in the order in which a run goes through them. Leaves out the roles without strides, and
// the roles that the other run does not have.
std::vector<std::string> roles_in_order(const Trace& t, const std::map<std::string, Passes>& other) {
  std::vector<std::string> all;
  for (const Step& step : t.steps)
    if (step.stride > 0 && other.contains(role(step.phase)) &&
        (all.empty() || all.back() != role(step.phase)))
      all.push_back(role(step.phase));
  return all;
}

// If a role has the same strides in the same order in both runs, equal strides must be paired. The test
// leaves out two runs that have the roles in different orders, because their pairs of steps would cross.
TEST(StepMatch, EqualStridesOfAnyTwoAlgorithmsArePaired) {
  std::map<std::string, std::vector<int>> checked;  // for each role: the longest list of strides
  for (const int n : {32, 33, 64, 200}) {
    std::vector<Trace> runs;
    for (const Algorithm* a : correct_algorithms(Language::cuda)) {
      Settings s{.algorithm = a->name, .n = n};
      fit_kind(*a, s);
      s.n = n;
      s.block = smallest_block(*a, s);
      try {
        runs.push_back(Emulator().record(s, random_data(s, 1), {.blocks = 0}));
      } catch (const std::exception&) {}  // the algorithm does not accept this size
    }
    EXPECT_GT(runs.size(), 20u);
    for (const Trace& a : runs)
      for (const Trace& b : runs) {
        const auto left = passes_of(a), right = passes_of(b);
        const auto pairs = match_steps(a, b);
        expect_complete(pairs, a, b);
        if (roles_in_order(a, right) != roles_in_order(b, left)) continue;
        for (const auto& [role, passes] : left) {
          const auto other = right.find(role);
          if (other == right.end() || other->second.strides != passes.strides || passes.strides.size() < 2)
            continue;
          SCOPED_TRACE(a.settings.algorithm + ", " + b.settings.algorithm + ", n = " + std::to_string(n));
          std::set<int> paired;
          for (const StepPair& p : pairs) {
            const auto one = passes.pass_of.find(p.baseline);
            const auto two = other->second.pass_of.find(p.changed);
            if (one == passes.pass_of.end() || two == other->second.pass_of.end()) continue;
            ASSERT_EQ(one->second, two->second) << role << ": stride " << passes.strides[one->second];
            paired.insert(one->second);
          }
          ASSERT_EQ(paired.size(), passes.strides.size()) << role;
          if (&a != &b && checked[role].size() < passes.strides.size()) checked[role] = passes.strides;
        }
      }
  }
  for (const char* role : {"up_sweep", "down_sweep", "scan"}) EXPECT_GE(checked[role].size(), 6u) << role;
}

// The Hillis-Steele scan takes two steps for each stride: after the second step, the sums of the stride are
// in memory. So the second step is paired with the only step of the double-buffer scan.
TEST(StepMatch, TheLastStepOfAStrideIsPaired) {
  for (const int n : {4, 7, 32, 100, 1024}) {
    const int block = (n + 31) / 32 * 32;
    const Trace two = counted_alone("scan_hillis_steele", n, block),
                one = counted_alone("scan_double_buffer", n, block);
    std::vector<std::string> expected, swapped;
    for (int stride = 1; stride < n; stride *= 2)
      for (const std::string other : {"-", "s"}) {
        const std::string s = std::to_string(stride), partner = other == "s" ? s : "-";
        expected.push_back(s + " " + partner);
        swapped.push_back(partner + " " + s);
      }
    EXPECT_EQ(strides(match_steps(two, one), two, one, Phase::scan, Phase::scan), expected) << n;
    EXPECT_EQ(strides(match_steps(one, two), one, two, Phase::scan, Phase::scan), swapped) << n;
  }
}

// The shuffle scan goes through the strides twice: it scans the elements, and then the sums of the warps. The
// scan of the elements is paired with the other algorithm's scan of the elements.
TEST(StepMatch, TheFirstPassOverTheStridesIsPairedWithTheFirstPass) {
  const Trace memory = counted_alone("scan_hillis_steele", 32, 32),
              shuffles = counted_alone("scan_warp_shuffle", 32, 32);
  EXPECT_EQ(strides(match_steps(memory, shuffles), memory, shuffles, Phase::scan, Phase::scan),
            (std::vector<std::string>{"1 -", "1 1", "2 -", "2 2", "4 -", "4 4", "8 -", "8 8", "16 -", "16 16",
                                      "- 1", "- 2", "- 4", "- 8", "- 16"}));
}

// A broken loop repeats one stride forever. The first steps of this loop are paired, in order, with the steps
// of the correct loop.
TEST(StepMatch, ARepeatedStrideIsPairedInOrder) {
  Trace right, broken;
  for (Trace* t : {&right, &broken}) t->grids.emplace_back();
  for (const int stride : {32, 16, 8, 4}) right.steps.push_back({Phase::reduce, stride});
  for (int i = 0; i < 9; ++i) broken.steps.push_back({Phase::reduce, 32});
  const auto pairs = match_steps(broken, right);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(pairs.at(static_cast<std::size_t>(i)), (StepPair{i, i < 4 ? i : -1}));
}

TEST(StepMatch, RandomRunsLoseNoStep) {
  std::mt19937 random(7);
  constexpr const char* phases[] = {"load", "up_sweep", "reduce", "down_sweep", "store", "other"};
  for (int round = 0; round < 500; ++round) {
    Trace t[2];
    for (Trace& trace : t) {
      const int grids = 1 + static_cast<int>(random() % 3);
      for (int g = 0; g < grids; ++g) {
        trace.grids.emplace_back().first_step = static_cast<std::uint32_t>(trace.steps.size());
        const int count = 1 + static_cast<int>(random() % 12);
        for (int i = 0; i < count; ++i)
          trace.steps.push_back({Phase(std::string_view(phases[random() % 6])), 1 << random() % 5});
      }
    }
    expect_complete(match_steps(t[0], t[1]), t[0], t[1]);
  }
}

}  // namespace step_match_test
}  // namespace upsweep
