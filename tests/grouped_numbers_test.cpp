// Tests that numbers with at least four digits have grouped thousands in every refusal.
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/formula.hpp"
#include "catalogue/plan.hpp"
#include "words/in_words.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace grouped_numbers_test {

Settings settings(const char* name, int n, int block, int grid = 4) {
  Settings s;
  s.algorithm = name;
  s.n = n;
  s.block = block;
  s.grid = grid;
  return s;
}

TEST(GroupedNumbers, InEveryRefusalOfSettings) {
  Settings ragged = settings("scan_blelloch", 12345, 64), layout = settings("scan_blelloch", 2048, 1024);
  ragged.columns = 1000;
  layout.choices["layout"] = "i * 20000";
  Settings together = settings("scan_blelloch", 2048, 1024);
  together.choices["layout"] = "i % 1500";
  Settings before = settings("scan_blelloch", 2048, 1024);
  before.choices["layout"] = "i - 1000000";
  const std::pair<const char*, std::function<void()>> refusals[] = {
      {"a block", [] { validate(settings("scan_large", 4096, 12345)); }},
      {"a block that the algorithm cannot have", [] { validate(settings("reduce_sequential", 2048, 1023)); }},
      {"a grid", [] { validate(settings("reduce_vectorized", 4096, 64, 1234567)); }},
      {"n for one block", [] { validate(settings("scan_blelloch", 100000, 1024)); }},
      {"n for this block", [] { validate(settings("scan_blelloch", 2048, 512)); }},
      {"n of quadratic work", [] { validate(settings("scan_per_output", 5000, 64)); }},
      {"a negative n", [] { validate(settings("scan_blelloch", -5000, 64)); }},
      {"rows", [&] { validate(ragged); }},
      {"a cell beyond shared memory", [&] { validate(layout); }},
      {"two elements in one cell", [&] { validate(together); }},
      {"a cell before the array", [&] { validate(before); }},
      {"shared memory",
       [] {
         Settings s = settings("scan_decoupled_lookback", 1 << 20, 1024);
         s.choices["items"] = "15";
         s.type = Scalar::float64;
         validate(s);
       }},
      {"a long formula", [] { Formula(std::string(12345, '1'), 'i'); }},
      {"a logarithm", [] { Formula("log2(i)", 'i')(-12345); }},
      {"a division", [] { Formula("1 / (i - 12345)", 'i')(12345); }},
  };
  static const std::regex ungrouped("\\d{4,}");
  for (const auto& [what, refused] : refusals) {
    std::string said;
    try {
      refused();
    } catch (const RequestError& e) { said = in_words(e); }
    EXPECT_FALSE(said.empty()) << what << " is not refused";
    // A refusal repeats typed text without changes, so the numbers in typed text are not checked.
    for (const char* typed : {"i * 20000", "i % 1500", "i - 1000000"})
      if (const auto at = said.find(typed); at != said.npos) said.erase(at, std::string_view(typed).size());
    EXPECT_FALSE(std::regex_search(said, ungrouped)) << what << ": " << said;
  }
}

TEST(GroupedNumbers, HaveACommaBeforeEveryThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(grouped(-100), "-100");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(decimal_text(58794.82, 1), "58,794.8");
  EXPECT_EQ(decimal_text(5.7, 1), "5.7");
  EXPECT_EQ(decimal_text(-1234, 0), "-1,234");
}

}  // namespace grouped_numbers_test
}  // namespace upsweep
