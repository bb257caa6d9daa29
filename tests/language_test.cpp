// Tests the languages of the program. Every text must be translated, must fit, and must consist of characters
// that can be drawn.
#include "base/language.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "analysis/step_index.hpp"
#include "base/translation.hpp"
#include "base/utf8.hpp"
#include "panels/chrome.hpp"
#include "panels/exports.hpp"
#include "panels/help.hpp"
#include "panels/notes.hpp"
#include "panels/palette.hpp"
#include "panels/presentation.hpp"
#include "panels/purpose_panel.hpp"
#include "panels/question_panel.hpp"
#include "study/state_text.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "support/source_file.hpp"
#include "support/speaking.hpp"
#include "support/taught_runs.hpp"
#include "words/glossary.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace language_test {

TEST(Language, IsFoundByItsName) {
  for (const TextLanguage each : {TextLanguage::english, TextLanguage::chinese, TextLanguage::pseudo})
    EXPECT_EQ(text_language_of(name(each)), each);
  EXPECT_FALSE(text_language_of("de"));
  setenv("LC_ALL", "", 1);
  setenv("LC_MESSAGES", "", 1);
  for (const auto& [locale, expected] : {std::pair{"zh_CN.UTF-8", TextLanguage::chinese},
                                         {"zh", TextLanguage::chinese},
                                         {"C.UTF-8", TextLanguage::english},
                                         {"", TextLanguage::english}}) {
    setenv("LANG", locale, 1);
    EXPECT_EQ(text_language_of_environment(), expected) << locale;
  }
  setenv("LC_ALL", "C", 1);
  setenv("LANG", "zh_CN.UTF-8", 1);
  EXPECT_EQ(text_language_of_environment(), TextLanguage::english);
}

TEST(Language, PlacesAreFilledInTheOrderOfTheTranslation) {
  EXPECT_EQ(counted(1, "lane"), "1 lane");
  EXPECT_EQ(counted(1234, "lane"), "1,234 lanes");
  const Speaking chinese(TextLanguage::chinese);
  EXPECT_EQ(counted(1, "lane"), "1 个通道");
  EXPECT_EQ(counted(1234, "lane"), "1,234 个通道");
  EXPECT_EQ(tr("{0} {1} {2}", 27, "11 月", 2026), "2026 年 11 月 27 日");
  EXPECT_EQ(typeset("把 自己的值 加到 x[3] 上。 然后 结束"), "把自己的值加到 x[3] 上。然后结束");
}

// Chinese sentences have full-width punctuation and no space between two Chinese characters.
TEST(Language, ChineseHasItsOwnPunctuation) {
  const auto is_chinese = [](char32_t c) { return c >= 0x4e00 && c <= 0x9fff; };
  for (const Translation& t : translations()) {
    char32_t before = 0, last = 0;
    for (std::string_view text = t.chinese; !text.empty();) {
      const char32_t c = take_character(text);
      const bool is_plain = std::u32string_view(U",;:?!").find(c) != std::u32string_view::npos;
      EXPECT_FALSE(is_chinese(last) && is_plain) << t.chinese;
      EXPECT_FALSE(is_chinese(last) && c == '.' && text.empty()) << t.chinese;
      EXPECT_FALSE(is_chinese(before) && last == ' ' && is_chinese(c)) << t.chinese;
      before = last;
      last = c;
    }
  }
}

// Returns the words that are not translated because they come from the recording: names in the kernel's code,
// and names of algorithms, options and types.
std::set<std::string> words_of_code(const Recording& r) {
  std::set<std::string> all = {"kernels", "cuh", "affine", "max", "min"};
  const auto add = [&](const std::string& text) {
    static const std::regex word("[A-Za-z_][A-Za-z_0-9]*");
    for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) all.insert(it->str());
  };
  std::istringstream lines(r.trace.text);
  for (std::string line; std::getline(lines, line);) add(line.substr(0, line.find("//")));
  for (const Algorithm& a : algorithms()) {
    add(a.name);
    add(a.source);
    for (const Choice& c : a.choices) {
      add(c.name);
      add(spaced(c.name));
      for (const Option& o : c.options) add(o.name), add(spaced(o.name));
    }
  }
  for (const GlobalBuffer& b : r.trace.buffers) add(b.name);
  for (const Grid& g : r.trace.grids) {
    add(g.shared.name);
    for (const auto& region : g.shared.more) add(region.name);
  }
  for (const std::string_view type : scalar_names) add(std::string(type));
  return all;
}

// In the made-up language of this test, tr() puts an accent on each vowel. Therefore a word without accents
// was not passed to tr(). Returns all such words of a text, except words that need no translation.
std::string untranslated(const std::string& text, const std::set<std::string>& known) {
  static const std::regex word(
      "(^|[^A-Za-z_0-9\\x80-\\xff])([A-Za-z_][A-Za-z_0-9]{2,})(?![A-Za-z_0-9\\x80-\\xff])");
  std::string found;
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it) {
    std::string w = (*it)[2];
    while (std::isdigit(static_cast<unsigned char>(w.back())) != 0) w.pop_back();  // as in "temp0"
    if (w.find_first_of("aeiou") == w.npos || known.contains(w) || w.find('_') != w.npos) continue;
    found += (found.empty() ? "" : " ") + w;
  }
  return found;
}

std::string code_cut_out(std::string text) {
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    text.erase(at, end == text.npos ? text.npos : end + 1 - at);
  }
  return text;
}

TEST(Language, EveryTextOfTheViewsCanBeTranslated) {
  std::set<std::string> reported;
  for (const Algorithm& a : algorithms()) {
    if (a.language == Language::glsl) continue;
    const Recording r = taught(a, false);
    const std::set<std::string> known = words_of_code(r);
    const Speaking pseudo(TextLanguage::pseudo);
    const int steps = static_cast<int>(r.trace.steps.size());
    for (const int step : {0, steps / 2, steps - 1}) {
      Cursor cursor = at_step(step);
      for (const View& v : views()) {
        const bool shows_code = std::string_view(v.name) == "source";
        for (const TextShape& t : texts(draw_view(v, {r, cursor, light_theme(), 1000, 700}))) {
          if (shows_code && (t.face == Face::mono || t.text.starts_with("//"))) continue;
          const std::string words = untranslated(code_cut_out(t.text.substr(0, t.text.find("//"))), known);
          if (!words.empty() && reported.insert(words).second)
            ADD_FAILURE() << v.name << " of " << a.name << ": \"" << t.text
                          << "\" has no translation: " << words;
        }
      }
    }
  }
}

// Draws tooltips and chosen requests in every language, because the views alone do not show their texts. If a
// translation has wrong placeholders {}, tr() throws.
TEST(Language, TipsAndRequestsSpeakEveryLanguage) {
  int tips = 0, requests = 0;
  for (const char* name :
       {"scan_blelloch", "scan_decoupled_lookback", "stream_compaction", "radix_sort", "summed_area_table",
        "linear_recurrence", "allocation", "bug_barrier_removed", "reduce_shuffle"}) {
    const Recording r = taught(algorithm(name), false);
    const std::set<std::string> known = words_of_code(r);
    const int steps = static_cast<int>(r.trace.steps.size());
    for (const TextLanguage language : {TextLanguage::chinese, TextLanguage::pseudo}) {
      const Speaking speaking(language);
      for (const int step : {0, steps / 3, steps / 2, steps - 1}) {
        Cursor cursor = at_step(step);
        if (!r.step(cursor.block, step).shared.empty()) cursor.request = 0, ++requests;
        for (const View& v : views()) {
          std::set<std::string> seen;
          for (const auto& target : draw_view(v, {r, cursor, light_theme(), 1000, 700}).targets) {
            const Lines tip = tip_of({r, cursor}, target.id);
            if (tip.empty() || !seen.insert(tip.front()).second) continue;
            ++tips;
            // The tooltips of these views contain lines of the source.
            if (language != TextLanguage::pseudo || std::string_view(v.name) == "source" ||
                std::string_view(v.name) == "because")
              continue;
            for (const std::string& line : tip)
              EXPECT_EQ(untranslated(code_cut_out(line), known), "")
                  << v.name << " of " << name << ": " << line;
          }
        }
      }
    }
  }
  EXPECT_GT(tips, 500);
  EXPECT_GT(requests, 20);
}

TEST(Language, EveryTextOfThePanelsCanBeTranslated) {
  Session s(start());
  std::set<std::string> known = words_of_code(s.recording());
  known.insert({"Shift", "Ctrl", "Alt", "Home", "End", "Space", "Enter", "Esc", "Tab", "PgUp", "PgDn",
                "upsweep", "Upsweep", "Blelloch", "pad32x"});
  const Speaking pseudo(TextLanguage::pseudo);
  const auto expect = [&](const std::string& text) {
    EXPECT_EQ(untranslated(code_cut_out(text), known), "") << text;
  };
  const auto expect_panel = [&](const Scene& scene) {
    for (const TextShape& t : texts(scene)) expect(t.text);
  };
  constexpr Point nowhere{-1, -1};
  const Theme& theme = dark_theme();
  const auto expect_bars = [&] {
    expect_panel(transport_panel(s, theme, 900, 120, nowhere).scene);
    expect_panel(status_panel(s, theme, 380, 120, nowhere).scene);
    expect_panel(purpose_panel(s, theme, 1280, purpose_height, nowhere).scene);
    const WindowLayout layout =
        window_layout(1280, 720, s.looks, preferred_heights_of(s.recording(), s.looks));
    expect_panel(view_keys_panel(s, theme, layout, 1280, 720, nowhere).scene);
    expect_panel(caption_panel(s, theme, layout, nowhere, 1).scene);
    expect_panel(controls_panel(s, theme, 1280, 60, nowhere, 1).scene);
    expect_panel(notes_scene(s, theme, 900, 600, 75));
  };
  expect_bars();
  s.go_to(4);
  expect_bars();
  expect_panel(
      help_panel(theme, 1280, 720, 0).scene);  // the other pages are the glossary, which docs/zh translates
  for (const ExportRow& row : export_rows(tr("Tree"), Handouts::with_answers))
    expect(row.name), expect(row.note);
  for (const PaletteEntry& entry : palette(s, RecentFiles{}))
    if (entry.command && entry.command->action != Action::open_lesson) expect(entry.name);
  // Goes through the questions: asks each question, and shows the reason for its answer.
  s.apply({.asking = true});
  s.settle(20);
  std::set<QuestionKind> kinds;
  for (int asked = 0; asked < 40; ++asked) {
    ASSERT_TRUE(s.questioning().is_open());
    const Question question = s.questioning().question();
    const auto expect_question = [&] {
      expect_panel(question_panel(s, theme, 1280, question_height(720), nowhere).scene);
    };
    if (kinds.insert(question.kind).second) {
      expect_question();
      for (int tries = 0; tries < 3 && s.questioning().is_open(); ++tries) {
        if (question.form == AnswerForm::value) s.type_reply('0');
        else
          s.mark_number(question.form == AnswerForm::places ? question.places.back()
                                                            : question.choices.back());
        s.commit_reply();
        expect_question();
        expect(verdict_text(s.questioning()));
      }
    }
    s.next_question();
    s.settle(20);
  }
  EXPECT_GE(kinds.size(), 5u);
}

TEST(Language, ViewsFitInEveryLanguage) {
  for (const char* name :
       {"scan_blelloch", "reduce_shuffle", "scan_lookback_vectorized", "stream_compaction", "radix_sort",
        "summed_area_table", "linear_recurrence", "allocation", "bug_barrier_removed", "reduce_nested"}) {
    const Recording r = taught(algorithm(name), false);
    const int steps = static_cast<int>(r.trace.steps.size());
    for (const TextLanguage language : {TextLanguage::chinese, TextLanguage::pseudo}) {
      const Speaking speaking(language);
      for (const View& v : views())
        for (const Point size : {Point{640, 240}, Point{1272, 420}, Point{900, 700}})
          for (const int step : {0, steps / 2, steps - 1}) {
            SCOPED_TRACE(fmt::format("{} of {}, step {}, {} x {} in {}", v.name, name, step, size.x, size.y,
                                     upsweep::name(language)));
            const Scene scene = draw_view(v, {r, at_step(step), light_theme(), size.x, size.y});
            expect_words_fit(scene, size);
            for (const TextShape& t : texts(scene))
              for (std::string_view rest = t.text; !rest.empty();)
                EXPECT_NE(take_character(rest), U'\xfffd') << "a character is cut in \"" << t.text << '"';
          }
    }
  }
}

// Every help text exists in Chinese, with the same options.
TEST(Language, TheHelpHasTheSameOptionsInChinese) {
  const std::regex option("--[a-z][a-z-]+");
  const auto options_of = [&](const std::string& text) {
    std::multiset<std::string> all;
    for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it)
      all.insert(it->str());
    return all;
  };
  const std::filesystem::path folder = std::filesystem::path(UPSWEEP_SOURCE_DIR) / "docs/command-line";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string page = entry.path().filename();
    EXPECT_EQ(options_of(source_file("docs/command-line/" + page)),
              options_of(source_file("docs/command-line/zh/" + page)))
        << page;
  }
}

TEST(Language, TheGlossaryHasTheSameTermsInChinese) {
  const auto shape_of = [](std::span<const GlossarySection> sections) {
    std::vector<std::size_t> terms;
    for (const GlossarySection& s : sections) terms.push_back(s.terms.size());
    return terms;
  };
  const std::vector<std::size_t> english = shape_of(glossary()),
                                 model = shape_of(what_the_model_leaves_out());
  const Speaking chinese(TextLanguage::chinese);
  EXPECT_EQ(shape_of(glossary()), english);
  EXPECT_EQ(shape_of(what_the_model_leaves_out()), model);
}

TEST(Language, ASessionSwitches) {
  Session s(start());
  EXPECT_EQ(s.state().language, "en");
  EXPECT_EQ(s.apply({.language = "xx"}), Answer::refused);
  s.complain("A message.");
  EXPECT_NE(s.apply({.language = "zh"}), Answer::refused);
  const Speaking back(TextLanguage::chinese);  // its destructor restores English
  EXPECT_EQ(language(), TextLanguage::chinese);
  EXPECT_EQ(s.banner().text, "") << "the message is in the language before";
  EXPECT_EQ(s.state().language, "zh");
  EXPECT_FALSE(shared_part(s.state()).language) << "each reader has an own language";
  const std::string text = words(s.recording(), s.cursor());
  EXPECT_TRUE(text.ends_with("。")) << text;
}

}  // namespace language_test
}  // namespace upsweep
