#include "study/command_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/ladder.hpp"

namespace upsweep {
namespace {

// An option of the command line: its name without dashes, and its value.
struct CommandOption {
  std::string name, value;
  bool is_variant = false;
};

void add_data(std::vector<CommandOption>& all, const DataSource& data) {
  switch (data.kind) {
    case DataSource::Kind::seed: all.push_back({"seed", std::to_string(data.seed)}); break;
    case DataSource::Kind::preset: all.push_back({"data", data.text}); break;
    case DataSource::Kind::file: all.push_back({"input", data.text}); break;
    case DataSource::Kind::picture: all.push_back({"image", data.text}); break;
    case DataSource::Kind::scene: all.push_back({"scene", "yes"}); break;
    case DataSource::Kind::typed:
      throw RequestError(
          tr("No command makes this picture, because the numbers were typed in the window. Write the numbers "
             "into a file, and give the file with --input."));
    case DataSource::Kind::recorded:
      throw RequestError(tr("No command makes this picture, because the numbers come from a recording."));
  }
}

void add_choice(std::vector<CommandOption>& all, const std::string& choice, const std::string& option) {
  if (choice == "gives") {
    const bool inclusive = option.find("inclusive") != option.npos;
    all.push_back({inclusive ? "inclusive" : "exclusive", "yes"});
    return;
  }
  const std::string text = command_line_option(choice);
  const bool is_variant = text.starts_with("--variant");
  all.push_back({is_variant ? choice : text.substr(2, text.size() - 3), option, is_variant});
}

// Returns an option for each field that has a value, except the field `algorithm`.
std::vector<CommandOption> options_of(const Request& r, const Algorithm* a) {
  std::vector<CommandOption> all;
  const bool counts_data = r.data && decides_n(*r.data);
  if (r.columns && *r.columns > 0 && r.n && !counts_data)
    all.push_back({"shape", fmt::format("{}x{}", *r.columns, *r.n / *r.columns)});
  else if (r.n && !counts_data) all.push_back({"n", std::to_string(*r.n)});
  if (r.block) all.push_back({"block", std::to_string(*r.block)});
  if (r.grid && (!a || a->uses_grid)) all.push_back({"grid", std::to_string(*r.grid)});
  if (r.type) all.push_back({"type", std::string(name(*r.type))});
  const bool own = r.expression && !r.expression->empty();
  if (own) {
    all.push_back({"op", *r.expression});
    if (r.identity && !r.identity->empty()) all.push_back({"identity", *r.identity});
  } else if (r.op && (!a || chooses_operator(*a))) {
    all.push_back({"op", std::string(name(*r.op))});
  }
  for (const auto& [choice, option] : r.choices)
    if (choice != method_choice) add_choice(all, choice, option);
  if (r.without_barrier && *r.without_barrier > 0)
    all.push_back({"without-barrier", std::to_string(*r.without_barrier)});
  if (r.machine && *r.machine != MachineChoice::automatic)
    all.push_back({"machine", std::string(machine_names[static_cast<int>(*r.machine)])});
  if (r.data) add_data(all, *r.data);
  return all;
}

bool is_flag(const CommandOption& o) {
  return o.name == "scene" || o.name == "inclusive" || o.name == "exclusive";
}

}  // namespace

std::string command_line_option(const std::string& choice) {
  for (const char* name : {"layout", "predicate", "capacity"})
    if (choice == name) return fmt::format("--{} ", name);
  return choice == "load_pattern" ? "--load-pattern " : fmt::format("--variant {}=", choice);
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_./:+,-=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string run_arguments(const Request& r) {
  if (r.open && !r.open->empty()) return "--trace " + shell_word(*r.open);
  std::string text = shell_word(r.algorithm.value_or(""));
  for (const CommandOption& o : options_of(r, r.algorithm ? find_algorithm(*r.algorithm) : nullptr))
    text += is_flag(o)     ? " --" + o.name
            : o.is_variant ? " --variant " + shell_word(o.name + "=" + o.value)
                           : " --" + o.name + " " + shell_word(o.value);
  return text;
}

std::string compare_arguments(const Request& change) {
  std::string text;
  if (change.algorithm) text += " --compare " + shell_word("algorithm=" + *change.algorithm);
  for (const CommandOption& o : options_of(change, nullptr))
    text += " --compare " + shell_word(o.name + "=" + o.value);
  return text;
}

}  // namespace upsweep
