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

}  // namespace upsweep
