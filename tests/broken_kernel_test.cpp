// Tests the kernels of the catalogue that are broken on purpose. The analyses must find each bug in the line
// that the opening comment names, and a run must not crash the program. The analyses must find nothing in a
// correct kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/hazards.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/endless.hpp"
#include "support/long_tests.hpp"
#include "support/sanitizers.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace broken_kernel_test {

std::vector<std::string> names(bool broken) {
  std::vector<std::string> all;
  for (const Algorithm& a : cuda_algorithms())
    if (a.is_broken() == broken && can_be_emulated(first_settings(a))) all.push_back(a.name);
  return all;
}

RecordOptions all_blocks(std::uint64_t schedule) {
  RecordOptions options;
  options.blocks = UINT32_MAX;
  options.schedule = schedule;
  return options;
}

std::string text_of(const Trace& trace, const Hazards& h) {
  std::string text;
  for (const HazardFinding& f : h.findings)
    text += fmt::format("  {}, lines {} and {}: {}\n", name(f.kind), f.party.line, f.other.line,
                        what_happens(trace, f));
  return text;
}

class BrokenKernel : public testing::TestWithParam<std::string> {};

TEST_P(BrokenKernel, IsFoundOutAtItsLine) {
  const Algorithm& a = algorithm(GetParam());
  Emulator emulator;
  const int n = is_endless(a) && !tries_everything() ? 100 : 1000;  // because endless runs are long
  for (const std::uint64_t schedule : {0, 1, 2}) {
    Settings s{.algorithm = a.name, .n = n};
    s.block = a.many_blocks ? 64 : smallest_block(a, s);
    const std::vector<Value> input = seeded_data(s, 3);
    const Trace trace = emulator.record(s, input, all_blocks(schedule));
    const Hazards h = hazards(trace);
    for (const Flaw& flaw : a.flaws) {
      if (flaw.kind == "wrong result") {
        EXPECT_TRUE(check(s, input, trace.output));
        continue;
      }
      EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(),
                              [&](const HazardFinding& f) {
                                return name(f.kind) == flaw.kind &&
                                       (f.party.line == flaw.line || f.other.line == flaw.line);
                              }))
          << flaw.kind << " in line " << flaw.line << " is not found\n"
          << text_of(trace, h);
    }
    // The opening comment must name every kind of hazard that the analyses find.
    for (const HazardFinding& f : h.findings)
      EXPECT_TRUE(std::any_of(a.flaws.begin(), a.flaws.end(), [&](const Flaw& flaw) {
        return name(f.kind) == flaw.kind;
      })) << text_of(trace, h);
    EXPECT_EQ(static_cast<bool>(trace.stopped), is_endless(a)) << in_words(trace.stopped);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, BrokenKernel, testing::ValuesIn(names(true)),
                         [](const auto& info) { return info.param; });

class CorrectKernel : public testing::TestWithParam<std::string> {};

TEST_P(CorrectKernel, IsAboveSuspicion) {
  const Algorithm& a = algorithm(GetParam());
  Emulator emulator;
  int runs = 0;
  auto choice = &a - algorithms().data();
  for (Settings s : every_choice(a)) {
    if (is_unsafe(a, s)) continue;
    auto turn = choice++;
    for (const int n : {1, 2, 33, 100, 256, 1000}) {
      // To save time, each choice is tried with only half of the sizes by default. The next choice, or the
      // first choice of the next kernel, is tried with the other half.
      if (turn++ % 2 != 0 && !tries_everything()) continue;
      if (s.type == Scalar::float32) s.type = Scalar::int32;
      s.n = n;
      s.block = a.many_blocks ? std::max(64, a.least_threads) : smallest_block(a, s);
      try {
        validate(s);
      } catch (const RequestError&) { continue; }
      for (const std::uint64_t schedule : {0, 5}) {
        const Trace trace = emulator.record(s, seeded_data(s, 3), all_blocks(schedule));
        const Hazards h = hazards(trace);
        EXPECT_TRUE(h.findings.empty()) << describe(s) << ", schedule " << schedule << "\n"
                                        << text_of(trace, h);
        ++runs;
      }
    }
  }
  EXPECT_GE(runs, tries_everything() ? 10 : 4);
}

// A correct kernel may have an option that contains a bug. The field Broken names the line of this bug. With
// this option, the analyses must find a bug in this line. Without this option, the analyses must find
// nothing.
TEST(BrokenOption, IsFoundOutAtItsLine) {
  int options = 0;
  for (const Algorithm& a : algorithms())
    for (const Choice& c : a.choices)
      for (const Flaw& flaw : a.flaws) {
        if (!c.option(flaw.option)) continue;
        ++options;
        Settings s{.algorithm = a.name};
        s.choices[c.name] = flaw.option;
        EXPECT_TRUE(is_unsafe(a, s));
        EXPECT_FALSE(is_unsafe(a, {.algorithm = a.name}));
        for (const int n : {1, 64, 100, 1000, 5003}) {
          s.n = n;
          s.block = std::max(64, a.least_threads);
          for (const std::uint64_t schedule : {0, 1, 2}) {
            const Trace trace = Emulator().record(s, seeded_data(s, 3), all_blocks(schedule));
            const Hazards h = hazards(trace);
            EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(),
                                    [&](const HazardFinding& f) {
                                      return name(f.kind) == flaw.kind && !f.lockstep &&
                                             (f.party.line == flaw.line || f.other.line == flaw.line);
                                    }))
                << describe(s) << "\n"
                << text_of(trace, h);
            EXPECT_TRUE(std::all_of(h.findings.begin(), h.findings.end(), [&](const HazardFinding& f) {
              return name(f.kind) == flaw.kind;
            })) << text_of(trace, h);
          }
        }
      }
  EXPECT_EQ(options, 1);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CorrectKernel, testing::ValuesIn(names(false)),
                         [](const auto& info) { return info.param; });

}  // namespace broken_kernel_test
}  // namespace upsweep
