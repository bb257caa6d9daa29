// Tests the names of two runs that are compared.
#include <gtest/gtest.h>

#include "catalogue/catalogue.hpp"
#include "words/compared.hpp"

namespace upsweep {
namespace compared_words_test {

TEST(ComparedWords, NameTheOptionsOfEveryChoice) {
  int compared = 0;
  for (const Algorithm& a : algorithms())
    for (const Choice& c : a.choices)
      for (const Option& option : c.options) {
        if (option.name == c.usual_option()) continue;
        const Settings usual{.algorithm = a.name};
        Settings chosen = usual;
        chosen.choices[c.name] = option.name;
        const auto one = settings_that_differ(chosen, usual), other = settings_that_differ(usual, chosen);
        ASSERT_EQ(one.size(), 1u) << a.name << ' ' << c.name;
        ASSERT_EQ(other.size(), 1u) << a.name << ' ' << c.name;
        EXPECT_EQ(one.front(), choice_text(c.name, option.name));
        EXPECT_NE(one.front(), other.front());
        ++compared;
      }
  EXPECT_GT(compared, 50);
}

TEST(ComparedWords, SayWhichResultARunGives) {
  Settings exclusive{.algorithm = "scan_decoupled_lookback"};
  const Settings usual = exclusive;
  exclusive.choices["gives"] = "exclusive";
  EXPECT_EQ(settings_that_differ(exclusive, usual), std::vector<std::string>{"exclusive result"});
  EXPECT_EQ(settings_that_differ(usual, exclusive), std::vector<std::string>{"the usual result"});
}

}  // namespace compared_words_test
}  // namespace upsweep
