// Passes the pressed keys to the help, to an open question, and to the table of keys.
#include <algorithm>

#include "panels/help.hpp"
#include "window/frame.hpp"

namespace upsweep {

bool Frame::take_keys(std::span<const Chord> keys) {
  bool quit = false;
  for (const Chord& chord : keys) {
    const Command command = command_of(chord, bar_.has_keyboard());
    tip_is_off_ = true;
    if (take_focus_key(chord) || take_field_key(chord) || take_reply_key(chord) || take_lesson_key(chord))
      continue;
    // If the screen is black, every key shows the picture again.
    if (session_.looks.black && command.action != Action::none && command.action != Action::quit) {
      session_.apply({.black = false});
      continue;
    }
    // While the start page is visible, only these actions have an effect.
    constexpr Action on_start[] = {
        Action::help,        Action::escape,     Action::quit,       Action::lessons,  Action::start,
        Action::theme,       Action::field,      Action::reply,      Action::contrast, Action::language,
        Action::text_larger, Action::next_panel, Action::paste_state};
    if (session_.looks.cards && !session_.looks.help &&
        std::ranges::find(on_start, command.action) == std::end(on_start))
      continue;
    if (session_.looks.help) {
      const int by = command.action == Action::stride_forward ? 1
                     : command.action == Action::stride_back  ? -1
                                                              : 0;
      if (by != 0)
        session_.apply(
            {.help_page = std::clamp(session_.looks.help_page + by, 0, help_pages(width_, height_) - 1)});
      if (command.action != Action::help && command.action != Action::escape &&
          command.action != Action::quit)
        continue;
    }
    if (command.action == Action::quit) quit = true;
    press(command);
  }
  return quit;
}

// While a question is open, digits, minus, period, comma, space and backspace edit the reply. Returns true if
// the key was for the reply.
bool Frame::take_reply_key(const Chord& chord) {
  constexpr int comma = 44, backspace = 259;
  const Questioning& questioning = session_.questioning();
  if (!questioning.is_open() || bar_.has_keyboard() || session_.looks.help || chord.mods != 0) return false;
  const bool is_empty = questioning.typed().empty();
  if (chord.key >= key::digit(0) && chord.key <= key::digit(9))
    session_.type_reply(static_cast<char>('0' + chord.key - key::digit(0)));
  else if (chord.key == backspace) session_.erase_reply();
  else if (chord.key == key::minus && is_empty && questioning.question().form == AnswerForm::places)
    session_.mark_none();
  else if (chord.key == key::minus) session_.type_reply('-');
  else if (chord.key == key::period) session_.type_reply('.');
  else if (chord.key == comma || (chord.key == key::space && !is_empty)) session_.type_reply(' ');
  else return false;
  return true;
}

}  // namespace upsweep
