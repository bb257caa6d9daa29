// Declares the table of all keys of the window and of their effects. The key queue, the tooltips of buttons
// and the help use this table.
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
  choose_view,  // enlarges a view; argument: the view, from 0
  because,      // enlarges the view "Because", or shows all views
  present,
  pen,       // begins or ends drawing with the mouse over a presentation
  black,     // makes the screen of a presentation black, or shows the picture again
  notes,     // opens or closes the window with the speaker's notes
  add_view,  // adds a view to a presentation, or removes the view; argument: the view, from 0
  theme,
  contrast,     // changes to a theme with high contrast, or back
  language,     // changes to the next language
  text_larger,  // changes the size of text; argument: 0 for larger, 1 for smaller, 2 for the default
  banks,
  motion,
  whole_tree,
  counters,
  answer,  // shows or hides the error in a broken kernel
  // Opens the list of a field in the top bar, or puts the text cursor into the field; argument: a Field.
  field,
  next_layout,
  toggle_barrier,
  next_machine,
  timing_large,
  next_chart,
  measure,  // begins to measure, or cancels the measurement
  next_timings,
  next_case,
  compare,       // begins or ends a comparison of two runs
  swap_sides,    // exchanges the baseline and the changed run of a comparison
  save_picture,  // saves the picture that the view "Image" computes
  save_output,
  ask,  // begins or ends the questions about the run
  // Checks the learner's reply. When the answer is shown, goes to the next question or to the next step of a
  // lesson.
  reply,
  lessons,      // shows or hides the lessons beside the views
  start,        // shows or hides the start page
  copy_state,   // copies the state of the window as text
  paste_state,  // shows the state that a text in the clipboard describes
  undo,         // undoes or repeats a change; argument: 0 for undo, 1 for redo
  // Gives the keyboard's focus to another panel; argument: 0 for the next panel, 1 for the previous panel.
  next_panel,
  help,
  escape,
  quit,
  cancel,  // cancels the running recording; Esc has the same effect if the help is closed
  // The actions from here are answers to a question.
  mark,           // marks an answer; argument: the number of the answer
  mark_none,      // answers that no place is correct
  show_reply,     // shows the correct answer
  next_question,  // skips this question
  // The actions from here belong to lessons.

  // Opens a lesson; argument: an index into shipped_lessons(). Numbers below 0 stand for lessons that the
  // list shows before the shipped lessons.
  open_lesson,
  open_card,      // opens a card; argument: an index into shipped_cards()
  follow_lesson,  // opens the lesson that the shown lesson names as the next lesson
  close_lesson,   // closes the lesson, and shows the list of lessons
  lesson_step,    // goes to a step of the lesson; argument: the step's index
  lesson_line,    // chooses a line in a question about the order of lines; argument: the line's index
  lesson_again,   // asks the question of the step again
  lesson_run,     // shows the run of the lesson again
  // The actions from here have no key. For example, a key goes to the next chart, but no key goes directly to
  // a certain chart.
  swap_compared,  // exchanges the two variants whose times are compared
  next_compared,  // replaces one of the two compared variants by another variant
  save_chart,
  export_as,       // exports something; argument: an Export, see exports.hpp
  choose_chart,    // shows a chart; argument: a TimingChart
  choose_timings,  // shows the times of a source; argument: the source's index
  choose_case,     // shows an example case; argument: the case's index
  timing_tab,      // argument 1 shows the times; argument 0 shows the view that the times replace
  help_page,       // shows a page of the help; argument: the page
  open_recent,     // opens a recent file; argument: an index into RecentFiles::names()
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

// The numbers of keys and modifiers, which are GLFW's numbers. key_queue.cpp checks that the numbers are
// equal.
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
  int mods = 0;  // the sum of the pressed modifiers: key::shift, key::control and key::alt
  bool operator==(const Chord&) const = default;
};

struct Binding {
  std::string keys;   // the keys as text in the help, such as "Shift →"
  const char* what;   // the effect, such as "next phase"
  const char* group;  // the heading of the group in the help
  Action action;
  int argument;
  std::vector<Chord> chords;  // the combinations of keys and modifiers
};

// Returns all bindings in the order of the help.
//
// Some bindings have one chord (key combination) for each value of the argument: chord k, counted from 0,
// passes the argument k. These are the bindings that enlarge a view, add a view, undo and redo, change the
// text size, and go to another panel.
std::span<const Binding> bindings();

// The keys of the views: 1 to 9, then Shift and 1 to 9, then Ctrl and 1 to 9. Views after the 27th view have
// no key.
inline constexpr int most_view_keys = 27;
Chord chord_of_view(int view);  // requires view < most_view_keys
// Returns the name of a view's key, such as "1" for the first view and "Shift 1" for the tenth view. Returns
// an empty text if the view has no key.
std::string key_of_view(int view);

struct Command {
  Action action = Action::none;
  int argument = 0;
};
// Returns the command of a pressed key. `typing` must be true while a text field has the keyboard or a list
// is open. In this case, only F1 and Ctrl Q have an effect.
Command command_of(Chord pressed, bool typing);

// Returns the name of an action's key, such as "Space". Returns an empty text if the action has no key.
std::string_view key_of(Action action, int argument = 0);

// Performs an action. Returns false, and does nothing, for `none` and for actions that only the caller can
// perform, such as `quit`, `field`, `next_panel`, all exports, and the actions of lessons.
bool perform(Session& session, Command command);

}  // namespace upsweep
