// Tests how the steps of two runs are paired. The runs are every algorithm with itself, random runs, and
// algorithms whose strides go in the same direction or in opposite directions.
#include "analysis/step_match.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

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

// Returns the strides of the pairs of steps whose phase is `left` in run a or `right` in run b. For example,
// "16 4" stands for a pair, and "16 -" for a step without a partner.
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
