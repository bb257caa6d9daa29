#include "catalogue/choice_reader.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/text.hpp"

namespace upsweep {

void ChoiceReader::read_variants(const std::string& text) {
  if (text == "none") return;
  std::vector<Choice> common;
  for (const std::string& item : split(text, ',')) {
    const auto found = std::find_if(common_choices().begin(), common_choices().end(), [&](const Choice& c) {
      const std::string name = spaced(c.name);
      return item == name || item == name + "s";
    });
    if (found != common_choices().end()) {
      common.push_back(*found);
      continue;
    }
    const std::string name = leading_name(item);
    Choice v{name, {}, spaced(name), tr_noop("A setting in the kernel's text")};
    for (const std::string& option : split(std::string_view(item).substr(name.size()), '|'))
      v.options.push_back(read_option(item, option));
    if (!is_name(name) || v.options.size() < 2 || a_.choice(name) || with_field(name) ||
        name == method_choice)
      bad_variant(item);
    if (!v.options[0].types.empty() || !v.options[0].operators.empty())
      fail("Variants", item, "a list whose first choice is always allowed");
    for (const Option& c : v.options)
      if (!(v.is_number() ? !is_name(c.name) : is_name(c.name))) bad_variant(item);
    a_.choices.push_back(std::move(v));
  }
  a_.choices.insert(a_.choices.begin(), common.begin(), common.end());
}

void ChoiceReader::bad_variant(const std::string& item) const {
  std::string common;
  for (const Choice& c : common_choices()) common += spaced(c.name) + ", ";
  fail("Variants", item,
       "none, " + common + "or a name and its choices: words or numbers with | between them");
}

Option ChoiceReader::read_option(const std::string& item, const std::string& text) const {
  Option c{text.substr(0, text.find_first_of(" (")), {}, {}};
  if (c.name.empty()) bad_variant(item);
  const std::string rest = trimmed(std::string_view(text).substr(c.name.size()));
  if (rest.empty()) return c;
  if (!rest.starts_with('(') || !rest.ends_with(')')) bad_variant(item);
  read_kinds("Variants", rest.substr(1, rest.size() - 2), &c.types, &c.operators);
  return c;
}

void ChoiceReader::read_kinds(const char* field, const std::string& text, std::vector<Scalar>* types,
                              std::vector<Operator>* operators) const {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto* type = std::find(std::begin(scalar_names), std::end(scalar_names), word);
    const auto* op = std::find(std::begin(operator_names), std::end(operator_names), word);
    if (types && type != std::end(scalar_names))
      types->push_back(static_cast<Scalar>(type - std::begin(scalar_names)));
    else if (operators && op != std::end(operator_names))
      operators->push_back(static_cast<Operator>(op - std::begin(operator_names)));
    else
      fail(field, text,
           !operators ? "a list of types"
           : !types   ? "a list of operators"
                      : "a list with only types and operators in the parentheses after a choice");
  }
}

}  // namespace upsweep
