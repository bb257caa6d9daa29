// Tests that the hazard analysis finds every planted bug, with the correct kind and line, and that it finds
// nothing in correct kernels.
#include <fmt/format.h>
#include <gtest/gtest.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "analysis/hazards.hpp"
#include "catalogue/data.hpp"
#include "emulated/bug_kernels.hpp"
#include "emulated/emulated_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/look_at.hpp"
#include "support/planted_bugs.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace bugs_test {

// Returns options with which the events of all blocks are recorded.
RecordOptions everything(std::uint64_t schedule = 0, bool lockstep = false) {
  RecordOptions options;
  options.blocks = UINT32_MAX;
  options.schedule = schedule;
  options.lockstep = lockstep;
  return options;
}

std::string text_of(const Trace& trace, const Hazards& h) {
  std::string text;
  for (const HazardFinding& f : h.findings)
    text += fmt::format("  {} in line {}: {} {} ({})\n", name(f.kind), f.party.line, what_happens(trace, f),
                        advice_text(trace, f), models_text(f));
  return text;
}

const HazardFinding* finding(const Hazards& h, std::string_view kind, int line) {
  for (const HazardFinding& f : h.findings)
    if (name(f.kind) == kind && (f.party.line == line || f.other.line == line)) return &f;
  return nullptr;
}

class PlantedBugs : public testing::TestWithParam<std::string_view> {};
std::string name_of(const testing::TestParamInfo<std::string_view>& info) { return std::string(info.param); }

TEST_P(PlantedBugs, AreFoundInTheirPlaceAndNowhereElse) {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler leaks;  // a stopped thread runs no destructors, so its memory leaks
#endif
  Emulator emulator;
  for (const PlantedBug& bug : planted_bugs(GetParam()))
    for (const std::uint64_t schedule : {0, 1, 2}) {
      if (schedule > 0 && sanitized) continue;
      if (bug.kind == "endless loop" && schedule > 1) continue;  // recordings of endless loops are long
      SCOPED_TRACE(fmt::format("{}, schedule {}", bug.name, schedule));
      RecordOptions options = everything(schedule);
      if (bug.kind == "endless loop") options.rounds = 20'000;
      const Trace trace = emulator.record(bug.algorithm, *bug_kernels(bug.file), bug.settings,
                                          seeded_data(bug.settings, 3), options);
      const Hazards h = hazards(trace);
      if (bug.kind.empty()) {
        EXPECT_TRUE(h.findings.empty()) << text_of(trace, h);
        EXPECT_FALSE(trace.stopped);
        continue;
      }
      const HazardFinding* f = finding(h, bug.kind, bug.line);
      if (f == nullptr) {
        ADD_FAILURE() << bug.kind << " in line " << bug.line << " is not found\n"
                      << text_of(trace, h) << in_words(trace.stopped);
        continue;
      }
      EXPECT_EQ(!f->lockstep, bug.since_volta) << text_of(trace, h);
      EXPECT_TRUE(f->independent);
    }
}
INSTANTIATE_TEST_SUITE_P(, PlantedBugs, testing::ValuesIn(planted_bug_files), name_of);
INSTANTIATE_TEST_SUITE_P(OfTheEmulator, PlantedBugs, testing::ValuesIn(planted_for_emulator), name_of);

TEST(PlantedBugSet, HasManyOfEveryKind) {
  std::map<std::string, int> of_kind;
  int broken = 0;
  const auto count = [&](std::string_view file) {
    for (const PlantedBug& bug : planted_bugs(file)) {
      ++of_kind[bug.kind];
      broken += !bug.kind.empty();
    }
  };
  std::ranges::for_each(planted_bug_files, count);
  std::ranges::for_each(planted_for_emulator, count);
  EXPECT_GE(broken, 60);
  EXPECT_GE(of_kind[""], 30);
  for (const std::string_view kind : hazard_names) {
    if (kind == name(Hazard::misaligned)) continue;  // emulator_test tests this kind; a GPU stops the kernel
    EXPECT_GE(of_kind[std::string(kind)], 3) << kind;
  }
}

}  // namespace bugs_test
}  // namespace upsweep
