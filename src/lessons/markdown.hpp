// Reads Markdown with cmark: the texts and the fenced blocks of a lesson.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.hpp"

namespace upsweep {

// A part of a lesson's body: a text, a fenced block with a name, or a line `---`.
struct MarkdownPart {
  enum class Kind { text, fence, rule } kind = Kind::text;
  int line = 0;  // from 1
  LessonText text;
  // The name and the lines of a fenced block. Both are empty if the name is similar to `show`, such as
  // `shwo`.
  std::string fence, content;
};

// Returns the parts of a text in CommonMark. Adds a mistake for each thing that a lesson cannot have:
// pictures, HTML and unknown fences. `first_line` is the number of the text's first line.
std::vector<MarkdownPart> markdown_parts(std::string_view text, int first_line,
                                         std::vector<Mistake>& mistakes);

}  // namespace upsweep
