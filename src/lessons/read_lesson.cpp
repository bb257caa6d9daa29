// Reads a lesson: the front matter, the steps, and the blocks show, ask and order.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "lessons/lesson.hpp"
#include "lessons/markdown.hpp"
#include "lessons/read_blocks.hpp"
#include "lessons/split.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int most_minutes = 15;
constexpr std::size_t most_steps = 100, most_title = 80, most_about = 100;

// Returns whether a text has a character that can be seen.
bool is_visible(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = take_character(text);
    const bool is_space = c <= U' ' || c == 0xA0 || c == 0xAD || (c >= 0x2000 && c <= 0x200F) ||
                          (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 ||
                          c == 0x3164 || c == 0xFEFF || (c >= 0xFE00 && c <= 0xFE0F) ||
                          (c >= 0xE0000 && c <= 0xE0FFF);
    if (!is_space) return true;
  }
  return false;
}

class Reader {
 public:
  Reader(std::string name, std::string_view text) : text_(text) { read_.lesson.name = std::move(name); }

  ReadLesson read() && {
    if (is_text()) {
      const std::size_t body = front_matter();
      steps(markdown_parts(text_.substr(std::min(body, text_.size())), line_, read_.mistakes));
    }
    const auto lines = static_cast<int>(std::ranges::count(text_, '\n')) + (text_.ends_with('\n') ? 0 : 1);
    for (Mistake& m : read_.mistakes) m.line = std::clamp(m.line, 1, std::max(1, lines));
    std::ranges::stable_sort(read_.mistakes, {}, &Mistake::line);
    return std::move(read_);
  }

 private:
  void complain(int line, std::string text) { read_.mistakes.push_back({line, std::move(text)}); }
  // Calls f(). If f() throws an error, adds the sentence of the error to the mistakes.
  template <class F>
  void expect(int line, F f) {
    try {
      f();
    } catch (const Error& e) { complain(line, in_words(e)); }
  }

  bool is_text() {
    if (text_.size() > most_lesson_bytes) {
      complain(1,
               tr("A lesson has at most {} bytes, but this file has {}.", most_lesson_bytes, text_.size()));
      return false;
    }
    int line = 1;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view before = rest;
      const char32_t c = take_character(rest);
      if (c == U'\n') ++line;
      const bool is_invalid = c == 0xFFFD && !before.starts_with("\xEF\xBF\xBD");
      if (is_invalid || (c < U' ' && c != U'\n' && c != U'\t' && c != U'\r')) {
        complain(line,
                 tr("This line has a character that is not allowed in a text: save the file as UTF-8."));
        return false;
      }
    }
    return true;
  }

  // Reads the front matter. Returns the position in the text after the front matter, and sets line_ to the
  // line of this position.
  std::size_t front_matter() {
    std::size_t at = 0;
    const auto next_line = [&] {
      const std::size_t to = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = stripped(text_.substr(at, to - at));
      at = to + 1;
      ++line_;
      return line;
    };
    line_ = 0;
    if (next_line() != "---") {
      complain(
          1,
          tr("A lesson begins with a line ---. Then come lines such as `title: What a scan is`, and another "
             "line ---."));
      line_ = 1;
      return 0;
    }
    std::set<std::string, std::less<>> given;
    while (true) {
      if (at > text_.size()) {
        complain(line_, tr("The front matter has no end: write a line --- after its last line."));
        break;
      }
      const std::string_view line = next_line();
      if (line == "---") break;
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t colon = line.find(':');
      if (colon == line.npos) {
        complain(line_, tr("Each line of the front matter must be `key: value`, not \"{}\".",
                           first_characters(line, 60)));
        continue;
      }
      const std::string key(stripped(line.substr(0, colon)));
      if (!given.insert(key).second) complain(line_, tr("The key {} is given more than once.", key));
      take(key, stripped(line.substr(colon + 1)));
    }
    for (const char* key : {"title", "minutes"})
      if (!given.contains(key)) complain(1, tr("The front matter has no line `{}: ...`.", key));
    ++line_;
    return at;
  }

  void take(const std::string& key, std::string_view value) {
    Lesson& l = read_.lesson;
    const auto limited = [&](std::string& to, std::size_t most) {
      if (!is_visible(value)) complain(line_, tr("The key {} has no value: write a text after it.", key));
      if (character_count(value) > most)
        complain(line_, tr("The text after `{}:` has {} characters: use at most {}.", key,
                           character_count(value), most));
      to = first_characters(value, most);
    };
    if (key == "title") return limited(l.title, most_title);
    if (key == "about") return limited(l.about, most_about);
    if (key == "minutes") {
      l.minutes = small_number(value).value_or(0);
      if (l.minutes < 1 || l.minutes > most_minutes)
        complain(line_, tr("The key minutes takes a whole number from 1 to {}, not \"{}\".", most_minutes,
                           first_characters(value, 20)));
    } else if (key == "needs") {
      l.needs_line = line_;
      for (const std::string_view name : cut_at(value, ','))
        if (!stripped(name).empty()) l.needs.emplace_back(stripped(name));
    } else if (key == "next") {
      l.next_line = line_;
      l.next = value;
    } else if (key == "kind") {
      const auto found = std::ranges::find(lesson_kinds, value);
      if (found == std::end(lesson_kinds))
        complain(line_, tr("There is no kind of lesson \"{}\": choose lesson, test or card.",
                           first_characters(value, 20)));
      else l.kind = static_cast<Lesson::Kind>(found - std::begin(lesson_kinds));
    } else if (key == "language") {
      const bool is_code =
          value.size() == 2 && std::ranges::all_of(value, [](char c) { return c >= 'a' && c <= 'z'; });
      if (!is_code) complain(line_, tr("The key language takes two letters, such as en or zh."));
      else l.language = value;
    } else {
      static constexpr std::string_view keys[] = {"title", "minutes", "about",   "needs",
                                                  "next",  "kind",    "language"};
      complain(line_, tr("The front matter has no key {}{}.", first_characters(key, 30), guess(key, keys)));
    }
  }

  LessonStep& step(int line) {
    if (ended_ || read_.lesson.steps.empty()) read_.lesson.steps.push_back({.line = line});
    ended_ = false;
    return read_.lesson.steps.back();
  }
  bool is_empty() const {
    if (ended_ || read_.lesson.steps.empty()) return true;
    const LessonStep& s = read_.lesson.steps.back();
    return s.texts.empty() && !has_show(s);
  }
  static bool has_show(const LessonStep& s) { return s.show || s.has_wrong_show; }

  // Returns LessonStep::question. Texts do not change the hash, so a question has the same hash in all
  // languages.
  std::uint64_t question_hash(const MarkdownPart& part) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    const auto add = [&](std::string_view text) {
      for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    };
    add(part.fence);
    for (std::string_view line : cut_at(part.content, '\n')) {
      line = stripped(line);
      if (!line.empty() && !line.starts_with("hint:") && !line.starts_with("misread ")) add("\n"), add(line);
    }
    while (!hashes_.insert(hash).second || hash == 0) add("again");
    return hash;
  }

  void expect_no_hints(const std::vector<LessonHint>& hints) {
    if (read_.lesson.kind != Lesson::Kind::test) return;
    for (const LessonHint& hint : hints)
      complain(hint.line, tr("A test shows no hints: leave the hints out, or choose the kind \"lesson\"."));
  }

  void steps(const std::vector<MarkdownPart>& parts) {
    for (const MarkdownPart& part : parts) {
      if (part.kind == MarkdownPart::Kind::rule) {
        ended_ = true;
      } else if (part.kind == MarkdownPart::Kind::text) {
        if (part.text.kind == LessonText::Kind::heading && !is_empty()) ended_ = true;
        step(part.line).texts.push_back(part.text);
      } else if (part.fence.empty()) {
        step(part.line).has_wrong_show = true;
        has_shown_ = true;
      } else if (part.fence == "show") {
        if (!ended_ && !read_.lesson.steps.empty() && has_show(read_.lesson.steps.back())) ended_ = true;
        LessonStep& s = step(part.line);
        expect(part.line, [&] { s.show = read_show(part); });
        s.has_wrong_show = !s.show;
        has_shown_ = true;
      } else {
        if (!has_shown_)
          complain(part.line,
                   tr("A block `{}` needs a run: write a block `show` before this block.", part.fence));
        LessonStep& s = step(part.line);
        s.question = question_hash(part);
        expect(part.line, [&] {
          if (part.fence == "ask") s.ask = read_ask(part, read_.mistakes);
          else s.order = read_order(part, read_.mistakes);
        });
        if (s.ask) expect_no_hints(s.ask->hints);
        if (s.order) expect_no_hints(s.order->hints);
        has_task_ = true;
        ended_ = true;
      }
    }
    if (read_.lesson.steps.size() > most_steps)
      complain(read_.lesson.steps[most_steps].line, tr("A lesson has at most {} steps.", most_steps));
    if (read_.lesson.steps.empty()) complain(line_, tr("The lesson has no text."));
    else if (!has_task_ && read_.lesson.kind != Lesson::Kind::card)
      complain(line_, tr("The lesson has no questions: write at least one block `ask` or `order`."));
  }

  const std::string_view text_;
  ReadLesson read_;
  int line_ = 1;
  std::set<std::uint64_t> hashes_;
  bool ended_ = false, has_shown_ = false, has_task_ = false;
};

}  // namespace

ReadLesson read_lesson(std::string name, std::string_view text) {
  return Reader(std::move(name), text).read();
}

ReadLesson read_lesson_file(const std::string& path) {
  // Refuses every file that is not a regular file, because a pipe might never end.
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw RequestError(tr("{} is not a file.", path));
  return read_lesson(std::filesystem::path(path).stem().string(), read_text_file(path, most_lesson_bytes));
}

std::string_view without_number(std::string_view name) {
  const std::size_t digits = name.find_first_not_of("0123456789");
  return digits != name.npos && digits > 0 && name[digits] == '-' ? name.substr(digits + 1) : name;
}

bool is_named(const Lesson& lesson, std::string_view name) {
  return lesson.name == name || without_number(lesson.name) == name;
}

}  // namespace upsweep
