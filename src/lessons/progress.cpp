#include "lessons/progress.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "base/own_file.hpp"
#include "lessons/lesson.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_progress_bytes = 4 << 20;
constexpr int most_kept_steps = 1000;  // a file with a larger number is damaged
constexpr const char* outcome_names[] = {"open", "right", "missed"};

int count_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  const bool is_count =
      found != json.end() && found->is_number_integer() && *found >= 0 && *found <= INT32_MAX;
  return is_count ? found->get<int>() : 0;
}

LessonProgress progress_in(const Json& json) {
  LessonProgress p;
  p.step = std::min(count_in(json, "step"), most_kept_steps);
  const Json questions = json.value("questions", Json::object());
  for (const auto& [step, name] : json.at("answers").items()) {
    const int at = std::stoi(step);
    const std::uint64_t question = std::stoull(questions.value(step, "0"), nullptr, 16);
    for (const TaskOutcome o : {TaskOutcome::right, TaskOutcome::missed})
      if (at >= 0 && at <= most_kept_steps && name == outcome_names[static_cast<int>(o)])
        p.outcomes[at] = {o, question};
  }
  return p;
}

}  // namespace

std::map<int, KeptOutcome> outcomes_in(const Lesson& lesson, const LessonProgress& progress) {
  std::map<int, KeptOutcome> all;
  for (int s = 0; s < static_cast<int>(lesson.steps.size()); ++s) {
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(s)];
    if (step.question == 0) continue;
    for (const auto& [at, kept] : progress.outcomes)
      if (kept.question == step.question || (kept.question == 0 && at == s))
        all[s] = {kept.outcome, step.question};
  }
  return all;
}

LearnerProgress::LearnerProgress(std::string file) : file_(std::move(file)) {
  std::error_code error;
  if (!file_.empty() && fs::exists(file_, error)) read();
}

void LearnerProgress::read() {
  try {
    if (!fs::is_regular_file(file_)) throw RequestError("It is no file.");
    const Json json = Json::parse(read_text_file(file_, most_progress_bytes));
    asked_ = count_in(json, "asked");
    right_ = std::min(count_in(json, "right"), asked_);
    for (const auto& [name, lesson] : json.at("lessons").items()) lessons_[name] = progress_in(lesson);
  } catch (const std::exception&) {
    lessons_.clear();
    asked_ = right_ = 0;
    if (const std::optional<std::string> aside = set_aside(file_)) {
      notice_ =
          tr("{} is damaged and was renamed to {}. Your progress starts again from zero.", file_, *aside);
    } else {
      notice_ = tr("{} is damaged and cannot be renamed, so your progress is not saved.", file_);
      file_.clear();  // else write() would overwrite the damaged file
    }
  }
}

// Reads the file again, because another window may have written progress in other lessons. This progress must
// not be lost.
void LearnerProgress::read_again() {
  std::error_code error;
  if (!file_.empty() && fs::is_regular_file(file_, error)) read();
}

void LearnerProgress::write() {
  if (file_.empty()) return;
  Json lessons = Json::object();
  for (const auto& [name, p] : lessons_) {
    Json answers = Json::object(), questions = Json::object();
    for (const auto& [step, kept] : p.outcomes) {
      answers[std::to_string(step)] = outcome_names[static_cast<int>(kept.outcome)];
      if (kept.question != 0) questions[std::to_string(step)] = fmt::format("{:016x}", kept.question);
    }
    lessons[name] = {{"step", p.step}, {"answers", std::move(answers)}, {"questions", std::move(questions)}};
  }
  try {
    write_own_file(file_, Json{{"asked", asked_}, {"right", right_}, {"lessons", std::move(lessons)}}.dump(
                              2, ' ', false, Json::error_handler_t::replace) +
                              "\n");
  } catch (const std::exception& e) {
    notice_ = tr("Your progress is not saved: {}", in_words(e));
    file_.clear();
  }
}

std::string LearnerProgress::take_notice() { return std::exchange(notice_, {}); }

const LessonProgress& LearnerProgress::of(const std::string& lesson) const {
  static const LessonProgress none;
  const auto found = lessons_.find(lesson);
  return found == lessons_.end() ? none : found->second;
}

void LearnerProgress::set(const std::string& lesson, LessonProgress progress) {
  if (of(lesson) == progress) return;
  read_again();
  lessons_[lesson] = std::move(progress);
  write();
}

void LearnerProgress::add_to_score(int asked, int right) {
  read_again();
  asked_ += asked;
  right_ += right;
  write();
}

}  // namespace upsweep
