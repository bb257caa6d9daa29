#include "lessons/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// Returns this window's progress in a lesson, together with the outcomes that other windows have added to the
// file. `before` is the progress that was in the file when this window read or wrote the file last.
LessonProgress merged(const LessonProgress& before, LessonProgress ours, const LessonProgress& in_file) {
  if (ours == before) return in_file;
  for (const auto& entry : in_file.outcomes) {
    const KeptOutcome& kept = entry.second;
    const auto is_same = [&](const auto& other) { return other.second == kept; };
    if (std::ranges::any_of(before.outcomes, is_same)) continue;  // this window already knew this outcome
    int step = entry.first;
    if (kept.question != 0) {
      std::erase_if(ours.outcomes, [&](const auto& o) { return o.second.question == kept.question; });
      // If the lesson has changed, this step may have another question. outcomes_in() finds an outcome by its
      // question, so any unused step number is correct.
      while (ours.outcomes.contains(step)) ++step;
    }
    ours.outcomes.emplace(step, kept);
  }
  return ours;
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
  if (!file_.empty()) now_ = before_ = read().value_or(Contents());
}

LearnerProgress::Contents LearnerProgress::contents_of(const std::string& text) {
  const Json json = Json::parse(text);
  Contents c;
  c.asked = count_in(json, "asked");
  c.right = std::min(count_in(json, "right"), c.asked);
  for (const auto& [name, lesson] : json.at("lessons").items()) c.lessons[name] = progress_in(lesson);
  return c;
}

std::string LearnerProgress::text_of(const Contents& contents) {
  Json lessons = Json::object();
  for (const auto& [name, p] : contents.lessons) {
    Json answers = Json::object(), questions = Json::object();
    for (const auto& [step, kept] : p.outcomes) {
      answers[std::to_string(step)] = outcome_names[static_cast<int>(kept.outcome)];
      if (kept.question != 0) questions[std::to_string(step)] = fmt::format("{:016x}", kept.question);
    }
    lessons[name] = {{"step", p.step}, {"answers", std::move(answers)}, {"questions", std::move(questions)}};
  }
  const Json json = {{"asked", contents.asked}, {"right", contents.right}, {"lessons", std::move(lessons)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Returns the contents of the file. If the file is missing or damaged, the contents are empty. Returns
// nullopt if the file cannot be read, or if the file is damaged and cannot be renamed. Such a file must not
// be overwritten.
std::optional<LearnerProgress::Contents> LearnerProgress::read() {
  std::error_code error;
  if (fs::exists(file_, error)) {
    try {
      open_to_read(file_);
    } catch (const Error& e) {
      fail(tr("Your progress is not saved: {}", in_words(e)));
      return std::nullopt;
    }
    try {
      if (!fs::is_regular_file(file_)) throw RequestError("It is no file.");
      return contents_of(read_text_file(file_, most_progress_bytes));
    } catch (const std::exception&) {
      const std::optional<std::string> aside = set_aside(file_);
      if (!aside) {
        fail(tr("{} is damaged and cannot be renamed, so your progress is not saved.", file_));
        return std::nullopt;
      }
      if (now_ == Contents())
        notice_ =
            tr("{} is damaged and was renamed to {}. Your progress starts again from zero.", file_, *aside);
      else
        notice_ =
            tr("{} is damaged and was renamed to {}. Your progress is now in a new file.", file_, *aside);
    }
  }
  before_ = {};
  return Contents();
}

// Adds the changes that other windows have written, so that no change is lost. Then writes the file.
void LearnerProgress::save() {
  if (file_.empty()) return;
  const std::optional<Contents> in_file = read();
  if (!in_file) return;
  for (const auto& [name, lesson] : in_file->lessons)
    now_.lessons[name] = merged(before_.of(name), now_.of(name), lesson);
  now_.asked += in_file->asked - before_.asked;
  now_.right += in_file->right - before_.right;
  before_ = *in_file;
  try {
    write_own_file(file_, text_of(now_));
    before_ = now_;
    has_failed_ = false;
  } catch (const std::exception& e) { fail(tr("Your progress is not saved: {}", in_words(e))); }
}

void LearnerProgress::fail(std::string notice) {
  if (!std::exchange(has_failed_, true)) notice_ = std::move(notice);
}

std::string LearnerProgress::take_notice() { return std::exchange(notice_, {}); }

const LessonProgress& LearnerProgress::Contents::of(const std::string& lesson) const {
  static const LessonProgress none;
  const auto found = lessons.find(lesson);
  return found == lessons.end() ? none : found->second;
}

const LessonProgress& LearnerProgress::of(const std::string& lesson) const { return now_.of(lesson); }

void LearnerProgress::set(const std::string& lesson, LessonProgress progress) {
  if (of(lesson) == progress) return;
  now_.lessons[lesson] = std::move(progress);
  save();
}

void LearnerProgress::add_to_score(int asked, int right) {
  now_.asked += asked;
  now_.right += right;
  save();
}

}  // namespace upsweep
