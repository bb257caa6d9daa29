// Makes three kinds of questions: how far a tile looks back, which of two runs has the smaller count, and
// what a barrier protects.
#include <algorithm>
#include <cmath>

#include "analysis/incidents.hpp"
#include "analysis/time_line.hpp"
#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "questions/codes.hpp"
#include "questions/kinds.hpp"

namespace upsweep {
namespace {

// --- look_back

std::vector<About> tiles_that_look_back(const Asking& a, int step, int block) {
  if (step < 0 || a.trace().steps[static_cast<std::size_t>(step)].phase != Phase::look_back) return {};
  const int grid = grid_index(a.trace(), step);
  const TimeLine& line = a.recording().time_line(a.job);
  const std::uint32_t row = row_of(line, grid, block);
  if (row == TimeLine::none || line.rows[row].tile < 1 || step_events(a.trace(), block, step).empty())
    return {};
  return {{.block = block, .tile = line.rows[row].tile}};
}

std::optional<Question> look_back(const Asking& a, int step, const About& about) {
  const TimeLine& line = a.recording().time_line(a.job);
  const TimeLine::Row& row = line.rows[row_of(line, grid_index(a.trace(), step), about.block)];
  if (row.looked_back < 1) return {};
  Question q = begin_question(QuestionKind::look_back, step, about, AnswerForm::number);
  q.choices = numbers_between(1, about.tile);
  q.answer.numbers = {row.looked_back};
  misread(q, {{1}}, 16);
  return q;
}

// --- compare

std::optional<double> count_of(ComparedCount::Of of, const Recording& r) {
  const Totals& t = r.facts.totals;
  const auto known = [](std::int64_t count, bool any) {
    return any ? std::optional<double>(static_cast<double>(count)) : std::optional<double>();
  };
  switch (of) {
    case ComparedCount::Of::wavefronts:
      return known(t.shared_load.wavefronts + t.shared_store.wavefronts, t.any_shared());
    case ComparedCount::Of::sectors:
      return known(t.global_load.sectors + t.global_store.sectors, t.any_global());
    case ComparedCount::Of::operations: return known(t.operations, t.operations > 0);
    case ComparedCount::Of::barriers: return known(t.barriers, true);
  }
  return {};
}

// Returns the settings that differ from the run's settings in one choice.
std::vector<Settings> variants_of(const Settings& s) {
  std::vector<Settings> all;
  const Algorithm* known = find_algorithm(s.algorithm);
  if (!known) return all;
  for (const Choice& c : known->choices) {
    if (c.name == method_choice) continue;
    for (const Option& o : c.options) {
      Settings other = s;
      other.choose(c.name, o.name);
      if (other == s || !o.allows(s) || o.name == chosen(*known, s, c.name)) continue;
      try {
        validate(other);
      } catch (const RequestError&) { continue; }
      all.push_back(std::move(other));
    }
  }
  return all;
}

// Returns whether all inputs have the same sizes in both runs, so that both runs can have the same data.
bool take_the_same_data(const Settings& s, const Settings& other) {
  const Plan one = plan(s), two = plan(other);
  return std::ranges::equal(one.inputs(), two.inputs(), {}, &GlobalBuffer::count, &GlobalBuffer::count);
}

constexpr ComparedCount::Of counts[] = {ComparedCount::Of::wavefronts, ComparedCount::Of::sectors,
                                        ComparedCount::Of::operations, ComparedCount::Of::barriers};

std::vector<About> other_runs(const Asking& a, int step, int /*block*/) {
  std::vector<About> all;
  if (step >= 0 || !a.in.record) return all;
  const int runs = a.order.changed ? 1 : static_cast<int>(variants_of(a.trace().settings).size());
  for (int run = 0; run < runs; ++run)
    for (int count = 0; count < static_cast<int>(std::size(counts)); ++count)
      if (!a.order.of || *a.order.of == counts[count])
        all.push_back({.run = run, .count = static_cast<int>(counts[count])});
  return all;
}

std::optional<Question> compare(const Asking& a, int step, const About& about) {
  const Settings& s = a.trace().settings;
  const Settings changed =
      a.order.changed ? *a.order.changed : variants_of(s)[static_cast<std::size_t>(about.run)];
  if (!take_the_same_data(s, changed)) return {};
  const auto of = static_cast<ComparedCount::Of>(about.count);
  const auto first = count_of(of, a.recording());
  if (!first) return {};
  const auto code = [&](const Settings& other) -> std::optional<std::int64_t> {
    const std::shared_ptr<const Recording> r = a.in.record(other);
    const auto second = r ? count_of(of, *r) : std::optional<double>();
    return second ? comparison_code(*first, *second) : std::optional<std::int64_t>();
  };
  const auto answer = code(changed);
  if (!answer) return {};
  Question q = begin_question(QuestionKind::compare, step, {}, AnswerForm::choice);
  q.choices = numbers_between(0, comparison_codes - 1);
  q.answer.numbers = {*answer};
  q.compared = {of, s, changed, *first, *count_of(of, *a.in.record(changed))};
  const std::string layout = changed.choice("layout");
  const bool pads = layout != s.choice("layout");
  if (pads && of == ComparedCount::Of::sectors) misread(q, {{comparison_of(-1, 0)}}, 7);
  if (pads && of == ComparedCount::Of::wavefronts && layout == "pad_macro") {
    Settings meant = changed;
    meant.choose("layout", "pad32x2");
    if (const auto believed = code(meant)) misread(q, {{*believed}}, 5);
  }
  return q;
}

// --- barrier

std::vector<About> barriers_of(const Asking& a, int step, int /*block*/) {
  std::vector<About> all;
  if (step >= 0 || !a.in.record || a.trace().settings.without_barrier > 0) return all;
  for (const int line : a.recording().barriers)
    if (!a.order.line || *a.order.line == line) all.push_back({.line = line});
  return all;
}

// The accesses that can happen too early in a race: a read, or a store that overwrites a value.
struct TooEarly {
  bool reads = false, overwrites = false;
};
// Returns what can happen too early in the race `f`. The race must be between a load in one line and a store
// in another line. Returns nullopt for all other races.
std::optional<TooEarly> too_early(const HazardFinding& f, const Incident& incident) {
  const HazardParty &party = f.party, &other = f.other;
  if (f.orders == 0 || (f.orders & (same_line | load_and_store)) != 0 || party.line == other.line) return {};
  if (!incident.orders || incident.orders->reader == TwoOrders::Reader::none) return {};
  const bool party_reads = incident.orders->reader == TwoOrders::Reader::party;
  const bool smaller_reads = (party.line < other.line) == party_reads;
  TooEarly result;
  for (int order = 0; order < 6; ++order)
    for (const bool smaller_first : {false, true})
      if ((f.orders & order_bit(static_cast<TextOrder>(order), smaller_first)) != 0)
        (smaller_first == smaller_reads ? result.overwrites : result.reads) = true;
  return result;
}

std::optional<Question> barrier(const Asking& a, int step, const About& about) {
  Settings s = a.trace().settings;
  s.without_barrier = about.line;
  const std::shared_ptr<const Recording> run = a.in.record(s);
  if (!run || run->trace.stopped) return {};
  const Hazards& found = run->find_hazards();
  if (!found.complete || (found.findings.empty() && run->mistake)) return {};
  bool early = false, late = false, in_warps = true;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const std::optional<TooEarly> one = too_early(found.findings[i], run->incidents()[i]);
    if (!one) return {};
    early = early || one->reads;
    late = late || one->overwrites;
    in_warps = in_warps && found.findings[i].apart <= Apart::warp;
  }
  Question q = begin_question(QuestionKind::barrier, step, about, AnswerForm::choice);
  q.choices = numbers_between(0, barrier_codes - 1);
  q.answer.numbers = {
      static_cast<std::int64_t>(early  ? (late ? WithoutBarrier::both : WithoutBarrier::reads_early)
                                : late ? WithoutBarrier::overwrites_early
                                       : WithoutBarrier::nothing)};
  if (!found.findings.empty())
    misread(q, {{static_cast<std::int64_t>(WithoutBarrier::nothing)}}, in_warps ? 11 : 10);
  return q;
}

constexpr QuestionMaker kinds_of_runs[] = {{QuestionKind::look_back, tiles_that_look_back, look_back},
                                           {QuestionKind::compare, other_runs, compare},
                                           {QuestionKind::barrier, barriers_of, barrier}};

}  // namespace

std::span<const QuestionMaker> run_questions() { return kinds_of_runs; }

std::int64_t comparison_of(int order, int size) { return order == 0 ? 0 : 1 + 2 * size + (order > 0); }

std::optional<std::int64_t> comparison_code(double baseline, double changed) {
  if (baseline == changed) return 0;
  const double less = std::min(baseline, changed), more = std::max(baseline, changed);
  const double ratio = less > 0 ? more / less : INFINITY;
  int size = 0;
  for (const double border : comparison_borders) {
    if (std::abs(ratio / border - 1) < 0.05) return {};  // a learner would have to guess
    size += ratio > border;
  }
  return comparison_of(baseline < changed ? -1 : 1, size);
}

}  // namespace upsweep
