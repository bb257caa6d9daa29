// Makes the names of variants, such as "pad32".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "measure/sweep.hpp"

namespace upsweep {

std::string variant_name(const Settings& s, const std::vector<std::string>& part) {
  std::vector<std::string> parts;
  const Algorithm& a = algorithm(s.algorithm);
  const auto add = [&](const std::string& name, const std::string& option) {
    const Choice* c = a.choice(name);
    if (c && option == c->usual_option()) return;
    parts.push_back(c && c->is_number() ? fmt::format("{}={}", name, option) : option);
  };
  for (const ChoiceWithField& c : choices_with_field)
    if (const auto found = s.choices.find(std::string(c.name)); found != s.choices.end())
      add(found->first, found->second);
  for (const auto& [name, option] : s.variants()) add(name, option);
  if (s.without_barrier > 0)
    parts.push_back(fmt::format("without the barrier of line {}", s.without_barrier));
  std::vector<std::string> texts;
  for (const auto& [words, between] : {std::pair(parts, " "), std::pair(part, " + ")})
    if (!words.empty()) texts.push_back(fmt::format("{}", fmt::join(words, between)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace upsweep
