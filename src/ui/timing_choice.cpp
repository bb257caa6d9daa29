#include "ui/timing_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "measure/sweep.hpp"
#include "scene/names.hpp"

namespace upsweep {
namespace {

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// The choice of a variant that a kernel has; the first where none is named.
std::string choice_of(const Variant& v, const Settings& s) {
  const auto named = s.variants.find(v.name);
  return named == s.variants.end() ? v.choices.front().name : named->second;
}

// Null where this program does not know the algorithm.
const Algorithm* known(const std::string& name) {
  for (const Algorithm& a : algorithms())
    if (a.name == name) return &a;
  return nullptr;
}

// What settings give; of an algorithm that this program does not know: an inclusive scan or a reduction, by
// its name.
Result result_of(const Settings& s) {
  if (const Algorithm* a = known(s.algorithm)) return upsweep::result_of(*a, s);
  return s.algorithm.starts_with("scan") ? Result::inclusive_scan : Result::reduction;
}

bool is_scan(Result r) { return r == Result::inclusive_scan || r == Result::exclusive_scan; }

bool same_kind(const Timing& t, const Settings& s) {
  return t.settings.type == s.type && t.settings.op == s.op;
}

bool is_of(const Timing& t, const Settings& s) {
  return t.contender == Contender::kernel && t.name == s.algorithm && same_kind(t, s) &&
         t.variant == (known(s.algorithm) ? variant_name(s) : std::string());
}

// Whether it was measured with just these choices: rows whose choices nobody asked for have those that suit a
// size.
bool has_choices_of(const Timing& t, const Settings& s) {
  const Algorithm* a = known(s.algorithm);
  return !a || std::all_of(a->variants.begin(), a->variants.end(),
                           [&](const Variant& v) { return choice_of(v, t.settings) == choice_of(v, s); });
}

// Whether a peer computes what the chosen kernel does; of scans where only the other kind was measured, that.
bool is_peer(const Timings& all, const Timing& t, const Settings& s) {
  if (t.contender == Contender::copy) return same_kind(t, s);
  if (t.contender == Contender::kernel || !same_kind(t, s)) return false;
  const Result wanted = result_of(s);
  const std::optional<Result> has = result_of_peer(t);
  if (has == wanted) return true;
  if (!has || !is_scan(wanted) || !is_scan(*has)) return false;
  return std::none_of(all.rows.begin(), all.rows.end(), [&](const Timing& other) {
    return other.contender == t.contender && same_kind(other, s) && result_of_peer(other) == wanted;
  });
}

// A recording is of cold caches unless it has no such row.
Cache cache_of(const Timings& all) {
  const bool cold = all.rows.empty() || std::any_of(all.rows.begin(), all.rows.end(), [](const Timing& t) {
                      return t.cache == Cache::cold && t.contender != Contender::processor;
                    });
  return cold ? Cache::cold : all.rows.front().cache;
}

// 0 the chosen one, 1 its twin, 2 what they are measured against, 3 another kernel of the kind, 4 no business
// here.
int rank(const Timings& all, const Timing& t, const Chosen& c) {
  if (is_of(t, c.now)) return 0;
  if (c.twin && is_of(t, *c.twin)) return 1;
  if (is_peer(all, t, c.now)) return 2;
  const bool other = t.contender == Contender::kernel && same_kind(t, c.now) &&
                     is_scan(result_of(t.settings)) == is_scan(result_of(c.now));
  return other ? 3 : 4;
}

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

Selection taken(const Timings& all, const Chosen& c, std::vector<int> rows) {
  std::vector<int> ranks;
  for (const Timing& t : all.rows) ranks.push_back(rank(all, t, c));
  // The peers first: what comes later is drawn over them.
  constexpr int places[] = {1, 2, 0, 3};
  const auto place = [&](int row) { return places[ranks[static_cast<std::size_t>(row)]]; };
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return place(a) < place(b); });
  Selection s{without_rows(all), std::move(rows), -1, cache_of(all)};
  for (const int row : s.rows) {
    if (s.chosen < 0 && ranks[static_cast<std::size_t>(row)] == 0)
      s.chosen = static_cast<int>(s.timings.rows.size());
    s.timings.rows.push_back(all.rows[static_cast<std::size_t>(row)]);
  }
  return s;
}

bool was_measured(const Timing& t) { return t.seconds.count > 0; }

std::string described(const Settings& s) {
  const std::string variant = known(s.algorithm) ? variant_name(s) : "";
  return fmt::format("{}{}{} of {} {}", s.algorithm, variant.empty() ? "" : ", ", variant, name(s.type),
                     name(s.op));
}

}  // namespace

std::vector<Settings> twins_of(const Algorithm& a, const Settings& now) {
  std::vector<Settings> all;
  const auto add = [&](const Settings& s) {
    if (s == now || std::find(all.begin(), all.end(), s) != all.end()) return;
    try {
      validate(s);
      if (upsweep::result_of(a, s) == upsweep::result_of(a, now)) all.push_back(s);
    } catch (const RequestError&) {}  // no such variant of this type, operator or size
  };
  Settings s = now;
  if (a.layouts)
    for (const std::string_view layout : layout_names) {
      s.layout = layout;
      add(s);
    }
  s = now;
  if (a.load_patterns)
    for (const std::string_view pattern : load_pattern_names) {
      s.load_pattern = pattern;
      add(s);
    }
  for (const Variant& v : a.variants)
    for (const Choice& c : v.choices) {
      s = now;
      if (choice_of(v, now) != c.name && c.allows(now)) {
        s.variants[v.name] = c.name;
        add(s);
      }
    }
  return all;
}

Settings with_choices_of(const Settings& now, const Settings& other) {
  Settings s = now;
  s.layout = other.layout;
  s.load_pattern = other.load_pattern;
  s.variants = other.variants;
  return s;
}

std::string name_beside(const Settings& s, const Settings& other) {
  if (s.layout != other.layout) return s.layout == "none" ? "no padding" : s.layout;
  if (s.load_pattern != other.load_pattern) return s.load_pattern;
  if (const Algorithm* a = known(s.algorithm))
    for (const Variant& v : a->variants)
      if (choice_of(v, s) != choice_of(v, other))
        return v.is_number() ? fmt::format("{} {}", spaced(v.name), choice_of(v, s))
                             : spaced(choice_of(v, s));
  return s.algorithm;
}

Pair pair_of(const Settings& one, const Settings& other) {
  // The first choice comes before the others.
  const auto place = [](const Settings& s) {
    std::vector<std::ptrdiff_t> at = {
        std::find(std::begin(layout_names), std::end(layout_names), s.layout) - std::begin(layout_names),
        s.load_pattern == "halves" ? 0 : 1};
    if (const Algorithm* a = known(s.algorithm))
      for (const Variant& v : a->variants)
        at.push_back(std::find_if(v.choices.begin(), v.choices.end(),
                                  [&](const Choice& c) { return c.name == choice_of(v, s); }) -
                     v.choices.begin());
    return at;
  };
  Pair pair{one, other, {}};
  if (place(other) < place(one)) std::swap(pair.before, pair.after);
  const Settings &before = pair.before, &after = pair.after;
  if (before.layout == "none" && after.layout != "none")
    pair.change = after.layout == "pad32" ? "Padding" : "Padding by " + after.layout;
  else
    pair.change =
        capitalised(fmt::format("{} in place of {}", name_beside(after, before), name_beside(before, after)));
  return pair;
}

Selection rows_for_sweep(const Timings& all, const Chosen& c) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < all.rows.size(); ++i)
    if (rank(all, all.rows[i], c) <= 2) rows.push_back(static_cast<int>(i));
  return taken(all, c, std::move(rows));
}

Selection rows_for_bars(const Timings& all, const Chosen& c, int n, int most) {
  const Cache cache = cache_of(all);
  std::vector<int> rows, others;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const Timing& t = all.rows[i];
    if (t.settings.n != n || (t.contender != Contender::processor && t.cache != cache)) continue;
    const int r = rank(all, t, c);
    if (r <= 2) rows.push_back(static_cast<int>(i));
    if (r == 3 && was_measured(t)) others.push_back(static_cast<int>(i));
  }
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
    return all.rows[static_cast<std::size_t>(a)].bytes_per_second() >
           all.rows[static_cast<std::size_t>(b)].bytes_per_second();
  });
  for (const int row : others)
    if (static_cast<int>(rows.size()) < most) rows.push_back(row);
  return taken(all, c, std::move(rows));
}

int full_size(const Timings& all, const Chosen& c) {
  int own = 0;
  std::map<int, int> peers;  // how many at each size
  for (const Timing& t : all.rows) {
    if (!was_measured(t)) continue;
    const int r = rank(all, t, c);
    if (r == 0) own = std::max(own, t.settings.n);
    if (r == 2) peers[t.settings.n]++;
  }
  if (own > 0 || peers.empty()) return own;
  // A sweep that is under way or was cancelled has not all of them at its last size.
  return std::max_element(peers.begin(), peers.end(),
                          [](const auto& a, const auto& b) {
                            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                          })
      ->first;
}

std::vector<Timing> rows_of(const Timings& all, const Settings& s) {
  const Cache cache = cache_of(all);
  std::vector<Timing> rows;
  for (const Timing& t : all.rows)
    if (is_of(t, s) && t.cache == cache && has_choices_of(t, s)) rows.push_back(t);
  return rows;
}

const Timing* row_at(const Timings& all, const Settings& s, int n) {
  const Cache cache = cache_of(all);
  for (const Timing& t : all.rows)
    if (is_of(t, s) && t.cache == cache && t.settings.n == n && was_measured(t) && has_choices_of(t, s))
      return &t;
  return nullptr;
}

std::string why_not_there(const Timings& all, const Settings& s) {
  for (const Timing& t : all.rows)
    if (is_of(t, s)) return was_measured(t) || t.missing.empty() ? "" : t.missing;
  return fmt::format("These times have no {}.", described(s));
}

std::string matter_sentence(const Timings& all, const Chosen& c, double wavefronts_now,
                            double wavefronts_twin) {
  if (!c.twin) return {};
  const Pair pair = pair_of(c.now, *c.twin);
  const std::vector<Timing> before = rows_of(all, pair.before), after = rows_of(all, pair.after);
  for (const Settings* s : {&c.now, &*c.twin}) {
    const std::vector<Timing> rows = rows_of(all, *s);
    if (std::none_of(rows.begin(), rows.end(), was_measured)) return why_not_there(all, *s);
  }
  Change change{pair.change, before, after, wavefronts_now, wavefronts_twin};
  if (pair.before != c.now) std::swap(change.wavefronts_before, change.wavefronts_after);
  return does_it_matter(all, change);
}

}  // namespace upsweep
