// Carries out requests, returns the session's state as a request, and undoes changes.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/intention.hpp"
#include "study/puzzle.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

template <class T, class U>
void take(const std::optional<T>& from, U& to) {
  if (from) to = static_cast<U>(*from);
}

}  // namespace

Session::Intention::Intention(Session& s) : s_(s) {
  if (s_.intentions_++ > 0) return;
  if (s_.banner_.severity == Banner::Severity::notice)
    s_.banner_ = {};  // a notice disappears with the next action
  before_ = {s_.state(), s_.wanted_.n_chosen, s_.wanted_.block_chosen, {}};
}

Session::Intention::~Intention() {
  if (--s_.intentions_ > 0) return;
  Request now = s_.state();
  // Undo must not open, close or turn the help pages, so both states get the same page.
  now.help = before_.state.help;
  now.help_page = before_.state.help_page;
  s_.history_.add(std::move(before_), now);
}

Request Session::run_state(const WantedRun& run) const {
  const Settings& s = run.settings;
  const Algorithm& a = algorithm_of_run(run);
  Request r;
  r.algorithm = s.algorithm;
  r.n = s.n;
  r.columns = s.columns;
  r.block = s.block;
  r.grid = s.grid;
  r.type = s.type;
  r.op = s.op;
  r.expression = s.expression;
  r.identity = s.identity;
  for (const Choice& c : a.choices) r.choices[c.name] = chosen(a, s, c.name);
  r.without_barrier = s.without_barrier;
  r.data = run.data;
  r.machine = run.machine;
  r.open = run.opened ? opened_from_ : "";
  return r;
}

Request Session::state() const {
  Request r = settings_state();
  r.step = cursor_.step;
  r.at_block = cursor_.block;
  r.request = cursor_.request;
  r.time = cursor_.time;
  r.finding = cursor_.finding;
  r.first_element = cursor_.first_element;
  r.element_count = cursor_.element_count;
  r.made = made_names[static_cast<int>(cursor_.image.made)];
  r.box_width = cursor_.image.box_width;
  r.pixel = cursor_.image.pixel;
  r.first_row = cursor_.image.first_row;
  r.first_column = cursor_.image.first_column;
  r.column_count = cursor_.image.column_count;
  r.focus = cursor_.image.focus;
  r.first_line = cursor_.first_line;
  r.half_warps = cursor_.half_warps;
  r.answer = wanted_.answer;
  r.playing = playing_;
  r.speed = speed_;
  r.view = looks.chosen < 0 ? "" : views()[static_cast<std::size_t>(looks.chosen)].name;
  r.tabs = looks.tabs;
  r.timing_large = looks.timing_large;
  r.counters = looks.counters;
  r.motion = looks.motion;
  r.timing = looks.timing;
  r.chart = timing_chart_names[static_cast<int>(timing.chart)];
  if (const auto& compared = timing.wanted_compared()) r.compared = as_shown(*compared).choices;
  r.comparing = looks.comparing;
  r.change = fields_of(change_).empty() ? "" : to_json(change_);
  r.asking = looks.asking;
  r.dark = looks.dark;
  r.contrast = looks.contrast;
  r.language = std::string(name(language()));
  r.text_scale = looks.text_scale;
  r.presentation = looks.presentation;
  r.help = looks.help;
  r.added = looks.added;
  r.pen = looks.pen;
  r.black = looks.black;
  r.notes = looks.notes;
  r.help_page = looks.help_page;
  r.column = looks.column;
  r.source = looks.source;
  r.rows = std::to_array(looks.rows);
  return r;
}

// Returns why the request's place or appearance is impossible. Returns an empty text if the place and the
// appearance are possible.
std::string Session::why_not(const Request& r) const {
  if (r.view && !r.view->empty() && view_index(*r.view) < 0) return tr("There is no view \"{}\".", *r.view);
  if (r.chart && std::find(std::begin(timing_chart_names), std::end(timing_chart_names), *r.chart) ==
                     std::end(timing_chart_names))
    return tr("There is no chart \"{}\".", *r.chart);
  if (r.change && !r.change->empty()) {
    try {
      read_request(*r.change);
    } catch (const std::exception& e) { return in_words(e); }
  }
  if (r.made && std::find(std::begin(made_names), std::end(made_names), *r.made) == std::end(made_names))
    return tr("There is no picture \"{}\".", *r.made);
  if (r.box_width && *r.box_width != 0 && (*r.box_width < 1 || *r.box_width % 2 == 0))
    return tr("A box of {} pixels has no middle: choose an odd width.", *r.box_width);
  if (r.compared && algorithm().choice(method_choice)) {
    const auto method = r.compared->find(std::string(method_choice));
    if (method != r.compared->end() && !algorithm().choice(method_choice)->option(method->second))
      return tr("{} has no method {}.", puzzle_name(algorithm()), method->second);
  }
  if (r.speed && !(*r.speed >= 0.25 && *r.speed <= 16))
    return tr("{} steps per second are too many or too few: choose 0.25 to 16.", *r.speed);
  if (r.step && !pending_ && is_asked_for(r) && (*r.step < 0 || *r.step >= step_count()))
    return tr("There is no step {}: this recording has {}.", grouped(*r.step + 1),
              counted(step_count(), "step"));
  if (r.language && !text_language_of(*r.language))
    return tr("There is no language \"{}\": choose en or zh.", *r.language);
  if (r.text_scale && !(*r.text_scale >= least_text_scale && *r.text_scale <= most_text_scale))
    return tr("The size of the text must be between {} and {}.", least_text_scale, most_text_scale);
  for (const float part : {r.column.value_or(0.5f), r.source.value_or(0.5f)})
    if (!(part >= 0 && part <= 1)) return tr("A splitter's position must be between 0 and 1.");
  if (r.rows)
    for (const float part : *r.rows)
      if (!(part >= 0 && part <= 1)) return tr("A splitter's position must be between 0 and 1.");
  std::vector<int> named;
  if (r.tabs) named.assign(r.tabs->begin(), r.tabs->end());
  if (r.added) named.insert(named.end(), r.added->begin(), r.added->end());
  for (const int view : named)
    if (view < -1 || view >= static_cast<int>(views().size()))
      return tr("There is no view {}: Upsweep has {} views.", view, views().size());
  if (r.notes && (*r.notes < -1 || *r.notes > 1))
    return tr("The notes are shown (1), hidden (0), or shown on a second display (-1).");
  const bool presents = r.presentation.value_or(looks.presentation);
  if (!presents && (r.pen.value_or(false) || r.black.value_or(false)))
    return tr("The pen and the black screen work only in a presentation: press P to begin a presentation.");
  return {};
}

// Returns whether the run in the request is the run that the user already wants.
bool Session::is_asked_for(const Request& r) const {
  const Request now = settings_state();
  const auto same = [](const auto& wanted, const auto& is) { return !wanted || wanted == is; };
  // An opened recording has its own settings, so only the recording's name is compared.
  if (r.open && !r.open->empty()) return r.open == now.open;
  return same(r.open, now.open) && same(r.algorithm, now.algorithm) && same(r.n, now.n) &&
         same(r.columns, now.columns) && same(r.block, now.block) && same(r.grid, now.grid) &&
         same(r.type, now.type) && same(r.op, now.op) && same(r.expression, now.expression) &&
         same(r.identity, now.identity) && same(r.without_barrier, now.without_barrier) &&
         same(r.data, now.data) && same(r.machine, now.machine) &&
         std::all_of(r.choices.begin(), r.choices.end(), [&](const auto& choice) {
           const auto found = now.choices.find(choice.first);
           return found != now.choices.end() && found->second == choice.second;
         });
}

Answer Session::apply(const Request& r) {
  const Intention one(*this);
  if (std::string why = why_not(r); !why.empty()) return refuse(std::move(why));
  Answer answer = Answer::shown;
  // Dismisses the error of an earlier comparison, because the error is not about the new comparison.
  if (r.comparing.value_or(false) && banner_.severity == Banner::Severity::error) dismiss_banner();
  // Sets the comparison before the run, so that the changed run is recorded only once.
  const ComparisonBefore now{change_, looks.comparing, looks.timing_large, looks.asking};
  const auto before = before_comparison_;
  if (r.comparing.value_or(false) || r.timing_large.value_or(false)) looks.asking = false;
  if (r.change) change_ = r.change->empty() ? Request() : read_request(*r.change);
  take(r.comparing, looks.comparing);
  if (!is_asked_for(r)) {
    if (r.comparing || r.change) {
      before_comparison_ = before ? *before : now;
      before_comparison_->next_comparing = looks.comparing;
      before_comparison_->next_change = to_json(change_);
    }
    if (!r.open || r.open->empty()) answer = ask(r);
    else if (*r.open == opened_from_ && opened_) show_opened();
    else answer = open_file(*r.open);
    if (answer == Answer::refused) {
      // Takes back the changes of the comparison. If a recording failed, put_back() has already done this.
      if (before_comparison_ || !before) restore(now);
      if (before_comparison_) before_comparison_ = before;
      return answer;
    }
    if (!pending_) before_comparison_.reset();
  }
  if (r.n) wanted_.n_chosen = true;
  if (answer == Answer::begun && pending_) arriving_ = r;
  else place_reader(r);
  look(r);
  return answer;
}

void Session::restore(const ComparisonBefore& before) {
  change_ = before.change;
  looks.comparing = before.comparing;
  looks.timing_large = looks.timing_large || before.timing_large;
  looks.asking = looks.asking || before.asking;
}

// Changes the language. Dismisses the banner, because its message is in the old language.
void Session::speak(const std::optional<std::string>& wanted) {
  if (!wanted || wanted == name(language())) return;
  set_language(*text_language_of(*wanted));
  dismiss_banner();
}

void Session::place_reader(const Request& r) {
  if (r.step) go_to(*r.step);
  if (r.at_block) go_to_block(*r.at_block);
  if (r.time && *r.time >= 0 && recording_->has_time_line()) go_to_time(*r.time);
  Cursor next = cursor_;
  if (r.time && *r.time < 0) next.time = -1;
  take(r.first_element, next.first_element);
  take(r.element_count, next.element_count);
  take(r.first_line, next.first_line);
  take(r.half_warps, next.half_warps);
  if (r.finding) next.finding = std::max(-1, *r.finding);
  if (r.made)
    next.image.made = static_cast<Made>(std::find(std::begin(made_names), std::end(made_names), *r.made) -
                                        std::begin(made_names));
  take(r.box_width, next.image.box_width);
  take(r.pixel, next.image.pixel);
  take(r.first_row, next.image.first_row);
  take(r.first_column, next.image.first_column);
  take(r.column_count, next.image.column_count);
  take(r.focus, next.image.focus);
  for (int* const at : {&next.first_element, &next.element_count, &next.first_line}) *at = std::max(0, *at);
  if (r.request)
    next.request = std::clamp(*r.request, -1, static_cast<int>(requests_of(next.step).size()) - 1);
  place(next);
  take(r.answer, wanted_.answer);
  follow_answer();
}

// Shows or hides the answer about the shown broken kernel. While another algorithm is being recorded, the
// answer about the shown kernel is hidden.
void Session::follow_answer() {
  if (!pending_) shown_.answer = wanted_.answer;
  cursor_.hides_answer =
      !wanted_.answer || recording_->trace.settings.algorithm != wanted_.settings.algorithm;
}

void Session::toggle_answer() {
  if (algorithm().is_broken() || has_answer(*recording_) || (compares() && has_answer(*changed_)))
    apply({.answer = !wanted_.answer});
  else
    refuse(
        tr("F shows the answer only for kernels that are broken on purpose: press A to choose a broken "
           "kernel."));
}

void Session::look(const Request& r) {
  if (r.playing && *r.playing != playing_) {
    playing_ = *r.playing;
    played_ = 0;
  }
  take(r.speed, speed_);
  if (r.view) looks.chosen = r.view->empty() ? -1 : view_index(*r.view);
  take(r.tabs, looks.tabs);
  take(r.timing_large, looks.timing_large);
  take(r.counters, looks.counters);
  take(r.motion, looks.motion);
  take(r.timing, looks.timing);
  if (r.chart)
    timing.chart = static_cast<TimingChart>(
        std::find(std::begin(timing_chart_names), std::end(timing_chart_names), *r.chart) -
        std::begin(timing_chart_names));
  if (r.compared) {
    Settings compared = settings();
    compared.choices = *r.compared;
    if (algorithm().choice(method_choice)) resolve(compared);
    timing.compare_with(compared);
  }
  take(r.asking, looks.asking);
  if (looks.asking) looks.comparing = looks.timing_large = false;
  follow_changed();
  follow_questions();
  take(r.dark, looks.dark);
  take(r.contrast, looks.contrast);
  speak(r.language);
  take(r.text_scale, looks.text_scale);
  take(r.presentation, looks.presentation);
  take(r.added, looks.added);
  take(r.pen, looks.pen);
  take(r.black, looks.black);
  take(r.notes, looks.notes);
  if (!looks.presentation) looks.pen = looks.black = false;
  take(r.help, looks.help);
  if (r.help_page) looks.help_page = std::max(0, *r.help_page);
  take(r.column, looks.column);
  take(r.source, looks.source);
  if (r.rows) std::copy(r.rows->begin(), r.rows->end(), std::begin(looks.rows));
  follow_counters();
}

bool Session::travel(History::Direction direction) {
  const Request now = state();
  const bool n_chosen = wanted_.n_chosen, block_chosen = wanted_.block_chosen;
  std::optional<PastState> there = history_.next(direction, now);
  if (!there) return false;
  const Unremembered silence(*this);
  // The user may have chosen the step while another recording was shown. The recording that is shown now may
  // have fewer steps.
  if (there->state.step && !pending_ && is_asked_for(there->state))
    there->state.step = std::min(*there->state.step, step_count() - 1);
  History before = history_;
  std::optional<Journey> journey =
      std::exchange(journey_, {});  // taken now, because begin() resets `journey_`
  const Answer answer = apply(there->state);
  if (answer != Answer::refused) {
    history_.go(direction, {now, n_chosen, block_chosen, there->kind});
    wanted_.n_chosen = there->n_chosen;
    wanted_.block_chosen = there->block_chosen;
    if (!journey && answer == Answer::begun) journey = {std::move(before), {now, n_chosen, block_chosen, {}}};
  }
  if (pending_) journey_ = std::move(journey);
  return answer != Answer::refused;
}

bool Session::undo() { return travel(History::Direction::undo); }
bool Session::redo() { return travel(History::Direction::redo); }

}  // namespace upsweep
