// Cuts the text of a kernel file's opening comment into pieces.
#pragma once
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

inline std::string trimmed(std::string_view s) {
  const auto begin = s.find_first_not_of(" \t");
  if (begin == s.npos) return {};
  return std::string(s.substr(begin, s.find_last_not_of(" \t\r") - begin + 1));
}

// Cuts a list at the separators and returns the trimmed pieces. Ignores separators inside parentheses,
// braces, <<<>>> or quotes. An empty text has no pieces.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '(' || text[i] == '{' || rest.starts_with("<<<")) ++depth;
    if (text[i] == ')' || text[i] == '}' || rest.starts_with(">>>")) --depth;
    if (rest.starts_with("<<<") || rest.starts_with(">>>")) i += 2;
    if (text[i] == separator && depth == 0 && !quoted) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (const std::string last = trimmed(text.substr(begin)); !last.empty() || !parts.empty())
    parts.push_back(last);
  return parts;
}

inline std::string leading_name(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[length])) || text[length] == '_'))
    ++length;
  return std::string(text.substr(0, length));
}

inline bool is_name(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && leading_name(text) == text;
}

// Removes `tail` from the end of a text. Returns whether the text ended with `tail`.
inline bool cut_end(std::string& text, std::string_view tail) {
  if (!text.ends_with(tail)) return false;
  text = trimmed(std::string_view(text).substr(0, text.size() - tail.size()));
  return true;
}
inline bool cut_begin(std::string& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text = trimmed(std::string_view(text).substr(head.size()));
  return true;
}

// Returns the position of the bracket that closes the bracket at the beginning of a text. Brackets are
// parentheses and braces. Returns npos if no bracket closes it, and 0 if the text begins with another
// character.
inline std::size_t closing(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == '}';
    if (depth == 0) return i;
  }
  return text.npos;
}

}  // namespace upsweep
