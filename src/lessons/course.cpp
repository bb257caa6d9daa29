#include "lessons/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "base/shipped.hpp"
#include "embedded/lessons.hpp"
#include "embedded/lessons_zh.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view lesson_extension = ".md";

std::vector<ReadLesson> read_embedded(std::span<const EmbeddedFile> files, bool cards) {
  std::vector<ReadLesson> all;
  for (const EmbeddedFile& f : files) {
    ReadLesson read = read_lesson(std::string(stem(f.name, lesson_extension)), f.bytes);
    if ((read.lesson.kind == Lesson::Kind::card) == cards) all.push_back(std::move(read));
  }
  std::ranges::sort(all, {}, [](const ReadLesson& r) { return r.lesson.name; });
  return all;
}

}  // namespace

const std::vector<ReadLesson>& shipped_lessons() {
  static const std::vector<ReadLesson> english = read_embedded(embedded_lessons(), false),
                                       chinese = read_embedded(embedded_lessons_zh(), false);
  return language() == TextLanguage::chinese ? chinese : english;
}
const std::vector<ReadLesson>& shipped_cards() {
  static const std::vector<ReadLesson> english = read_embedded(embedded_lessons(), true),
                                       chinese = read_embedded(embedded_lessons_zh(), true);
  return language() == TextLanguage::chinese ? chinese : english;
}

const ReadLesson* find_lesson(std::string_view name) {
  for (const auto* list : {&shipped_lessons(), &shipped_cards()})
    for (const ReadLesson& l : *list)
      if (is_named(l.lesson, name)) return &l;
  return nullptr;
}

std::vector<std::string> lesson_files(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) throw RequestError(tr("There is no file or folder {}.", path));
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator at(path, error), end; at != end; at.increment(error))
    if (at->path().extension() == lesson_extension) files.push_back(at->path().string());
  if (files.empty())
    throw RequestError(tr("The folder {} has no lessons: a lesson is a file NAME.md.", path));
  std::ranges::sort(files);
  return files;
}

OpenedLesson open_lesson(const std::string& name) {
  std::error_code error;
  if (fs::is_regular_file(name, error)) {
    // The progress is stored under the whole path, because another folder may have a file of the same name.
    const std::string path = fs::absolute(name).lexically_normal().string();
    const fs::path folder = fs::path(path).parent_path();
    return {read_lesson_file(path), path, folder.string()};
  }
  if (fs::exists(name, error)) throw RequestError(tr("{} is not a file.", name));
  if (const ReadLesson* shipped = find_lesson(name)) return {*shipped, {}, {}};
  std::vector<std::string_view> known;
  for (const ReadLesson& l : shipped_lessons()) known.push_back(without_number(l.lesson.name));
  throw RequestError(tr("There is neither a file nor a lesson {}{}; `upsweep lesson list` lists the lessons.",
                        name, guess(name, known)));
}

std::vector<OpenedLesson> lessons_in(const std::string& folder) {
  std::vector<OpenedLesson> all;
  try {
    for (const std::string& file : lesson_files(folder)) {
      try {
        ReadLesson read = read_lesson_file(file);
        if (!read.lesson.title.empty() && !read.lesson.steps.empty())
          all.push_back({std::move(read), file, folder});
      } catch (const RequestError&) {}  // the list leaves out files that cannot be read
    }
  } catch (const RequestError&) {}  // the folder has no lessons
  return all;
}

}  // namespace upsweep
