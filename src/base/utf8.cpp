#include "base/utf8.hpp"

namespace upsweep {

char32_t take_character(std::string_view& text) {
  constexpr char32_t invalid = 0xfffd;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const int length = first < 0x80         ? 1
                     : first >> 5 == 0x6  ? 2
                     : first >> 4 == 0xe  ? 3
                     : first >> 3 == 0x1e ? 4
                                          : 0;
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return text.remove_prefix(1), invalid;
  char32_t c = length == 1 ? first : first & (0x7fu >> length);
  for (int i = 1; i < length; i++) {
    if (byte(i) >> 6 != 2) return text.remove_prefix(1), invalid;
    c = c << 6 | (byte(i) & 0x3f);
  }
  text.remove_prefix(length);
  constexpr char32_t least[] = {0, 0, 0x80, 0x800,
                                0x10000};  // an encoding that is longer than necessary is invalid
  return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? invalid : c;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  std::string_view rest = text;
  for (; most > 0 && !rest.empty(); --most) take_character(rest);
  return text.substr(0, text.size() - rest.size());
}

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_character(text);
  return count;
}

}  // namespace upsweep
