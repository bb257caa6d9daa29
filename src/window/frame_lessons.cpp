// Shows lessons and the start page in the frame, and handles their keys.
#include <algorithm>

#include "study/give_way.hpp"
#include "window/frame.hpp"

namespace upsweep {

// Updates the lesson, and takes the pictures of the cards when the pictures are ready.
void Frame::follow_lessons() {
  player_.tick();
  if (const std::string notice = progress_.take_notice(); !notice.empty()) session_.complain(notice);
  const Score& score = session_.questioning().score();
  if (score.asked != counted_.asked || score.right != counted_.right) {
    progress_.add_to_score(score.asked - counted_.asked, score.right - counted_.right);
    counted_ = score;
  }
  if (player_.is_open() && scrolled_step_ != player_.step_index()) {
    lesson_scroll_ = 0;
    scrolled_step_ = player_.step_index();
  }
  if (!session_.looks.cards) return;
  if (!card_worker_ && card_pictures_.empty())
    card_worker_ = std::make_unique<CardWorker>(
        [](int, Job& job) {
          give_way();
          return card_pictures(job);
        },
        session_.wake());
  if (!card_worker_) return;
  if (!asked_for_cards_) card_worker_->begin(0);
  asked_for_cards_ = true;
  if (auto made = card_worker_->take()) card_pictures_ = std::move(*made);
}

void Frame::follow_language() {
  if (drawn_language_ == language()) return;
  drawn_language_ = language();
  std::fill(drawn_.begin(), drawn_.end(), Drawn());
  known_tip_ = {};
  card_pictures_.clear();
  asked_for_cards_ = false;
  player_.follow_language();
}

Handouts Frame::handouts() const {
  if (!session_.looks.lesson || !player_.is_open()) return Handouts::none;
  return player_.is_test() ? Handouts::questions : Handouts::with_answers;
}

void Frame::wait_for_cards(double seconds) {
  if (card_worker_) card_worker_->wait(seconds);
}

// Hides the lessons if the lessons are visible. Otherwise, shows the lessons, and opens the hidden lesson
// again.
void Frame::show_or_hide_lessons() {
  Looks& looks = session_.looks;
  looks.cards = false;
  session_.apply({.presentation = false, .help = false});
  looks.lesson = !looks.lesson;
  lesson_scroll_ = 0;
  if (looks.lesson && !hidden_lesson_.empty()) player_.open(hidden_lesson_);
  if (!looks.lesson) {
    hidden_lesson_ = player_.is_open() ? player_.name() : "";
    player_.close();
  }
}

// Handles the key Enter: opens the chosen card or lesson, or goes to the next part of the lesson. Returns
// false if Enter has another meaning, such as the reply to a question.
bool Frame::go_on_in_lesson() {
  const Looks& looks = session_.looks;
  const bool plays = looks.lesson && player_.is_open();
  if (looks.cards) {
    if (chosen_card_ >= 0) press_in_lessons({Action::open_card, chosen_card_});
    return true;
  }
  if (looks.lesson && !player_.is_open()) {
    press_in_lessons({Action::open_lesson, chosen_lesson_ - player_.listed_in_folder()});
    return true;
  }
  if (!plays || session_.questioning().is_open() || (looks.asking && !looks.posed)) return false;
  if (player_.is_away()) player_.come_back();
  else if (player_.order_is_open()) player_.commit_order();
  else if (player_.is_last() && player_.is_done() && player_.has_next())
    press_in_lessons({Action::follow_lesson});
  else player_.next();
  return true;
}

// Carries out an action of the lessons or of the start page. Returns false for other actions.
bool Frame::press_in_lessons(const Command& command) {
  Looks& looks = session_.looks;
  const bool plays = looks.lesson && player_.is_open();
  const auto open = [&](const std::string& name) {
    looks.cards = false;
    player_.open(name);
  };
  switch (command.action) {
    case Action::lessons: show_or_hide_lessons(); return true;
    case Action::start:
      session_.apply({.presentation = false, .help = false});
      looks.cards = !looks.cards;
      return true;
    case Action::open_lesson: {
      const std::vector<LessonPlayer::Listed> all = player_.listed();
      const int row = player_.listed_in_folder() + command.argument;
      if (row >= 0 && row < std::ssize(all)) open(all[static_cast<std::size_t>(row)].name);
      return true;
    }
    case Action::open_card:
      if (const auto card = static_cast<std::size_t>(command.argument); card < shipped_cards().size())
        open(shipped_cards()[card].lesson.name);
      return true;
    case Action::follow_lesson:
      if (plays) player_.open_next();
      return true;
    case Action::close_lesson: player_.close(); return true;
    case Action::lesson_step:
      if (plays && (command.argument <= player_.step_index() || !player_.is_open_task()))
        player_.go_to(command.argument);
      return true;
    case Action::lesson_line: player_.toggle_line(command.argument); return true;
    case Action::lesson_again:
      if (plays) player_.ask_again();
      return true;
    case Action::lesson_run:
      if (plays) player_.come_back();
      return true;
    case Action::reply: return go_on_in_lesson();
    case Action::ask:
      // While the lesson's step has a task, this key does nothing, because the step asks its own question.
      return plays && player_.step().has_task();
    case Action::escape:
      if (looks.help) return false;
      if (looks.cards) {
        looks.cards = false;
        return true;
      }
      return false;
    default: return false;
  }
}

// The arrow keys choose a card or a lesson, and Tab goes to the next card. Digits choose a line in a question
// about the order of lines. Returns true if the key was one of these keys.
bool Frame::take_lesson_key(const Chord& chord) {
  const Looks& looks = session_.looks;
  if (bar_.has_keyboard() || looks.help || chord.mods != 0) return false;
  const auto move = [](int& chosen, int by, int count) { chosen = std::clamp(chosen + by, 0, count - 1); };
  if (looks.cards) {
    const auto count = static_cast<int>(shipped_cards().size());
    const int row = width_ >= 900 ? 3 : 2;
    if (chord.key == key::right || chord.key == key::tab) move(chosen_card_, 1, count);
    else if (chord.key == key::left) move(chosen_card_, -1, count);
    else if (chord.key == key::down) move(chosen_card_, chosen_card_ < 0 ? 1 : row, count);
    else if (chord.key == key::up) move(chosen_card_, -row, count);
    else return false;
    return true;
  }
  if (!looks.lesson) return false;
  if (!player_.is_open()) {
    const auto count = static_cast<int>(player_.listed().size());
    if (chord.key == key::down) move(chosen_lesson_, 1, count);
    else if (chord.key == key::up) move(chosen_lesson_, -1, count);
    else return false;
    // Scrolls the list, so that the chosen row stays visible.
    lesson_scroll_ =
        lesson_.hidden * static_cast<float>(chosen_lesson_) / static_cast<float>(std::max(count - 1, 1));
    return true;
  }
  if (player_.order_is_open() && chord.key > key::digit(0) && chord.key <= key::digit(9)) {
    player_.toggle_line(chord.key - key::digit(1));
    return true;
  }
  return false;
}

bool Frame::scroll_lesson(float ticks) {
  if (!layout_.lesson.contains(mouse_) || session_.looks.cards) return false;
  constexpr float pitch = 42;  // the height of two lines in logical pixels; one tick scrolls this far
  lesson_scroll_ = std::clamp(lesson_scroll_ - ticks * pitch, 0.0f, lesson_.hidden);
  return true;
}

}  // namespace upsweep
