// Every key of the window and its effect. The key queue, the buttons' tips and the help all use this table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

class Session;
struct Algorithm;

enum class Action {
  none,
  toggle_playing,
  stride_forward,
  stride_back,
  phase_forward,
  phase_back,
  request_forward,
  request_back,
  block_forward,
  block_back,
  first,
  last,
  faster,
  slower,
  choose_view,  // argument: the view, from 0
  because,      // enlarges the view Because, or shows all views
  present,
  pen,       // begins or ends drawing over a presentation with the mouse
  black,     // makes the screen of a presentation black, or shows the picture again
  notes,     // opens or closes the window with the speaker's notes
  add_view,  // adds a view to a presentation, or removes it; argument: the view, from 0
  theme,
  contrast,     // a theme with high contrast, or the usual one
  language,     // the next language
  text_larger,  // argument: 0 for larger, 1 for smaller, 2 for the usual size
  banks,
  motion,
  whole_tree,
  counters,
  answer,  // shows or hides what is wrong in a broken kernel
  field,   // opens a field's list in the top bar, or puts the text cursor in the field; argument: a Field
  next_layout,
  toggle_barrier,
  next_machine,
  timing_large,
  next_chart,
  measure,  // begins to measure, or cancels the measurement
  next_timings,
  next_case,
  compare,       // begins or ends the comparison of two runs
  swap_sides,    // exchanges the two runs of the comparison
  save_picture,  // saves the picture that the view Image makes
  save_output,
  ask,          // begins or ends questions about the run
  reply,        // judges the learner's reply; after the answer, goes to the next question or step of a lesson
  lessons,      // shows or hides the lessons beside the views
  start,        // shows or hides the start page
  copy_state,   // copies what the window shows as a text
  paste_state,  // shows the state that a text in the clipboard describes
  undo,         // argument: 0 for undo, 1 for redo
  next_panel,   // gives the focus to another panel; argument: 1 for the next panel, -1 for the previous
  help,
  escape,
  quit,
  cancel,  // cancels the running recording, as Esc does if the help is closed
  // Answers to a question.
  mark,           // marks an answer; argument: its number
  mark_none,      // answers that no place is right
  show_reply,     // shows the answer
  next_question,  // leaves this question out
  // Lessons.
  open_lesson,    // argument: an index into shipped_lessons(); below 0 a lesson before these in the list
  open_card,      // argument: an index into shipped_cards()
  follow_lesson,  // opens the next lesson, which the shown lesson names
  close_lesson,   // shows the list of lessons again
  lesson_step,    // argument: the step
  lesson_line,    // chooses a line that is put in order; argument: its index
  lesson_again,   // asks the step's question once more
  lesson_run,     // shows the lesson's run again
  // The mouse can choose any chart, source and so on. A key can only go to the next one.
  swap_compared,  // exchanges the two variants whose times are compared
  next_compared,  // compares the times of the next variant
  save_chart,
  export_as,       // argument: an Export, see exports.hpp
  choose_chart,    // argument: a TimingChart
  choose_timings,  // argument: the index of the source of times
  choose_case,     // argument: the index of the case
  timing_tab,      // argument: 1 for the times, 0 for the view in the same place
  help_page,       // argument: the page
  open_recent,     // argument: an index into RecentFiles::names()
};

// The fields of the top bar, from left to right.
enum class Field {
  none = -1,
  algorithm,
  n,
  block,
  grid,
  type,
  op,
  layout,
  load_pattern,
  variant,
  data,
  save,
  find,
};

// Keys and modifiers, with the numbers that GLFW uses. key_queue.cpp checks that the numbers are equal.
namespace key {
inline constexpr int space = 32, minus = 45, period = 46, slash = 47, digit_0 = 48, equal = 61, letter_a = 65;
inline constexpr int escape = 256, enter = 257, tab = 258;
inline constexpr int right = 262, left = 263, down = 264, up = 265;
inline constexpr int page_up = 266, page_down = 267, home = 268, end = 269;
inline constexpr int f1 = 290, f2 = 291, f3 = 292, f6 = 295, keypad_minus = 333, keypad_plus = 334;
inline constexpr int shift = 1, control = 2, alt = 4;
constexpr int letter(char c) { return letter_a + (c - 'A'); }
constexpr int digit(int d) { return digit_0 + d; }
}  // namespace key

struct Chord {
  int key;
  int mods = 0;  // the sum of the held modifiers: key::shift, key::control and key::alt
  bool operator==(const Chord&) const = default;
};

struct Binding {
  std::string keys;   // as shown in the help: "Shift →"
  const char* what;   // the effect: "next phase"
  const char* group;  // the heading in the help
  Action action;
  int argument;
  std::vector<Chord> chords;  // the key combinations
};

// Returns all bindings in the order of the help. The keys of all views are one binding; its k-th chord (key
// combination) passes the argument k, from 0. So do the keys that add a view, undo and redo, the keys for the
// size of text, and the keys that go to another panel.
std::span<const Binding> bindings();

// The keys of the views are the digits from 1 to 9, then Shift with these digits, then Ctrl with these
// digits. Views after the 27th have no key.
inline constexpr int most_view_keys = 27;
Chord chord_of_view(int view);  // view < most_view_keys
// Returns the name of a view's key: "1" for the first view, "Shift 1" for the tenth. Returns an empty text if
// the view has no key.
std::string key_of_view(int view);

struct Command {
  Action action = Action::none;
  int argument = 0;
};
// Returns the command of a key press. `typing` must be true while a text field has the keyboard or a list is
// open: then only F1 and Ctrl Q have an effect.
Command command_of(Chord pressed, bool typing);

// Returns the name of an action's key for tips, such as "Space". Returns an empty text if the action has no
// key.
std::string_view key_of(Action action, int argument = 0);

// Performs an action. Returns false, and does nothing, for `none` and for actions that only the caller can
// perform (field, save_chart, save_picture, save_output, quit, and those of lessons).
bool perform(Session& session, Command command);

}  // namespace upsweep
