#include "trace/kernel_tokens.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace upsweep {
namespace {

bool begins_name(char c) { return is_identifier(std::string_view(&c, 1)); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<KernelToken> kernel_tokens(std::string_view text) {
  static constexpr std::array<std::string_view, 21> operators = {"<<=", ">>=", "==", "!=", "<=", ">=", "&&",
                                                                 "||",  "++",  "--", "+=", "-=", "*=", "/=",
                                                                 "%=",  "&=",  "|=", "^=", "<<", ">>", "::"};
  std::vector<KernelToken> tokens;
  int line = 1;
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    std::size_t length = 1;
    if (c == '\n') {
      ++line;
      line_begins = true;
      ++i;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    if (rest.starts_with("//") || (c == '#' && line_begins)) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    line_begins = false;
    if (rest.starts_with("/*")) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      line += static_cast<int>(
          std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end - i), '\n'));
      i = std::min(end + 2, text.size());
      continue;
    }
    if (begins_name(c) || is_digit(c)) {
      while (length < rest.size() && (begins_name(rest[length]) || is_digit(rest[length]))) ++length;
    } else if (c == '"') {
      length = std::min(rest.find('"', 1), rest.size() - 1) + 1;
    } else {
      for (const std::string_view o : operators)
        if (rest.starts_with(o)) {
          length = o.size();
          break;
        }
    }
    tokens.push_back({rest.substr(0, length), line});
    i += length;
  }
  return tokens;
}

}  // namespace upsweep
