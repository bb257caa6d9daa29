// Carries out requests that change the algorithm, the size, the variant, the data or the machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/own_operator.hpp"
#include "catalogue/validation.hpp"
#include "study/puzzle.hpp"
#include "study/session.hpp"
#include "study/teaching.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns the wanted options for the choices that an algorithm has. Options that are impossible with these
// settings are left out.
std::map<std::string, std::string> choices_of(const Algorithm& a, Settings s,
                                              const std::map<std::string, std::string>& wanted) {
  s.choices.clear();
  for (const Choice& c : a.choices) {
    const auto w = wanted.find(c.name);
    if (w == wanted.end() || c.name == method_choice) continue;
    const Option* option = c.option(w->second);
    if (option ? option->allows(s) : c.typed != Choice::Typed::nothing) s.choose(c.name, w->second);
  }
  return s.choices;
}

// Returns whether the block is the smallest one possible for these settings. Returns false if the algorithm
// does not accept the settings, as in some opened recordings.
bool has_smallest_block(const Algorithm& a, const Settings& s) {
  try {
    return s.block == smallest_block(a, s);
  } catch (const RequestError&) { return false; }
}

std::string too_large(const Algorithm& a, std::int64_t n) {
  return tr("n = {} is too large for {}, which works in one block: choose at most {}.", grouped(n),
            puzzle_name(a), grouped(largest_in_block(a)));
}

// Adjusts the block size to the other settings, unless the request sets the block size (`is_asked_for`):
// - If one block must hold all elements, a block that is too small grows. A block that had the smallest
//   possible size before the change (`was_smallest`) gets the smallest possible size for the new n.
// - If an algorithm can have many blocks, and the user has not chosen a block size (`is_chosen` is false),
//   the block size depends on n. For small n, a block has one warp, so that a reader can look at every block.
//   For larger n, a block has the default size.
// - Otherwise, the block size stays if it is possible. If it is impossible, possible_block() chooses another
//   size.
void fit_block(Settings& s, bool is_asked_for, bool is_chosen, bool was_smallest) {
  constexpr int one_warp = 32;
  const Algorithm& a = algorithm(s.algorithm);
  if (fits_one_block(a)) {
    const int needed = smallest_block(a, s);
    if (needed > a.most_threads) throw RequestError(too_large(a, s.n));
    if (!is_asked_for && (was_smallest || s.block < needed)) s.block = needed;
  } else if (!is_asked_for && a.many_blocks && !is_chosen) {
    s.block = s.n > largest_opening_n ? smallest_block(a, s) : possible_block(a, one_warp);
  } else if (!is_asked_for) {
    s.block = possible_block(a, s.block);
  }
}

// Sets the operator. Only the user's own operator has an expression.
void give_operator(const Request& r, Settings& s) {
  const bool typed = r.expression && !r.expression->empty();
  s.op = r.op.value_or(typed ? Operator::own : s.op);
  s.expression = s.op == Operator::own ? r.expression.value_or(s.expression) : "";
  s.identity = s.op == Operator::own ? r.identity.value_or(s.identity) : "";
}

// If the data is a preset that does not fit the new settings, replaces the preset by data from the seed. But
// a preset that the request chooses is not replaced. If the user has not chosen n, a preset can set n.
void fit_preset(WantedRun& next, const Request& r, bool is_new) {
  if (next.data.kind != DataSource::Kind::preset) return;
  const Preset& p = preset(next.data.text);
  if (!r.data && !is_for(p, next.settings)) next.data = {DataSource::Kind::seed, next.data.seed, {}};
  else if ((r.data || is_new) && !next.n_chosen && p.n > 0) next.settings.n = p.n;
}

// Sets the settings of the algorithm's example. Does not replace n, data or a predicate that the user has
// chosen, or a type that the request sets.
void take_example(WantedRun& next, const Request& r, const Algorithm& a) {
  const std::optional<Example> example = example_of(a);
  if (!example) return;
  Settings& s = next.settings;
  if (!next.n_chosen && !decides_n(next.data)) s.n = example->n.value_or(s.n);
  if (!r.type && example->type) s.type = *example->type;
  if (!r.data && next.data.kind == DataSource::Kind::seed && !example->preset.empty() &&
      is_for(preset(example->preset), s))
    next.data = {DataSource::Kind::preset, next.data.seed, std::string(example->preset)};
  if (!example->predicate.empty()) next.choices.try_emplace("predicate", example->predicate);
}

// Sets n to the size of the data, if the window's thread can find this size without delay. Returns whether n
// is set.
bool take_n(const DataSource& data, Settings& s) {
  if (data.kind == DataSource::Kind::picture) {
    set_picture_size(data, s);
    return true;
  }
  constexpr std::uintmax_t most = 1 << 16;  // bytes
  std::error_code none;
  const bool are_few = (data.kind == DataSource::Kind::file ? std::filesystem::file_size(data.text, none)
                                                            : data.text.size()) <= most;
  if (are_few) load(data, s);
  return are_few;
}

}  // namespace

// Completes and checks the settings of a run, and returns the order that records the run. `from` is the run
// before the change. Throws RequestError if the settings are impossible.
RecordingOrder Session::order_of(WantedRun& next, const WantedRun& from, bool with_block) const {
  Settings& s = next.settings;
  const Settings& now = from.settings;
  const Algorithm& a = upsweep::algorithm(s.algorithm);
  if (s.op == Operator::own) choose_own(s, s.expression, s.identity);
  s.choices = choices_of(a, s, next.choices);
  choose_channels(next.data, s);
  if (s.algorithm != now.algorithm || s.n != now.n) next.first_block = 0;
  const auto complete = [is_asked_for = with_block || s.block != now.block, is_chosen = next.block_chosen,
                         was_smallest = has_smallest_block(algorithm_of_run(from), now), free = free_memory_,
                         data = next.data](Settings& of) {
    fit_block(of, is_asked_for, is_chosen, was_smallest);
    validate(of);
    expect_room(of, free(), data);
  };
  RecordingOrder order;
  bool has_n = true;
  if (decides_n(next.data)) {
    order.complete = complete;
    has_n = take_n(next.data, s);
  }
  if (has_n) complete(s);
  if (next.data.kind == DataSource::Kind::recorded) {
    // The recorded numbers are used if their count and type fit the settings. Otherwise a seed produces new
    // numbers.
    const Settings recorded = opened_ ? opened_.recording->trace.settings : Settings{.n = 0};
    if (s.n == recorded.n && s.type == recorded.type &&
        scalars_per_element(s.op) == scalars_per_element(recorded.op))
      order.numbers = opened_.recording;
    else next.data = {DataSource::Kind::seed, next.data.seed, {}};
  }
  next.opened = false;
  order.settings = s;
  order.data = next.data;
  order.machine = next.machine;
  order.options.first_block = next.first_block;
  return order;
}

// Every change of the settings calls this function. The function completes and checks the settings, and
// records and shows the run. If the settings are impossible, the function changes nothing, and the banner
// says why.
Answer Session::ask(WantedRun next, bool with_block) {
  try {
    RecordingOrder order = order_of(next, wanted_, with_block);
    return begin(std::move(order), std::move(next));
  } catch (const std::exception& e) { return refuse(in_words(e)); }
}

// Sets good settings for an algorithm that the user has just chosen. The request may then override these
// settings.
void Session::teach_algorithm(WantedRun& next, const std::string& name, int block) const {
  Settings& s = next.settings;
  const Algorithm& a = upsweep::algorithm(name);
  s.algorithm = name;
  next.answer = false;
  s.choices = choices_of(a, s, next.choices);
  s.choices.erase("layout");  // because teach() may choose a size that a typed formula does not fit
  s.without_barrier = s.columns = 0;
  teach(a, s, !next.n_chosen && !decides_n(next.data), block);
}

// Returns the run `next` after a request has changed it. Throws RequestError if the request is impossible.
WantedRun Session::run_after(WantedRun next, const Request& r) const {
  const Algorithm& before = algorithm_of_run(next);
  Settings& s = next.settings;
  s.type = r.type.value_or(s.type);
  give_operator(r, s);
  next.data = r.data.value_or(next.data);
  next.machine = r.machine.value_or(next.machine);
  if (r.n && decides_n(next.data)) {
    if (!r.data && *r.n != s.n)
      throw RequestError(tr("n is fixed by {}. To choose another n, take data from a seed or a preset.",
                            next.data.kind == DataSource::Kind::picture
                                ? tr("the {} pixels of {}", grouped(s.n), label(next.data, s.n))
                                : tr("the {} numbers that you entered", s.n)));
  } else if (r.n) {
    s.n = static_cast<int>(std::clamp<std::int64_t>(*r.n, INT32_MIN, INT32_MAX));
    next.n_chosen = true;
  }
  // The choice `method` names another algorithm of the same ladder, see ladder.hpp.
  std::map<std::string, std::string> choices = r.choices;
  const std::string asked_for = r.algorithm.value_or(s.algorithm);
  const bool is_named = asked_for != s.algorithm || choices.contains(std::string(method_choice));
  const Algorithm& a = is_named ? take_rung(upsweep::algorithm(asked_for), choices) : before;
  const bool is_new = a.name != s.algorithm;
  if (r.n && *r.n > INT32_MAX)
    throw RequestError(fits_one_block(a) ? too_large(a, *r.n)
                                         : tr("n = {} is too large: choose at most {}.", grouped(*r.n),
                                              grouped(a.largest.value_or(INT32_MAX))));
  for (const auto& [choice, option] : choices) {
    const Choice* c = a.choice(choice);
    if (!c)
      throw RequestError(
          tr("{} has no {} to choose.", puzzle_name(a), choice == "layout" ? tr("padding") : spaced(choice)));
    const Option* known = c->option(option);
    if (known ? !known->allows(s) : c->typed == Choice::Typed::nothing)
      throw RequestError(
          tr("With the operator {3} and the type {4}, the choice {1} of {0} has no option {2}.",
             puzzle_name(a), choice, option, operator_text(s), name(s.type)));
    next.choices[choice] = option;
  }
  // An algorithm whose data has no rows cannot take a picture.
  if (is_new && !r.data && next.data.kind == DataSource::Kind::picture && a.extents.empty())
    next.data = {DataSource::Kind::seed, next.data.seed, {}};
  if (is_new && is_same_ladder(a, s.algorithm)) {
    s.algorithm = a.name;
    s.without_barrier = 0;
  } else if (is_new) {
    next.block_chosen = false;
    if (!r.type && !r.op) fit_kind(a, s);
    // Forgets typed formulas that do not fit the new algorithm's type.
    for (const Choice& c : a.choices)
      if (const auto typed = next.choices.find(c.name);
          typed != next.choices.end() && !choices.contains(c.name) && !c.option(typed->second) &&
          !may_be_typed(a, c, typed->second, s.type))
        next.choices.erase(typed);
    teach_algorithm(next, a.name, 32);  // 32 threads, because one warp is easy to follow
    take_example(next, r, a);
  }
  fit_preset(next, r, is_new);
  s.columns = r.columns.value_or(s.columns);
  if (r.block && *r.block != s.block) next.block_chosen = true;
  s.block = r.block.value_or(s.block);
  s.grid = r.grid.value_or(s.grid);
  s.without_barrier = r.without_barrier.value_or(s.without_barrier);
  next.answer = r.answer.value_or(next.answer);
  return next;
}

Answer Session::ask(const Request& r) {
  try {
    return ask(run_after(wanted_, r), r.block.has_value());
  } catch (const std::exception& e) { return refuse(in_words(e)); }
}

Answer Session::next_choice(const std::string& choice) {
  const Choice* c = algorithm().choice(choice);
  if (!c) return set_choice(choice, {});
  const Option* at = c->option(chosen(algorithm(), settings(), choice));
  const bool last = !at || at == &c->options.back();
  return set_choice(choice, last ? c->options.front().name : at[1].name);
}

int Session::barrier_at_hand() const {
  const std::vector<int>& lines = recording_->barriers;
  const auto known = [&](int line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); };
  if (const int line = line_of(cursor_.hover); known(line)) return line;
  const Trace& trace = recording_->trace;
  for (int step = cursor_.step; step < step_count(); ++step) {
    const EventRange range = step_events(trace, cursor_.block, step);
    for (std::size_t i = range.first; i < range.last; ++i)
      if (const Event& e = trace.events[i];
          (e.kind == Kind::barrier || e.kind == Kind::warp_barrier) && known(e.line))
        return e.line;
  }
  return lines.empty() ? 0 : lines.front();
}

Answer Session::toggle_barrier(int line) {
  constexpr int lines_above = 3;
  const int out = settings().without_barrier;
  if (line != 0 || out != 0) return apply({.without_barrier = line == out ? 0 : line});
  line = barrier_at_hand();
  if (line == 0) return refuse(tr("{} has no barrier to take out.", puzzle_name(algorithm())));
  if (line == line_of(cursor_.hover)) return apply({.without_barrier = line});
  return apply({.without_barrier = line, .first_line = std::max(1, line - lines_above)});
}

Answer Session::next_machine() {
  if (shows_opened()) return apply({.machine = machine(), .open = ""});
  if (opened_ && recording_->trace.machine == MachineKind::emulated) {
    show_opened();
    return Answer::shown;
  }
  if (algorithm().language == Language::glsl)
    return refuse(tr("{} is written for shaders, which only OpenGL runs.", puzzle_name(algorithm())));
  const bool on_gpu = recording_->trace.machine == MachineKind::gpu;
  return set_machine(on_gpu ? MachineChoice::emulated : MachineChoice::gpu);
}

}  // namespace upsweep
