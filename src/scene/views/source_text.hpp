// Splits a kernel's text into coloured pieces, and puts the costs of lines into words.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"

namespace upsweep {

// Returns the lines without line ends, with four spaces for each tab.
std::vector<std::string> split_lines(const std::string& text);

// A piece of a line in one colour.
enum class Token { plain, keyword, comment, number };
struct TintedText {
  std::string text;
  Token token;
};
// Splits a line into pieces. It recognises keywords, numbers, and comments that begin with two slashes.
std::vector<TintedText> tokens(const std::string& line);

// Returns the cost of a line: "3 requests  6 wavefronts  3 excess", or with shorter words if `brief`. Returns
// an empty text if the line costs nothing.
std::string line_cost_text(const Totals& cost, bool brief);
// Returns the most important part of a line's cost: "6 wavefr, 3 excess", or "6 wavefr" without the excess.
std::string main_cost_text(const Totals& cost, bool with_excess);
// Returns whether the cost contains excess wavefronts or excess sectors.
bool wasteful(const Totals& cost);

}  // namespace upsweep
