// Splits the lines of a lesson into small parts.
#pragma once
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace upsweep {

// Returns the text without spaces at its ends.
inline std::string_view stripped(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

// Returns the parts between the characters `at`. A text without this character is one part.
inline std::vector<std::string_view> cut_at(std::string_view text, char at) {
  std::vector<std::string_view> all;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(at, from), text.size());
    all.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return all;
}

// Reads a number that consists only of digits. Returns nullopt if the text is no number, or if the number
// exceeds 2^31 - 1.
inline std::optional<int> small_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() || number < 0) return {};
  return number;
}

}  // namespace upsweep
