// Finds and opens the lessons that come with the program, and lessons in a folder.
#pragma once
#include <string>
#include <vector>

#include "lessons/lesson.hpp"

namespace upsweep {

// Returns the lessons that come with the program (assets/lessons) in the language of the program, sorted by
// name. The result includes the tests: lessons in which only the first answer to a question counts.
const std::vector<ReadLesson>& shipped_lessons();
// Returns the cards that the window shows at its first start (assets/cards), sorted by name.
const std::vector<ReadLesson>& shipped_cards();
// Returns the shipped lesson or card with this name. `name` may lack the number at the beginning of the
// lesson's name. Returns null if no lesson and no card has this name.
const ReadLesson* find_lesson(std::string_view name);

// Returns the files of the lessons in a folder, sorted by name. If `path` is a file, returns this file.
// Throws RequestError if there is no such file, or if the folder has no lessons.
std::vector<std::string> lesson_files(const std::string& path);

// A lesson that was opened by its name or its file.
struct OpenedLesson {
  ReadLesson read;
  std::string file;    // empty for a shipped lesson
  std::string folder;  // the folder of the file; empty for a shipped lesson
};
// Opens the file with this name, or else the shipped lesson with this name. Throws RequestError if neither
// exists.
OpenedLesson open_lesson(const std::string& name);
// Returns the lessons in a folder that have a title and a text, sorted by name. Leaves out other files.
std::vector<OpenedLesson> lessons_in(const std::string& folder);

}  // namespace upsweep
