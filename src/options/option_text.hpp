// Reads options from a text that looks like a command line. Lessons describe their runs and questions with
// texts in this form.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "options/parser.hpp"

namespace upsweep {

// Returns the words of a text. Spaces and line ends separate words, but not inside single or double quotes.
// The quotes are left out. Throws RequestError if a quote has no end.
std::vector<std::string> words_of(std::string_view text);

// Reads the words `--name value`, `--name=value`, `--flag` and arguments without dashes.
class TextParser final : public ArgumentParser {
 public:
  void add_option(const char* name, std::string& value) override;
  void add_option(const char* name, std::optional<std::string>& value) override;
  void add_option(const char* name, std::vector<std::string>& values) override;
  void add_flag(const char* name, bool& value) override;
  // Sets the variables of the declared options. Throws RequestError if an option is unknown, has no value or
  // is given twice, or if an argument was not declared.
  void parse(std::string_view text) const;

 private:
  struct Option {
    std::function<void(std::string)> take;
    bool is_flag = false, is_repeated = false;
  };
  void add(std::string name, Option option);
  std::map<std::string, Option, std::less<>> options_;
  std::vector<Option> arguments_;
};

}  // namespace upsweep
