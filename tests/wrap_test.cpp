#include "scene/wrap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

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
  // Every character is 12 pixels wide. The comma must stay on the line of the character before it.
  EXPECT_EQ(wrapped("共享内存，银行", 10, Face::mono, 48), (std::vector<std::string>{"共享内", "存，银行"}));
  EXPECT_EQ(wrapped("bank 冲突", 10, Face::mono, 42), (std::vector<std::string>{"bank 冲", "突"}));
}

TEST(Wrapped, KeepsANumberWithItsUnit) {
  EXPECT_EQ(wrapped("it is 3\u00a0µs long", 10, Face::mono, 6 * 7),
            (std::vector<std::string>{"it is", "3\u00a0µs", "long"}));
}

TEST(Wrapped, JoinsRunsOfOneFace) {
  const std::vector<TextRun> runs = {
      {"Bold.", Face::bold}, {"plain words", Face::regular}, {"here", Face::regular}};
  const auto lines = wrapped(runs, 10, 1000);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            (std::vector<TextRun>{{"Bold.", Face::bold, true}, {"plain words here", Face::regular}}));
  const auto narrow = wrapped(runs, 10, 60);
  ASSERT_GE(narrow.size(), 2u);
  EXPECT_EQ(narrow[0][0], (TextRun{"Bold.", Face::bold, true}));
}

TEST(Wrapped, GivesAFaceOnlyToItsOwnWords) {
  using Runs = std::vector<TextRun>;
  const auto joined = [](std::vector<std::pair<std::string, Face>> parts) {
    Runs runs;
    for (auto& [text, face] : parts) append_run(runs, std::move(text), face);
    return runs;
  };
  constexpr Face plain = Face::regular, bold = Face::bold, mono = Face::mono;
  // Punctuation must stay on the line of its word.
  EXPECT_EQ(joined({{"see (", plain}, {"a[i]", mono}, {"), then", plain}}),
            (Runs{{"see ", plain}, {"(a[i]),", mono}, {" then", plain}}));
  // In Chinese, there are no spaces between words. Only punctuation may move from one part to the part before
  // it.
  EXPECT_EQ(joined({{"填充", bold}, {"就是空出一些字", plain}}),
            (Runs{{"填充", bold}, {"就是空出一些字", plain}}));
  EXPECT_EQ(joined({{"第 39 行：", bold}, {"T left = a;", mono}}),
            (Runs{{"第 39 行：", bold}, {"T left = a;", mono}}));
  EXPECT_EQ(joined({{"见（", plain}, {"填充", bold}, {"）。然后", plain}}),
            (Runs{{"见", plain}, {"（填充）。", bold}, {"然后", plain}}));
  // In UTF-8, the character 一 ends with the same byte as an opening quotation mark.
  EXPECT_EQ(joined({{"第一", plain}, {"a", mono}}), (Runs{{"第一", plain}, {"a", mono}}));
  // Returns the number of lines that the runs take if a line has just enough space for all runs and for
  // `spaces` spaces. Between two Chinese runs, there is no space.
  const auto lines_of = [](const Runs& runs, float spaces) {
    float room = 0.01f + spaces * text_width(" ", 10, Face::regular);
    for (const TextRun& r : runs) room += text_width(r.text, 10, r.face);
    return wrapped(runs, 10, room).size();
  };
  EXPECT_EQ(lines_of({{"填充", bold}, {"就是", plain}}, 0), 1u);
  EXPECT_EQ(lines_of({{"填充", bold}, {"abc", mono}}, 0), 2u);
  EXPECT_EQ(lines_of({{"填充", bold}, {"abc", mono}}, 1), 1u);
  EXPECT_EQ(lines_of({{"填充，", bold}, {"abc", mono}}, 0), 1u);
}

}  // namespace wrap_test
}  // namespace upsweep
