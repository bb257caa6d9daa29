// A kernel's text in stretches to be coloured, and what its lines cost, in words.
#pragma once
#include <string>
#include <vector>

#include "analysis/facts.hpp"

namespace upsweep {

// Without line ends, tabs as four spaces.
std::vector<std::string> split_lines(const std::string& text);

// A stretch of a line in one colour.
enum class Token { plain, keyword, comment, number };
struct TintedText {
  std::string text;
  Token token;
};
// Enough of C++ to tint one line; comments here are those to the end of the line.
std::vector<TintedText> tokens(const std::string& line);

// What a line cost: "3 requests  6 wavefronts  3 excess"; brief: "3 req  6 wavefr  3 excess".
std::string line_cost_text(const Totals& cost, bool brief);
// What matters most of that: "3 of 6 excess".
std::string shortest_cost_text(const Totals& cost);
// Whether some of it is excess.
bool wasteful(const Totals& cost);

}  // namespace upsweep
