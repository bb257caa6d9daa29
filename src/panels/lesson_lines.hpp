// Breaks the text of a lesson's step into lines.
#pragma once
#include <vector>

#include "lessons/lesson.hpp"
#include "scene/theme.hpp"
#include "scene/wrap.hpp"

namespace upsweep {

inline constexpr float lesson_code_size = 13;

struct LessonLine {
  // (x, y) is the left end of the line in logical pixels, relative to the upper left corner of the text. y is
  // in the middle between the bottom and the top of capital letters. `size` is the size of the letters.
  float x, y, size;
  std::vector<TextRun> runs;
  Colour colour;
};
struct LessonLines {
  std::vector<LessonLine> lines;
  float height = 0;
};
// Returns the lines of a step's text. If the lesson's file contains mistakes, sentences about the first
// mistakes precede the text.
LessonLines lesson_lines(const LessonStep& step, const std::vector<Mistake>& mistakes, const Theme& theme,
                         float room);

}  // namespace upsweep
