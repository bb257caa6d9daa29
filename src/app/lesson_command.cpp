#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "lessons/check.hpp"
#include "lessons/course.hpp"
#include "lessons/handout.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr std::array<std::string_view, 3> lesson_actions = {"list", "check", "export"};

void list_lessons(bool json) {
  Json list = Json::array();
  std::string text;
  for (const auto* lessons : {&shipped_lessons(), &shipped_cards()})
    for (const ReadLesson& read : *lessons) {
      const Lesson& l = read.lesson;
      list.push_back({{"name", l.name},
                      {"kind", lesson_kinds[static_cast<int>(l.kind)]},
                      {"title", l.title},
                      {"about", l.about},
                      {"minutes", l.minutes},
                      {"needs", l.needs},
                      {"steps", l.steps.size()},
                      {"questions", l.tasks()}});
      text += tr("{:<32} {} min  {}\n", l.name, l.minutes, l.title);
    }
  print(json ? upsweep::text_of(list) : text);
}

// `names` has the files or names of the lessons that are checked. `course` has all lessons of the same
// course. A lesson's keys `needs` and `next` may name lessons of the course.
struct Checked {
  std::vector<std::string> names;
  std::vector<Lesson> course;
};

Checked checked_shipped(const std::string& name) {
  Checked all{.names = {open_lesson(name).read.lesson.name}};
  for (const ReadLesson& read : shipped_lessons()) all.course.push_back(read.lesson);
  return all;
}

Checked checked_files(const std::string& path) {
  Checked all{.names = lesson_files(path)};
  // The course contains all lessons of the folder, even if only one file is checked.
  const std::filesystem::path first = all.names.front();
  const bool is_alone = all.names.size() == 1 && first.extension() == ".md";
  const std::string folder = first.has_parent_path() ? first.parent_path().string() : ".";
  for (const std::string& file : is_alone ? lesson_files(folder) : all.names) {
    Lesson l{.name = std::filesystem::path(file).stem().string()};
    try {
      l.needs = read_lesson_file(file).lesson.needs;
    } catch (const RequestError&) {}  // the check of this file reports the error
    all.course.push_back(std::move(l));
  }
  return all;
}

void check(const std::string& path) {
  if (path.empty())
    throw RequestError(tr("Name the lesson, or the folder with the lessons: upsweep lesson check FILE."));
  std::error_code error;
  const auto [files, course] =
      std::filesystem::exists(path, error) ? checked_files(path) : checked_shipped(path);
  int mistakes = 0, questions = 0;
  for (const std::string& file : files) {
    std::vector<Mistake> found;
    try {
      const OpenedLesson opened = open_lesson(file);
      Job job;
      found = check_lesson(opened.read, opened.folder, job);
      for (Mistake& m : check_course(opened.read.lesson, course)) found.push_back(std::move(m));
      questions += opened.read.lesson.tasks();
    } catch (const RequestError& e) {
      if (files.size() == 1) throw;  // the only lesson on the command line cannot be opened
      found = {{1, in_words(e)}};
    }
    for (const Mistake& m : found) print(fmt::format("{}:{}: {}\n", file, m.line, m.text));
    mistakes += static_cast<int>(found.size());
  }
  if (mistakes > 0)
    throw WorkError(tr("{} in {}.", counted(mistakes, "mistake"), counted(std::ssize(files), "lesson")));
  print(tr("{}, {}: no mistakes.\n", counted(std::ssize(files), "lesson"), counted(questions, "question")));
}

void export_lesson(const std::string& name, const std::optional<std::string>& output, bool answers) {
  if (name.empty()) throw RequestError(tr("Name the lesson: upsweep lesson export FILE -o handout.pdf."));
  if (!output) throw RequestError(tr("Name the handout: -o handout.pdf or -o handout.html."));
  const bool is_pdf = output->ends_with(".pdf");
  if (!is_pdf && !output->ends_with(".html"))
    throw RequestError(tr("A handout is a file NAME.pdf or NAME.html, not {}.", *output));
  expect_writable(*output);
  Job job;
  const OpenedLesson opened = open_lesson(name);
  const std::vector<HandoutPart> parts = handout(opened, answers, job);
  write_file(*output, is_pdf ? handout_pdf(parts) : handout_html(parts, opened.read.lesson.language));
}

}  // namespace

void LessonCommand::add_to(ArgumentParser& parser) {
  parser.add_option("ACTION", action);
  parser.add_option("FILE", file);
  parser.add_option("-o,--output", output);
  parser.add_flag("--answers", answers);
  parser.add_flag("--json", json);
}

void LessonCommand::run() const {
  if (action.empty())
    throw RequestError(tr("The action is missing: give `upsweep lesson list`, `check` or `export`."));
  const std::size_t which = one_of("upsweep lesson", action, lesson_actions);
  if (which != 2 && (output || answers))
    throw RequestError(tr("Only `upsweep lesson export` takes --output and --answers."));
  if (which != 0 && json) throw RequestError(tr("Only `upsweep lesson list` takes --json."));
  if (which == 0 && !file.empty())
    throw RequestError(
        tr("`upsweep lesson list` lists the lessons that come with Upsweep: leave {} out.", file));
  if (which == 0) list_lessons(json);
  else if (which == 1) check(file);
  else export_lesson(file, output, answers);
}

}  // namespace upsweep
