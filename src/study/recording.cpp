#include "study/recording.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "analysis/memory.hpp"
#include "catalogue/data.hpp"
#include "catalogue/element_order.hpp"
#include "questions/ask.hpp"
#include "study/puzzle.hpp"
#include "study/wrong_result.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns whether a trace's text is the algorithm's text. If a barrier was removed for the run, blanks may
// replace this barrier in the trace's text.
bool is_text_of(const Algorithm& a, const Trace& t) {
  return a.text.size() == t.text.size() &&
         std::equal(a.text.begin(), a.text.end(), t.text.begin(), [&](char ours, char theirs) {
           return ours == theirs || (t.settings.without_barrier > 0 && theirs == ' ');
         });
}

// Returns the mean of the input of a sum reduction. Returns nullopt if the sum wrapped around or is not
// finite. Requires that the output is correct.
std::optional<double> mean_of(const Trace& t) {
  const Scalar type = t.settings.type;
  const long double sum = scalar(t.output[0], type);
  long double exact = 0;
  for (const Value& v : t.input) exact += scalar(v, type);
  const bool fits = is_real(type) ? std::isfinite(sum) : sum == exact;  // a sum of integers can wrap around
  if (!fits || t.input.empty()) return {};
  return static_cast<double>(sum / static_cast<long double>(t.input.size()));
}

// Adds the kind of the result. For a sort of 4-byte keys, also adds the bits that decide the order of the
// keys.
void add_kind(Recording& r, const Algorithm& a) {
  if (a.results.empty()) return;
  const Trace& t = r.trace;
  const Result& result = result_of(a, t.settings);
  r.result = result.name;
  r.only_moves = result.moved != nullptr;
  if (result != Result::sorting || t.element_bytes() != 4) return;
  for (const Value& key : t.input)
    r.order.push_back(static_cast<std::uint32_t>(order_bits(t.settings.type, key)));
}

// If the run made the summed-area table of a picture, returns the shape of the picture. Otherwise, returns
// nullopt.
std::optional<PictureShape> picture_shape(const Trace& t, const Algorithm& a) {
  const Settings& s = t.settings;
  if (a.results.empty() || !(result_of(a, s) == Result::summed_area_table) || s.n < 1) return {};
  const int columns = data_columns(s);
  const PictureShape shape{s.n / columns, columns, channels(s)};
  const bool is_whole = scalars_per_element(s.op) == 1 && t.input.size() == shape.numbers() &&
                        t.output.size() == shape.numbers();
  return is_whole ? std::optional(shape) : std::nullopt;
}

// Adds the mean of a reduction's input, or the other form of a scan (inclusive or exclusive). Requires that
// the output is correct.
void add_results(Recording& r, const Algorithm& a) {
  const Trace& t = r.trace;
  if (a.results.empty() || t.stopped || t.output.empty()) return;
  const Result& result = result_of(a, t.settings);
  if (result == Result::reduction && t.settings.op == Operator::sum && t.output.size() == 1)
    r.mean = mean_of(t);
  const bool exclusive = result == Result::exclusive_scan;
  if ((exclusive || result == Result::inclusive_scan) && t.output.size() == t.input.size())
    r.other_scan = {
        .is_exclusive = exclusive,
        .identity = identity(t.settings),
        .total = exclusive ? combination(t.settings)(t.output.back(), t.input.back()) : t.output.back()};
}

// Computes the linear recurrence y[j] = a[j] y[j - 1] + b[j] in a sequential loop, with the arithmetic of the
// run's type. Returns the numbers y[j].
std::vector<Value> sequential_recurrence(const Trace& t, Job* job) {
  const Settings& s = t.settings;
  const Combination combine = combination(s);
  Value y{}, map = identity(s);
  std::vector<Value> all;
  all.reserve(t.input.size());
  for (const Value& next : t.input) {
    if (job && all.size() % (1 << 14) == 0) job->check();
    map = combine(map, next);  // `map` is the pair (a, b); its b is y[j], because y[-1] is 0
    set_scalar(y, s.type, 0, scalar(map, s.type, 1));
    all.push_back(y);
    set_scalar(map, s.type, 0, 1);  // sets a to 1, because later iterations need only b
  }
  return all;
}

// Adds the data for the views "Signal" and "Ruler".
void add_application(Recording& r, const Algorithm& a, Job* job) {
  const Trace& t = r.trace;
  if (a.results.empty() || t.output.empty() || t.output.size() != t.input.size()) return;
  const Result& result = result_of(a, t.settings);
  if (result == Result::recurrence && t.settings.op == Operator::affine)
    r.signal = signal_of(t, sequential_recurrence(t, job));
  if (result == Result::allocation && scalars_per_element(t.settings.op) == 1 && is_allotment(t)) {
    r.allotment.emplace(t, static_cast<double>(capacity(t.settings)));
    if (const Preset* p = preset_with_unit(t.settings, t.input)) {
      r.allotment->unit = p->unit;
      r.allotment->units = p->units;
    }
  }
}

}  // namespace

std::shared_ptr<const Algorithm> algorithm_of(const Trace& t) {
  const std::string& name = t.settings.algorithm;
  if (const Algorithm* a = find_algorithm(name); a && is_text_of(*a, t)) return {std::shared_ptr<void>(), a};
  try {
    return std::make_shared<const Algorithm>(parse_kernel(name, t.file, t.text));
  } catch (const std::exception&) {
    Algorithm bare;
    bare.name = bare.title = name;
    bare.file = t.file;
    bare.text = t.text;
    return std::make_shared<const Algorithm>(std::move(bare));
  }
}

const Result& result_of(const Trace& t) {
  static constexpr Result unknown{};
  try {
    const auto a = algorithm_of(t);
    return a->results.empty() ? unknown : result_of(*a, t.settings);
  } catch (const std::exception&) { return unknown; }
}

std::size_t defined_outputs(const Trace& t, const Result& result) {
  const bool is_counted =
      result == Result::selection && !t.more_outputs.empty() && !t.more_outputs[0].empty();
  return is_counted ? std::min<std::size_t>(t.output.size(), t.more_outputs[0][0][0]) : t.output.size();
}

namespace {

// Analyses a trace. If `with_result` is false, leaves out everything that depends on the output or predicts a
// count.
Recording analysed(Trace trace, bool with_result, Job* job) {
  const auto has_come_to = [&](double share) {
    if (!job) return;
    job->check();
    job->set_progress(share);
  };
  Recording r;
  r.trace = std::move(trace);
  r.facts = facts(r.trace);
  has_come_to(0.3);
  r.work = work(r.trace, job);
  has_come_to(0.6);
  const std::optional<Message> mistake = with_result ? verdict(r.trace, job) : std::nullopt;
  r.mistake = mistake.value_or(Message{});
  if (r.mistake) r.wrong = wrong_result(r.trace, job);
  if (r.wrong) r.mistake = mistake_of(*r.wrong, r.trace.settings);
  has_come_to(1);
  const auto a = algorithm_of(r.trace);
  r.title = a->title;
  if (a->is_broken()) {
    r.puzzle_title = title_of_puzzle(*a);
    r.puzzle = task_of_puzzle(*a);
  }
  r.text = a->text;
  r.barriers = barrier_lines(*a);
  try {
    add_kind(r, *a);
    r.picture = picture_shape(r.trace, *a);
    if (with_result) add_application(r, *a, job);
    if (mistake && !*mistake) add_results(r, *a);
    const auto promised = with_result ? promise(*a, r.trace.settings) : std::nullopt;
    if (promised && !promised->at_most) {
      r.expected_operations = static_cast<double>(promised->operations);
      if (promised->steps) r.expected_steps = static_cast<double>(*promised->steps);
      if (promised->span) r.expected_span = static_cast<double>(*promised->span);
    }
  } catch (const std::exception&) {}  // for example, settings from another version of Upsweep
  return r;
}

}  // namespace

Recording make_recording(Trace trace, Job* job) { return analysed(std::move(trace), true, job); }

Recording recording_before(const Recording& whole, int first_hidden, Job* job) {
  Recording r = analysed(before_step(whole.trace, first_hidden), false, job);
  r.is_part = true;
  r.is_opened = whole.is_opened;
  const int grid = grid_index(whole.trace, first_hidden);
  const std::vector<int> blocks = focus_of(whole.trace, grid);
  if (blocks.empty()) return r;
  const Tree& tree = whole.tree(grid, blocks.front());
  r.later_rows = {grid, tree.columns, {}};
  for (const TreeRow& row : tree.rows) {
    if (row.step < first_hidden) continue;
    r.later_rows.rows.push_back(row);
    r.later_rows.rows.back().nodes.clear();
  }
  return r;
}

std::optional<Message> verdict(const Trace& t, const Job* job) {
  try {
    const auto a = algorithm_of(t);
    if (a->gives.empty()) return {};
    return check(*a, t.settings, {t.input, t.more_inputs}, {t.output, t.more_outputs}, job);
  } catch (const std::exception&) { return {}; }
}

}  // namespace upsweep
