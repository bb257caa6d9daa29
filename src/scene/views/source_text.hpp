// Splits a kernel's text into coloured pieces, and describes the costs of its lines in words.
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
// Splits a line into pieces. It recognises only keywords, comments and numbers of C++. Every comment extends
// to the end of its line.
std::vector<TintedText> tokens(const std::string& line);

// Returns "3 requests  6 wavefronts  3 excess", the cost of a line. If `brief`, its words are shorter.
std::string line_cost_text(const Totals& cost, bool brief);
// Returns the most important part of a line's cost: "3 of 6 excess".
std::string shortest_cost_text(const Totals& cost);
// Returns whether the cost contains excess wavefronts or excess sectors.
bool wasteful(const Totals& cost);

}  // namespace upsweep
