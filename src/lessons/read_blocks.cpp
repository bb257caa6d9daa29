#include "lessons/read_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "lessons/split.hpp"
#include "options/option_text.hpp"

namespace upsweep {

namespace {

constexpr std::size_t most_hints = 5, most_misreadings = 20;
// The options that a block `ask` may have for each kind of question, in the order of QuestionKind. The
// options --step, --at-block, --with and --of are not in this list.
constexpr std::string_view options_of_kinds[question_kinds] = {
    "element",                 // value
    "",                        // written
    "warp line",               // active
    "request lane warp line",  // bank
    "request lane warp line",  // colliding
    "request warp line",       // wavefronts
    "",                        // diverged
    "",                        // waiting
    "warp",                    // next_line
    "",                        // look_back
    "",                        // compare
    "line",                    // barrier
};
constexpr std::string_view compared_count_names[] = {"wavefronts", "sectors", "operations", "barriers"};

void complain(std::vector<Mistake>& mistakes, int line, std::string text) {
  mistakes.push_back({line, std::move(text)});
}

// Calls f(number, text) for every non-empty line of a block.
template <class F>
void each_line(const MarkdownPart& part, F f) {
  int line = part.line;
  for (const std::string_view typed : cut_at(part.content, '\n')) {
    ++line;
    if (const std::string_view text = stripped(typed); !text.empty()) f(line, text);
  }
}

}  // namespace

ShowBlock read_show(const MarkdownPart& part) {
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
    throw RequestError(tr("A block `show` begins with the name of an algorithm, such as scan_blelloch."));
  for (const auto& [option, is_given] :
       {std::pair("--schedule", b.run.schedule.has_value()), std::pair("--rounds", b.run.rounds.has_value()),
        std::pair("--focus", b.run.focus.has_value()), std::pair("--lockstep", b.run.lockstep)})
    if (is_given)
      throw RequestError(
          tr("{} is only for the command line. Record the run with `upsweep trace -o FILE`, and show the "
             "recording with --trace FILE.",
             option));
  return b;
}

namespace {

// Reads a line `hint: TEXT` into `hints`. Returns false for other lines.
bool take_hint(int line, std::string_view text, std::vector<LessonHint>& hints,
               std::vector<Mistake>& mistakes) {
  if (!text.starts_with("hint:")) return false;
  if (const std::string_view hint = stripped(text.substr(5)); !hint.empty())
    hints.push_back({line, std::string(hint)});
  else complain(mistakes, line, tr("The hint has no text."));
  return true;
}

void check_hints(const std::vector<LessonHint>& hints) {
  if (hints.size() > most_hints)
    throw RequestError(
        tr("A question has at most {} hints, not {}.", most_hints, grouped(std::ssize(hints))));
}

// Reads the lines `misread` and `hint` of a block. Returns the other lines, which contain options and must be
// before the lines `misread` and `hint`.
std::string read_remarks(const MarkdownPart& part, AskBlock& b, std::vector<Mistake>& mistakes) {
  std::string options;
  each_line(part, [&](int line, std::string_view text) {
    if (take_hint(line, text, b.hints, mistakes)) return;
    const std::size_t colon = text.find(':');
    if (text.starts_with("misread ")) {
      if (colon == text.npos)
        return complain(mistakes, line, tr("Write `misread ANSWER: TEXT`, with a colon after the answer."));
      const std::string_view answer = stripped(text.substr(8, colon - 8)),
                             why = stripped(text.substr(colon + 1));
      if (colon <= 8 || answer.empty() || why.empty())
        return complain(mistakes, line, tr("Write `misread ANSWER: TEXT`, with an answer and a text."));
      b.misread.push_back({line, std::string(answer), std::string(why)});
    } else if (!b.misread.empty() || !b.hints.empty()) {
      complain(mistakes, line,
               tr("This line is neither `misread ANSWER: TEXT` nor `hint: TEXT`: \"{}\".",
                  first_characters(text, 60)));
    } else {
      options += std::string(text) + "\n";
    }
  });
  check_hints(b.hints);
  if (b.misread.size() > most_misreadings)
    throw RequestError(tr("A question explains at most {} wrong answers, not {}.", most_misreadings,
                          grouped(std::ssize(b.misread))));
  return options;
}

}  // namespace

AskBlock read_ask(const MarkdownPart& part, std::vector<Mistake>& mistakes) {
  AskBlock b{.line = part.line};
  const std::string options = read_remarks(part, b, mistakes);
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
  if (kind.empty())
    throw RequestError(tr("A block `ask` begins with the kind of the question, such as wavefronts."));
  const auto found = std::ranges::find(question_kind_names, kind);
  if (found == std::end(question_kind_names))
    throw RequestError(tr("There is no kind of question \"{}\"{}; the kinds are {}.",
                          first_characters(kind, 40), guess(kind, question_kind_names),
                          fmt::join(question_kind_names, ", ")));
  b.order.kind = static_cast<QuestionKind>(found - std::begin(question_kind_names));
  const auto number = [&](const char* option, const std::optional<std::string>& typed, int least) {
    std::optional<int> value;
    if (!typed) return value;
    const long long read = whole_number(option, *typed);
    if (read < least || read > INT32_MAX)
      throw RequestError(tr("{} takes a number of at least {}, not {}.", option, least, *typed));
    value = static_cast<int>(read);
    return value;
  };
  const std::string_view own = options_of_kinds[static_cast<std::size_t>(*b.order.kind)];
  for (const auto& [option, is_given] : {std::pair(std::string_view("request"), request.has_value()),
                                         {"warp", warp.has_value()},
                                         {"lane", lane.has_value()},
                                         {"element", element.has_value()},
                                         {"line", line.has_value()}})
    if (const std::vector<std::string_view> all = cut_at(own, ' ');
        is_given && std::ranges::find(all, option) == all.end())
      throw RequestError(tr("A question of the kind \"{}\" does not take --{}.", kind, option));
  b.order.block = number("--at-block", at_block, 0);
  b.order.request = number("--request", request, 1);
  b.order.warp = number("--warp", warp, 0);
  b.order.lane = number("--lane", lane, 0);
  b.order.element = number("--element", element, 0);
  b.order.line = number("--line", line, 1);
  if (of) b.order.of = static_cast<ComparedCount::Of>(one_of("--of", *of, compared_count_names));
  const bool of_run = is_about_runs(*b.order.kind);
  if (of_run == b.step.has_value())
    throw RequestError(
        of_run ? tr("A question of the kind \"{}\" is about the whole run: leave --step out.", kind)
               : tr("A question of the kind \"{}\" needs --step.", kind));
  const bool compares = b.order.kind == QuestionKind::compare;
  if (compares != !b.with.empty())
    throw RequestError(compares
                           ? tr("A question of the kind \"compare\" needs --with KEY=VALUE: the option that "
                                "differs in the other run.")
                           : tr("Only questions of the kind \"compare\" take --with."));
  if (compares != of.has_value())
    throw RequestError(compares
                           ? tr("A question of the kind \"compare\" needs --of, such as --of wavefronts.")
                           : tr("Only questions of the kind \"compare\" take --of."));
  return b;
}

OrderBlock read_order(const MarkdownPart& part, std::vector<Mistake>& mistakes) {
  OrderBlock b{.line = part.line};
  each_line(part, [&](int line, std::string_view text) {
    if (text.starts_with("lines ")) {
      const std::string_view range = stripped(text.substr(6));
      const std::size_t dash = range.find('-');
      const auto first = small_number(range.substr(0, dash)),
                 last = dash == range.npos ? first : small_number(range.substr(dash + 1));
      if (!first || !last || *first < 1 || *last < *first)
        return complain(mistakes, line, tr("Write the first and the last line, such as `lines 30-33`."));
      if (b.first > 0)
        return complain(mistakes, line,
                        tr("A block `order` may have only one line that begins with `lines`."));
      b.first = *first;
      b.last = *last;
    } else if (text.starts_with("equal ")) {
      std::vector<int> group;
      for (const std::string_view word : cut_at(text.substr(6), ' '))
        if (!stripped(word).empty()) group.push_back(small_number(stripped(word)).value_or(0));
      if (group.size() < 2 || std::ranges::find(group, 0) != group.end())
        return complain(mistakes, line,
                        tr("Write the numbers of lines that can run in any order, such as `equal 31 32`."));
      b.equal.push_back(std::move(group));
    } else if (text.starts_with("extra:")) {
      if (const std::string_view extra = stripped(text.substr(6)); !extra.empty())
        b.extra.emplace_back(extra);
      else complain(mistakes, line, tr("The extra line has no text."));
    } else if (!take_hint(line, text, b.hints, mistakes)) {
      complain(mistakes, line,
               tr("A block `order` has lines such as `lines 30-33`, `equal 31 32`, `extra: TEXT` and `hint: "
                  "TEXT`, not \"{}\".",
                  first_characters(text, 60)));
    }
  });
  check_hints(b.hints);
  if (b.first == 0) throw RequestError(tr("A block `order` needs a line such as `lines 30-33`."));
  for (const std::vector<int>& group : b.equal)
    for (const int line : group)
      if (line < b.first || line > b.last)
        throw RequestError(tr("Line {} is not among the lines {} to {}.", line, b.first, b.last));
  const int most = b.last - b.first + 1;
  if (most > 60 || most < static_cast<int>(least_ordered))
    throw RequestError(tr("A block `order` has {} to {} lines: choose another range of lines.", least_ordered,
                          most_ordered));
  return b;
}

}  // namespace upsweep
