// Begins the questions about the shown run, hides the step of a question, and shows the answer.
#include <algorithm>

#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "study/intention.hpp"
#include "study/session.hpp"
#include "words/question_words.hpp"

namespace upsweep {

// If another run is shown now, ends the question of a lesson. If there is no question of a lesson, begins to
// look for a question about the new run. Picks up a question that the other thread has found. Returns whether
// anything changed.
bool Session::follow_questions() {
  const Unremembered questions_are_no_intention(*this);
  if (!looks.asking) {
    looks.posed = false;
    if (questioning_.stage() == Questioning::Stage::off) return false;
    questioning_.end();
    return true;
  }
  if (pending_) return false;
  if (questioning_.whole() != recording_) {
    playing_ = false;
    if (questioning_.is_posed()) {
      looks.asking = looks.posed = false;
      questioning_.end();
      return true;
    }
    questioning_.begin(recording_, cursor_.step + 1);
    return true;
  }
  if (!questioning_.tick()) return false;
  if (questioning_.is_open()) go_to_question();
  return true;
}

void Session::pose(Pose pose) {
  if (pending_) return;
  const Unremembered questions_are_no_intention(*this);
  playing_ = false;
  looks.asking = looks.posed = true;
  looks.comparing = looks.timing_large = false;
  questioning_.pose(recording_, std::move(pose));
}

// Goes to the step before the question's step. If the answer is already shown, goes to the question's step
// instead. Shows the view in which the learner answers the question and sees the answer.
void Session::go_to_question() {
  const Question& q = questioning_.question();
  const bool is_shown = questioning_.stage() == Questioning::Stage::shown;
  playing_ = false;
  cursor_.time = -1;
  cursor_.first_line = is_shown && q.step >= 0 ? 0 : first_shown_line(q, questioning_.whole()->trace);
  if (q.step >= 0) {
    go_to(is_shown ? q.step : std::max(0, q.step - 1));
    if (q.about.block < recording_->trace.grid_of(static_cast<std::uint32_t>(cursor_.step)).blocks)
      cursor_.block = q.about.block;
    cursor_.request = -1;
    if (is_shown && q.about.event >= 0) carry_out(GoToRequest{q.about.event});
  }
  const int view = view_index(view_for(q));
  const bool has_chosen = questioning_.is_posed() && looks.chosen >= 0;
  if (!looks.presentation && !has_chosen && has_something(view, *recording_)) carry_out(ShowView{view});
}

bool Session::mark(const Id& id) {
  if (!questioning_.is_open()) return false;
  const auto place = place_in(questioning_.question(), recording(), id);
  if (place) mark_number(*place);
  return place.has_value();
}

void Session::commit_reply() {
  if (questioning_.stage() == Questioning::Stage::shown) return next_question();
  if (!questioning_.is_open()) return;
  questioning_.commit();
  if (!questioning_.notice().empty()) return;
  banner_ = {};
  if (questioning_.stage() == Questioning::Stage::shown) go_to_question();
}

void Session::show_reply() {
  if (!questioning_.is_open()) return;
  // In a lesson, the answer is not shown before the learner has replied once.
  if (questioning_.is_posed() && questioning_.tries() == 0)
    return questioning_.set_notice(tr("Answer the question first, even if you are not sure."));
  questioning_.show_answer();
  go_to_question();
}

void Session::next_question() {
  if (!looks.asking || pending_ || questioning_.is_posed()) return;
  const bool has_one = questioning_.is_open() || questioning_.stage() == Questioning::Stage::shown;
  const int step = has_one ? questioning_.question().step : -1;
  questioning_.begin(recording_, std::max(step, cursor_.step) + 1);
}

}  // namespace upsweep
