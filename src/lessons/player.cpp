#include "lessons/player.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/language.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;
constexpr double look_at_file = 0.25;  // seconds between two checks for a change of the lesson's file

fs::file_time_type time_of(const std::string& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  return error ? fs::file_time_type{} : time;
}

}  // namespace

// Returns the name with which open() opens the next lesson: a file in the lesson's folder, or else a lesson
// that comes with the program. Returns an empty name if there is no next lesson.
std::string LessonPlayer::next_of(const OpenedLesson& opened) {
  const std::string& name = opened.read.lesson.next;
  if (name.empty()) return {};
  try {
    if (!opened.file.empty())
      for (const std::string& file : lesson_files(opened.folder)) {
        const std::string stem = fs::path(file).stem().string();
        if (stem == name || without_number(stem) == name) return file;
      }
  } catch (const RequestError&) {}  // the folder has no other lessons
  const ReadLesson* shipped = find_lesson(name);
  return shipped ? shipped->lesson.name : std::string();
}

void LessonPlayer::complain(const Error& e) { session_.complain(in_words(e)); }

void LessonPlayer::open(const std::string& name) {
  try {
    open(open_lesson(name));
  } catch (const Error& e) { complain(e); }
}

void LessonPlayer::open(OpenedLesson opened) {
  if (opened.read.lesson.steps.empty()) {
    const auto& mistakes = opened.read.mistakes;
    return session_.complain(mistakes.empty() ? tr("The lesson has no text.") : mistakes.front().text);
  }
  replace(std::move(opened));
  if (!opened_->file.empty()) {
    written_ = time_of(opened_->file);
    folder_ = opened_->folder;
  }
  impossible_.clear();
  arranged_.reset();
  session_.looks.lesson = true;
  session_.apply({.timing_large = false, .asking = false, .presentation = false, .help = false});
  go_to(progress_.of(name()).step);
}

void LessonPlayer::open_next() {
  if (!next_.empty()) open(std::string(next_));  // a copy, because open() changes `next_`
}

// Replaces the open lesson. If the new lesson may have fewer steps, the caller must call go_to() afterwards.
void LessonPlayer::replace(OpenedLesson opened) {
  next_ = next_of(opened);
  opened_ = std::move(opened);
  outcomes_ = outcomes_in(lesson(), progress_.of(name()));
}

void LessonPlayer::store(LessonProgress progress) {
  progress_.set(name(), std::move(progress));
  outcomes_ = outcomes_in(lesson(), progress_.of(name()));
}

void LessonPlayer::close() {
  if (!opened_) return;
  session_.apply({.view = "", .asking = false, .added = {{-1, -1}}});
  opened_.reset();
  if (!folder_.empty()) folder_lessons_ = lessons_in(folder_);
  ordering_.reset();
  arranged_.reset();
  impossible_.clear();
  waits_for_run_ = false;
}

std::vector<LessonPlayer::Listed> LessonPlayer::listed() const {
  std::vector<Listed> all;
  for (const OpenedLesson& l : folder_lessons_) all.push_back({&l.read.lesson, l.file});
  for (const ReadLesson& l : shipped_lessons()) all.push_back({&l.lesson, l.lesson.name});
  return all;
}

TaskOutcome LessonPlayer::outcome(int step) const {
  const auto found = outcomes_.find(step);
  return found == outcomes_.end() ? TaskOutcome::open : found->second.outcome;
}

bool LessonPlayer::is_open_task(int step) const {
  const LessonStep& s = lesson().steps[static_cast<std::size_t>(step)];
  return s.has_task() && outcome(step) == TaskOutcome::open && !impossible_.contains(s.question) &&
         show_of(step);
}

bool LessonPlayer::is_done() const {
  for (int s = 0; s < static_cast<int>(lesson().steps.size()); ++s)
    if (is_open_task(s)) return false;
  return true;
}

const ShowBlock* LessonPlayer::show_of(int step) const {
  for (; step >= 0; --step) {
    const LessonStep& s = lesson().steps[static_cast<std::size_t>(step)];
    if (s.show) return &*s.show;
    if (s.has_wrong_show) return nullptr;
  }
  return nullptr;
}

void LessonPlayer::next() {
  if (!is_open_task() && !is_last()) go_to(step_ + 1);
}
void LessonPlayer::back() {
  if (step_ > 0) go_to(step_ - 1);
}

void LessonPlayer::go_to(int step) {
  const int before = step_;
  step_ = std::clamp(step, 0, static_cast<int>(lesson().steps.size()) - 1);
  // Stops at the first earlier step with an open question, because the learner must answer this question
  // first.
  for (int s = 0; s < step_; ++s)
    if (is_open_task(s)) {
      step_ = s;
      break;
    }
  if (step_ == before && arranged_ && !is_away()) return;
  again_ = false;
  LessonProgress kept = progress_.of(name());
  kept.step = step_;
  store(std::move(kept));
  // If the learner goes one step forward and the new step has no block `show`, the window keeps the run and
  // the place.
  const bool goes_on = step_ == before + 1 && !this->step().show && arranged_ && !is_away();
  if (goes_on) begin_task();
  else arrange();
}

void LessonPlayer::ask_again() {
  again_ = true;
  arrange();
}

bool LessonPlayer::is_away() const {
  if (is_lost_) return !session_.recording_under_way();
  // Returns true if the question ended before the learner answered it, for example because the learner began
  // a comparison.
  if (has_posed_ && !session_.questioning().is_posed() && (again_ || outcome(step_) == TaskOutcome::open))
    return true;
  return arranged_ && !session_.recording_under_way() && session_.whole_recording() != arranged_;
}

// Returns what the user wants the session to show.
LessonPlayer::Wanted LessonPlayer::wanted() const {
  if (const std::string file = session_.state().open.value_or(""); !file.empty()) return Wanted{.file = file};
  return Wanted{{}, session_.settings(), session_.data(), session_.machine()};
}

// Requests the run of the step. When the run arrives, settle() continues.
void LessonPlayer::arrange() {
  ordering_.reset();
  arranged_.reset();
  waits_for_run_ = has_posed_ = false;
  session_.apply({.comparing = false, .asking = false});
  const ShowBlock* show = show_of(step_);
  is_lost_ = false;
  if (!show) return;
  try {
    Answer answer = Answer::refused;
    if (const auto name = opened_by(*show, opened_->folder)) {
      answer = session_.apply({.open = *name});
      asked_for_ = Wanted{.file = *name};
    } else {
      const RunRequest run = run_of(*show, opened_->folder);
      answer = session_.show_run(run.settings, run.data, run.machine, {});
      asked_for_ = wanted();
    }
    // A file of measured times contains no run. If the step opens such a file, waits_for_run_ stays false.
    waits_for_run_ = answer != Answer::refused && (session_.recording_under_way() || wanted() == asked_for_);
  } catch (const Error& e) { complain(e); }
  if (!waits_for_run_) impossible_.insert(step().question);
  settle();
}

// After the run has arrived, goes to the place of the step and begins the step's task.
void LessonPlayer::settle() {
  if (!waits_for_run_) return;
  if (session_.recording_under_way()) {
    error_before_ = session_.error();
    return;
  }
  waits_for_run_ = false;
  const ShowBlock* show = show_of(step_);
  if (!show || wanted() != asked_for_) {
    // If the recording failed, the banner has a new error, and the learner may go on. Otherwise, the user
    // cancelled the recording or requested another run, so is_away() becomes true.
    const std::string error = session_.error();
    if (error.empty() || error == error_before_) is_lost_ = true;
    else impossible_.insert(step().question);
    return;
  }
  arranged_ = session_.whole_recording();
  try {
    session_.apply(place_of(*show, *arranged_));
    if (!show->compare.empty()) {
      const RunRequest other = compared_run(*show, opened_->folder);
      session_.compare_with(other.settings, other.data, other.machine);
    }
  } catch (const Error& e) { complain(e); }
  begin_task();
}

void LessonPlayer::begin_task() {
  ordering_.reset();
  order_reply_.clear();
  order_tries_ = 0;
  order_shown_ = has_posed_ = false;
  const LessonStep& s = step();
  const ShowBlock* show = show_of(step_);
  const bool is_answered = outcome(step_) != TaskOutcome::open && !again_;
  if (session_.looks.asking) session_.apply({.asking = false});
  if (!s.has_task() || is_answered || !show || !arranged_) return;
  impossible_.erase(s.question);  // the question may be possible now
  if (s.ask) {
    session_.pose([ask = *s.ask, show = *show, folder = opened_->folder, one_try = is_test()](
                      const AskInput& in, const Job& job) {
      Posed posed = upsweep::pose(ask, show, folder, in, job);
      posed.one_try = one_try;
      return posed;
    });
    has_posed_ = true;
  } else {
    try {
      ordering_ = upsweep::ordering(*s.order, *arranged_);
    } catch (const Error& e) {
      impossible_.insert(s.question);
      complain(e);
    }
  }
}

void LessonPlayer::keep(TaskOutcome outcome) {
  LessonProgress kept = progress_.of(name());
  kept.outcomes = outcomes_in(lesson(), kept);
  // emplace() keeps an outcome that is already stored, so only the first answer to a question counts.
  kept.outcomes.emplace(step_, KeptOutcome{outcome, step().question});
  store(std::move(kept));
}

void LessonPlayer::toggle_line(int line) {
  if (!order_is_open() || line < 0 || line >= static_cast<int>(ordering_->lines.size())) return;
  if (const auto found = std::ranges::find(order_reply_, line); found != order_reply_.end())
    order_reply_.erase(found);
  else order_reply_.push_back(line);
}

void LessonPlayer::commit_order() {
  if (!order_is_open() || order_reply_.empty()) return;
  ++order_tries_;
  judged_order_ = order_reply_;
  const bool is_right = ordering_->is_right(order_reply_);
  if (!is_right && order_tries_ < tries_with(ordering_->hints.size()) && !is_test()) return;
  order_shown_ = true;
  keep(is_right && order_tries_ == 1 ? TaskOutcome::right : TaskOutcome::missed);
}

std::string LessonPlayer::order_hint() const {
  const auto shown = static_cast<std::size_t>(order_tries_);
  return shown > 0 && shown <= ordering_->hints.size() ? ordering_->hints[shown - 1] : std::string();
}

void LessonPlayer::follow_question() {
  const Questioning& q = session_.questioning();
  if (!q.is_posed()) return;
  if (q.stage() == Questioning::Stage::none) impossible_.insert(step().question);
  if (q.stage() == Questioning::Stage::shown && q.tries() > 0 && outcome(step_) == TaskOutcome::open)
    keep(q.tries() == 1 && q.judgement() && q.judgement()->right ? TaskOutcome::right : TaskOutcome::missed);
}

void LessonPlayer::follow_file() {
  if (opened_->file.empty()) return;
  const auto now = time_of(opened_->file);
  if (now == written_ || now == fs::file_time_type{}) return;
  written_ = now;
  read_again();
}

void LessonPlayer::read_again() {
  try {
    OpenedLesson again = open_lesson(name());
    opened_->read.mistakes = again.read.mistakes;
    if (again.read.lesson.steps.empty()) return;
    replace(std::move(again));
    impossible_.clear();
    arranged_.reset();
    go_to(step_);
  } catch (const Error& e) { complain(e); }
}

void LessonPlayer::follow_language() {
  if (!opened_) return;
  const std::size_t steps = lesson().steps.size();
  try {
    OpenedLesson again = open_lesson(name());
    if (again.read.lesson.steps.size() != steps) return read_again();
    replace(std::move(again));
    // The lesson's file may have changed since it was read last. If the block `order` is gone or has another
    // answer, the task begins again.
    if (ordering_ && !step().order) return begin_task();
    if (ordering_) {
      Ordering now = upsweep::ordering(*step().order, *arranged_);
      if (now.answer != ordering_->answer) return begin_task();
      ordering_ = std::move(now);
    }
  } catch (const Error& e) { return complain(e); }
  const Questioning& asked = session_.questioning();
  if (!step().ask || !asked.is_posed()) return;
  if (asked.stage() == Questioning::Stage::looking) return begin_task();
  Posed::Texts texts;
  for (const AskBlock::Remark& m : step().ask->misread) texts.remarks.push_back(m.text);
  for (const LessonHint& h : step().ask->hints) texts.hints.push_back(h.text);
  session_.say_anew(texts);
}

bool LessonPlayer::tick() {
  if (!opened_) return false;
  follow_file();
  const bool waited = waits_for_run_;
  settle();
  const TaskOutcome before = outcome(step_);
  follow_question();
  return waited != waits_for_run_ || before != outcome(step_);
}

double LessonPlayer::next_tick_in() const { return opened_ && !opened_->file.empty() ? look_at_file : -1; }

}  // namespace upsweep
