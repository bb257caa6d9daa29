#include "words/caption.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/language.hpp"
#include "trace/provenance.hpp"
#include "words/compared.hpp"
#include "words/hidden_answer.hpp"
#include "words/names.hpp"

namespace upsweep {

std::string caption_of_run(const Recording& r, bool hides_answer) {
  const Settings& s = r.trace.settings;
  std::vector<std::string> parts = {r.title.empty() ? s.algorithm : shown_title(r, hides_answer),
                                    "n = " + grouped(s.n), counted(s.block, "thread")};
  if (s.type != Settings().type) parts.emplace_back(name(s.type));
  if (s.op != Settings().op) parts.push_back(operator_text(s));
  for (const auto& [choice, option] : s.choices) parts.push_back(choice_text(choice, option));
  if (s.without_barrier > 0) parts.push_back(tr("without the barrier in line {}", s.without_barrier));
  parts.push_back(machine_text(r.trace));
  if (!r.trace.date.empty()) parts.push_back(day_of(r.trace.date));
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string caption_of_step(const Recording& r, int step) {
  return tr("step {} of {}: {}", grouped(step + 1), grouped(std::ssize(r.trace.steps)),
            step_text(r.trace, r.trace.steps.at(static_cast<std::size_t>(step))));
}

}  // namespace upsweep
