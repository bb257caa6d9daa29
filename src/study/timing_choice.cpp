#include "study/timing_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "measure/sweep.hpp"
#include "study/timing_kin.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns the option that the settings contain for a choice, or the choice's default if the settings do not
// contain the choice.
std::string choice_of(const Choice& c, const Settings& s) {
  const auto named = s.choices.find(c.name);
  return named == s.choices.end() ? c.usual_option() : named->second;
}

// Returns whether the run of the row `t` had exactly the choices of `s`. The request for the row may have
// named only some of these choices.
bool is_of(const Timing& t, const Settings& s) {
  if (t.contender != Contender::kernel || t.name != s.algorithm || !is_same_kind(t, s)) return false;
  const Algorithm* a = find_algorithm(s.algorithm);
  if (!a) return t.variant.empty();
  return t.settings.without_barrier == s.without_barrier &&
         std::all_of(a->choices.begin(), a->choices.end(),
                     [&](const Choice& v) { return choice_of(v, t.settings) == choice_of(v, s); });
}

std::string variant_as_run(const Timing& t) {
  return t.contender == Contender::kernel && find_algorithm(t.name) ? variant_name(t.settings) : t.variant;
}

// Returns the rows of a variant, one row for each size and each state of the caches. If several rows have the
// same size and the same state of the caches, chooses the row whose request named this variant. If no request
// named this variant, chooses the first row.
std::vector<int> rows_that_ran(const Timings& all, const Settings& s) {
  std::vector<int> rows;
  std::map<std::pair<int, Cache>, std::size_t> known_sizes;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const Timing& t = all.rows[i];
    if (!is_of(t, s)) continue;
    const auto [at, is_new] = known_sizes.try_emplace({t.settings.n, t.cache}, rows.size());
    if (is_new) rows.push_back(static_cast<int>(i));
    else if (t.variant == variant_as_run(t)) rows[at->second] = static_cast<int>(i);
  }
  return rows;
}

// Returns whether the choices of `s` are those that the algorithm's tunings recommend for its size.
bool is_recommended(const Settings& s) {
  const Algorithm* a = find_algorithm(s.algorithm);
  const Tuning* recommended = a ? a->tuning(s.n, {}) : nullptr;
  return recommended != nullptr && a->tuning(s.n, s.choices) == recommended;
}

// Returns whether the row `t` can be shown instead of rows with the choices of `s`. The algorithm's tunings
// set some choices to the recommended options for each size. The request for the row must have named the
// other choices of `s`, and no choice that a tuning sets.
bool stands_in_for(const Timing& t, const Settings& s) {
  const Algorithm* a = find_algorithm(s.algorithm);
  if (!a || t.contender != Contender::kernel || t.name != s.algorithm || !is_same_kind(t, s)) return false;
  Settings left_open = s;
  for (const Tuning& tuning : a->tunings)
    for (const auto& [variant, choice] : tuning.choices) left_open.choices.erase(variant);
  return !a->tunings.empty() && t.variant == variant_name(left_open);
}

// Returns cold if there are no rows, or if any row other than a CPU row was measured with cold caches.
// Otherwise returns the state of the caches of the first row.
Cache cache_of(const Timings& all) {
  const bool cold = all.rows.empty() || std::any_of(all.rows.begin(), all.rows.end(), [](const Timing& t) {
                      return t.cache == Cache::cold && t.contender != Contender::processor;
                    });
  return cold ? Cache::cold : all.rows.front().cache;
}

// The relation of a row to the chosen kernel. Rows are drawn in the order of their roles, so that rows with
// later roles are drawn over rows with earlier roles.
enum class Role { peer, now, stand_in, compared, other, none };

std::vector<Role> roles_of(const Timings& all, const Chosen& c) {
  std::vector<int> now = rows_that_ran(all, c.now);
  const std::vector<int> compared = c.compared ? rows_that_ran(all, *c.compared) : std::vector<int>();
  if (is_recommended(c.now)) {
    int largest = 0, largest_stand_in = 0;
    for (const int row : now) largest = std::max(largest, all.rows[static_cast<std::size_t>(row)].settings.n);
    for (const Timing& t : all.rows)
      if (stands_in_for(t, c.now)) largest_stand_in = std::max(largest_stand_in, t.settings.n);
    if (largest < largest_stand_in) now.clear();
  }
  std::vector<Role> roles;
  for (const Timing& t : all.rows) {
    Role role = Role::none;
    if (now.empty() && stands_in_for(t, c.now)) role = Role::stand_in;
    else if (is_peer(all, t, c.now)) role = Role::peer;
    else if (t.contender == Contender::kernel && is_same_kind(t, c.now) &&
             is_akin(known_result(t.settings), known_result(c.now)))
      role = Role::other;
    roles.push_back(role);
  }
  for (const int row : compared) roles[static_cast<std::size_t>(row)] = Role::compared;
  for (const int row : now) roles[static_cast<std::size_t>(row)] = Role::now;
  return roles;
}

bool is_for_sweep(Role r) { return r <= Role::compared; }

Timings without_rows(const Timings& all) {
  Timings bare;
  bare.device = all.device;
  bare.driver = all.driver;
  bare.processor = all.processor;
  bare.date = all.date;
  bare.program = all.program;
  bare.memory_bandwidth = all.memory_bandwidth;
  bare.launch_overhead = all.launch_overhead;
  bare.recorded = all.recorded;
  return bare;
}

Selection taken(const Timings& all, const std::vector<Role>& roles, std::vector<int> rows) {
  const auto role = [&](int row) { return roles[static_cast<std::size_t>(row)]; };
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return role(a) < role(b); });
  Selection s{without_rows(all), std::move(rows), -1, {}, cache_of(all)};
  for (const int row : s.rows) {
    const int here = static_cast<int>(s.timings.rows.size());
    if (s.chosen < 0 && role(row) == Role::now) s.chosen = here;
    if (role(row) != Role::peer && role(row) != Role::other) s.kept.push_back(here);
    s.timings.rows.push_back(as_run(all.rows[static_cast<std::size_t>(row)]));
  }
  s.timings.has_operator = has_operator(s.timings);
  return s;
}

// Returns the options of the settings in words: "no padding", "rows 4".
std::vector<std::string> choice_words(const Settings& s) {
  std::vector<std::string> words;
  if (const Algorithm* a = find_algorithm(s.algorithm))
    for (const Choice& c : a->choices) {
      const std::string option = choice_of(c, s);
      words.push_back(option == "none" ? tr("no {}", tr(c.label))
                      : c.is_number()  ? fmt::format("{} {}", tr(c.label), option)
                                       : c.shown(option));
    }
  return words;
}

// Returns the settings of the measured variants of the algorithm that have the fewest differences from `s`.
std::vector<Settings> most_similar_measured(const Timings& all, const Settings& s) {
  std::vector<Settings> found;
  for (const Timing& t : all.rows)
    if (t.contender == Contender::kernel && t.name == s.algorithm && is_same_kind(t, s) && was_measured(t) &&
        known_result(t.settings) == known_result(s) &&
        std::none_of(found.begin(), found.end(),
                     [&](const Settings& f) { return choice_words(f) == choice_words(t.settings); }))
      found.push_back(t.settings);
  const std::vector<std::string> wanted = choice_words(s);
  const auto differences = [&](const Settings& f) {
    const std::vector<std::string> words = choice_words(f);
    return std::inner_product(words.begin(), words.end(), wanted.begin(), 0, std::plus(),
                              std::not_equal_to());
  };
  const int least = found.empty() ? 0 : std::ranges::min(found | std::views::transform(differences));
  std::erase_if(found, [&](const Settings& f) { return differences(f) > least; });
  return found;
}

// Returns a sentence that lists the measured options: "K with rows 2 was not measured. The most similar
// measured choices: rows 4; rows 26."
std::string only_others(const Settings& s, const std::vector<Settings>& others) {
  constexpr std::size_t most = 4;
  const std::vector<std::string> wanted = choice_words(s);
  const auto text = [&](const Settings& f) {
    const std::vector<std::string> words = choice_words(f);
    std::vector<std::string> differing;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (std::any_of(others.begin(), others.end(),
                      [&](const Settings& o) { return choice_words(o)[i] != wanted[i]; }))
        differing.push_back(words[i]);
    return fmt::format("{}", fmt::join(differing, tr(" and ")));
  };
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, others.size()); ++i) texts.push_back(text(others[i]));
  if (others.size() > most) texts.push_back(counted(static_cast<int>(others.size() - most), "other"));
  return tr("{} with {} was not measured. The most similar measured choices: {}.", s.algorithm, text(s),
            fmt::join(texts, tr("; ")));
}

}  // namespace

std::vector<Settings> comparable_with(const Algorithm& a, const Settings& now) {
  std::vector<Settings> all;
  const auto add = [&](const Settings& s) {
    if (s == now || std::find(all.begin(), all.end(), s) != all.end()) return;
    try {
      validate(s);
      if (upsweep::result_of(algorithm(s.algorithm), s) == upsweep::result_of(a, now)) all.push_back(s);
    } catch (const RequestError&) {}  // the variant does not exist for this type, operator or size
  };
  for (const Choice& c : a.choices) {
    std::vector<Option> options = c.options;
    // The previous rung of a ladder is first, because `now` mends a weakness of this rung.
    if (const Option* own = c.option(choice_of(c, now)); c.name == method_choice && own)
      std::rotate(options.begin(), options.begin() + std::max<std::ptrdiff_t>(0, own - c.options.data() - 1),
                  options.end());
    for (const Option& o : options) {
      Settings s = now;
      s.choose(c.name, o.name);
      if (c.name == method_choice) {
        resolve(s);
        std::erase_if(s.choices, [&](const auto& x) { return !algorithm(s.algorithm).choice(x.first); });
      }
      if (choice_of(c, now) != o.name && o.allows(now)) add(s);
    }
  }
  return all;
}

Settings with_choices_of(const Settings& now, const Settings& other) {
  Settings s = now;
  s.algorithm = other.algorithm;
  s.choices = other.choices;
  return s;
}

std::string name_beside(const Settings& s, const Settings& other) {
  const std::vector<std::string> words = choice_words(s), others = choice_words(other);
  const auto differs = std::mismatch(words.begin(), words.end(), others.begin(), others.end()).first;
  return differs == words.end() ? s.algorithm : *differs;
}

Pair pair_of(const Settings& one, const Settings& other) {
  // Variants with default options come before other variants.
  const auto place = [](const Settings& s) {
    std::vector<std::ptrdiff_t> at;
    if (const Algorithm* a = find_algorithm(s.algorithm))
      for (const Choice& c : a->choices) {
        const Option* option = c.option(choice_of(c, s));
        at.push_back(option ? option - c.options.data() : std::ssize(c.options));
      }
    return at;
  };
  Pair pair{one, other, {}};
  if (place(other) < place(one)) std::swap(pair.before, pair.after);
  const Settings &before = pair.before, &after = pair.after;
  const std::string layout = after.choice("layout");
  if (before.choice("layout") == "none" && layout != "none")
    pair.change = layout == "pad32" ? tr("Padding") : tr("Padding by ") + layout;
  else
    pair.change = capitalised(tr("{} instead of {}", name_beside(after, before), name_beside(before, after)));
  return pair;
}

Timing as_run(Timing t) {
  t.variant = variant_as_run(t);
  return t;
}

bool has_operator(const Timings& all) {
  const auto is_kernel = [](const Timing& t) { return t.contender == Contender::kernel; };
  return std::ranges::none_of(all.rows, is_kernel) || std::ranges::any_of(all.rows, [&](const Timing& t) {
           const Algorithm* a = is_kernel(t) ? find_algorithm(t.name) : nullptr;
           return is_kernel(t) && (!a || chooses_operator(*a));
         });
}

Selection rows_for_sweep(const Timings& all, const Chosen& c) {
  const std::vector<Role> roles = roles_of(all, c);
  std::vector<int> rows;
  for (std::size_t i = 0; i < all.rows.size(); ++i)
    if (is_for_sweep(roles[i])) rows.push_back(static_cast<int>(i));
  Selection s = taken(all, roles, std::move(rows));
  // If rows of several variants are shown instead of one variant, all these rows get one name, so that they
  // form one curve.
  for (std::size_t i = 0; i < s.rows.size(); ++i)
    if (roles[static_cast<std::size_t>(s.rows[i])] == Role::stand_in)
      s.timings.rows[i].variant = tr("tuned for each n");
  return s;
}

Selection rows_for_bars(const Timings& all, const Chosen& c, int n, int most) {
  const Cache cache = cache_of(all);
  const std::vector<Role> roles = roles_of(all, c);
  std::vector<int> rows, others;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const Timing& t = all.rows[i];
    if (t.settings.n != n || (t.contender != Contender::processor && t.cache != cache)) continue;
    if (is_for_sweep(roles[i])) rows.push_back(static_cast<int>(i));
    if (roles[i] == Role::other && was_measured(t)) others.push_back(static_cast<int>(i));
  }
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    return all.rows[static_cast<std::size_t>(a)].bytes_per_second() >
           all.rows[static_cast<std::size_t>(b)].bytes_per_second();
  });
  std::set<Who> shown;  // the contenders of the chosen rows; each contender gets only one row
  for (const int row : rows) shown.insert(who(as_run(all.rows[static_cast<std::size_t>(row)])));
  for (const int row : others)
    if (static_cast<int>(rows.size()) < most &&
        shown.insert(who(as_run(all.rows[static_cast<std::size_t>(row)]))).second)
      rows.push_back(row);
  return taken(all, roles, std::move(rows));
}

int full_size(const Timings& all, const Chosen& c) {
  const std::vector<Role> roles = roles_of(all, c);
  int own = 0;
  std::map<int, int> peers;  // for each size: the number of rows of peers (the copy, CUB and the CPU)
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const Timing& t = all.rows[i];
    if (!was_measured(t)) continue;
    if (roles[i] == Role::now || roles[i] == Role::stand_in) own = std::max(own, t.settings.n);
    if (roles[i] == Role::peer) peers[t.settings.n]++;
  }
  if (own > 0 || peers.empty()) return own;
  // If a sweep is running or was cancelled, some rows of peers are missing at the sweep's largest size. So
  // this function finds the sizes with the most peers, and returns the largest of these sizes.
  return std::max_element(peers.begin(), peers.end(),
                          [](const auto& a, const auto& b) {
                            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                          })
      ->first;
}

std::vector<Timing> rows_of(const Timings& all, const Settings& s) {
  const Cache cache = cache_of(all);
  std::vector<Timing> rows;
  for (const int row : rows_that_ran(all, s))
    if (const Timing& t = all.rows[static_cast<std::size_t>(row)]; t.cache == cache) rows.push_back(t);
  return rows;
}

const Timing* row_at(const Timings& all, const Settings& s, int n) {
  const Cache cache = cache_of(all);
  for (const int row : rows_that_ran(all, s))
    if (const Timing& t = all.rows[static_cast<std::size_t>(row)];
        t.cache == cache && t.settings.n == n && was_measured(t))
      return &t;
  return nullptr;
}

std::optional<Timing> largest_row(const Timings& all, const Settings& s, const Settings& other) {
  std::optional<Timing> own, common;
  for (const Timing& t : rows_of(all, s)) {
    if (!was_measured(t)) continue;
    if (!own || own->settings.n < t.settings.n) own = t;
    if ((!common || common->settings.n < t.settings.n) && row_at(all, other, t.settings.n)) common = t;
  }
  return common ? common : own;
}

std::string why_not_there(const Timings& all, const Settings& s) {
  if (s.without_barrier > 0)
    return tr("Times are not shown while a barrier is missing: a wrong kernel's speed means nothing.");
  const std::vector<Timing> rows = rows_of(all, s);
  if (std::any_of(rows.begin(), rows.end(), was_measured)) return "";
  if (!rows.empty() && rows.front().missing) return in_words(rows.front().missing);
  if (const std::vector<Settings> others = most_similar_measured(all, s); !others.empty())
    return only_others(s, others);
  const Algorithm* a = find_algorithm(s.algorithm);
  const std::string of = !a || chooses_operator(*a) ? " " + std::string(name(s.op)) : "";
  return tr("There are no times of {} for {}{} yet. Press S to measure these times.",
            a && a->is_broken() ? tr("this kernel") : s.algorithm, name(s.type), of);
}

std::string matter_sentence(const Timings& all, const Chosen& c, double wavefronts_now,
                            double wavefronts_compared) {
  if (!c.compared) return {};
  const Pair pair = pair_of(c.now, *c.compared);
  const std::vector<Timing> before = rows_of(all, pair.before), after = rows_of(all, pair.after);
  for (const Settings* s : {&c.now, &*c.compared}) {
    const std::vector<Timing> rows = rows_of(all, *s);
    if (std::none_of(rows.begin(), rows.end(), was_measured)) return why_not_there(all, *s);
  }
  Change change{pair.change,         before,  after,       wavefronts_now,
                wavefronts_compared, c.now.n, c.now.block, c.compared->block};
  if (pair.before != c.now) {
    std::swap(change.wavefronts_before, change.wavefronts_after);
    std::swap(change.block_before, change.block_after);
  }
  return does_it_matter(all, change);
}

}  // namespace upsweep
