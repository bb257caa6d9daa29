// Breaks text into lines.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// A piece of text in one font face (regular, bold or mono).
struct TextRun {
  std::string text;
  Face face = Face::regular;
  // Set by wrapped(): true if a space separates this run from the next run in the line.
  bool space_after = false;
  bool operator==(const TextRun&) const = default;
};

// Adds a run. wrapped() may break a line between two runs, so append_run() moves text between the new run and
// the previous run:
// - If `text` begins with the rest of a word, or with punctuation, this part moves into the previous run.
// - If the previous run ends with opening brackets, these brackets move into the new run.
void append_run(std::vector<TextRun>& runs, std::string text, Face face);
// Returns the runs of a text. Text between backquotes has the font of code. Other text has the face `face`.
std::vector<TextRun> runs_with_code(std::string_view text, Face face);

// Returns true if a space must separate two texts in a line. Requires that neither text is empty. Returns
// false between two East Asian characters, after full-width punctuation, and before a full-width opening
// bracket.
bool takes_space(std::string_view before, std::string_view after);

// Breaks the text of all runs into lines. A line is at most `room` dp wide, unless the line is one piece that
// cannot be broken. Puts a space between two runs if takes_space() returns true. In a line,
// neighbouring texts with the same face become one run.
//
// A line may break at spaces and beside East Asian characters, but not before closing punctuation and not at
// no-break spaces.
std::vector<std::vector<TextRun>> wrapped(std::span<const TextRun> runs, float size, float room);
// Returns the distance in dp from the left edge of a run to the left edge of the next run in the line. A
// space between two runs has the width of a space in the regular face.
float advance(const TextRun& run, float size);
// Breaks text of one face into lines.
std::vector<std::string> wrapped(std::string_view text, float size, Face face, float room);
// Returns the text with spaces instead of no-break spaces.
std::string with_plain_spaces(std::string text);

}  // namespace upsweep
