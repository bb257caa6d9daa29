#include "timing/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "base/nearest.hpp"

namespace upsweep {
namespace {

bool stands_for(const Figure& f, const FigureEntry& e, const Timing& t) {
  return t.contender == e.contender && t.name == e.name && t.variant == e.variant && t.cache == Cache::cold &&
         t.settings.type == f.type && t.settings.op == Operator::sum;
}

// Returns the row of an entry at one size, or null. If there are several rows, returns the last row.
const Timing* row_for(const Figure& f, const FigureEntry& e, const Timings& all, int n) {
  const Timing* found = nullptr;
  for (const Timing& t : all.rows)
    if (t.settings.n == n && stands_for(f, e, t)) found = &t;
  return found;
}

Timing labelled(Timing t, const FigureEntry& e) {
  t.name = e.label;
  t.variant.clear();
  return t;
}

std::string spoken(const FigureEntry& e) {
  return e.variant.empty() ? e.name : fmt::format("{} ({})", e.name, e.variant);
}

Timing lacking(const Figure& f, const FigureEntry& e, const Timings& all, int n) {
  Timing t;
  t.contender = e.contender;
  t.settings = e.settings;
  t.settings.n = n;
  t.settings.type = f.type;
  t.missing = say::no_such_row(all.recorded.empty() ? say::this_run() : plain(all.recorded), spoken(e),
                               name(f.type), name(Operator::sum), n);
  return labelled(std::move(t), e);
}

}  // namespace

const Figure& figure(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Figure& f : figures()) {
    if (f.name == name) return f;
    names.push_back(f.name);
  }
  throw RequestError(tr("There is no figure \"{}\"{}; the figures are {}.", name, guess(name, names),
                        fmt::join(names, ", ")));
}

Timings rows_of(const Figure& f, const Timings& all) {
  Timings ours = all;
  ours.rows.clear();
  ours.has_operator = f.has_operator;
  // The entries that get no more rows, because a row in `ours` already says why times are missing.
  std::set<const FigureEntry*> over;
  for (const FigureEntry& e : f.entries) {
    const auto has = [&](int n) { return row_for(f, e, all, n) != nullptr; };
    if (std::any_of(f.sizes.begin(), f.sizes.end(), has)) continue;
    ours.rows.push_back(lacking(f, e, all, f.sizes.front()));
    over.insert(&e);
  }
  for (const int n : f.sizes) {
    std::vector<const FigureEntry*> gaps;
    bool any = false;
    for (const FigureEntry& e : f.entries) {
      if (over.contains(&e) || n > e.most_n) continue;
      const Timing* t = row_for(f, e, all, n);
      if (!t) {
        gaps.push_back(&e);
        continue;
      }
      any = true;
      ours.rows.push_back(labelled(*t, e));
      if (!was_measured(*t)) over.insert(&e);
    }
    // If `all` has no rows for a size, that size was not measured, so no entry is missing there.
    if (any)
      for (const FigureEntry* e : gaps) ours.rows.push_back(lacking(f, *e, all, n));
  }
  return ours;
}

const Timing* row_at(const Timings& rows, const FigureEntry& e, int n) {
  for (const Timing& t : rows.rows)
    if (t.settings.n == n && t.name == e.label) return &t;
  return nullptr;
}

double published(const Figure& f, const FigureEntry& e, int n) {
  const auto at = std::find(f.sizes.begin(), f.sizes.end(), n) - f.sizes.begin();
  return at < std::ssize(e.published) ? e.published[static_cast<std::size_t>(at)] : 0;
}

int entries_measured(const Figure& f, const Timings& rows) {
  return static_cast<int>(std::count_if(f.entries.begin(), f.entries.end(), [&](const FigureEntry& e) {
    return std::any_of(rows.rows.begin(), rows.rows.end(),
                       [&](const Timing& t) { return t.name == e.label && was_measured(t); });
  }));
}

}  // namespace upsweep
