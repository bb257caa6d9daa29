#include "panels/spoken.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/language.hpp"
#include "panels/question_panel.hpp"
#include "panels/reply_verdict.hpp"
#include "scene/wrap.hpp"
#include "words/caption.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

std::string step_of(const Session& s) {
  const Recording& r = s.recording();
  const Cursor& at = s.cursor();
  const std::string place = tr("Step {} of {}", grouped(at.step + 1), grouped(s.step_count()));
  const bool has_blocks = r.trace.grid_of(static_cast<std::uint32_t>(at.step)).blocks > 1;
  const std::string block = has_blocks ? tr(", block {}", at.block) : "";
  return fmt::format("{}, {}{}: {}", caption_of_run(r, at.hides_answer), place, block, words(r, at));
}

std::string question_of(const Session& s) {
  const Questioning& q = s.questioning();
  if (!q.is_open() && q.stage() != Questioning::Stage::shown) return {};
  const Question& question = q.question();
  std::string text = question_text(question, *q.whole());
  if (question.form == AnswerForm::choice) {
    for (std::size_t i = 0; i < question.choices.size(); ++i)
      text += fmt::format(" {}: {}.", i + 1, capitalised(choice_text(question, question.choices[i])));
  } else if (question.form == AnswerForm::places) {
    text += tr(" Type numbers, such as 3 or 0-7.");
  }
  return text;
}

std::string lesson_of(const LessonPlayer& player) {
  if (!player.is_open()) return {};
  std::string text =
      tr("{}, step {} of {}.", player.lesson().title, player.step_index() + 1, player.lesson().steps.size());
  for (const LessonText& part : player.step().texts)
    for (std::string_view before = " "; const TextRun& run : part.runs) {
      if (takes_space(before, run.text)) text += ' ';
      text += run.text;
      before = run.text;
    }
  return text;
}

std::string line_of(const Ordering& o, std::size_t line) {
  return fmt::format("{}: {}", line + 1, o.lines[line]);
}

// Adds the question about the order of lines, the learner's lines and their judgement.
void add_order(Spoken& now, const LessonPlayer& player) {
  const Ordering& o = *player.ordering();
  const bool is_open = player.order_is_open();
  now.question = tr("Put the lines in the order in which they run:");
  for (std::size_t line = 0; line < o.lines.size(); ++line) now.question += ' ' + line_of(o, line);
  for (const int line : is_open ? player.order_reply() : o.answer)
    now.order += (now.order.empty() ? "" : " ") + line_of(o, static_cast<std::size_t>(line));
  // After the learner changes the order, `reply` is empty until the next judgement. So the screen reader
  // speaks the next judgement, even if it has the same words as the previous judgement.
  if (!is_open || player.order_reply() == player.judged_order()) now.reply = order_verdict(player).rest;
}

}  // namespace

Spoken spoken(const Session& session, const LessonPlayer& player) {
  Spoken now;
  now.message = session.banner().text;
  now.lesson = lesson_of(player);
  if (!session.recording_under_way()) now.step = step_of(session);
  now.question = question_of(session);
  if (const Questioning& q = session.questioning(); !q.notice().empty()) now.reply = q.notice();
  else now.reply = verdict_text(q);
  const bool has_question = !now.question.empty() || !now.reply.empty();
  if (player.ordering() && !player.is_away() && !has_question) add_order(now, player);
  return now;
}

std::vector<std::string> changed_parts(const Spoken& before, const Spoken& now) {
  std::vector<std::string> lines;
  for (const auto part :
       {&Spoken::message, &Spoken::reply, &Spoken::order, &Spoken::lesson, &Spoken::step, &Spoken::question})
    if (before.*part != now.*part && !(now.*part).empty()) lines.push_back(now.*part);
  return lines;
}

}  // namespace upsweep
