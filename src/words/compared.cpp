#include "words/compared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/grouped.hpp"
#include "base/language.hpp"
#include "words/hidden_answer.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

std::string spaced_name(std::string name) {
  for (char& c : name)
    if (c == '_') c = ' ';
  return name;
}

double requests(const Totals& t) {
  return static_cast<double>(t.shared_load.requests + t.shared_store.requests);
}
double wavefronts(const Totals& t) {
  return static_cast<double>(t.shared_load.wavefronts + t.shared_store.wavefronts);
}
double excess(const Totals& t) { return static_cast<double>(t.shared_load.excess + t.shared_store.excess); }
double sectors(const Totals& t) {
  return static_cast<double>(t.global_load.sectors + t.global_store.sectors);
}
double barriers(const Totals& t) { return static_cast<double>(t.barriers + t.warp_barriers); }
double operations(const Totals& t) { return static_cast<double>(t.operations); }

template <double (*quantity)(const Totals&)>
constexpr auto of_step = [](const StepFacts& f) { return std::optional<double>(quantity(f.totals)); };
template <double (*quantity)(const Totals&)>
constexpr auto of_run = [](const Recording& r) { return std::optional<double>(quantity(r.facts.totals)); };

std::optional<double> span_of_run(const Recording& r) {
  if (!r.work.span) return {};
  return static_cast<double>(*r.work.span);
}

constexpr Quantity all[] = {
    {tr_noop("requests"), tr_noop("Warp requests to shared memory: loads and stores."), false, true,
     of_step<requests>, of_run<requests>},
    {tr_noop("wavefronts"), tr_noop("The number of wavefronts that requests to shared memory take."), false,
     true, of_step<wavefronts>, of_run<wavefronts>},
    {tr_noop("excess"), tr_noop("Excess wavefronts are the wavefronts that bank conflicts add."), false, true,
     of_step<excess>, of_run<excess>},
    {tr_noop("lane utilisation"),
     tr_noop("Active lanes, divided by all lanes of the warps that work in a step. Only the blocks in focus "
             "are counted."),
     true, true, [](const StepFacts& f) { return f.lane_utilisation(); },
     [](const Recording& r) { return r.facts.lane_utilisation; }},
    {tr_noop("barriers"),
     tr_noop("The number of times that warps execute a block barrier or a warp barrier."), false, true,
     of_step<barriers>, of_run<barriers>},
    {tr_noop("operations"), tr_noop("The number of times that lanes apply the operator."), false, true,
     of_step<operations>, of_run<operations>},
    {tr_noop("span"),
     tr_noop("The longest chain of operations in which each operation uses the result of the previous "
             "operation."),
     false, false, [](const StepFacts&) { return std::optional<double>(); }, span_of_run},
    {tr_noop("traffic"),
     tr_noop("The number of 32-byte sectors that are moved by loads and stores of global memory."), false,
     true, of_step<sectors>, of_run<sectors>}};

}  // namespace

std::span<const Quantity> compared_quantities() { return all; }

std::string choice_text(const std::string& choice, const std::string& option) {
  if (choice == "layout") return option == "none" ? tr("no padding") : option;
  if (option == "yes") return spaced_name(choice);
  if (option == "no") return tr("no ") + spaced_name(choice);
  if (choice == "gives") return tr("{} result", spaced_name(option));
  return fmt::format("{} {}", spaced_name(choice), spaced_name(option));
}

std::string quantity_text(const Quantity& quantity, std::optional<double> x) {
  if (!x) return "";
  return quantity.is_share ? fmt::format("{} %", decimal_text(100 * *x, 0))
                           : grouped(static_cast<std::int64_t>(*x));
}

namespace {

// Returns a name for the default option of a choice. Settings do not contain default options, so the code
// here does not know the names of these options.
std::string usual_text(const std::string& choice) {
  return choice == "gives" ? tr("the usual result") : tr("the usual ") + spaced_name(choice);
}

}  // namespace

std::vector<std::string> settings_that_differ(const Settings& s, const Settings& o) {
  std::vector<std::string> parts;
  // Compares the choices, barriers, block sizes and grid sizes only if both runs have the same algorithm.
  const bool same = s.algorithm == o.algorithm;
  if (same) {
    std::set<std::string> names;
    for (const Settings* each : {&s, &o})
      for (const auto& [choice, option] : each->choices) names.insert(choice);
    for (const std::string& choice : names)
      if (const std::string option = s.choice(choice); option != o.choice(choice))
        parts.push_back(option.empty() ? usual_text(choice) : choice_text(choice, option));
    if (s.without_barrier != o.without_barrier)
      parts.push_back(s.without_barrier > 0 ? tr("without the barrier in line {}", s.without_barrier)
                                            : tr("with all barriers"));
  }
  if (s.n != o.n) parts.push_back("n = " + grouped(s.n));
  if (s.columns != o.columns && s.n == o.n && s.columns > 0) parts.push_back(counted(s.columns, "column"));
  if (s.block != o.block && same) parts.push_back(counted(s.block, "thread"));
  if (s.grid != o.grid && same) parts.push_back(tr("at most {}", counted(s.grid, "block")));
  if (s.type != o.type) parts.emplace_back(name(s.type));
  if (operator_text(s) != operator_text(o)) parts.push_back(operator_text(s));
  return parts;
}

std::string side_name(const Recording& one, const Recording& other, bool hides_answer) {
  const Settings &s = one.trace.settings, &o = other.trace.settings;
  std::vector<std::string> parts = settings_that_differ(s, o);
  if (s.algorithm != o.algorithm) parts.insert(parts.begin(), shown_title(one, hides_answer));
  if (machine_text(one.trace) != machine_text(other.trace))
    parts.push_back(tr("on ") + machine_text(one.trace));
  if (parts.empty() && one.trace.input != other.trace.input) {
    constexpr std::size_t shown = 4;
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(shown, one.trace.input.size()); ++i)
      first.push_back(exact_value(one.trace, one.trace.input[i], Cells::elements));
    return tr("the input {}{}", fmt::join(first, tr(", ")), one.trace.input.size() > shown ? " …" : "");
  }
  if (parts.empty()) return shown_title(one, hides_answer);
  return fmt::format("{}", fmt::join(parts, tr(", ")));
}

}  // namespace upsweep
