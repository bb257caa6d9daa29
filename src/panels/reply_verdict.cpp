#include "panels/reply_verdict.hpp"

#include "base/language.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace {

using Stage = Questioning::Stage;

// Returns a text about the difference between the reply and the answer. The text does not contain the answer.
std::string distance_of(const Question& q, const Judgement& j) {
  if (q.form != AnswerForm::places || q.place_of == PlaceOf::banks || q.place_of == PlaceOf::lines)
    return tr("Look at the picture again, and try once more.");
  return tr("{} right, {} wrong, {} missing. Try again.", j.found.size(), j.wrong.size(), j.missed.size());
}

}  // namespace

ReplyVerdict verdict_of(const Questioning& questioning) {
  if (questioning.stage() != Stage::again && questioning.stage() != Stage::shown) return {};
  const Question& q = questioning.question();
  const Recording& r = *questioning.whole();
  const auto& j = questioning.judgement();
  if (questioning.stage() == Stage::shown) {
    const bool is_right = j && j->right;
    return {!j         ? ReplyVerdict::Kind::plain
            : is_right ? ReplyVerdict::Kind::right
                       : ReplyVerdict::Kind::wrong,
            !j         ? tr("The answer:")
            : is_right ? tr("Right.")
                       : tr("Not right."),
            (is_right ? "" : capitalised(reply_text(q, q.answer, r)) + tr(". ")) + because_of(q, r)};
  }
  const std::string remark = questioning.remark();
  if (!remark.empty()) return {ReplyVerdict::Kind::wrong, tr("Not quite."), remark + tr(" Try again.")};
  if (j->misreading < 0) return {ReplyVerdict::Kind::wrong, tr("Not quite."), distance_of(q, *j)};
  const Misreading& m = q.misreadings[static_cast<std::size_t>(j->misreading)];
  return {
      ReplyVerdict::Kind::wrong, tr("Not quite."),
      tr("A common mistake: “{}”. {} Try again.", misconception_name(m.misconception), refutation(q, m, r))};
}

ReplyVerdict order_verdict(const LessonPlayer& player) {
  const Ordering& o = *player.ordering();
  if (!player.order_is_open()) {
    if (o.is_right(player.judged_order())) return {ReplyVerdict::Kind::right, "", tr("Right.")};
    return {ReplyVerdict::Kind::plain, "", tr("Your order is wrong. This is the kernel's order.")};
  }
  if (player.order_tries() == 0) return {};
  const std::size_t right = o.right_lines(player.judged_order());
  const std::string hint = player.order_hint();
  return {ReplyVerdict::Kind::wrong, "",
          tr("Not quite: {}.{}{} Try again.",
             right == 0   ? std::string(tr("the first line is wrong"))
             : right == 1 ? tr("only the first line is right")
                          : tr("only the first {} lines are right", right),
             hint.empty() ? "" : " ", hint)};
}

}  // namespace upsweep
