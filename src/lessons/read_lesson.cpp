// Reads a lesson: the front matter, the steps, and the blocks show, ask and order.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "lessons/lesson.hpp"
#include "lessons/markdown.hpp"
#include "options/option_text.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr int most_minutes = 15;
constexpr std::size_t most_steps = 100, most_title = 80, most_about = 100;
constexpr int least_ordered = 2, most_ordered = 9;
constexpr std::string_view lesson_kinds[] = {"lesson", "test", "card"};
// The options of each kind of question, in the order of QuestionKind, beside --step, --at-block, --with and --of.
constexpr std::string_view options_of_kinds[] = {
    "element",              // value
    "",                     // written
    "warp line",            // active
    "request lane warp line",  // bank
    "request lane warp line",  // colliding
    "request warp line",    // wavefronts
    "",                     // diverged
    "",                     // waiting
    "warp",                 // next_line
    "",                     // look_back
    "",                     // compare
    "line",                 // barrier
};
constexpr std::string_view count_names[] = {"wavefronts", "sectors", "operations", "barriers"};

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    all.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return all;
}

std::optional<int> small_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || number < 0) return {};
  return number;
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
  // Calls f(), and adds the sentence of an error that it throws.
  template <class F>
  void expect(int line, F f) {
    try {
      f();
    } catch (const Error& e) { complain(line, in_words(e)); }
  }

  bool is_text() {
    if (text_.size() > most_lesson_bytes) {
      complain(1, fmt::format("A lesson has at most {} bytes, but this file has {}.", most_lesson_bytes, text_.size()));
      return false;
    }
    int line = 1;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view before = rest;
      const char32_t c = take_character(rest);
      if (c == U'\n') ++line;
      const bool is_invalid = c == 0xFFFD && !before.starts_with("\xEF\xBF\xBD");
      if (is_invalid || (c < U' ' && c != U'\n' && c != U'\t' && c != U'\r')) {
        complain(line, "This line has a character that no text contains: save the file as UTF-8.");
        return false;
      }
    }
    return true;
  }

  // Reads the front matter. Returns the place in the text after it, and sets line_ to that place's line.
  std::size_t front_matter() {
    std::size_t at = 0;
    const auto next_line = [&] {
      const std::size_t to = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = trimmed(text_.substr(at, to - at));
      at = to + 1;
      ++line_;
      return line;
    };
    line_ = 0;
    if (next_line() != "---") {
      complain(1, "A lesson begins with a line ---, then lines such as `title: What a scan is`, then a line ---.");
      line_ = 1;
      return 0;
    }
    std::set<std::string, std::less<>> given;
    while (true) {
      if (at > text_.size()) {
        complain(line_, "The front matter has no end: write a line --- after its last line.");
        break;
      }
      const std::string_view line = next_line();
      if (line == "---") break;
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t colon = line.find(':');
      if (colon == line.npos) {
        complain(line_, fmt::format("The front matter has lines `key: value`, not \"{}\".", first_characters(line, 60)));
        continue;
      }
      const std::string key(trimmed(line.substr(0, colon)));
      if (!given.insert(key).second) complain(line_, fmt::format("The key {} is given more than once.", key));
      take(key, trimmed(line.substr(colon + 1)));
    }
    for (const char* key : {"title", "minutes"})
      if (!given.contains(key)) complain(1, fmt::format("The front matter has no line `{}: ...`.", key));
    ++line_;
    return at;
  }

  void take(const std::string& key, std::string_view value) {
    Lesson& l = read_.lesson;
    const auto limited = [&](std::string& to, std::size_t most) {
      if (value.empty()) complain(line_, fmt::format("The key {} needs a text.", key));
      if (character_count(value) > most)
        complain(line_, fmt::format("The key {} has {} characters: use at most {}.", key, character_count(value), most));
      to = first_characters(value, most);
    };
    if (key == "title") return limited(l.title, most_title);
    if (key == "about") return limited(l.about, most_about);
    if (key == "minutes") {
      l.minutes = small_number(value).value_or(0);
      if (l.minutes < 1 || l.minutes > most_minutes)
        complain(line_, fmt::format("minutes is a whole number from 1 to {}, not \"{}\".", most_minutes,
                                    first_characters(value, 20)));
    } else if (key == "needs") {
      for (const std::string_view name : split(value, ','))
        if (!trimmed(name).empty()) l.needs.emplace_back(trimmed(name));
    } else if (key == "next") {
      l.next = value;
    } else if (key == "kind") {
      const auto found = std::ranges::find(lesson_kinds, value);
      if (found == std::end(lesson_kinds))
        complain(line_, fmt::format("There is no kind \"{}\": choose lesson, test or card.", first_characters(value, 20)));
      else l.kind = static_cast<Lesson::Kind>(found - std::begin(lesson_kinds));
    } else if (key == "language") {
      const bool is_code = value.size() == 2 && std::ranges::all_of(value, [](char c) { return c >= 'a' && c <= 'z'; });
      if (!is_code) complain(line_, "language has two letters, such as en or zh.");
      else l.language = value;
    } else {
      static constexpr std::string_view keys[] = {"title", "minutes", "about", "needs", "next", "kind", "language"};
      complain(line_, fmt::format("The front matter has no key {}{}.", first_characters(key, 30), guess(key, keys)));
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
    return s.texts.empty() && !s.show;
  }

  void steps(const std::vector<MarkdownPart>& parts) {
    const ShowBlock* shown = nullptr;
    for (const MarkdownPart& part : parts) {
      if (part.kind == MarkdownPart::Kind::rule) {
        ended_ = true;
      } else if (part.kind == MarkdownPart::Kind::text) {
        if (part.text.kind == LessonText::Kind::heading && !is_empty()) ended_ = true;
        step(part.line).texts.push_back(part.text);
      } else if (part.fence == "show") {
        if (!ended_ && !read_.lesson.steps.empty() && read_.lesson.steps.back().show) ended_ = true;
        expect(part.line, [&] { step(part.line).show = show(part); });
        shown = read_.lesson.steps.back().show ? &*read_.lesson.steps.back().show : shown;
        has_shown_ = true;
      } else {
        if (!has_shown_) complain(part.line, fmt::format("A block `{}` needs a run: write a block `show` before it.", part.fence));
        LessonStep& s = step(part.line);
        expect(part.line, [&] {
          if (part.fence == "ask") s.ask = ask(part);
          else s.order = order(part);
        });
        has_task_ = true;
        ended_ = true;
      }
    }
    // Steps without text and without a task come from lines --- at the end.
    if (read_.lesson.steps.size() > most_steps)
      complain(read_.lesson.steps[most_steps].line, fmt::format("A lesson has at most {} steps.", most_steps));
    if (read_.lesson.steps.empty()) complain(line_, "The lesson has no text.");
    else if (!has_task_ && read_.lesson.kind != Lesson::Kind::card)
      complain(line_, "The lesson asks nothing: write at least one block `ask` or `order`.");
  }

  ShowBlock show(const MarkdownPart& part) {
    ShowBlock b{.line = part.line};
    TextParser parser;
    b.run.add_to(parser);
    parser.add_option("--step", b.step);
    parser.add_option("--at-block", b.at_block);
    parser.add_option("--request", b.request);
    parser.add_option("--view", b.view);
    parser.add_option("--compare", b.compare);
    parser.parse(part.content);
    if (b.run.algorithm.empty() && !b.run.trace)
      throw RequestError("A block `show` begins with the name of an algorithm, such as scan_blelloch.");
    for (const auto& [option, is_given] :
         {std::pair("--schedule", b.run.schedule.has_value()), std::pair("--rounds", b.run.rounds.has_value()),
          std::pair("--focus", b.run.focus.has_value()), std::pair("--lockstep", b.run.lockstep)})
      if (is_given)
        throw RequestError(fmt::format("{} is only for the command line: record the run with `upsweep trace -o FILE`, "
                                       "and show it with --trace FILE.",
                                       option));
    return b;
  }

  // Calls f(line, key, rest) for every line of a block after its first `from` lines: "hint: ..." has the key
  // "hint".
  template <class F>
  void each_line(const MarkdownPart& part, F f) {
    int line = part.line;
    for (const std::string_view typed : split(part.content, '\n')) {
      ++line;
      if (const std::string_view text = trimmed(typed); !text.empty()) f(line, text);
    }
  }

  AskBlock ask(const MarkdownPart& part) {
    AskBlock b{.line = part.line};
    std::string options;
    each_line(part, [&](int line, std::string_view text) {
      const std::size_t colon = text.find(':');
      if (text.starts_with("misread ")) {
        if (colon == text.npos) return complain(line, "Write `misread ANSWER: TEXT`, with a colon after the answer.");
        const std::string_view answer = trimmed(text.substr(8, colon - 8)), why = trimmed(text.substr(colon + 1));
        if (colon <= 8 || answer.empty() || why.empty())
          return complain(line, "Write `misread ANSWER: TEXT`, with an answer and a text.");
        b.misread.push_back({line, std::string(answer), std::string(why)});
      } else if (text.starts_with("hint:")) {
        if (const std::string_view hint = trimmed(text.substr(5)); !hint.empty()) b.hints.emplace_back(hint);
        else complain(line, "The hint has no text.");
      } else if (!b.misread.empty() || !b.hints.empty()) {
        complain(line, fmt::format("This line is no `misread ANSWER: TEXT` and no `hint: TEXT`: \"{}\".", first_characters(text, 60)));
      } else {
        options += std::string(text) + "\n";
      }
    });
    std::string kind;
    std::optional<std::string> at_block, request, warp, lane, element, line, of;
    TextParser parser;
    parser.add_option("KIND", kind);
    parser.add_option("--step", b.step);
    parser.add_option("--at-block", at_block);
    parser.add_option("--request", request);
    parser.add_option("--warp", warp);
    parser.add_option("--lane", lane);
    parser.add_option("--element", element);
    parser.add_option("--line", line);
    parser.add_option("--with", b.with);
    parser.add_option("--of", of);
    parser.parse(options);
    if (kind.empty()) throw RequestError("A block `ask` begins with a kind, such as wavefronts.");
    const auto found = std::ranges::find(question_kind_names, kind);
    if (found == std::end(question_kind_names))
      throw RequestError(fmt::format("There is no kind of question \"{}\"{}; the kinds are {}.", first_characters(kind, 40),
                                     guess(kind, question_kind_names), fmt::join(question_kind_names, ", ")));
    b.order.kind = static_cast<QuestionKind>(found - std::begin(question_kind_names));
    const auto number = [&](const char* option, const std::optional<std::string>& typed, int least) {
      std::optional<int> value;
      if (!typed) return value;
      const long long read = whole_number(option, *typed);
      if (read < least || read > INT32_MAX)
        throw RequestError(fmt::format("{} takes a number of at least {}, not {}.", option, least, *typed));
      value = static_cast<int>(read);
      return value;
    };
    const std::string_view own = options_of_kinds[static_cast<std::size_t>(*b.order.kind)];
    for (const auto& [option, is_given] :
         {std::pair(std::string_view("request"), request.has_value()), {"warp", warp.has_value()}, {"lane", lane.has_value()},
          {"element", element.has_value()}, {"line", line.has_value()}})
      if (const std::vector<std::string_view> all = split(own, ' '); is_given && std::ranges::find(all, option) == all.end())
        throw RequestError(fmt::format("A question of the kind {} has no --{}.", kind, option));
    b.order.block = number("--at-block", at_block, 0);
    b.order.request = number("--request", request, 1);
    b.order.warp = number("--warp", warp, 0);
    b.order.lane = number("--lane", lane, 0);
    b.order.element = number("--element", element, 0);
    b.order.line = number("--line", line, 1);
    if (of) b.order.of = static_cast<ComparedCount::Of>(one_of("--of", *of, count_names));
    const bool of_run = b.order.kind == QuestionKind::compare || b.order.kind == QuestionKind::barrier;
    if (of_run == b.step.has_value())
      throw RequestError(of_run ? fmt::format("A question of the kind {} is about the whole run: leave --step out.", kind)
                                : fmt::format("A question of the kind {} needs --step.", kind));
    const bool compares = b.order.kind == QuestionKind::compare;
    if (compares != !b.with.empty())
      throw RequestError(compares ? "A question of the kind compare needs --with KEY=VALUE: how the other run differs."
                                  : "Only questions of the kind compare have --with.");
    if (compares != of.has_value())
      throw RequestError(compares ? "A question of the kind compare needs --of, such as --of wavefronts."
                                  : "Only questions of the kind compare have --of.");
    return b;
  }

  OrderBlock order(const MarkdownPart& part) {
    OrderBlock b{.line = part.line};
    each_line(part, [&](int line, std::string_view text) {
      if (text.starts_with("lines ")) {
        const std::string_view range = trimmed(text.substr(6));
        const std::size_t dash = range.find('-');
        const auto first = small_number(range.substr(0, dash)),
                   last = dash == range.npos ? first : small_number(range.substr(dash + 1));
        if (!first || !last || *first < 1 || *last < *first)
          return complain(line, "Write the first and the last line, such as `lines 30-33`.");
        b.first = *first;
        b.last = *last;
      } else if (text.starts_with("equal ")) {
        std::vector<int> group;
        for (const std::string_view word : split(text.substr(6), ' '))
          if (!trimmed(word).empty()) group.push_back(small_number(trimmed(word)).value_or(0));
        if (group.size() < 2 || std::ranges::find(group, 0) != group.end())
          return complain(line, "Write the numbers of lines that may change places, such as `equal 31 32`.");
        b.equal.push_back(std::move(group));
      } else if (text.starts_with("extra:")) {
        if (const std::string_view extra = trimmed(text.substr(6)); !extra.empty()) b.extra.emplace_back(extra);
        else complain(line, "The extra line has no text.");
      } else if (text.starts_with("hint:")) {
        if (const std::string_view hint = trimmed(text.substr(5)); !hint.empty()) b.hints.emplace_back(hint);
        else complain(line, "The hint has no text.");
      } else {
        complain(line, fmt::format("A block `order` has lines `lines 30-33`, `equal 31 32`, `extra: TEXT` and `hint: TEXT`, not \"{}\".",
                                   first_characters(text, 60)));
      }
    });
    if (b.first == 0) throw RequestError("A block `order` needs a line such as `lines 30-33`.");
    for (const std::vector<int>& group : b.equal)
      for (const int line : group)
        if (line < b.first || line > b.last)
          throw RequestError(fmt::format("Line {} is not among the lines {} to {}.", line, b.first, b.last));
    const int most = b.last - b.first + 1;
    if (most > 60 || static_cast<int>(b.extra.size()) > most_ordered || most < least_ordered)
      throw RequestError(fmt::format("A learner can order {} to {} lines.", least_ordered, most_ordered));
    return b;
  }

  const std::string_view text_;
  ReadLesson read_;
  int line_ = 1;
  bool ended_ = false, has_shown_ = false, has_task_ = false;
};

}  // namespace

ReadLesson read_lesson(std::string name, std::string_view text) { return Reader(std::move(name), text).read(); }

ReadLesson read_lesson_file(const std::string& path) {
  // A pipe might never end.
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw RequestError(fmt::format("{} is no file.", path));
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
