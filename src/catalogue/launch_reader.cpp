#include "catalogue/launch_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

constexpr const char* launch_form = "kernel<<<blocks, threads>>>(arguments) if condition";
constexpr const char* loop_form = "for name < times { launches }";

}  // namespace

LaunchReader::LaunchReader(std::string name, std::string file, std::string text) {
  a_.name = std::move(name);
  a_.file = std::move(file);
  a_.text = std::move(text);
  a_.language = language_of(a_.file);
  kernels_ = kernels_of(a_.file, a_.text);
}

void LaunchReader::fail(const char* field, const std::string& text, const std::string& expected) const {
  throw WorkError(fmt::format("{} says {} \"{}\"; it must be {}.", a_.file, field, text, expected));
}

Formula LaunchReader::formula(const char* field, const std::string& text) try {
  Formula f(text, a_.variables);
  a_.uses_grid = a_.uses_grid || f.mentions("grid");
  return f;
} catch (const RequestError& e) { throw WorkError(say::bad_formula_of(a_.file, field, e.message)); }

std::vector<std::string> LaunchReader::split_extents(const std::string& text) {
  const auto at = text.find(" x ");
  if (at == text.npos) return {text};
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + 3))};
}

Formula LaunchReader::product(const char* field, const std::string& text) {
  const std::vector<std::string> each = split_extents(text);
  return formula(field, each.size() == 2 ? fmt::format("({}) * ({})", each[0], each[1]) : text);
}

std::optional<Formula> LaunchReader::columns(const char* field, const std::string& text) {
  const std::vector<std::string> each = split_extents(text);
  return each.size() == 2 ? std::optional(formula(field, each[1])) : std::nullopt;
}

bool LaunchReader::is_new(const std::string& name) const {
  return name != "x" && std::find(a_.variables.begin(), a_.variables.end(), name) == a_.variables.end();
}

const BufferRule* LaunchReader::buffer(const std::string& name) const {
  for (const auto* rules : {&a_.inputs, &a_.outputs, &a_.buffers})
    for (const BufferRule& rule : *rules)
      if (rule.name == name) return &rule;
  return nullptr;
}

bool LaunchReader::is_input(const std::string& name) const {
  if (a_.inputs.empty()) return name == "in";
  return std::any_of(a_.inputs.begin(), a_.inputs.end(), [&](const BufferRule& b) { return b.name == name; });
}

bool LaunchReader::is_buffer(const std::string& name) const {
  return buffer(name) || is_input(name) || (a_.outputs.empty() && name == "out");
}

const KernelSignature* LaunchReader::kernel(const std::string& name) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const KernelSignature& k) { return k.name == name; });
  return found == kernels_.end() ? nullptr : &*found;
}

void LaunchReader::read_launches(std::string text) {
  if (text.empty()) text = fmt::format("{}<<<1, block>>>(in, out, n)", a_.name);
  a_.launches = read_list(text);
}

std::vector<LaunchRule> LaunchReader::read_list(const std::string& text) {
  std::vector<LaunchRule> rules;
  for (const std::string& item : split(text, ';'))
    rules.push_back(item.starts_with("for ") ? read_loop(item) : read_rule(item));
  return rules;
}

LaunchRule LaunchReader::read_loop(const std::string& item) {
  std::string rest = item;
  cut_begin(rest, "for ");
  const std::string variable = leading_name(rest);
  rest = trimmed(std::string_view(rest).substr(variable.size()));
  const auto brace = rest.find('{');
  if (!cut_begin(rest, "<") || brace == rest.npos || !rest.ends_with('}')) fail("Launches", item, loop_form);
  if (!is_name(variable) || !is_new(variable))
    fail("Launches", item, "a loop over a name that is not yet taken");
  const auto open = rest.find('{');
  LaunchRule rule;
  rule.times = formula("Launches", rest.substr(0, open));
  a_.variables.push_back(variable);
  rule.body = read_list(trimmed(std::string_view(rest).substr(open + 1, rest.size() - open - 2)));
  a_.variables.pop_back();
  if (rule.body.empty()) fail("Launches", item, loop_form);
  return rule;
}

// Reads the extents of a grid or of a block, such as "tiles" or "(columns / 32, rows / 32)".
std::vector<Formula> LaunchReader::read_grid(const std::string& item, std::string text) {
  std::vector<std::string> each = {text};
  if (text.starts_with('(') && closing(text) + 1 == text.size())
    each = split(std::string_view(text).substr(1, text.size() - 2), ',');
  if (each.empty() || each.size() > 3) fail("Launches", item, "a launch with one to three extents");
  std::vector<Formula> extents;
  for (const std::string& extent : each) extents.push_back(formula("Launches", extent));
  return extents;
}

LaunchRule LaunchReader::read_rule(const std::string& item) {
  LaunchRule rule;
  const std::string name = leading_name(item);
  std::string rest = trimmed(std::string_view(item).substr(name.size()));
  const KernelSignature* k = nullptr;
  if (cut_begin(rest, "<<<")) {
    const auto end = rest.find(">>>");
    const auto shape = split(std::string_view(rest).substr(0, end), ',');
    if (end == rest.npos || shape.size() != 2) fail("Launches", item, launch_form);
    rule.kernel = name;
    rule.grid = read_grid(item, shape[0]);
    rule.block = read_grid(item, shape[1]);
    k = kernel(name);
    if (!k) throw WorkError(fmt::format("{} has no kernel named {}.", a_.file, name));
    rest = trimmed(std::string_view(rest).substr(end + 3));
  } else if (name != a_.name) {
    fail("Launches", item, launch_form);
  }

  const std::size_t end = closing(rest);
  if (!rest.starts_with('(') || end == rest.npos) fail("Launches", item, launch_form);
  const auto arguments = split(std::string_view(rest).substr(1, end - 1), ',');
  static const std::vector<Parameter> recursion = {Parameter::const_elements, Parameter::elements,
                                                   Parameter::number};
  const std::vector<Parameter>& parameters = k ? k->parameters : recursion;
  if (arguments.size() != parameters.size())
    fail("Launches", item, fmt::format("a launch with {} arguments", parameters.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    rule.arguments.push_back(read_argument(item, arguments[i], parameters[i]));

  std::string condition = trimmed(std::string_view(rest).substr(end + 1));
  if (!condition.empty()) {
    if (!cut_begin(condition, "if ")) fail("Launches", item, launch_form);
    rule.condition = formula("Launches", condition);
  }
  if (!k && !rule.condition) fail("Launches", item, "a recursion that ends: give it a condition");
  return rule;
}

LaunchRule::Argument LaunchReader::read_argument(const std::string& item, const std::string& text,
                                                 Parameter p) {
  if (p == Parameter::number && text == "run") return {};
  if (p == Parameter::number) return {{}, formula("Launches", text)};
  // Reads an argument, such as "pass == 0 ? in : pass % 2 ? keys : out".
  LaunchRule::Argument argument;
  std::string rest = text;
  for (auto mark = rest.find('?'); mark != rest.npos; mark = rest.find('?')) {
    const auto colon = rest.find(':', mark);
    if (colon == rest.npos) fail("Launches", item, "a launch with memory after ? and after :");
    argument.memory.push_back({formula("Launches", rest.substr(0, mark)),
                               read_memory(item, trimmed(rest.substr(mark + 1, colon - mark - 1)), p)});
    rest = trimmed(rest.substr(colon + 1));
  }
  argument.memory.push_back({{}, read_memory(item, rest, p)});
  return argument;
}

// Checks that the parameter accepts the buffer with this name. Returns the name.
std::string LaunchReader::read_memory(const std::string& item, const std::string& name, Parameter p) {
  if (!is_buffer(name)) fail("Launches", item, fmt::format("a launch that gets memory for {}", name));
  const BufferRule* const rule = buffer(name);
  const Cells cells = rule ? rule->cells : Cells::elements;
  if (const Cells taken = cells_of(p); cells != taken)
    fail("Launches", item, fmt::format("a launch whose {} holds {}", name, text_of(taken)));
  if (is_input(name) && !is_constant(p)) a_.writes_input = true;
  return name;
}

}  // namespace upsweep
