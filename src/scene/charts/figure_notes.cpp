// The notes of a figure compare our numbers with the published numbers. Every sentence is computed from the
// numbers, so the sentences stay true after a new measurement.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/charts/figure_charts.hpp"
#include "scene/charts/sweep_series.hpp"
#include "scene/wrap.hpp"
#include "words/does_it_matter.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string times(double factor) { return figures_text(factor) + "\u00a0×"; }

// Returns a published factor as text, with the same digits as in the book or article.
std::string published_times(double factor) { return fmt::format("{:g}\u00a0×", factor); }
std::string published_microseconds(double seconds) {
  return grouped(std::llround(seconds * 1e6)) + "\u00a0µs";
}

std::string microseconds(double seconds) { return figures_text(seconds * 1e6) + "\u00a0µs"; }

bool has_time(const Timing* t) { return t && was_measured(*t) && is_positive(t->seconds.median); }

// Returns sizes as text, such as "64 to 512, 4 Ki". Sizes that are neighbours in `all` form one range.
std::string sizes_text(const std::vector<int>& all, const std::vector<int>& some) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < some.size();) {
    auto at = std::find(all.begin(), all.end(), some[i]);
    std::size_t last = i;
    while (last + 1 < some.size() && ++at != all.end() && *at == some[last + 1]) last++;
    parts.push_back(last == i ? size_text(some[i])
                              : tr("{} to {}", size_text(some[i]), size_text(some[last])));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, tr(", ")));
}

// Compares two entries at each size at which both entries have a time. Tests the claim that the entry
// `faster` is faster than the entry `slower`. For each result of the test, returns the sizes with this
// result.
std::map<Verdict, std::vector<int>> verdicts(const Figure& f, const Timings& rows, int faster, int slower) {
  std::map<Verdict, std::vector<int>> sizes;
  const auto at = [&](int index, int n) {
    return row_at(rows, f.entries[static_cast<std::size_t>(index)], n);
  };
  for (const int n : f.sizes)
    if (const Timing* fast = at(faster, n), *slow = at(slower, n); has_time(fast) && has_time(slow))
      sizes[difference(slow->seconds, fast->seconds).verdict].push_back(n);
  return sizes;
}

// Returns the indices of the entries that have a published time and a measured time at this size. Sorted by
// the published time, the shortest first.
std::vector<int> by_published_time(const Figure& f, const Timings& rows, int n) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(f.entries.size()); i++)
    if (const FigureEntry& e = f.entries[static_cast<std::size_t>(i)];
        published(f, e, n) > 0 && has_time(row_at(rows, e, n)))
      order.push_back(i);
  const auto seconds = [&](int i) { return published(f, f.entries[static_cast<std::size_t>(i)], n); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return seconds(a) < seconds(b); });
  return order;
}

// Two entries that are neighbours in the published order at one size.
struct Neighbours {
  int faster, slower, n;
};
std::vector<Neighbours> published_neighbours(const Figure& f, const Timings& rows) {
  std::vector<Neighbours> all;
  for (const int n : f.sizes) {
    const std::vector<int> order = by_published_time(f, rows, n);
    for (std::size_t i = 1; i < order.size(); i++) all.push_back({order[i - 1], order[i], n});
  }
  return all;
}

// The amount of one resource that each of two entries needs.
struct Needs {
  const char* what;
  // The amounts for the entry that was published as faster, and for the entry that was published as slower.
  std::int64_t of_faster, of_slower;
};
std::vector<Needs> needs_of(const EntryCounts& faster, const EntryCounts& slower) {
  const Totals &a = faster.totals, &b = slower.totals;
  const auto wavefronts = [](const Totals& t) {
    return t.shared_load.wavefronts + t.shared_store.wavefronts;
  };
  const auto sectors = [](const Totals& t) { return t.global_load.sectors + t.global_store.sectors; };
  const auto atomics = [](const Totals& t) { return t.shared_atomic.lanes + t.global_atomic.lanes; };
  return {{tr("operations"), a.operations, b.operations},
          {tr("arrivals of warps at barriers"), a.barriers, b.barriers},
          {tr("shuffles of a warp"), a.shuffle.requests, b.shuffle.requests},
          {tr("wavefronts of shared memory"), wavefronts(a), wavefronts(b)},
          {tr("atomic additions"), atomics(a), atomics(b)},
          {tr("sectors of global memory"), sectors(a), sectors(b)},
          {tr("launches"), faster.launches, slower.launches}};
}

class Notes {
 public:
  Notes(const Figure& f, const Timings& rows, const std::vector<EntryCounts>& counted)
      : f_(f), rows_(rows), counted_(counted) {}

  std::vector<std::string> all() {
    for (const FigureClaim& c : f_.claims) claim(c);
    throughput();
    published_order();
    parts();
    reasons();
    missing();
    for (const std::string& remark : f_.remarks) notes_.emplace_back(tr(remark));
    notes_.push_back(tr("Source: {}. This measurement: {}, cold caches.", f_.source, origin_text(rows_)));
    return std::move(notes_);
  }

 private:
  const FigureEntry& entry(int index) const { return f_.entries[static_cast<std::size_t>(index)]; }

  void claim(const FigureClaim& c) {
    const FigureEntry &a = entry(c.faster), &b = entry(c.slower);
    std::map<Verdict, std::vector<int>> sizes = verdicts(f_, rows_, c.faster, c.slower);
    double best = 0;
    int best_n = 0, compared = 0;
    for (const auto& [verdict, all] : sizes)
      for (const int n : all) {
        compared++;
        const double factor = row_at(rows_, b, n)->seconds.median / row_at(rows_, a, n)->seconds.median;
        const bool counts = c.factor > 0 || verdict == Verdict::faster;
        if (counts && factor > best) best = factor, best_n = n;
      }
    const std::string up_to = c.up_to ? tr("up to ") : "";
    std::string text = c.factor > 0 ? tr("Published: {} is {} as fast as {}", tr(a.label),
                                         up_to + published_times(c.factor), tr(b.label))
                       : c.may      ? tr("Published: {} may be faster than {}", tr(a.label), tr(b.label))
                                    : tr("Published: {} is faster than {}", tr(a.label), tr(b.label));
    if (compared == 0) text += tr("; this measurement cannot compare these kernels.");
    else if (c.factor > 0 && static_cast<int>(sizes[Verdict::same].size()) == compared)
      text += tr("; this measurement shows no difference ({}).", times(best));
    else if (c.factor > 0 && best < 1)
      text += tr("; in this measurement, the first kernel is slower ({} as fast).", up_to + times(best));
    else if (c.factor > 0)
      text +=
          tr("; measured: {}.", up_to + times(best) + (c.up_to ? " (n = " + size_text(best_n) + ")" : ""));
    else if (compared == 1)
      text += sizes.contains(Verdict::faster)   ? tr("; this measurement agrees ({}).", times(best))
              : sizes.contains(Verdict::slower) ? tr("; in this measurement, the first kernel is slower.")
                                                : tr("; this measurement shows no difference.");
    else text += tr("; ") + order(sizes, compared, best);
    notes_.push_back(text);
  }

  // Returns a text about a claim. The text names the sizes at which our times agree with the claim, the sizes
  // with the opposite order, and the sizes without a difference. It also contains `best`, the largest
  // measured factor.
  std::string order(const std::map<Verdict, std::vector<int>>& sizes, int compared, double best) const {
    const auto at = [&](Verdict v) {
      const auto found = sizes.find(v);
      return found == sizes.end() ? std::vector<int>() : found->second;
    };
    const std::vector<int> holds = at(Verdict::faster), turned = at(Verdict::slower),
                           same = at(Verdict::same);
    std::string text = holds.empty() ? tr("this measurement differs at every size")
                       : static_cast<int>(holds.size()) == compared
                           ? tr("this measurement agrees at all {} sizes", compared)
                           : tr("this measurement agrees at {} of {} sizes ({})", holds.size(), compared,
                                sizes_text(f_.sizes, holds));
    if (!holds.empty()) text += tr(", up to ") + times(best);
    if (!turned.empty()) text += tr("; the first kernel is slower at {}", sizes_text(f_.sizes, turned));
    if (!same.empty()) text += tr("; there is no difference at {}", sizes_text(f_.sizes, same));
    return text + tr(".");
  }

  void throughput() {
    if (!f_.throughput) return;
    std::vector<std::string> parts;
    for (const FigureEntry& e : f_.entries)
      if (const Timing* t = row_at(rows_, e, f_.sizes.front()); has_time(t))
        parts.push_back(tr(e.label) + " " +
                        bandwidth_text(static_cast<double>(f_.sizes.front()) * element_bytes(t->settings) /
                                       t->seconds.median));
    if (!parts.empty())
      notes_.push_back(tr("Read throughput (the bytes of the array, divided by the time): {}.",
                          fmt::join(parts, tr(", "))));
  }

  // Adds a sentence about pairs of neighbours in the published order. The sentence says how many pairs have
  // the same order here, and names the pairs with the opposite order.
  void published_order() {
    const std::vector<Neighbours> pairs = published_neighbours(f_, rows_);
    if (pairs.empty()) return;
    std::size_t hold = 0, same = 0;
    std::vector<std::string> turned;
    for (const auto [faster, slower, n] : pairs) {
      const FigureEntry &a = entry(faster), &b = entry(slower);
      const Spread fast = row_at(rows_, a, n)->seconds, slow = row_at(rows_, b, n)->seconds;
      const Verdict verdict = difference(slow, fast).verdict;
      hold += verdict == Verdict::faster;
      same += verdict == Verdict::same;
      if (verdict == Verdict::slower)
        turned.push_back((f_.sizes.size() > 1 ? tr("at ") + size_name(f_, n) + tr(", ") : "") +
                         tr("{} takes {} and {} takes {} (published: {} and {})", tr(a.label),
                            microseconds(fast.median), tr(b.label), microseconds(slow.median),
                            published_microseconds(published(f_, a, n)),
                            published_microseconds(published(f_, b, n))));
    }
    std::string text =
        tr("The measured times keep the published order in {} of {} neighbouring pairs", hold, pairs.size());
    if (same > 0) text += same == 1 ? tr(", 1 is equally fast") : tr(", {} are equally fast", same);
    text += turned.empty() ? tr(".")
            : turned.size() == 1
                ? tr(", and one is reversed: {}.", turned[0])
                : tr(", and {} are reversed: {}.", turned.size(), fmt::join(turned, tr("; ")));
    notes_.push_back(text);
  }

  // Some entries are parts of a run. If all parts of a run were measured, adds a sentence that compares the
  // sum of the parts' times with the time of the whole run.
  void parts() {
    for (const FigureEntry& whole : f_.entries)
      for (const int n : f_.sizes) {
        double together = 0, published_together = 0;
        bool complete = whole.contender == Contender::kernel && has_time(row_at(rows_, whole, n));
        for (const FigureEntry& e : f_.entries) {
          if (e.contender != Contender::part || e.settings != whole.settings) continue;
          const Timing* t = row_at(rows_, e, n);
          complete = complete && has_time(t);
          if (complete) together += t->seconds.median, published_together += published(f_, e, n);
        }
        if (!complete || together == 0) continue;
        notes_.push_back(tr(
            "At n = {}, the parts take {} together, and the whole run takes {} (published: {} and {}).",
            size_name(f_, n), microseconds(together), microseconds(row_at(rows_, whole, n)->seconds.median),
            published_microseconds(published_together), published_microseconds(published(f_, whole, n))));
      }
  }

  const EntryCounts* counted(int entry, int n) const {
    for (const EntryCounts& c : counted_)
      if (c.entry == entry && c.n == n) return &c;
    return nullptr;
  }

  // Adds a sentence for each pair of entries whose measured order differs from the published order. The
  // sentence compares the counts of the two entries, because the counts may explain the measured order.
  // Leaves out a pair if one of its entries has no counts.
  void reasons() {
    for (const Unlike& u : unlike_the_source(f_, rows_)) {
      const EntryCounts *a = counted(u.faster, u.n), *b = counted(u.slower, u.n);
      if (!a || !b) continue;
      std::vector<std::string> fewer, more, as_many;
      for (const Needs& need : needs_of(*a, *b)) {
        const std::int64_t x = need.of_faster, y = need.of_slower;
        if (x == 0 && y == 0) continue;
        if (std::abs(x - y) * 100 <= std::max(x, y))
          as_many.push_back(fmt::format("{} ({})", need.what, grouped(x)));
        else (x < y ? fewer : more).push_back(tr("{} ({} instead of {})", need.what, grouped(x), grouped(y)));
      }
      std::vector<std::string> parts;
      if (!fewer.empty()) parts.push_back(tr("fewer ") + listed(fewer));
      if (!more.empty()) parts.push_back(tr("more ") + listed(more));
      if (!as_many.empty()) parts.push_back(tr("as many ") + listed(as_many));
      notes_.push_back(tr("The counts at n = {n}: {first} needs {fewer_operations} {than} {second}.",
                          fmt::arg("n", size_text(u.n)), fmt::arg("first", tr(entry(u.faster).label)),
                          fmt::arg("fewer_operations", fmt::format("{}", fmt::join(parts, tr("; ")))),
                          fmt::arg("than", as_many.empty() ? tr("than") : tr("as")),
                          fmt::arg("second", tr(entry(u.slower).label))) +
                       conclusion(u, more.empty()));
    }
  }

  // Returns the parts as one text, such as "a, b and c".
  static std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); i++)
      text += (i == 0 ? "" : i + 1 == parts.size() ? tr(" and ") : tr(", ")) + parts[i];
    return text;
  }

  std::string conclusion(const Unlike& u, bool none_more) const {
    const double launch = rows_.launch_overhead.median;
    const double time = row_at(rows_, entry(u.faster), u.n)->seconds.median;
    if (u.verdict == Verdict::slower)
      return none_more
                 ? tr(" These counts do not explain why the first kernel is slower in this measurement.")
                 : tr(" In this measurement, the extra work of the first kernel takes more time than the "
                      "kernel saves elsewhere.");
    if (launch >= time / 3)
      return tr(" The first kernel's time is {}; the launch takes {} of this time.", microseconds(time),
                microseconds(launch));
    return tr(" The costs that both kernels share hide the difference.");
  }

  void missing() {
    for (const FigureEntry& e : f_.entries)
      for (const Timing& t : rows_.rows)
        if (t.name == e.label && !was_measured(t)) {
          const bool sweep = f_.sizes.size() > 1;
          const bool any = std::any_of(rows_.rows.begin(), rows_.rows.end(), [&](const Timing& other) {
            return other.name == e.label && was_measured(other);
          });
          notes_.push_back(tr("Missing: {}{}. {}", tr(e.label),
                              sweep && any ? tr(" at ") + size_name(f_, t.settings.n) : "",
                              in_words(t.missing)));
        }
    std::size_t there = 0;
    for (const int n : f_.sizes)
      there += std::any_of(rows_.rows.begin(), rows_.rows.end(),
                           [&](const Timing& t) { return t.settings.n == n && was_measured(t); });
    if (there > 0 && there < f_.sizes.size())
      notes_.push_back(tr("Measured: {} of the {} sizes from {} to {}.", there, f_.sizes.size(),
                          size_name(f_, f_.sizes.front()), size_name(f_, f_.sizes.back())));
  }

  const Figure& f_;
  const Timings& rows_;
  const std::vector<EntryCounts>& counted_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<Unlike> unlike_the_source(const Figure& f, const Timings& rows) {
  // The largest size that is compared. Counting the operations of a larger size would take too long.
  const int most_n = f.kind == Figure::Kind::ladder ? 1 << 22 : 1 << 16;
  std::vector<Unlike> all;
  const auto look = [&](int faster, int slower) {
    for (const int index : {faster, slower})
      if (f.entries[static_cast<std::size_t>(index)].contender != Contender::kernel) return;
    const auto sizes = verdicts(f, rows, faster, slower);
    for (const Verdict v : {Verdict::slower, Verdict::same}) {
      const auto found = sizes.find(v);
      if (found == sizes.end()) continue;
      const auto beyond = std::upper_bound(found->second.begin(), found->second.end(), most_n);
      if (beyond == found->second.begin()) continue;
      all.push_back({faster, slower, *std::prev(beyond), v});
      return;
    }
  };
  for (const FigureClaim& c : f.claims)
    if (c.factor == 0 && !c.may) look(c.faster, c.slower);
  for (const Neighbours& pair : published_neighbours(f, rows)) look(pair.faster, pair.slower);
  return all;
}

std::vector<std::string> notes_to_wrap(const Figure& f, const Timings& rows,
                                       const std::vector<EntryCounts>& counted) {
  return Notes(f, rows, counted).all();
}

std::vector<std::string> figure_notes(const Figure& f, const Timings& rows,
                                      const std::vector<EntryCounts>& counted) {
  std::vector<std::string> notes = notes_to_wrap(f, rows, counted);
  for (std::string& note : notes) note = with_plain_spaces(std::move(note));
  return notes;
}

std::vector<std::string> figure_notes(const Figure& f, const std::vector<WorkCount>& counts) {
  std::vector<std::string> notes;
  std::size_t stated = 0, differ = 0;
  const auto compare = [&](const WorkCount& c, const char* what, double counted, double formula) {
    if (formula <= 0) return;
    stated++;
    if (std::abs(counted - formula) < 1e-9 * formula) return;
    differ++;
    notes.push_back(tr("{scan} at n = {n}: {count} {operations}; the formula gives {formula}.",
                       fmt::arg("scan", tr(f.entries[static_cast<std::size_t>(c.entry)].label)),
                       fmt::arg("n", size_text(c.n)), fmt::arg("count", figures_text(counted)),
                       fmt::arg("operations", what), fmt::arg("formula", figures_text(formula))));
  };
  for (const WorkCount& c : counts) {
    compare(c, tr("operations"), c.operations, c.formula_operations);
    compare(c, tr("steps"), c.steps, c.formula_steps);
    compare(c, tr("operations one after another"), c.span, c.formula_span);
    compare(c, tr("operations at the same time (peak parallelism)"), c.peak,
            f.entries[static_cast<std::size_t>(c.entry)].peak_share * c.n);
  }
  if (stated > 0)
    notes.insert(notes.begin(),
                 differ == 0
                     ? tr("All {} counts equal their formulas.", grouped(static_cast<std::int64_t>(stated)))
                     : tr("{} of {} counts equal their formulas.", stated - differ, stated));
  for (const std::string& remark : f.remarks) notes.emplace_back(tr(remark));
  notes.push_back(tr("Source: ") + f.source + tr("."));
  return notes;
}

}  // namespace upsweep
