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
  bool operator==(const TextRun&) const = default;
};

// Adds a run. Because wrapped() puts a space between runs, a word must not be divided between two runs. If no
// space separates the last run from the new text, the beginning of the new text moves to the last run, or an
// opening bracket at the end of the last run moves to the new run.
void append_run(std::vector<TextRun>& runs, std::string text, Face face);
// Returns the runs of a text with code between backquotes.
std::vector<TextRun> runs_with_code(std::string_view text, Face face);

// Joins the runs with spaces and breaks the text into lines no wider than `room` dp. Only a piece that cannot
// be broken is wider. A line may break at spaces and beside East Asian characters, but not before closing
// punctuation and not at no-break spaces. Neighbouring texts of one face in a line become one run.
std::vector<std::vector<TextRun>> wrapped(std::span<const TextRun> runs, float size, float room);
// Breaks text of one face into lines.
std::vector<std::string> wrapped(std::string_view text, float size, Face face, float room);
// Returns the text with spaces instead of no-break spaces.
std::string with_plain_spaces(std::string text);

}  // namespace upsweep
