// Splits a kernel's text into coloured pieces, and describes the costs of lines.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"

namespace upsweep {

// Returns the lines of a text without line ends. Replaces each tab by four spaces.
std::vector<std::string> split_lines(const std::string& text);

// A piece of a line in one colour.
enum class Token { plain, keyword, comment, number };
struct TintedText {
  std::string text;
  Token token;
};
// Splits a line into pieces: keywords, numbers, comments that begin with two slashes, and plain text.
std::vector<TintedText> tokens(const std::string& line);

// Returns a text about the cost of a line, such as "3 requests  6 wavefronts  3 excess". If `brief`, uses
// shorter words. Returns an empty text if the line has no cost.
std::string line_cost_text(const Totals& cost, bool brief);
// Returns the most important part of a line's cost, such as "6 wavefr, 3 excess". If `with_excess` is false,
// leaves out the excess: "6 wavefr".
std::string main_cost_text(const Totals& cost, bool with_excess);
// Returns true if the cost contains excess wavefronts or excess sectors.
bool wasteful(const Totals& cost);

}  // namespace upsweep
