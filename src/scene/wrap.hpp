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
  bool space_after = false;  // set by wrapped(): a space separates the run from the next one in its line
  bool operator==(const TextRun&) const = default;
};

// Adds a run. wrapped() joins runs with spaces and can break lines between them, so a word and its
// punctuation must not be divided between two runs. If no space separates the last run from the new text, the
// beginning of the new text, up to the first place where a line may break, moves to the last run, or opening
// brackets at the end of the last run move to the new run.
void append_run(std::vector<TextRun>& runs, std::string text, Face face);
// Returns the runs of a text with code between backquotes.
std::vector<TextRun> runs_with_code(std::string_view text, Face face);

// Returns whether a space joins two texts, neither of which is empty. East Asian characters need no space
// between them, and full-width punctuation has its own room.
bool takes_space(std::string_view before, std::string_view after);

// Joins the runs, with spaces where takes_space(), and breaks the text into lines no wider than `room` dp.
// Only a piece that cannot be broken is wider. A line may break at spaces and beside East Asian characters,
// but not before closing punctuation and not at no-break spaces. Neighbouring texts of one face in a line
// become one run.
std::vector<std::vector<TextRun>> wrapped(std::span<const TextRun> runs, float size, float room);
// Returns the distance in dp from the left edge of a run in a line to that of the next run. The space between
// two faces is that of the regular face.
float advance(const TextRun& run, float size);
// Breaks text of one face into lines.
std::vector<std::string> wrapped(std::string_view text, float size, Face face, float room);
// Returns the text with spaces instead of no-break spaces.
std::string with_plain_spaces(std::string text);

}  // namespace upsweep
