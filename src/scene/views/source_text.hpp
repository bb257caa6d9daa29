// A kernel's text as coloured pieces, and the costs of its lines in words.
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
// Returns the pieces of a line. Only keywords, comments and numbers of C++ are recognised. A comment extends
// to the end of the line.
std::vector<TintedText> tokens(const std::string& line);

// Returns the cost of a line: "3 requests  6 wavefronts  3 excess"; if brief: "3 req  6 wavefr  3 excess".
std::string line_cost_text(const Totals& cost, bool brief);
// Returns the most important part of a line's cost: "3 of 6 excess".
std::string shortest_cost_text(const Totals& cost);
// Returns whether a part of the cost is excess.
bool wasteful(const Totals& cost);

}  // namespace upsweep
