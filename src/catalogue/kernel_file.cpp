// Reads the comment at the beginning of a kernel file. docs/kernel-files.md describes its fields.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/memory_reader.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

class Reader : MemoryReader {
 public:
  Reader(std::string name, std::string file, std::string text)
      : MemoryReader(std::move(name), std::move(file), std::move(text)) {}

  Algorithm read() {
    read_fields();
    a_.title = take_prose("Title");
    a_.idea = take_prose("Idea");
    read_gives(take("Gives"));
    a_.watch = take_prose("Watch");
    a_.source = take_prose("Source");
    read_variants(take("Variants"));
    a_.variables = {"n", "block", "grid", "whole"};
    read_data(take("Data", false));
    for (const Constant& c : constants(a_, {})) a_.variables.push_back(c.name);
    read_tunings(take("Tuning", false));
    read_tunings(take("Suits", false));  // the field's name in recordings of earlier versions
    for (const std::string& name : split(take("Names", false), ',')) read_name(name);
    a_.steps = formula("Steps", take("Steps")).text();
    std::string operations = take("Operations");
    a_.at_most = cut_begin(operations, "at most ");
    a_.operations = formula("Operations", operations).text();
    if (const std::string span = take("Span", false); !span.empty()) a_.span = formula("Span", span).text();
    read_limits();
    read_inputs(take("Inputs", false));
    read_outputs(take("Outputs", false));
    read_buffers(take("Buffers", false));
    read_shared(take("Shared", false));
    read_launches(take("Launches", false));
    for (const std::string& flaw : split(take("Broken", false), ';')) read_flaw(flaw);
    read_right(take("Right", false));
    read_family(take("Family", false));
    read_ladder(take("Ladder", false));
    a_.mends = take("Mends", false);
    if (!a_.mends.empty() && a_.ladder.empty()) fail("Mends", a_.mends, "beside a field Ladder");
    if (!fields_.empty())
      throw WorkError(fmt::format("{} has the unknown field \"{}\" in its opening comment.", a_.file,
                                  fields_.begin()->first));
    return std::move(a_);
  }

 private:
  // Returns the text of a field without backticks, because users read this text. Backticks mark code only in
  // the file.
  std::string take_prose(const char* field) {
    std::string text = take(field);
    std::erase(text, '`');
    return text;
  }

  void read_fields() {
    std::istringstream lines(a_.text);
    std::string line, last;
    std::getline(lines, line);
    if (line.starts_with("// ")) fields_["Title"] = trimmed(line.substr(3));
    while (std::getline(lines, line) && line.starts_with("//")) {
      if (line.starts_with("//   ")) {
        fields_[last] += " " + trimmed(line.substr(2));
        continue;
      }
      const std::string rest = trimmed(line.substr(2));
      const auto space = rest.find(' ');
      last = rest.substr(0, space);
      if (fields_.contains(last))
        throw WorkError(fmt::format("{} has the field \"{}\" twice in its opening comment.", a_.file, last));
      fields_[last] = space == rest.npos ? "" : trimmed(rest.substr(space));
    }
  }

  std::string take(const char* field, bool required = true) {
    const auto found = fields_.find(field);
    if (found == fields_.end() || found->second.empty()) {
      if (required)
        throw WorkError(fmt::format("{} lacks the field \"{}\" in its opening comment.", a_.file, field));
      fields_.erase(field);
      return {};
    }
    std::string value = found->second;
    fields_.erase(found);
    return value;
  }

  int number(const char* field, const std::string& text) const {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail(field, text, "a whole number");
    return value;
  }

  void read_gives(const std::string& text) {
    const Given given = results_named(a_.gives = text);
    if ((a_.results = given.results).empty()) fail("Gives", text, "one of: " + known_results());
    if (given.words.empty()) return;
    Choice gives{"gives", {}, tr_noop("gives"), tr_noop("Does each result include its own element?")};
    for (const std::string& word : given.words) gives.options.push_back({word});
    a_.choices.push_back(std::move(gives));
  }

  void read_ladder(const std::string& text) {
    if (text.empty()) return;
    const auto colon = text.find(':');
    a_.ladder = trimmed(text.substr(0, colon));
    a_.rung = colon == text.npos ? "" : trimmed(text.substr(colon + 1));
    if (!is_name(a_.ladder) || !is_name(a_.rung))
      fail("Ladder", text, "the ladder's name, a colon and the rung's name");
  }

  // Reads the family. If the field is missing, a kernel with a bug has the family "bug", and any other
  // algorithm has the family of its result.
  void read_family(const std::string& text) {
    const bool broken =
        std::any_of(a_.flaws.begin(), a_.flaws.end(), [](const Flaw& f) { return f.option.empty(); });
    a_.family = !text.empty() ? text : broken ? "bug" : std::string(a_.results[0]->family);
    if (std::find(std::begin(families), std::end(families), a_.family) == std::end(families))
      fail("Family", text, fmt::format("one of: {}", fmt::join(families, ", ")));
  }

  void read_data(const std::string& text) {
    if (text.empty()) return;
    a_.extents = split_extents(text);
    if (a_.extents.size() != 2) fail("Data", text, "two names: rows x columns");
    for (const std::string& name : a_.extents) {
      if (!is_name(name) || !is_new(name)) fail("Data", text, "two names that are not yet taken");
      a_.variables.push_back(name);
    }
  }

  void read_tunings(const std::string& text) {
    for (const std::string& tuning : split(text, ';')) read_tuning(tuning);
  }
  void read_tuning(const std::string& text) {
    static constexpr const char* form = "such as: rows 8, 512 threads to 2^20";
    Tuning tuning;
    std::string rest = text;
    if (const auto to = rest.find(" to 2^"); to != rest.npos) {
      tuning.most_n = std::int64_t{1} << std::clamp(number("Tuning", rest.substr(to + 6)), 0, 62);
      rest.resize(to);
    }
    for (std::string item : split(rest, ',')) {
      if (cut_end(item, " threads")) {
        tuning.threads = number("Tuning", item);
        continue;
      }
      const std::string name = leading_name(item),
                        choice = trimmed(std::string_view(item).substr(name.size()));
      const Choice* v = a_.choice(name);
      const auto is_choice = [&](const Option& c) { return c.name == choice; };
      if (!v || std::none_of(v->options.begin(), v->options.end(), is_choice)) fail("Tuning", text, form);
      tuning.choices[name] = choice;
    }
    if (tuning.threads == 0) fail("Tuning", text, form);
    a_.tunings.push_back(std::move(tuning));
  }

  void read_name(const std::string& text) {
    const auto equals = text.find('=');
    const std::string name = trimmed(text.substr(0, equals));
    if (equals == text.npos || !is_name(name)) fail("Names", text, "a name, = and a formula");
    if (!is_new(name)) fail("Names", text, "a name that is not yet taken");
    a_.names.push_back(formula("Names", text.substr(equals + 1)));
    a_.variables.push_back(name);
  }

  void read_limits() {
    std::string elements = take("Elements");
    if (elements != "any") {
      if (!cut_end(elements, "per thread")) fail("Elements", elements, "a number per thread, or any");
      a_.elements_per_thread = formula("Elements", elements);
    }
    const std::string blocks = take("Blocks", false);
    if (blocks != "" && blocks != "one" && blocks != "any") fail("Blocks", blocks, "one or any");
    a_.many_blocks = blocks == "any";
    for (std::string limit : split(take("Threads", false), ',')) {
      if (limit == "power of two") a_.power_of_two_threads = true;
      else if (cut_begin(limit, "at least ")) a_.least_threads = number("Threads", limit);
      else if (cut_begin(limit, "at most ")) a_.most_threads = number("Threads", limit);
      else if (cut_begin(limit, "usually ")) a_.usual_threads = number("Threads", limit);
      else fail("Threads", limit, "power of two, at least, at most or usually a number");
    }
    for (const std::string& need : split(take("Needs", false), ',')) {
      if (need == "commutative") a_.commutative = true;
      else if (need == "scalar") a_.scalar = true;
      else fail("Needs", need, "commutative or scalar");
    }
    read_kinds("Types", take("Types", false), &a_.types, nullptr);
    read_kinds("Operators", take("Operators", false), nullptr, &a_.operators);
    if (const std::string largest = take("Largest", false); !largest.empty())
      a_.largest = number("Largest", largest);
  }

  void read_flaw(std::string text) {
    Flaw flaw;
    if (const auto with = text.rfind("\" with "); with != text.npos) {
      flaw.option = trimmed(std::string_view(text).substr(with + 7));
      text.resize(with + 1);
      note_flaw(flaw.option, text);
    }
    const auto at = text.find(" at \"");
    flaw.kind = trimmed(text.substr(0, at));
    if (std::find(std::begin(flaw_kinds), std::end(flaw_kinds), flaw.kind) == std::end(flaw_kinds))
      fail("Broken", text, fmt::format("one of: {}", fmt::join(flaw_kinds, ", ")));
    if (at != text.npos) {
      if (!text.ends_with('"')) fail("Broken", text, "a kind, at, and a part of a line in quotes");
      flaw.line = only_line_with(text.substr(at + 5, text.size() - at - 6));
    } else if (flaw.kind != "wrong result") {
      fail("Broken", text, "a kind, at, and a part of a line in quotes");
    }
    a_.flaws.push_back(flaw);
  }

  // Reads the name and the choices of the correct kernel. Does not check the name and the choices, because
  // the file of the correct kernel may be read later. The catalogue's test checks the name and the choices.
  void read_right(const std::string& text) {
    if (text.empty()) return;
    const std::vector<std::string> items = split(text, ',');
    RightKernel right{items[0], {}};
    bool good = is_name(right.algorithm);
    for (std::size_t i = 1; i < items.size(); ++i) {
      const std::string name = leading_name(items[i]),
                        choice = trimmed(std::string_view(items[i]).substr(name.size()));
      good &= is_name(name) && !choice.empty();
      right.choices[name] = choice;
    }
    if (!good) fail("Right", text, "an algorithm and its choices, such as: reduce_unrolled, fold 8");
    a_.right = std::move(right);
  }

  // Adds a note to an option that is wrong on purpose. Lists show the note.
  void note_flaw(const std::string& option, const std::string& text) {
    for (Choice& c : a_.choices)
      for (Option& o : c.options)
        if (&o != &c.options[0] && o.name == option) return void(o.note = tr_noop("broken: see Hazards"));
    fail("Broken", text + " with " + option, "about an option of a choice, but not the first option");
  }

  int only_line_with(const std::string& fragment) const {
    std::istringstream lines(a_.text);
    int number = 0, found = 0, times = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.starts_with("//") || line.find(fragment) == line.npos) continue;
      found = number;
      ++times;
    }
    if (times != 1)
      throw WorkError(fmt::format("{} says Broken at \"{}\", which is on {} lines; it must be on one line.",
                                  a_.file, fragment, times));
    return found;
  }

  std::map<std::string, std::string> fields_;
};

}  // namespace

Algorithm parse_kernel(std::string name, std::string file, std::string text) {
  return Reader(std::move(name), std::move(file), std::move(text)).read();
}

}  // namespace upsweep
