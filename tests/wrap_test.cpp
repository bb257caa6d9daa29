#include "scene/wrap.hpp"

#include <gtest/gtest.h>

#include <random>

namespace upsweep {
namespace wrap_test {

TEST(Wrapped, BreaksAtSpacesAndNeverBeyondItsRoom) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const int words = static_cast<int>(random() % 30);
    for (int i = 0; i < words; ++i)
      text += (i > 0 ? " " : "") + std::string(1 + random() % 9, static_cast<char>('a' + random() % 26));
    const float room = 20 + static_cast<float>(random() % 300), size = 10 + static_cast<float>(random() % 6);
    std::string again;
    for (const std::string& line : wrapped(text, size, Face::regular, room)) {
      if (line.find(' ') != std::string::npos) {
        EXPECT_LE(text_width(line, size, Face::regular), room + 0.01f);
      }
      again += (again.empty() ? "" : " ") + line;
    }
    EXPECT_EQ(again, text);
  }
}

TEST(Wrapped, FillsEveryLine) {
  const auto lines = wrapped("one two three four", 10, Face::mono, 8 * 6);  // eight characters per line
  EXPECT_EQ(lines, (std::vector<std::string>{"one two", "three", "four"}));
  EXPECT_TRUE(wrapped("", 10, Face::mono, 50).empty());
  EXPECT_EQ(wrapped("unbreakable", 10, Face::mono, 12), std::vector<std::string>{"unbreakable"});
}

TEST(Wrapped, BreaksBetweenCharactersThatNeedNoSpaces) {
  // Every character is 12 dp wide. The comma stays with the character before it.
  EXPECT_EQ(wrapped("共享内存，银行", 10, Face::mono, 48), (std::vector<std::string>{"共享内", "存，银行"}));
  EXPECT_EQ(wrapped("bank 冲突", 10, Face::mono, 42), (std::vector<std::string>{"bank 冲", "突"}));
}

TEST(Wrapped, KeepsANumberWithItsUnit) {
  EXPECT_EQ(wrapped("it is 3\u00a0µs long", 10, Face::mono, 6 * 7),
            (std::vector<std::string>{"it is", "3\u00a0µs", "long"}));
}

TEST(Wrapped, JoinsRunsOfOneFace) {
  const std::vector<TextRun> runs = {{"Bold.", Face::bold}, {"plain words here", Face::regular}};
  const auto lines = wrapped(runs, 10, 1000);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], runs);
  const auto narrow = wrapped(runs, 10, 60);
  ASSERT_GE(narrow.size(), 2u);
  EXPECT_EQ(narrow[0][0], (TextRun{"Bold.", Face::bold}));
}

}  // namespace wrap_test
}  // namespace upsweep
