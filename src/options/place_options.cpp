// Reads the options that choose the shown place in a recording and the shown views.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/step_index.hpp"
#include "analysis/time_line.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "options/options.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/views.hpp"
#include "words/names.hpp"

namespace upsweep {
int chosen_step(const std::optional<std::string>& typed, const Recording& recording) {
  const auto& steps = recording.facts.steps;
  if (!typed) {
    const auto first = std::find_if(steps.begin(), steps.end(),
                                    [](const StepFacts& step) { return step.totals.operations > 0; });
    return first == steps.end() ? 0 : static_cast<int>(first - steps.begin());
  }
  const long long step = whole_number("--step", *typed);
  if (step < 1 || step > static_cast<long long>(steps.size()))
    throw RequestError(tr("There is no step {}: {} with n = {} has the steps 1 to {}.", grouped(step),
                          recording.trace.settings.algorithm, grouped(recording.trace.settings.n),
                          grouped(std::ssize(steps))));
  return static_cast<int>(step) - 1;
}

int chosen_request(const std::optional<std::string>& typed, const Recording& recording, int step, int block) {
  if (!typed) return -1;
  const long long request = whole_number("--request", *typed);
  const std::ptrdiff_t count = std::ssize(recording.step(block, step).requests);
  if (count == 0) throw RequestError(tr("Step {} has no requests: leave --request out.", grouped(step + 1)));
  if (request < 1 || request > count)
    throw RequestError(tr("There is no request {}: step {} has the requests 1 to {}.", grouped(request),
                          grouped(step + 1), grouped(count)));
  return static_cast<int>(request) - 1;
}

int chosen_finding(const std::optional<std::string>& typed, const Recording& recording) {
  if (!typed) return -1;
  const long long finding = whole_number("--finding", *typed);
  const std::ptrdiff_t count = std::ssize(hazard_entries(recording, {}));
  if (count == 0) throw RequestError(tr("This run has no findings: leave --finding out."));
  if (finding < 1 || finding > count)
    throw RequestError(
        tr("There is no finding {}: this run has the findings 1 to {}.", grouped(finding), grouped(count)));
  return static_cast<int>(finding) - 1;
}

int step_of_finding(const Recording& recording, const Place& place) {
  return std::max(0, hazard_entries(recording, {}).at(static_cast<std::size_t>(place.finding)).step);
}

int chosen_block(const std::optional<std::string>& typed, const Recording& recording) {
  if (!typed) return 0;
  const long long block = whole_number("--at-block", *typed);
  int most = 0;
  for (const Grid& g : recording.trace.grids) most = std::max(most, g.blocks);
  if (block < 0 || block >= most)
    throw RequestError(tr("There is no block {}: {} with n = {} has the blocks 0 to {}.", grouped(block),
                          recording.trace.settings.algorithm, grouped(recording.trace.settings.n),
                          grouped(most - 1)));
  return static_cast<int>(block);
}

int chosen_block(const std::optional<std::string>& typed, const Recording& recording, int step) {
  return std::min(chosen_block(typed, recording),
                  recording.trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
}

std::int64_t chosen_time(const std::string& typed, const Recording& recording) {
  const TimeLine& line = recording.time_line();
  const long long time = whole_number("--time", typed);
  if (time < 0 || static_cast<std::uint64_t>(time) > line.end)
    throw RequestError(line.is_clocked
                           ? tr("There is no time {} ns: this run ends at {} ns.", grouped(time),
                                grouped(static_cast<std::int64_t>(line.end)))
                           : tr("There is no time {}. This recording has no clock, so a time is the number "
                                "of an event, from 0 to {}.",
                                grouped(time), grouped(static_cast<std::int64_t>(line.end))));
  return time;
}

bool half_warps_chosen(const std::optional<std::string>& typed) {
  static constexpr std::string_view numbers[] = {"32", "16"};
  return typed && one_of("--banks", *typed, numbers) == 1;
}

std::vector<int> views_named(const std::string& option, const std::string& typed) {
  std::vector<int> chosen;
  if (option == "--present" && typed == "usual") return chosen;
  std::vector<std::string_view> names;
  for (const View& view : views()) names.push_back(view.name);
  for (std::size_t from = 0; from <= typed.size();) {
    const std::size_t to = std::min(typed.find(',', from), typed.size());
    const int view = static_cast<int>(one_of(option, typed.substr(from, to - from), names));
    if (std::find(chosen.begin(), chosen.end(), view) == chosen.end()) chosen.push_back(view);
    from = to + 1;
  }
  if (chosen.size() > 3) throw RequestError(tr("{} takes at most 3 views, such as memory,banks.", option));
  return chosen;
}

}  // namespace upsweep
