// Reads text in UTF-8, character by character. A byte that belongs to no character counts as one character.
#pragma once
#include <cstddef>
#include <string_view>

namespace upsweep {

// Removes the first character from the text and returns this character. For an invalid byte or encoding,
// returns U+FFFD. `text` must not be empty.
char32_t take_character(std::string_view& text);

// Returns the first `most` characters of the text, or the whole text if the text is shorter.
std::string_view first_characters(std::string_view text, std::size_t most);

std::size_t character_count(std::string_view text);

}  // namespace upsweep
