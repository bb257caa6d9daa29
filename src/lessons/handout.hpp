// Makes a handout: a lesson on paper, with pictures and space for answers.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "lessons/course.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// A part of a handout. The parts are in order from top to bottom.
struct HandoutPart {
  enum class Kind {
    title,
    note,  // a line in small faint letters
    heading,
    paragraph,
    item,  // an item of a list; `runs` begins with the bullet or the number
    code,
    picture,
    question,
    options,  // the answers from which the learner chooses
    space,    // a line on which the learner writes
    answer,
  } kind = Kind::paragraph;
  std::vector<TextRun> runs{};
  Scene picture{};
  bool has_line = false;  // for a note: true if there is a line for writing after the text
};

// Makes a handout, with or without the answers and their reasons. Throws RequestError if the lesson has a
// mistake.
std::vector<HandoutPart> handout(const OpenedLesson& lesson, bool answers, Job& job);

// Returns the handout as pages of A4 paper, as a PDF document.
std::string handout_pdf(const std::vector<HandoutPart>& parts);
// Returns the handout as one HTML document, whose pictures are SVG. `language` is as in Lesson.
std::string handout_html(const std::vector<HandoutPart>& parts, const std::string& language);

}  // namespace upsweep
