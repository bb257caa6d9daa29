// Text broken into lines.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// A stretch of text in one face.
struct TextRun {
  std::string text;
  Face face = Face::regular;
  bool operator==(const TextRun&) const = default;
};

// The runs, a space between them, in lines no wider than `room` dp (a single word may be wider). A line
// breaks at spaces, and on either side of East Asian characters, but not before closing punctuation, nor at
// no-break spaces. What a line has of one face is one run.
std::vector<std::vector<TextRun>> wrapped(std::span<const TextRun> runs, float size, float room);
// The same for text of one face.
std::vector<std::string> wrapped(std::string_view text, float size, Face face, float room);
// Returns the text with spaces instead of no-break spaces.
std::string with_plain_spaces(std::string text);

}  // namespace upsweep
