#include "panels/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.hpp"
#include "panels/presentation_layout.hpp"
#include "study/puzzle.hpp"
#include "study/session.hpp"

namespace upsweep {
namespace {

using key::shift, key::control;

Binding look(const char* keys, const char* what, Action action, Chord chord) {
  return {keys, what, "Look", action, 0, {chord}};
}
Binding field(const char* keys, const char* what, Field f, int key) {
  return {keys, what, "Choose", Action::field, static_cast<int>(f), {{key}}};
}

constexpr struct {
  int mods;
  const char* name;
} rows_of_digits[] = {{0, ""}, {shift, "Shift "}, {control, "Ctrl "}};

int view_keys() { return std::min(static_cast<int>(views().size()), most_view_keys); }

// Returns the binding that enlarges a view. The help shows only its first and its last key: "1 … Shift 4".
Binding choose_view() {
  Binding b{"", tr_noop("enlarge a view, or show all views"), "Look", Action::choose_view, 0, {}};
  for (int view = 0; view < view_keys(); ++view) b.chords.push_back(chord_of_view(view));
  b.keys = key_of_view(0) + " … " + key_of_view(view_keys() - 1);
  return b;
}

// Returns the binding that adds a view to a presentation. Its keys are Alt and the key of the view.
Binding add_view() {
  Binding b{"", tr_noop("add a view, or remove it"), "Present", Action::add_view, 0, {}};
  for (int view = 0; view < view_keys(); ++view) {
    Chord chord = chord_of_view(view);
    chord.mods |= key::alt;
    b.chords.push_back(chord);
  }
  b.keys = "Alt 1 …";
  return b;
}

const std::vector<Binding>& table() {
  static const std::vector<Binding> all = {
      {"→   PgDn", tr_noop("next step"), "Step", Action::stride_forward, 0, {{key::right}, {key::page_down}}},
      {"←   PgUp", tr_noop("previous step"), "Step", Action::stride_back, 0, {{key::left}, {key::page_up}}},
      {"Shift →", tr_noop("next phase"), "Step", Action::phase_forward, 0, {{key::right, shift}}},
      {"Shift ←", tr_noop("previous phase"), "Step", Action::phase_back, 0, {{key::left, shift}}},
      {"Ctrl →", tr_noop("next warp request"), "Step", Action::request_forward, 0, {{key::right, control}}},
      {"Ctrl ←", tr_noop("previous warp request"), "Step", Action::request_back, 0, {{key::left, control}}},
      {"↓", tr_noop("next block"), "Step", Action::block_forward, 0, {{key::down}}},
      {"↑", tr_noop("previous block"), "Step", Action::block_back, 0, {{key::up}}},
      {"Home", tr_noop("first step"), "Step", Action::first, 0, {{key::home}}},
      {"End", tr_noop("last step"), "Step", Action::last, 0, {{key::end}}},
      {"Space", tr_noop("play, pause"), "Play", Action::toggle_playing, 0, {{key::space}}},
      {"+",
       tr_noop("faster"),
       "Play",
       Action::faster,
       0,
       {{key::equal}, {key::equal, shift}, {key::keypad_plus}}},
      {"−", tr_noop("slower"), "Play", Action::slower, 0, {{key::minus}, {key::keypad_minus}}},
      {"P", tr_noop("presentation"), "Present", Action::present, 0, {{key::letter('P')}}},
      add_view(),
      {"Shift P",
       tr_noop("pen: draw with the mouse"),
       "Present",
       Action::pen,
       0,
       {{key::letter('P'), shift}}},
      {".", tr_noop("black screen"), "Present", Action::black, 0, {{key::period}}},
      {"Ctrl P", tr_noop("window with notes"), "Present", Action::notes, 0, {{key::letter('P'), control}}},
      {"Q", tr_noop("questions: what comes next?"), "Ask", Action::ask, 0, {{key::letter('Q')}}},
      {"Enter", tr_noop("check your answer, then go on"), "Ask", Action::reply, 0, {{key::enter}}},
      {"F2", tr_noop("lessons"), "Ask", Action::lessons, 0, {{key::f2}}},
      {"F3", tr_noop("the start page"), "Ask", Action::start, 0, {{key::f3}}},
      choose_view(),
      {"I", tr_noop("why: the reason for a cost"), "Look", Action::because, 0, {{key::letter('I')}}},
      {"0", tr_noop("the whole tree or picture"), "Look", Action::whole_tree, 0, {{key::digit(0)}}},
      {"F", tr_noop("show what is wrong here"), "Look", Action::answer, 0, {{key::letter('F')}}},
      {"W", tr_noop("counters for each line"), "Look", Action::counters, 0, {{key::letter('W')}}},
      {"K", tr_noop("model of 16 banks, or of 32"), "Look", Action::banks, 0, {{key::letter('K')}}},
      {"Z", tr_noop("values move, or stand still"), "Look", Action::motion, 0, {{key::letter('Z')}}},
      look("Ctrl I", tr_noop("save the picture of Image: PNG"), Action::save_picture,
           {key::letter('I'), control}),
      {"T", tr_noop("light or dark"), "Look", Action::theme, 0, {{key::letter('T')}}},
      look("Ctrl L", tr_noop("language: English, 中文"), Action::language, {key::letter('L'), control}),
      {"Shift T", tr_noop("high contrast"), "Look", Action::contrast, 0, {{key::letter('T'), shift}}},
      {"Ctrl +  −  0",
       tr_noop("larger, smaller, usual text"),
       "Look",
       Action::text_larger,
       0,
       {{key::equal, control}, {key::minus, control}, {key::digit(0), control}}},
      {"Tab", tr_noop("start or end a comparison"), "Look", Action::compare, 0, {{key::tab}}},
      {"Shift Tab", tr_noop("swap the two runs"), "Look", Action::swap_sides, 0, {{key::tab, shift}}},
      field("A", tr_noop("algorithm"), Field::algorithm, key::letter('A')),
      field("N", tr_noop("number of elements"), Field::n, key::letter('N')),
      field("B", tr_noop("threads in a block"), Field::block, key::letter('B')),
      field("G", tr_noop("maximum number of blocks"), Field::grid, key::letter('G')),
      field("Y", tr_noop("element type"), Field::type, key::letter('Y')),
      field("O", tr_noop("operator"), Field::op, key::letter('O')),
      {"L", tr_noop("next padding layout"), "Choose", Action::next_layout, 0, {{key::letter('L')}}},
      {"Shift L",
       tr_noop("padding layout, or a formula"),
       "Choose",
       Action::field,
       static_cast<int>(Field::layout),
       {{key::letter('L'), shift}}},
      field("R", tr_noop("load pattern"), Field::load_pattern, key::letter('R')),
      field("V", tr_noop("the algorithm's variant"), Field::variant, key::letter('V')),
      {"X",
       tr_noop("take a barrier out, put it back"),
       "Choose",
       Action::toggle_barrier,
       0,
       {{key::letter('X')}}},
      field("D", tr_noop("data"), Field::data, key::letter('D')),
      {"M", tr_noop("GPU or emulator"), "Choose", Action::next_machine, 0, {{key::letter('M')}}},
      {"C",
       tr_noop("enlarge timing, or show all views"),
       "Time",
       Action::timing_large,
       0,
       {{key::letter('C')}}},
      {"Shift C",
       tr_noop("next chart of measured times"),
       "Time",
       Action::next_chart,
       0,
       {{key::letter('C'), shift}}},
      {"S", tr_noop("measure here, or cancel"), "Time", Action::measure, 0, {{key::letter('S')}}},
      {"H", tr_noop("times from another source"), "Time", Action::next_timings, 0, {{key::letter('H')}}},
      {"E", tr_noop("example with or without a gain"), "Time", Action::next_case, 0, {{key::letter('E')}}},
      {"F6   Shift F6",
       tr_noop("next panel: arrows, then Enter"),
       "Window",
       Action::next_panel,
       0,
       {{key::f6}, {key::f6, shift}}},
      {"Ctrl K",
       tr_noop("find anything by its name"),
       "Window",
       Action::field,
       static_cast<int>(Field::find),
       {{key::letter('K'), control}}},
      {"Ctrl C",
       tr_noop("copy the picture as a text"),
       "Window",
       Action::copy_state,
       0,
       {{key::letter('C'), control}}},
      {"Ctrl V",
       tr_noop("show the view of a copied text"),
       "Window",
       Action::paste_state,
       0,
       {{key::letter('V'), control}}},
      {"Shift S",
       tr_noop("save the output: CSV"),
       "Window",
       Action::save_output,
       0,
       {{key::letter('S'), shift}}},
      {"Ctrl S",
       tr_noop("export: pictures, command"),
       "Window",
       Action::field,
       static_cast<int>(Field::save),
       {{key::letter('S'), control}}},
      {"Alt ←   Alt →",
       tr_noop("undo, redo"),
       "Window",
       Action::undo,
       0,
       {{key::left, key::alt}, {key::right, key::alt}}},
      {"F1   ?",
       tr_noop("keys, colours and terms"),
       "Window",
       Action::help,
       0,
       {{key::f1}, {key::slash, shift}}},
      {"Esc", tr_noop("cancel, or close"), "Window", Action::escape, 0, {{key::escape}}},
      {"Ctrl Q", tr_noop("quit"), "Window", Action::quit, 0, {{key::letter('Q'), control}}},
  };
  return all;
}

void move(Session& session, int direction) {
  if (session.moves_in_time()) session.step_time(direction);
  else session.step_by(direction);
}

// Enlarges a view. If the view is large already, shows all views.
void enlarge(Session& session, int view) {
  if (view < 0 || view >= static_cast<int>(views().size())) return;
  const bool again = session.looks.chosen == view;
  session.apply({.view = again ? "" : views()[static_cast<std::size_t>(view)].name,
                 .timing_large = false,
                 .added = {{-1, -1}}});
}

void leave(Session& session) {
  const Looks& looks = session.looks;
  if (looks.help) session.apply({.help = false});
  else if (session.cancel()) return;
  else if (session.timing.measuring()) session.timing.cancel();
  else if (!session.banner().text.empty()) session.dismiss_banner();
  else if (looks.pen) session.apply({.pen = false});
  else if (looks.asking && !looks.posed) session.apply({.asking = false});
  else if (looks.presentation) session.apply({.presentation = false});
  else if (looks.comparing && looks.chosen < 0) session.toggle_comparing();
  else session.apply({.view = "", .timing_large = false});
}

// Adds a view to the presentation. If the view is shown already, removes the view.
void add_or_remove(Session& session, int view) {
  if (view >= static_cast<int>(views().size())) return;
  if (!session.looks.presentation || session.looks.timing_large) {
    session.apply({.view = views()[static_cast<std::size_t>(view)].name,
                   .timing_large = false,
                   .presentation = true,
                   .added = {{-1, -1}}});
    return;
  }
  std::vector<int> shown = presented_views(session.looks, session.recording());
  const auto found = std::find(shown.begin(), shown.end(), view);
  if (found == shown.end() && shown.size() == most_presented)
    return session.complain(tr("A presentation shows at most 3 views: remove a view first."));
  if (found != shown.end() && shown.size() == 1)
    return session.complain(tr("This is the only view of the presentation: add another view first."));
  if (found == shown.end()) shown.push_back(view);
  else shown.erase(found);
  std::array<int, 2> added{-1, -1};
  std::copy(shown.begin() + 1, shown.end(), added.begin());
  session.apply({.view = views()[static_cast<std::size_t>(shown[0])].name, .added = added});
}

}  // namespace

std::span<const Binding> bindings() { return table(); }

Command command_of(Chord pressed, bool typing) {
  // Ctrl with the keypad, and Ctrl Shift =, also change the size of text.
  if ((pressed.mods & control) != 0 && pressed.key == key::keypad_minus) pressed.key = key::minus;
  if ((pressed.mods & control) != 0 && pressed.key == key::keypad_plus) pressed.key = key::equal;
  if (pressed == Chord{key::equal, control + shift}) pressed.mods = control;
  for (const Binding& b : table()) {
    const auto at = std::find(b.chords.begin(), b.chords.end(), pressed);
    if (at == b.chords.end()) continue;
    if (typing && pressed.key != key::f1 && b.action != Action::quit) return {};
    const bool is_counted = b.action == Action::choose_view || b.action == Action::add_view ||
                            b.action == Action::undo || b.action == Action::next_panel ||
                            b.action == Action::text_larger;
    const int which = is_counted ? static_cast<int>(at - b.chords.begin()) : b.argument;
    return {b.action, which};
  }
  return {};
}

Chord chord_of_view(int view) { return {key::digit(view % 9 + 1), rows_of_digits[view / 9].mods}; }

std::string key_of_view(int view) {
  return view < most_view_keys ? rows_of_digits[view / 9].name + std::to_string(view % 9 + 1) : "";
}

std::string_view key_of(Action action, int argument) {
  for (const Binding& b : table())
    if (b.action == action && b.argument == argument) return b.keys;
  return {};
}

// Returns the next size of text. `which` is 0 for larger text, 1 for smaller text, and 2 for the default
// size.
static float next_text_scale(float now, int which) {
  if (which == 2) return 1;
  // Adds or subtracts 0.1. Rounding avoids results such as 1.0999999 instead of 1.1.
  const float tenths = std::round(10 * now) + (which == 0 ? 1.0f : -1.0f);
  return std::clamp(tenths / 10, least_text_scale, most_text_scale);
}

bool perform(Session& session, Command command) {
  const Looks& looks = session.looks;
  switch (command.action) {
    case Action::toggle_playing: session.toggle_playing(); break;
    case Action::stride_forward: move(session, +1); break;
    case Action::stride_back: move(session, -1); break;
    case Action::phase_forward: session.step_phase(+1); break;
    case Action::phase_back: session.step_phase(-1); break;
    case Action::request_forward: session.step_request(+1); break;
    case Action::request_back: session.step_request(-1); break;
    case Action::block_forward: session.step_block(+1); break;
    case Action::block_back: session.step_block(-1); break;
    case Action::first: session.first(); break;
    case Action::last: session.last(); break;
    case Action::faster: session.change_speed(+1); break;
    case Action::slower: session.change_speed(-1); break;
    case Action::choose_view: enlarge(session, command.argument); break;
    case Action::because: enlarge(session, view_index("because")); break;
    case Action::present: session.apply({.presentation = !looks.presentation}); break;
    case Action::pen: session.apply({.presentation = true, .pen = !looks.pen}); break;
    case Action::black: session.apply({.presentation = true, .black = !looks.black}); break;
    case Action::notes:
      session.apply({.presentation = true, .notes = looks.presentation && looks.notes > 0 ? 0 : 1});
      break;
    case Action::add_view: add_or_remove(session, command.argument); break;
    case Action::theme: session.apply({.dark = !looks.dark}); break;
    case Action::contrast: session.apply({.contrast = !looks.contrast}); break;
    case Action::language:
      session.apply({.language = language() == TextLanguage::chinese ? "en" : "zh"});
      break;
    case Action::text_larger:
      session.apply({.text_scale = next_text_scale(looks.text_scale, command.argument)});
      break;
    case Action::banks: session.apply({.half_warps = !session.cursor().half_warps}); break;
    case Action::motion:
      session.apply({.motion = !values_move(looks)});
      session.tell(values_move(looks) ? tr("Values move from step to step.")
                                      : tr("Values do not move from step to step."));
      break;
    case Action::whole_tree: session.show_whole_tree(); break;
    case Action::counters: session.toggle_counters(); break;
    case Action::answer: session.toggle_answer(); break;
    case Action::next_layout: {
      const Choice* padding = padding_of(session.algorithm());
      session.next_choice(padding ? padding->name : "layout");
      break;
    }
    case Action::toggle_barrier: session.toggle_barrier(); break;
    case Action::next_machine: session.next_machine(); break;
    case Action::timing_large: session.apply({.view = "", .timing_large = !looks.timing_large}); break;
    case Action::timing_tab: session.apply({.timing = command.argument}); break;
    case Action::next_chart:
      session.show_timing();
      session.apply({.chart = std::string(
                         timing_chart_names[(static_cast<std::size_t>(session.timing.chart) + 1) % 3])});
      break;
    case Action::choose_chart:
      session.apply({.chart = std::string(timing_chart_names[command.argument])});
      break;
    case Action::measure: session.measure_times(); break;
    case Action::next_timings: session.next_timings(); break;
    case Action::choose_timings: session.timing.show(command.argument); break;
    case Action::swap_compared: session.swap_compared(); break;
    case Action::next_compared: session.next_compared(); break;
    case Action::compare: session.toggle_comparing(); break;
    case Action::swap_sides: session.swap_sides(); break;
    case Action::ask: session.apply({.playing = false, .asking = !looks.asking}); break;
    case Action::reply: session.commit_reply(); break;
    case Action::mark: session.mark_number(command.argument); break;
    case Action::mark_none: session.mark_none(); break;
    case Action::show_reply: session.show_reply(); break;
    case Action::next_question: session.next_question(); break;
    case Action::next_case: session.next_case(); break;
    case Action::choose_case: session.show_case(command.argument); break;
    case Action::help: session.apply({.help = !looks.help}); break;
    case Action::help_page: session.apply({.help_page = command.argument}); break;
    case Action::undo: command.argument == 0 ? session.undo() : session.redo(); break;
    case Action::escape: leave(session); break;
    case Action::cancel: session.cancel(); break;
    case Action::none:
    case Action::lessons:
    case Action::start:
    case Action::open_lesson:
    case Action::open_card:
    case Action::follow_lesson:
    case Action::close_lesson:
    case Action::lesson_step:
    case Action::lesson_line:
    case Action::lesson_again:
    case Action::lesson_run:
    case Action::field:
    case Action::save_chart:
    case Action::export_as:
    case Action::save_picture:
    case Action::save_output:
    case Action::copy_state:
    case Action::paste_state:
    case Action::open_recent:
    case Action::next_panel:
    case Action::quit: return false;
  }
  return true;
}

}  // namespace upsweep
