#include "lessons/handout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/step_match.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "lessons/check.hpp"
#include "lessons/stage.hpp"
#include "scene/step_pictures.hpp"
#include "study/recording.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace {

constexpr float picture_width = 680, least_picture = 130, most_picture = 300, usual_picture = 240;
constexpr std::size_t most_options = 32;  // a question with more possible answers has no list of them

class HandoutMaker {
 public:
  HandoutMaker(const OpenedLesson& opened, bool answers, Job& job)
      : opened_(opened), answers_(answers), job_(job) {}

  std::vector<HandoutPart> make() && {
    const Lesson& l = opened_.read.lesson;
    add(HandoutPart::Kind::title, l.title);
    add(HandoutPart::Kind::note,
        fmt::format("{} · {}{}", counted(l.tasks(), "question"), counted(l.minutes, "minute"),
                    answers_ ? tr(" · with answers") : tr(" · name:")));
    parts_.back().has_line = !answers_;
    if (!l.about.empty()) add(HandoutPart::Kind::paragraph, l.about);
    for (const LessonStep& s : l.steps) step(s);
    return std::move(parts_);
  }

 private:
  void add(HandoutPart::Kind kind, const std::string& text) {
    parts_.push_back({kind, runs_with_code(text, Face::regular)});
  }

  void step(const LessonStep& s) {
    for (const LessonText& text : s.texts) {
      using Kind = LessonText::Kind;
      if (text.kind == Kind::code) {
        for (const TextRun& line : text.runs) parts_.push_back({HandoutPart::Kind::code, {line}});
      } else if (text.kind == Kind::item) {
        std::vector<TextRun> runs = text.runs;
        runs.insert(runs.begin(), {text.number > 0 ? fmt::format("{}.", text.number) : "•", Face::regular});
        parts_.push_back({HandoutPart::Kind::item, std::move(runs)});
      } else {
        parts_.push_back(
            {text.kind == Kind::heading ? HandoutPart::Kind::heading : HandoutPart::Kind::paragraph,
             text.runs});
      }
    }
    if (s.show) {
      shown_ = &*s.show;
      whole_ = std::make_shared<const Recording>(recording_for(*shown_, opened_.folder, job_));
    }
    if (!shown_) return;
    std::optional<Posed> posed;
    if (s.ask) posed = pose_here(*s.ask);
    if (s.show || (posed && posed->question.step >= 0)) pictures(s, posed ? &posed->question : nullptr);
    if (posed) question(*posed);
    if (s.order) order(ordering(*s.order, *whole_));
  }

  Posed pose_here(const AskBlock& ask) {
    const AskInput in = ask_input(*shown_, opened_.folder, *whole_);
    return pose(ask, *shown_, opened_.folder, in, job_);
  }

  // Adds a picture of each view that a step of the lesson shows. The pictures do not show the answer.
  void pictures(const LessonStep& s, const Question* question) {
    const int hidden = question ? question->first_hidden() : INT_MAX;
    const int block = question && question->step >= 0 ? question->about.block : -1;
    std::shared_ptr<const Recording> seen = whole_;
    const bool hides = hidden < std::ssize(whole_->trace.steps);
    if (hides) seen = std::make_shared<const Recording>(recording_before(*whole_, hidden, &job_));
    const Request place = place_of(*shown_, *whole_);
    int step = place.step.value_or(0);
    // If a question hides the last steps of the run, the pictures show the last step that is not hidden.
    // There is one exception: if the block `show` of this lesson step names an earlier step of the run, the
    // pictures show that step.
    if (hides && (step >= hidden || !s.show)) step = std::max(0, hidden - 1);
    std::vector<int> views_shown;
    if (shown_->view) views_shown = views_named("--view", *shown_->view);
    else views_shown = {view_index("tree")};
    std::shared_ptr<const Recording> changed;
    if (s.show && !shown_->compare.empty()) {
      const RunRequest other = compared_run(*shown_, opened_.folder);
      changed = std::make_shared<const Recording>(record(other));
    }
    seen->find_hazards();
    for (const int index : views_shown) {
      const View& view = views()[static_cast<std::size_t>(index)];
      if (!has_something(index, *seen)) continue;
      StepPictures p;
      p.view = &view;
      p.recording = seen;
      p.cursor.block = block >= 0 ? block : place.at_block.value_or(0);
      p.cursor.hides_answer = true;
      if (question) p.cursor.first_line = first_shown_line(*question, whole_->trace);
      p.cursor_step = step;
      p.theme = &light_theme();
      p.width = picture_width;
      p.height = (view.height ? std::clamp(view.height(*seen), least_picture, most_picture) : usual_picture) +
                 step_caption_height;
      p.has_caption = true;
      if (changed) {
        changed->find_hazards();
        p.changed = changed;
        p.pairs = match_steps(seen->trace, changed->trace);
        const auto pair = std::ranges::find(p.pairs, step, &StepPair::baseline);
        p.cursor_step = pair == p.pairs.end() ? 0 : static_cast<int>(pair - p.pairs.begin());
      } else if (place.request.value_or(-1) >= 0 && step == place.step) {
        p.cursor.step = step;
        p.cursor.request = *place.request;
      }
      parts_.push_back({HandoutPart::Kind::picture, {}, p.draw(p.cursor_step)});
    }
  }

  void question(const Posed& posed) {
    const Question& q = posed.question;
    ++number_;
    add(HandoutPart::Kind::question, fmt::format("{}. {}", number_, question_text(q, *whole_)));
    if (q.form == AnswerForm::choice) {
      for (const std::int64_t c : q.choices)
        add(HandoutPart::Kind::options, fmt::format("☐ {}", capitalised(choice_text(q, c))));
    } else if (q.form == AnswerForm::places && q.places.size() <= most_options) {
      add(HandoutPart::Kind::options,
          tr("Mark: {}{}", fmt::join(q.places, "  "),
             q.place_of == PlaceOf::warps || q.place_of == PlaceOf::lanes ? tr("  none") : ""));
    }
    if (!answers_) {
      if (q.form != AnswerForm::choice) add(HandoutPart::Kind::space, tr("Answer:"));
      add(HandoutPart::Kind::space, tr("Because:"));
      return;
    }
    add(HandoutPart::Kind::answer,
        tr("Answer: {}. {}", reply_text(q, q.answer, *whole_), because_of(q, *whole_)));
    for (const Posed::Remark& remark : posed.remarks)
      add(HandoutPart::Kind::answer, tr("Not {}: {}", reply_text(q, remark.reply, *whole_), remark.text));
    const auto is_explained = [&](const Misreading& m) {
      return std::ranges::any_of(posed.remarks, [&](const Posed::Remark& r) { return r.reply == m.reply; });
    };
    for (const Misreading& m : q.misreadings)
      if (!is_explained(m))
        add(HandoutPart::Kind::answer, tr("Not {}: “{}”. {}", reply_text(q, m.reply, *whole_),
                                          misconception_name(m.misconception), refutation(q, m, *whole_)));
  }

  void order(const Ordering& o) {
    ++number_;
    add(HandoutPart::Kind::question,
        tr("{}. Number the lines in the order in which they run.{}", number_,
           o.answer.size() < o.lines.size() ? tr(" Some of these lines do not belong to the kernel.") : ""));
    for (int line = 0; line < static_cast<int>(o.lines.size()); ++line) {
      const auto found = std::ranges::find(o.answer, line);
      const std::string sign = !answers_                 ? "☐"
                               : found != o.answer.end() ? fmt::format("{}", found - o.answer.begin() + 1)
                                                         : "–";
      parts_.push_back(
          {HandoutPart::Kind::code,
           {{fmt::format("{}  {}", sign, o.lines[static_cast<std::size_t>(line)]), Face::mono}}});
    }
  }

  const OpenedLesson& opened_;
  const bool answers_;
  Job& job_;
  std::vector<HandoutPart> parts_;
  const ShowBlock* shown_ = nullptr;
  std::shared_ptr<const Recording> whole_;
  int number_ = 0;
};

}  // namespace

std::vector<HandoutPart> handout(const OpenedLesson& lesson, bool answers, Job& job) {
  const std::vector<Mistake> mistakes = check_lesson(lesson.read, lesson.folder, job);
  if (!mistakes.empty())
    throw RequestError(
        tr("`upsweep lesson check` names the mistakes of this lesson. The first mistake is in line {}: {}",
           mistakes.front().line, mistakes.front().text));
  return HandoutMaker(lesson, answers, job).make();
}

}  // namespace upsweep
