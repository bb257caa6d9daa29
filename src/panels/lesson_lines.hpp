// Breaks the text of a lesson's step into lines.
#pragma once
#include <vector>

#include "lessons/lesson.hpp"
#include "scene/theme.hpp"
#include "scene/wrap.hpp"

namespace upsweep {

inline constexpr float lesson_code_size = 13;

struct LessonLine {
  // The place in dp from the upper left corner of the text, and the size. y is at half the height of the
  // capitals.
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
