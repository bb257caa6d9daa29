// Tests how lessons are read and checked. Every mistake must be reported with a line and a sentence, and no
// text may crash the program.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "lessons/check.hpp"
#include "lessons/course.hpp"
#include "lessons/handout.hpp"
#include "lessons/stage.hpp"
#include "options/option_text.hpp"
#include "support/long_tests.hpp"
#include "support/temporary_folder.hpp"

namespace upsweep {
namespace lesson_text_test {

constexpr const char* front = "---\ntitle: A lesson\nminutes: 5\n---\n";
constexpr const char* show = "```show\nscan_blelloch --n 64 --step up-sweep:2 --view tree,banks\n```\n";

std::vector<Mistake> mistakes_of(const std::string& text, const std::string& folder = {}) {
  Job job;
  return check_lesson(read_lesson("lesson", text), folder, job);
}

int lines_in(const std::string& text) { return static_cast<int>(std::ranges::count(text, '\n')) + 1; }

void expect_sentences(const std::vector<Mistake>& mistakes, const std::string& text) {
  int before = 1;
  for (const Mistake& m : mistakes) {
    EXPECT_GE(m.line, before) << m.text;
    EXPECT_LE(m.line, lines_in(text)) << m.text;
    EXPECT_TRUE(m.text.ends_with(".")) << m.text;
    before = m.line;
  }
}

TEST(LessonText, TheExampleInTheDocumentIsALesson) {
  std::ifstream in(UPSWEEP_SOURCE_DIR "/docs/lessons.md");
  std::string text, line;
  bool is_in = false;
  while (std::getline(in, line)) {
    if (line == "    ---") is_in = true;
    if (is_in && line.starts_with("## ")) break;
    if (is_in) text += (line.starts_with("    ") ? line.substr(4) : line) + "\n";
  }
  EXPECT_EQ(mistakes_of(text), std::vector<Mistake>());
  const Lesson lesson = read_lesson("example", text).lesson;
  EXPECT_EQ(lesson.title, "Why a stride costs time");
  EXPECT_EQ(lesson.tasks(), 2);
}

TEST(LessonText, NamesTheLineOfEveryMistake) {
  const std::string ask = "```ask\nwavefronts --step up-sweep:4 --request 1\n```\n";
  std::string many_hints;
  for (int i = 0; i < 50'000; ++i) many_hints += "hint: Look again.\n";
  const struct {
    std::string text;
    int line;
    const char* part;  // a part of the sentence
  } cases[] = {
      {"", 1, "begins with a line ---"},
      {"A text.\n", 1, "begins with a line ---"},
      {"---\ntitle: x\nminutes: 5\n", 3, "no end"},
      {"---\nminutes: 5\n---\nx\n", 1, "no line `title"},
      {"---\ntitle: x\nminutes: 16\n---\nx\n", 3, "1 to 15"},
      {"---\ntitle: x\nminutes: five\n---\nx\n", 3, "1 to 15"},
      {"---\ntitle: x\nminutes: 5\ncolour: red\n---\nx\n", 4, "no key colour"},
      {"---\ntitle: x\ntitle: y\nminutes: 5\n---\nx\n", 3, "more than once"},
      {"---\ntitle: x\nminutes: 5\nkind: exam\n---\nx\n", 4, "no kind"},
      {"---\ntitle: x\nminutes: 5\nlanguage: english\n---\nx\n", 4, "two letters"},
      {front + std::string("Only text.\n"), 5, "has no questions"},
      {front + std::string("![picture](a.png)\n\n") + show + ask, 5, "pictures"},
      {front + std::string("<b>bold</b>\n\n") + show + ask, 5, "HTML"},
      {front + std::string("```shwo\nx\n```\n") + show + ask, 5, "did you mean show"},
      {front + std::string("```show scan_blelloch\n```\n") + ask, 5, "on the next lines"},
      {front + ask, 5, "write a block `show` before this block"},
      {front + std::string("```show\n--n 64\n```\n") + ask, 5, "name of an algorithm"},
      {front + std::string("```show\nscan_bleloch --n 64\n```\n") + ask, 6, "scan_blelloch"},
      {front + std::string("```show\nscan_blelloch --n 64 --step 99\n```\n") + ask, 6, "no step 99"},
      {front + std::string("```show\nscan_blelloch --n 64 --step up-sweep\n```\n") + ask, 6, "several steps"},
      {front + std::string("```show\nscan_blelloch --n 64 --step up-sweep:3\n```\n") + ask, 6, "up-sweep:2"},
      {front + std::string("```show\nscan_blelloch --n 64 --view memry\n```\n") + ask, 6, "memory"},
      {front + std::string("```show\nscan_blelloch --n 64 --schedule 3\n```\n") + ask, 5,
       "only for the command line"},
      {front + std::string("```show\nscan_blelloch --n 64 --input /etc/passwd\n```\n") + ask, 6,
       "may not open files"},
      {front + std::string("```show\nscan_blelloch --n 64 --n 32\n```\n") + ask, 5, "more than once"},
      {front + std::string("```show\nscan_blelloch --data '3 1\n```\n") + ask, 5,
       "no closing quotation mark"},
      {front + std::string("```show\nreduce_two_pass --n 200000000\n```\n") + ask, 6,
       "too long for a lesson"},
      {front + std::string(show) + "```ask\nwavefront --step 3\n```\n", 8, "did you mean wavefronts"},
      {front + std::string(show) + "```ask\nwavefronts --step up-sweep:4\n```\n", 9, "Several questions"},
      {front + std::string(show) + "```ask\nwavefronts\n```\n", 8, "needs --step"},
      {front + std::string(show) + "```ask\nbarrier --step 3 --line 36\n```\n", 8, "leave --step out"},
      {front + std::string(show) + "```ask\ncompare --of wavefronts\n```\n", 8, "--with"},
      {front + std::string(show) + "```ask\nbank --step 4 --request 1 --lane 31\n```\n", 9, "no question"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "misread 2: no\n```\n", 10,
       "answer is correct"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "misread 99: no\n```\n", 10,
       "not a possible answer"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "misread 3\n```\n", 10, "colon"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "hint:\n```\n", 10, "no text"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "hint: a\nwhat\n```\n", 11,
       "neither `misread"},
      {front + std::string("```show\nscan_blelloch --n 64\n```\n```order\nlines 39-41\n```\n"), 8, "source"},
      {front + std::string(show) + "```order\nequal 3 4\n```\n", 8, "lines 30-33"},
      {front + std::string(show) + "```order\nlines 3-900\n```\n", 8, "2 to 9"},
      {front + std::string(show) + "```order\nlines 9000-9003\n```\n", 9, "no line"},
      {front + std::string(show) + "```order\nlines 39-41\nequal 39 50\n```\n", 8, "not among"},
      {front + std::string(show) + "```order\nlines 39-41\nextra: T left = temp[ai];\n```\n", 9,
       "line of the kernel"},
      {front + std::string(show) + "```order\nlines 39-40\nequal 39 40\n```\n", 9, "Every order"},
      {front + std::string(show) +
           "```order\nlines 37-41\nextra: a;\nextra: b;\nextra: c;\nextra: d;\nextra: e;\n```\n",
       9, "10 lines, including the extra"},
      {front + std::string(show) + "```order\nlines 37-40\nequal 37 38 39 40\nextra: x = y;\n```\n", 9,
       "Every order"},
      {front + std::string(show) + "```order\nlines 39-41\nlines 39-40\n```\n", 10, "one line"},
      {front + std::string("```show\nradix_sort --n 20000\n```\n```ask\nbarrier --line 60\n```\n"), 9,
       "takes too long"},
      {front + std::string("```show\nradix_sort --n 100\n```\n"
                           "```ask\ncompare --of operations --with n=20000\n```\n"),
       9, "takes too long"},
      {"---\ntitle: \xE2\x80\x8B\nminutes: 5\n---\n" + std::string(show) + ask, 2, "has no value"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4), 8, "no end"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + "misread 0-99999999: no\n```\n", 10,
       "not a possible answer"},
      {front + std::string(show) + ask.substr(0, ask.size() - 4) + many_hints + "```\n", 8,
       "at most 5 hints"},
      {front + std::string(show) + "Look.\n\n---\n\n```ask\nwavefronts --step up-sweep:1 --request 1\n```\n",
       13, "has seen the answer"},
      {front + std::string("```show\nscan_blelloch --n 64 --view tree,banks,memory,source\n```\n") + ask, 6,
       "at most 3 views"},
      {front + std::string("```show\nstream_compaction --n 256 --data all_kept\n```\n"
                           "```ask\ncompare --of sectors --with data=none_kept\n```\n"),
       9, "same data"},
      {front + std::string(show) + "```ask\ncompare --of wavefronts --with seed=7\n```\n", 9, "same data"},
      {front + std::string(show) + "```ask\ncompare --of wavefronts --with n=64\n```\n", 9,
       "changes nothing"},
      {front + std::string(show) + "```order\nlines 39-41\nlines 40-42\n```\n", 10, "one line"},
      {"---\ntitle: x\nminutes: 5\nkind: test\n---\n" + std::string(show) + ask.substr(0, ask.size() - 4) +
           "hint: Count.\n```\n",
       11, "no hints"},
      {front + std::string("a\x01") + "b\n", 5, "not allowed in a text"},
      {front + std::string("a\xff") + "b\n", 5, "UTF-8"},
  };
  for (const auto& c : cases) {
    const std::vector<Mistake> found = mistakes_of(c.text);
    expect_sentences(found, c.text);
    const bool is_found = std::ranges::any_of(
        found, [&](const Mistake& m) { return m.line == c.line && m.text.find(c.part) != m.text.npos; });
    std::string all;
    for (const Mistake& m : found) all += fmt::format("\n  {}: {}", m.line, m.text);
    EXPECT_TRUE(is_found) << c.text << "expected line " << c.line << ": " << c.part << all;
  }
}

// A lesson of the kind `test` shows no hints. Therefore each line with a hint is a mistake in a test, but not
// in other kinds of lessons.
TEST(LessonText, OfATestHasNoHints) {
  const std::string body = show + std::string(
                                      "```ask\nwavefronts --step up-sweep:4 --request 1\nhint: One.\n"
                                      "misread 3: No.\nhint: Two.\n```\n"
                                      "```order\nlines 39-41\nhint: Three.\n```\n");
  for (const std::string kind : {"lesson", "card", "test"}) {
    SCOPED_TRACE(kind);
    const std::vector<Mistake> found =
        mistakes_of("---\ntitle: x\nminutes: 5\nkind: " + kind + "\n---\n" + body);
    std::vector<int> lines;
    for (const Mistake& m : found)
      if (m.text.find("no hints") != m.text.npos) lines.push_back(m.line);
    EXPECT_EQ(lines, kind == "test" ? (std::vector{11, 13, 17}) : std::vector<int>());
    EXPECT_EQ(found.size(), lines.size());
  }
}

// If a block `show` is wrong, the questions that depend on its run must not be checked.
TEST(LessonText, SaysNothingAboutQuestionsAfterAWrongShow) {
  // Without the wrong block `show`, each of these questions is reported as a mistake.
  const std::string tasks =
      "```ask\nwavefronts --step up-sweep:999 --request 1\n```\nText.\n\n"
      "```ask\nbank --step up-sweep:4 --request 1 --lane 31\n```\n```order\nlines 9000-9003\n```\n";
  ASSERT_EQ(mistakes_of(front + std::string(show) + tasks).size(), 3u);
  for (const std::string wrong :
       {"scan_blelloch --n 64 --n 32", "scan_bleloch --n 64", "scan_blelloch --n many",
        "scan_blelloch --n 64 --step 99", "scan_blelloch --n 64 --step up-sweep",
        "scan_blelloch --view memry", "scan_blelloch --n 64 --at-block 7",
        "scan_blelloch --n 64 --request 99", "scan_blelloch --n 64 --compare layout=none2",
        "scan_blelloch --schedule 3", "scan_blelloch --x"}) {
    SCOPED_TRACE(wrong);
    const std::string block = "```show\n" + wrong + "\n```\n";
    EXPECT_EQ(mistakes_of(front + ("```shwo\n" + wrong + "\n```\n") + tasks).size(), 1u);
    for (const std::string& text : {front + block + tasks, front + (show + ("More.\n\n" + block)) + tasks})
      EXPECT_EQ(mistakes_of(text).size(), 1u) << text;
    // If a correct block `show` follows, the questions after the correct block must be checked.
    EXPECT_EQ(mistakes_of(front + block + tasks + show + tasks).size(), 4u);
  }
}

TEST(LessonText, NamesTheLinesOfNeedsAndNext) {
  for (const int before : {0, 1, 5}) {
    std::string text = "---\ntitle: A\n";
    for (int i = 0; i < before; ++i) text += "# a remark\n";
    text += "needs: no-such-lesson, 02-b\nminutes: 5\nnext: nowhere\n---\n";
    const Lesson a = read_lesson("01-a", text).lesson, b{.name = "02-b", .needs = {"a"}};
    std::vector<int> lines;
    for (const Mistake& m : check_course(a, {a, b})) lines.push_back(m.line);
    EXPECT_EQ(lines, (std::vector{3 + before, 5 + before, 3 + before}));
  }
}

TEST(LessonText, DoesNotNeedItself) {
  const auto lesson = [](const char* name, std::vector<std::string> needs) {
    return Lesson{.name = name, .needs = std::move(needs)};
  };
  const std::vector<Lesson> course = {lesson("01-a", {"c"}), lesson("02-b", {"a"}), lesson("03-c", {"02-b"}),
                                      lesson("04-d", {"a", "b"}), lesson("05-e", {"e"})};
  const auto said = [&](std::size_t i) {
    std::string all;
    for (const Mistake& m : check_course(course[i], course)) all += m.text;
    return all;
  };
  EXPECT_EQ(said(0), "This lesson and the lesson 02-b need each other.");
  EXPECT_EQ(said(1), "This lesson and the lesson 03-c need each other.");
  EXPECT_EQ(said(3), "");
  EXPECT_EQ(said(4), "The key `needs` names this lesson: name another lesson.");
}

TEST(LessonText, OpensOnlyPlainFilesInItsOwnFolder) {
  const TemporaryFolder folder;
  const std::string inside = (folder / "in").string();
  std::filesystem::create_directories(inside);
  std::ofstream(folder / "outside.txt") << "1 2 3 4";
  std::ofstream(folder / "in" / "own.txt") << "1 2 3 4";
  const auto with = [&](const std::string& file) {
    return front +
           ("```show\nscan_blelloch --input " + file + "\n```\n```ask\nvalue --step 3 --element 3\n```\n");
  };
  const auto refused = [&](const std::string& file) {
    const auto found = mistakes_of(with(file), inside);
    return std::ranges::any_of(
        found, [](const Mistake& m) { return m.text.find("folder of the lesson") != m.text.npos; });
  };
  EXPECT_FALSE(refused("own.txt"));
  EXPECT_TRUE(refused("../outside.txt"));
  EXPECT_TRUE(refused((folder / "outside.txt").string()));
  EXPECT_TRUE(refused("missing.txt"));
  EXPECT_TRUE(refused("."));
  EXPECT_TRUE(refused("/dev/zero"));
  std::filesystem::create_symlink(folder / "outside.txt", folder / "in" / "link.txt");
  EXPECT_TRUE(refused("link.txt"));
  // The options of a comparison can also name files. A file outside the folder of the lesson must be refused.
  for (const char* key : {"input", "image", "values"}) {
    const std::string change = fmt::format("{}={}", key, (folder / "outside.txt").string());
    for (const std::string& text :
         {front + ("```show\nscan_blelloch --n 4 --compare " + change + "\n```\n"),
          front + ("```show\nscan_blelloch --n 4\n```\n```ask\ncompare --of wavefronts --with " + change +
                   "\n```\n")}) {
      const auto found = mistakes_of(text, inside);
      EXPECT_TRUE(std::ranges::any_of(found, [](const Mistake& m) {
        return m.text.find("folder of the lesson") != m.text.npos;
      })) << text;
    }
  }
}

// Changes the shipped lessons at random. Every changed lesson must be read or refused with a list of
// sentences.
TEST(LessonText, OfDamagedLessonsGivesSentences) {
  std::mt19937 random(7);
  const int rounds = tries_everything() ? 400 : 25;
  for (int round = 0; round < rounds; ++round) {
    const bool is_card = round % 2 == 0;
    const auto& all = is_card ? shipped_cards() : shipped_lessons();
    ASSERT_FALSE(all.empty());
    std::ifstream in(fmt::format("{}/assets/{}/{}.md", UPSWEEP_SOURCE_DIR, is_card ? "cards" : "lessons",
                                 all[random() % all.size()].lesson.name));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto place = [&] { return random() % text.size(); };
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = place(), end = std::min(text.size(), at + random() % 40);
      switch (random() % 5) {
        case 0: text.erase(at, end - at); break;
        case 1: text.insert(at, text.substr(place(), 30)); break;
        case 2: text[at] = static_cast<char>(random()); break;
        case 3: text.insert(at, "```"); break;
        default: text.insert(at, std::to_string(static_cast<std::int32_t>(random()))); break;
      }
      if (text.empty()) text = "-";
    }
    const std::vector<Mistake> found = mistakes_of(text);
    expect_sentences(found, text);
  }
}

TEST(LessonText, ReadsDeepAndLongTextsInTime) {
  std::string deep = front, wide = front;
  for (int i = 0; i < 50'000; ++i) deep += "> ";
  for (int i = 0; i < 50'000; ++i) wide += "*[`(<";
  std::string lists = front;
  for (int i = 0; i < 300; ++i) lists += std::string(2 * static_cast<std::size_t>(i), ' ') + "- x\n";
  for (const std::string& text : {deep, wide, lists, std::string(most_lesson_bytes + 1, 'x')})
    expect_sentences(read_lesson("lesson", text).mistakes, text);
}

TEST(LessonText, BecomesSteps) {
  const Lesson l = read_lesson("lesson", front + std::string("One.\n\n") + show +
                                             "Two `code`, and *more*.\n\n- a\n- "
                                             "b\n\n---\n\nThree.\n\n```ask\nvalue --step 4 --element 7\n```\n"
                                             "Four.\n\n## Five\n\nSix.\n")
                       .lesson;
  ASSERT_EQ(l.steps.size(), 4u);
  EXPECT_EQ(l.steps[0].texts.size(), 4u);
  EXPECT_TRUE(l.steps[0].show);
  EXPECT_TRUE(l.steps[1].ask);
  EXPECT_EQ(l.steps[3].texts.size(), 2u);
  const std::vector<TextRun> runs{
      {"Two ", Face::regular}, {"code,", Face::mono}, {" and ", Face::regular}, {"more.", Face::bold}};
  EXPECT_EQ(l.steps[0].texts[1].runs, runs);
}

TEST(LessonText, OrderingAcceptsExactlyTheRightOrders) {
  const ReadLesson read = read_lesson(
      "lesson", front + std::string(show) +
                    "```order\nlines 37-41\nequal 37 38\nequal 39 40\nextra: __syncthreads();\n```\n");
  ASSERT_TRUE(read.mistakes.empty());
  Job job;
  const Recording r = recording_for(*read.lesson.steps[0].show, {}, job);
  const Ordering o = ordering(*read.lesson.steps[0].order, r);
  ASSERT_EQ(o.lines.size(), 6u);
  ASSERT_EQ(o.answer.size(), 5u);
  std::vector<int> reply = o.answer;
  EXPECT_TRUE(o.is_right(reply));
  std::swap(reply[0], reply[1]);
  EXPECT_TRUE(o.is_right(reply));
  std::swap(reply[2], reply[3]);
  EXPECT_TRUE(o.is_right(reply));
  std::swap(reply[1], reply[2]);
  EXPECT_FALSE(o.is_right(reply));
  EXPECT_EQ(o.right_lines(reply), 1u);
  EXPECT_FALSE(o.is_right({}));
  const auto extra = std::ranges::find(o.lines, "__syncthreads();") - o.lines.begin();
  reply = o.answer;
  reply.push_back(static_cast<int>(extra));
  EXPECT_FALSE(o.is_right(reply));
  reply = o.answer;
  reply.back() = static_cast<int>(extra);
  EXPECT_FALSE(o.is_right(reply));
}

TEST(OptionText, SplitsWordsAsAShellDoes) {
  EXPECT_EQ(words_of("a  --data '3 1 7'\n--x=\"y z\" ''"),
            (std::vector<std::string>{"a", "--data", "3 1 7", "--x=y z", ""}));
  EXPECT_TRUE(words_of(" \t\n").empty());
  EXPECT_THROW(words_of("a 'b"), RequestError);
}

TEST(Handout, SaysItsLanguage) {
  Job job;
  for (const std::string folder : {"/assets/cards", "/assets/cards/zh", "/assets/lessons/zh"}) {
    const OpenedLesson opened = open_lesson(lesson_files(UPSWEEP_SOURCE_DIR + folder).front());
    const std::string language = folder.ends_with("/zh") ? "zh" : "en";
    const std::string html = handout_html(handout(opened, false, job), opened.read.lesson.language);
    EXPECT_NE(html.find("<html lang=\"" + language + "\">"), html.npos) << folder;
  }
}

TEST(Handout, HasEveryQuestionAndAnswersOnlyOnRequest) {
  const std::string text = front + std::string(show) +
                           "```ask\nwavefronts --step up-sweep:4 --request 1\n```\n" +
                           "```order\nlines 39-41\n```\n";
  const OpenedLesson opened{read_lesson("lesson", text), {}, {}};
  Job job;
  const std::string without = handout_html(handout(opened, false, job), "en"),
                    with = handout_html(handout(opened, true, job), "en");
  EXPECT_NE(without.find("How many wavefronts"), without.npos);
  EXPECT_EQ(without.find("Answer: 2"), without.npos);
  EXPECT_NE(with.find("Answer: 2"), with.npos);
  EXPECT_NE(without.find("<svg"), without.npos);
  EXPECT_TRUE(handout_pdf(handout(opened, false, job)).starts_with("%PDF"));
  const OpenedLesson wrong{read_lesson("lesson", front + std::string("x\n")), {}, {}};
  EXPECT_THROW(handout(wrong, false, job), RequestError);
}

}  // namespace lesson_text_test
}  // namespace upsweep
