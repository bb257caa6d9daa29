#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "analysis/step_match.hpp"
#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "words/compared.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

struct ComparedRecordings {
  Recording baseline, changed;
  std::vector<StepPair> pairs;
};

Json json_of(const ComparedRecordings& runs) {
  Json steps = Json::array();
  for (const StepPair& p : runs.pairs)
    steps.push_back({{"baseline", p.baseline < 0 ? Json(nullptr) : step_json(runs.baseline, p.baseline)},
                     {"changed", p.changed < 0 ? Json(nullptr) : step_json(runs.changed, p.changed)}});
  return {{"baseline", settings_of(runs.baseline.trace)},
          {"changed", settings_of(runs.changed.trace)},
          {"steps", std::move(steps)},
          {"totals", {{"baseline", totals_json(runs.baseline)}, {"changed", totals_json(runs.changed)}}}};
}

// Returns "57 → 31" if the two sides differ, else the number that both sides have.
std::string both(const Quantity& quantity, std::optional<double> baseline, std::optional<double> changed) {
  const std::string left = quantity_text(quantity, baseline), right = quantity_text(quantity, changed);
  return left == right ? left
                       : fmt::format("{} → {}", left.empty() ? "–" : left, right.empty() ? "–" : right);
}

std::string step_name(const Recording& r, int index) {
  if (index < 0) return "–";
  const Step& step = r.trace.steps[static_cast<std::size_t>(index)];
  std::string text = fmt::format("{} {}", grouped(index + 1), phase_text(step.phase));
  if (step.stride > 0 && number_name(r.trace.text, step.phase).empty())
    text += tr(", stride {}", grouped(step.stride));
  return text;
}

std::string run_name(const Recording& r) {
  const Settings& s = r.trace.settings;
  std::string choices;
  for (const auto& [variant, choice] : s.variants()) choices += fmt::format(", {} {}", variant, choice);
  return tr("{}, {} in blocks of {}{}, on {}", s.algorithm, counted(s.n, "element"),
            counted(s.block, "thread"), choices, machine_text(r.trace));
}

std::string text_of(const ComparedRecordings& runs) {
  Table totals("LRRR");
  totals.row({tr("The whole run"), tr("baseline"), tr("changed"), tr("difference")});
  for (const Quantity& q : compared_quantities()) {
    const auto left = q.of_run(runs.baseline), right = q.of_run(runs.changed);
    const bool known = left && right;
    totals.row({tr(q.name), left ? quantity_text(q, left) : tr("not known"),
                right ? quantity_text(q, right) : tr("not known"),
                !known        ? ""
                : q.is_share  ? tr("{:+.0f} points", 100 * (*right - *left))
                : *left != 0  ? fmt::format("{:+.1f} %", 100 * (*right / *left - 1))
                : *right == 0 ? ""
                              : "+" + quantity_text(q, right)});
  }
  std::string alignment = "LL";
  std::vector<std::string> heading = {tr("baseline"), tr("changed")};
  for (const Quantity& q : compared_quantities())
    if (q.in_steps) {
      alignment += 'R';
      heading.emplace_back(tr(q.name));
    }
  Table steps(alignment);
  steps.row(heading);
  for (const StepPair& p : runs.pairs) {
    std::vector<std::string> cells = {step_name(runs.baseline, p.baseline),
                                      step_name(runs.changed, p.changed)};
    const auto of = [](const Recording& r, int step, const Quantity& q) {
      return step < 0 ? std::optional<double>() : q.of_step(r.facts.steps[static_cast<std::size_t>(step)]);
    };
    for (const Quantity& q : compared_quantities())
      if (q.in_steps)
        cells.push_back(both(q, of(runs.baseline, p.baseline, q), of(runs.changed, p.changed, q)));
    steps.row(std::move(cells));
  }
  return tr("Baseline: {}.\nChanged:  {}.\nDifference: {} → {}.\n\n{}\n{}", run_name(runs.baseline),
            run_name(runs.changed), side_name(runs.baseline, runs.changed),
            side_name(runs.changed, runs.baseline), totals.text(), steps.text());
}

}  // namespace

void CompareCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--with", with);
  parser.add_flag("--json", json);
}

void CompareCommand::run() const {
  if (with.empty())
    throw RequestError(
        tr("`upsweep compare` needs --with KEY=VALUE: name the option that differs in the second run."));
  if (options.recording())
    throw RequestError(tr(
        "`upsweep compare` runs an algorithm twice, and a recording cannot run again: name an algorithm."));
  const RunOptions baseline = taught(options);
  // Both runs are checked before the first run begins.
  const RunRequest first = understand(baseline), second = understand(with_changes(options, baseline, with));
  ComparedRecordings runs{record(first), record(second), {}};
  runs.pairs = match_steps(runs.baseline.trace, runs.changed.trace);
  print(json ? upsweep::text_of(json_of(runs)) : text_of(runs));
}

}  // namespace upsweep
