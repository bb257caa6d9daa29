// Checks lessons: every run, question and lesson to which a lesson refers must exist.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "lessons/lesson.hpp"

namespace upsweep {

// Returns the mistakes that read_lesson() found in a lesson, and the mistakes that can be found only with the
// lesson's runs. To find them, this function records every run and makes every question of the lesson.
// `folder` is the folder of the lesson's files, as in stage.hpp. Throws Cancelled if the job is cancelled.
std::vector<Mistake> check_lesson(const ReadLesson& read, const std::string& folder, Job& job);

// Checks whether the lessons in `needs` and `next` are in the course or among the shipped lessons. Returns
// the mistakes.
std::vector<Mistake> check_course(const Lesson& lesson, const std::vector<Lesson>& course);

}  // namespace upsweep
