#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "base/language.hpp"
#include "options/options.hpp"

namespace upsweep {
namespace {

struct ValueOption {
  std::string_view name;
  std::optional<std::string> RunOptions::*value;
};
constexpr ValueOption value_options[] = {{"n", &RunOptions::n},
                                         {"shape", &RunOptions::shape},
                                         {"block", &RunOptions::block},
                                         {"grid", &RunOptions::grid},
                                         {"type", &RunOptions::type},
                                         {"op", &RunOptions::op},
                                         {"identity", &RunOptions::identity},
                                         {"layout", &RunOptions::layout},
                                         {"load-pattern", &RunOptions::load_pattern},
                                         {"predicate", &RunOptions::predicate},
                                         {"capacity", &RunOptions::capacity},
                                         {"machine", &RunOptions::machine},
                                         {"seed", &RunOptions::seed},
                                         {"data", &RunOptions::data},
                                         {"input", &RunOptions::input},
                                         {"image", &RunOptions::image},
                                         {"values", &RunOptions::values},
                                         {"without-barrier", &RunOptions::without_barrier},
                                         {"focus", &RunOptions::focus},
                                         {"schedule", &RunOptions::schedule},
                                         {"rounds", &RunOptions::rounds}};

struct Flag {
  std::string_view name;
  bool RunOptions::*value;
};
constexpr Flag flags[] = {{"inclusive", &RunOptions::inclusive},
                          {"exclusive", &RunOptions::exclusive},
                          {"lockstep", &RunOptions::lockstep},
                          {"scene", &RunOptions::scene}};

// Groups of options: at most one option of each group may be given. The first group chooses the number of
// elements, the second group chooses the source of the data, and the third group chooses the kind of scan.
constexpr std::string_view exclusive_options[][5] = {{"n", "shape", "image"},
                                                     {"seed", "data", "input", "image", "scene"},
                                                     {"inclusive", "exclusive", "gives"}};

const auto named = [](std::string_view name) {
  return [name](const auto& option) { return option.name == name; };
};

void take_back(RunOptions& o, std::string_view name) {
  if (const auto* found = std::ranges::find_if(value_options, named(name)); found != std::end(value_options))
    (o.*found->value).reset();
  if (const auto* found = std::ranges::find_if(flags, named(name)); found != std::end(flags))
    o.*found->value = false;
  std::erase_if(o.variants, [&](const std::string& v) { return v.substr(0, v.find('=')) == name; });
}

}  // namespace

RunOptions with_change(RunOptions o, const std::string& typed) {
  const auto equals = typed.find('=');
  if (equals == typed.npos || equals == 0)
    throw RequestError(tr("A change is KEY=VALUE, such as n=100, not \"{}\".", typed));
  const std::string value = typed.substr(equals + 1);
  std::string key = typed.substr(0, equals);
  if (key == "load_pattern" || key == "without_barrier") key[key.find('_')] = '-';
  if (key == "algorithm") {
    o.algorithm = value;
    return o;
  }
  take_back(o, key);
  if (value.empty()) return o;
  for (const auto& others : exclusive_options)
    if (std::ranges::find(others, key) != std::end(others))
      for (const std::string_view other : others) take_back(o, other);
  if (const auto* found = std::ranges::find_if(flags, named(key)); found != std::end(flags)) {
    if (value != "yes" && value != "no")
      throw RequestError(tr("{} takes yes or no, not \"{}\".", key, value));
    o.*found->value = value == "yes";
  } else if (const auto* option = std::ranges::find_if(value_options, named(key));
             option != std::end(value_options)) {
    o.*option->value = value;
  } else {
    o.variants.push_back(key + "=" + value);
  }
  return o;
}

RunOptions with_changes(const RunOptions& typed, const RunOptions& baseline,
                        const std::vector<std::string>& changes) {
  RunOptions changed = baseline;
  for (const std::string& change : changes) {
    if (!typed.block && change.starts_with("algorithm=")) changed.block.reset();
    changed = with_change(std::move(changed), change);
  }
  return changed;
}

}  // namespace upsweep
