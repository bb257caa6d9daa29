// Tests that every scan gives the same bits on any schedule, even if numbers are rounded. Also tests that on
// some schedules, blocks wait longer for each other and look back further.
#include <gtest/gtest.h>

#include <random>

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace schedule_test {

class EveryScan : public testing::TestWithParam<std::string> {};

TEST_P(EveryScan, GivesTheSameBitsOnEverySchedule) {
  const Algorithm& a = algorithm(GetParam());
  Emulator emulator;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> real(-2, 2);
  for (Settings s : every_choice(a)) {
    s.n = 1000;
    s.block = a.many_blocks ? 32 : smallest_block(a, s);
    std::vector<Value> input(1000);
    for (Value& v : input) set_scalar(v, s.type, 0, real(random));
    std::vector<Value> first;
    for (std::uint64_t schedule = 0; schedule < 6; ++schedule) {
      RecordOptions options;
      options.blocks = 0;
      options.schedule = schedule;
      options.lockstep = schedule % 3 == 2;
      const Trace trace = emulator.record(s, input, options);
      ASSERT_FALSE(trace.stopped) << describe(s);
      EXPECT_FALSE(check(s, input, trace.output)) << describe(s) << ", schedule " << schedule;
      if (schedule == 0) first = trace.output;
      EXPECT_EQ(trace.output, first) << describe(s) << ", schedule " << schedule;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryScan, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Algorithm& a : cuda_algorithms())
                             if (a.family == "scan") names.push_back(a.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

}  // namespace schedule_test
}  // namespace upsweep
