#include "catalogue/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/validation.hpp"

namespace upsweep {
namespace {

[[noreturn]] void refuse_ladder(std::string_view ladder, std::string_view what) {
  throw WorkError(fmt::format("The ladder {} {}.", ladder, what));
}

void expect_whole(std::string_view ladder, const std::vector<const Algorithm*>& rungs) {
  std::set<std::string> names;
  if (rungs.size() < 2) refuse_ladder(ladder, "needs at least two rungs");
  bool has_default = false;
  for (const Algorithm* a : rungs) {
    if (!names.insert(a->rung).second) refuse_ladder(ladder, fmt::format("has two rungs {}", a->rung));
    if (a->gives != rungs[0]->gives || a->family != rungs[0]->family)
      refuse_ladder(ladder, fmt::format("has rungs with different results or families: {} and {}",
                                        rungs[0]->name, a->name));
    if (a != rungs[0] && a->mends.empty())
      refuse_ladder(ladder, fmt::format("needs the field Mends in {}", a->file));
    has_default = has_default || a->name == ladder;
  }
  if (!has_default) refuse_ladder(ladder, "needs a rung whose file has the ladder's name");
}

}  // namespace

std::vector<const Algorithm*> rungs_of(std::string_view ladder, std::span<const Algorithm> all) {
  std::vector<const Algorithm*> rungs;
  for (const Algorithm& a : all)
    if (!ladder.empty() && a.ladder == ladder) rungs.push_back(&a);
  return rungs;
}

bool is_same_ladder(const Algorithm& a, std::string_view name, std::span<const Algorithm> all) {
  const std::vector<const Algorithm*> rungs = rungs_of(a.ladder, all);
  return a.name == name ||
         std::any_of(rungs.begin(), rungs.end(), [&](const Algorithm* rung) { return rung->name == name; });
}

void join_ladders(std::vector<Algorithm>& all) {
  for (Algorithm& a : all) {
    if (a.ladder.empty()) continue;
    const std::vector<const Algorithm*> rungs = rungs_of(a.ladder, all);
    expect_whole(a.ladder, rungs);
    Choice method{std::string(method_choice), {}, tr_noop("method"), tr_noop("The method of the algorithm")};
    for (const Algorithm* rung : rungs) {
      if (rung == &a) method.usual = method.options.size();
      method.options.push_back({rung->rung, {}, {}, rung->mends, false});
    }
    a.choices.insert(a.choices.begin(), std::move(method));
  }
}

const Algorithm& take_rung(const Algorithm& a, std::map<std::string, std::string>& choices,
                           std::span<const Algorithm> all) {
  const auto wanted = choices.find(std::string(method_choice));
  const Choice* method = a.choice(method_choice);
  if (!method || wanted == choices.end()) return a;
  for (const Algorithm* rung : rungs_of(a.ladder, all))
    if (rung->rung == wanted->second) {
      choices.erase(wanted);
      return *rung;
    }
  refuse_option(a, *method, wanted->second);
}

void resolve(Settings& s) { s.algorithm = take_rung(algorithm(s.algorithm), s.choices).name; }

Settings as_shown(Settings s, std::span<const Algorithm> all) {
  const auto a =
      std::find_if(all.begin(), all.end(), [&](const Algorithm& x) { return x.name == s.algorithm; });
  if (a == all.end() || a->ladder.empty()) return s;
  s.algorithm = a->ladder;
  s.choices[std::string(method_choice)] = a->rung;
  return s;
}

}  // namespace upsweep
