#include "study/history.hpp"

#include <algorithm>
#include <utility>

namespace upsweep {
namespace {

// An intention contains the changes of one user action. Returns the kind of an intention that changes these
// fields. Returns an empty text if this intention must not be joined with any other intention.
std::string kind_of(const std::vector<std::string>& changed) {
  static const std::pair<const char*, std::vector<std::string>> kinds[] = {
      {"zoom", {"first_element", "element_count"}},
      {"scroll", {"first_line"}},
      {"picture", {"box_width", "focus", "first_row", "first_column", "column_count"}},
      {"move",
       {"step", "at_block", "request", "time", "first_line", "first_element", "element_count", "playing",
        "speed"}},
      {"resize", {"column", "source", "rows"}}};
  for (const auto& [kind, fields] : kinds)
    if (std::all_of(changed.begin(), changed.end(), [&fields = fields](const std::string& field) {
          return std::find(fields.begin(), fields.end(), field) != fields.end();
        }))
      return kind;
  return {};
}

}  // namespace

void History::add(PastState before, const Request& now) {
  const std::vector<std::string> changed = fields_of(difference(before.state, now));
  if (changed.empty()) return;
  before.kind = kind_of(changed);
  const bool continues =
      !before.kind.empty() && !past_.empty() && future_.empty() && past_.back().kind == before.kind;
  if (!continues) past_.push_back(std::move(before));
  constexpr std::size_t most = 1000;
  if (past_.size() > most) past_.erase(past_.begin());
  future_.clear();
}

std::optional<PastState> History::next(Direction direction, const Request& now) {
  std::vector<PastState>& all = states(direction);
  while (!all.empty() && fields_of(difference(now, all.back().state)).empty()) all.pop_back();
  return all.empty() ? std::nullopt : std::optional(all.back());
}

void History::go(Direction direction, PastState now) {
  states(direction).pop_back();
  others(direction).push_back(std::move(now));
}

}  // namespace upsweep
