// Reads the blocks of a lesson, and the small parts of which its lines consist.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "lessons/lesson.hpp"
#include "lessons/markdown.hpp"

namespace upsweep {

// These functions throw RequestError if the block makes no sense. Mistakes in single lines are added to
// `mistakes`.
ShowBlock read_show(const MarkdownPart& part);
AskBlock read_ask(const MarkdownPart& part, std::vector<Mistake>& mistakes);
OrderBlock read_order(const MarkdownPart& part, std::vector<Mistake>& mistakes);

// Returns the text without spaces at its ends.
std::string_view trimmed(std::string_view text);
// Returns the parts between the characters `at`. A text without this character is one part.
std::vector<std::string_view> split(std::string_view text, char at);
// Reads a number of digits only. Returns nothing if the text is no number, or if the number exceeds 2^31 - 1.
std::optional<int> small_number(std::string_view text);

}  // namespace upsweep
