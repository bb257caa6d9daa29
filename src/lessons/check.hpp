// Checks lessons: everything that a learner will meet must exist.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "lessons/lesson.hpp"

namespace upsweep {

// Returns the mistakes of a lesson: those that read_lesson() found, and those that only its runs show. Makes
// all its runs and questions. `folder` is as in stage.hpp. Throws Cancelled if the job is cancelled.
std::vector<Mistake> check_lesson(const ReadLesson& read, const std::string& folder, Job& job);

// Returns the mistakes of a lesson in a course: the lessons in `needs` and `next` must be in the course or
// among the shipped lessons.
std::vector<Mistake> check_course(const Lesson& lesson, const std::vector<Lesson>& course);

}  // namespace upsweep
