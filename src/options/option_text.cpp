#include "options/option_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"

namespace upsweep {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_open = false;  // true inside a word
  for (const char c : text) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      is_open = false;
      continue;
    }
    if (!std::exchange(is_open, true)) words.emplace_back();
    if (quote == 0 && (c == '\'' || c == '"')) quote = c;
    else if (c == quote) quote = 0;
    else words.back() += c;
  }
  if (quote != 0) throw RequestError(tr("The quotation mark {} has no closing quotation mark.", quote));
  return words;
}

void TextParser::add(std::string name, Option option) {
  if (name.starts_with('-')) options_.emplace(name.substr(name.find("--")), std::move(option));
  else arguments_.push_back(std::move(option));
}
void TextParser::add_option(const char* name, std::string& value) {
  add(name, {[&value](std::string typed) { value = std::move(typed); }});
}
void TextParser::add_option(const char* name, std::optional<std::string>& value) {
  add(name, {[&value](std::string typed) { value = std::move(typed); }});
}
void TextParser::add_option(const char* name, std::vector<std::string>& values) {
  add(name,
      {.take = [&values](std::string typed) { values.push_back(std::move(typed)); }, .is_repeated = true});
}
void TextParser::add_flag(const char* name, bool& value) {
  add(name, {.take = [&value](const std::string&) { value = true; }, .is_flag = true});
}

void TextParser::parse(std::string_view text) const {
  const std::vector<std::string> words = words_of(text);
  std::set<std::string> given;
  std::size_t argument = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      if (argument >= arguments_.size())
        throw RequestError(tr("\"{}\" is not an option: options begin with --.", word));
      arguments_[argument++].take(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto found = options_.find(name);
    if (found == options_.end()) {
      std::vector<std::string_view> known;
      for (const auto& option : options_) known.push_back(std::string_view(option.first).substr(2));
      throw RequestError(tr("There is no option {} here{}.", name, guess(name.substr(2), known, "--")));
    }
    const Option& option = found->second;
    if (!given.insert(name).second && !option.is_repeated)
      throw RequestError(tr("{} is given more than once.", name));
    if (option.is_flag) {
      if (equals != word.npos) throw RequestError(tr("{} takes no value.", name));
      option.take({});
    } else if (equals != word.npos) {
      option.take(word.substr(equals + 1));
    } else if (i + 1 < words.size()) {
      option.take(words[++i]);
    } else {
      throw RequestError(tr("{} needs a value after it.", name));
    }
  }
}

}  // namespace upsweep
