#include "study/wrong_result.hpp"

#include <algorithm>
#include <exception>

#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/machine.hpp"
#include "study/recording.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr double most_compared_cost = 1 << 17;  // see cost()

// Returns the correct version of a wrong kernel. If an old recording does not name the correct kernel, finds
// the correct kernel in the catalogue.
std::optional<RightKernel> right_kernel(const Algorithm& a) {
  if (a.right) return a.right;
  const Algorithm* known = find_algorithm(a.name);
  return known ? known->right : std::nullopt;
}

// Returns the settings for printing elements of the output.
Settings shown_settings(const Settings& s) {
  const Algorithm* a = find_algorithm(s.algorithm);
  return a ? output_settings(result_of(*a, s), s) : s;
}

Trace emulated(const Settings& s, const std::vector<Value>& input, Job* job) {
  RecordOptions all_blocks;
  all_blocks.blocks = UINT32_MAX;
  all_blocks.job = job;
  return open_machine(MachineChoice::emulated)->record(s, input, all_blocks);
}

bool is_affordable(const Settings& s) { return cost(algorithm(s.algorithm), s) <= most_compared_cost; }

std::optional<Departure> departure_of(const Algorithm& a, const Trace& trace, std::size_t index, Job* job) {
  const auto right = right_settings(a, trace.settings);
  if (!right || !is_affordable(*right)) return {};
  const Trace expected = emulated(*right, trace.input, job);
  if (!is_comparable(expected)) return {};
  if (is_comparable(trace)) return first_departure(trace, expected, index, job);
  if (a.text != algorithm(a.name).text || !is_affordable(trace.settings)) return {};
  validate(trace.settings);  // necessary, because the settings come from a file
  const Trace again = emulated(trace.settings, trace.input, job);
  // The departure (the place where the wrong run first differs from the correct run) must exist in the
  // recording that is shown. So the repeated run must have the same output, steps and grids.
  if (!is_comparable(again) || again.output != trace.output || again.steps.size() != trace.steps.size() ||
      again.grids.size() != trace.grids.size())
    return {};
  return first_departure(again, expected, index, job);
}

}  // namespace

std::optional<Settings> right_settings(const Algorithm& a, const Settings& wrong) {
  try {
    Settings right = wrong;
    if (wrong.without_barrier > 0) {
      if (a.text != algorithm(a.name).text) return {};
      right.without_barrier = 0;
    } else {
      const auto kernel = right_kernel(a);
      if (!kernel) return {};
      const Algorithm& b = algorithm(kernel->algorithm);
      right.algorithm = b.name;
      right.choices = kernel->choices;
      for (const Choice& c : b.choices)
        if (const std::string option = wrong.choice(c.name); a.choice(c.name) && !option.empty())
          right.choose(c.name, option);
      if (result_of(b, right) != result_of(a, wrong)) {
        if (!b.choice("gives")) return {};
        for (const Option& o : b.choice("gives")->options)
          if (result_of(b, right) != result_of(a, wrong)) right.choose("gives", o.name);
      }
      if (result_of(b, right) != result_of(a, wrong)) return {};
    }
    validate(right);
    return right;
  } catch (const std::exception&) { return {}; }  // the correct kernel does not accept these settings
}

Message mistake_of(const WrongResult& wrong, const Settings& s) {
  const Settings shown = shown_settings(s);
  const std::string expected = exact_text(wrong.expected, shown);
  return wrong.written ? say::wrong_element(wrong.index, exact_text(wrong.got, shown), expected)
                       : say::unwritten_element(wrong.index, expected);
}

std::optional<WrongResult> wrong_result(const Trace& trace, Job* job) {
  try {
    const auto a = algorithm_of(trace);
    if (a->gives.empty()) return {};
    const Result& result = result_of(*a, trace.settings);
    const std::vector<WrongElement> all =
        all_wrong(result, trace.settings, {trace.input, trace.more_inputs}, trace.output, job);
    if (all.empty()) return {};
    const WrongElement& first = all[0];
    WrongResult wrong{.index = first.index, .got = first.got, .expected = first.expected};
    for (const WrongElement& e : all) wrong.elements.push_back({e.index, e.expected});
    wrong.written = !is_comparable(trace) || is_written(trace, first.index);
    if (trace.settings.without_barrier == 0)
      if (const auto right = right_kernel(*a)) wrong.right = right->algorithm;
    wrong.departure = departure_of(*a, trace, first.index, job);
    return wrong;
  } catch (const std::exception&) { return {}; }
}

}  // namespace upsweep
