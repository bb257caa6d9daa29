#include "lessons/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/language.hpp"
#include "lessons/course.hpp"
#include "lessons/stage.hpp"
#include "study/recording.hpp"
#include "words/in_words.hpp"

namespace upsweep {

std::vector<Mistake> check_lesson(const ReadLesson& read, const std::string& folder, Job& job) {
  std::vector<Mistake> mistakes = read.mistakes;
  // Calls f(). If f() throws an error, adds the sentence of the error to the mistakes. Returns true if f()
  // did not throw.
  const auto expect = [&](int line, auto f) {
    try {
      f();
      return true;
    } catch (const AskError& e) { mistakes.push_back({e.line, in_words(e)}); } catch (const Error& e) {
      mistakes.push_back({line, in_words(e)});
    }
    return false;
  };
  const ShowBlock* shown = nullptr;
  bool is_in_sight = false;            // true if the learner has already seen the run of `shown`
  std::optional<Recording> recording;  // the recording of `shown`; empty if this block has a mistake
  for (const LessonStep& step : read.lesson.steps) {
    job.check();
    if (step.has_wrong_show) recording.reset();
    if (step.show) {
      shown = &*step.show;
      is_in_sight = false;
      recording.reset();
      const bool is_right = expect(shown->line + 1, [&] {
        recording.emplace(recording_for(*shown, folder, job));
        place_of(*shown, *recording);
        if (!shown->compare.empty()) {
          if (shown->run.recording())
            throw RequestError(tr("A recording contains only one run: leave --compare out."));
          compared_run(*shown, folder);
        }
      });
      if (!is_right) recording.reset();  // questions about a wrong block `show` are not checked
    }
    if (!recording) continue;
    if (step.ask)
      expect(step.ask->line + 1, [&] {
        const Posed posed = pose(*step.ask, *shown, folder, ask_input(*shown, folder, *recording), job);
        const int hidden = posed.question.first_hidden();
        if (const int place = *place_of(*shown, *recording).step; is_in_sight && place >= hidden)
          throw RequestError(
              tr("The block `show` in line {} already shows step {}, so the learner has seen the "
                 "answer: let the block show an earlier step.",
                 shown->line, place + 1));
      });
    is_in_sight = is_in_sight || !step.has_task();
    // The view "Source" would show the learner the correct order. If the block `show` names no views, the
    // window shows all views, including Source.
    const std::string views = shown->view.value_or("source");
    if (step.order && views.find("source") != views.npos)
      mistakes.push_back({step.order->line, tr("The view `source` shows the correct order of these lines: "
                                               "choose other views with `--view` in the block `show`.")});
    if (step.order) expect(step.order->line + 1, [&] { ordering(*step.order, *recording); });
  }
  std::ranges::stable_sort(mistakes, {}, &Mistake::line);
  return mistakes;
}

namespace {

// Returns the name of a lesson that needs `lesson`, and that `lesson` needs, directly or through other
// lessons. Lessons must not need each other. Returns an empty text if there is no such lesson.
std::string needed_circle(const Lesson& lesson, const std::vector<Lesson>& course) {
  std::set<std::string> reached;
  std::vector<const Lesson*> open = {&lesson};
  while (!open.empty()) {
    const Lesson* const at = open.back();
    open.pop_back();
    for (const std::string& name : at->needs) {
      const auto found = std::ranges::find_if(course, [&](const Lesson& l) { return is_named(l, name); });
      if (found == course.end()) continue;
      if (found->name == lesson.name && at != &lesson) return at->name;
      if (found->name != lesson.name && reached.insert(found->name).second) open.push_back(&*found);
    }
  }
  return {};
}

}  // namespace

std::vector<Mistake> check_course(const Lesson& lesson, const std::vector<Lesson>& course) {
  std::vector<Mistake> mistakes;
  const auto expect = [&](const std::string& name, const char* key, int line) {
    const auto found = std::ranges::find_if(course, [&](const Lesson& l) { return is_named(l, name); });
    if (found == course.end() && !find_lesson(name))
      mistakes.push_back({line, tr("The key `{}` names the lesson {}, which does not exist.", key, name)});
    else if (found != course.end() && found->name == lesson.name)
      mistakes.push_back({line, tr("The key `{}` names this lesson: name another lesson.", key)});
  };
  for (const std::string& name : lesson.needs) expect(name, "needs", lesson.needs_line);
  if (!lesson.next.empty()) expect(lesson.next, "next", lesson.next_line);
  if (const std::string through = needed_circle(lesson, course); !through.empty())
    mistakes.push_back({lesson.needs_line, tr("This lesson and the lesson {} need each other.", through)});
  return mistakes;
}

}  // namespace upsweep
