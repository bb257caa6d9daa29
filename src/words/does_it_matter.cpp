#include "words/does_it_matter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/language.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

constexpr double least_difference = 0.01;
// The limits for a reason. If the bandwidth of the kernel is at least `near_ceiling` times the bandwidth of a
// copy, the text says that the kernel waits for global memory. If the launch takes at least `mostly_launch`
// of the kernel's time, the text names the launch instead.
constexpr double near_ceiling = 0.6, mostly_launch = 0.5;
// If a change makes a kernel slower by this factor or more, the text names no reason: neither the launch nor
// global memory explains such a difference.
constexpr double most_explained = 1.1;

// Returns the time of an empty kernel divided by this kernel's time, or 0 if one of these times is not known.
double launch_share(const Timings& all, const Timing& t) {
  const double share = all.launch_overhead.median / t.seconds.median;
  return all.launch_overhead.count > 0 && is_positive(share) ? share : 0;
}

// The times of both variants at one size.
struct Size {
  const Timing *before, *after;
  Difference difference;
  int n() const { return before->settings.n; }
};

// The speed-up at a size is the time before the change divided by the time after the change. The quartiles of
// both times give a range for the speed-up. Returns whether the ranges of the two sizes overlap.
bool may_be_alike(const Size& a, const Size& b) {
  const auto least = [](const Size& s) {
    return s.before->seconds.lower_quartile / s.after->seconds.upper_quartile;
  };
  const auto most = [](const Size& s) {
    return s.before->seconds.upper_quartile / s.after->seconds.lower_quartile;
  };
  return least(a) <= most(b) && least(b) <= most(a);
}

// Returns the uncertainty of a median: half the width of an interval around the median. Such intervals are
// used to compare two medians at the 95 % level (McGill, Tukey and Larsen 1978).
double uncertainty(const Spread& s) {
  return 1.57 * (s.upper_quartile - s.lower_quartile) / std::sqrt(s.count);
}

// Returns whether the medians at a neighbouring size differ in the same direction as at s, and by more than
// the sum of their uncertainties.
bool bears_out(const Size& neighbour, const Size& s) {
  const Spread &before = neighbour.before->seconds, &after = neighbour.after->seconds;
  const double saved = before.median - after.median;
  return (saved > 0) == (s.difference.verdict == Verdict::faster) &&
         std::abs(saved) > uncertainty(before) + uncertainty(after);
}

// Returns the verdict for each size. The comment of Change says which differences count.
std::vector<Size> sizes_of(const Change& change) {
  const auto by_size = [](std::span<const Timing> rows) {
    std::map<int, const Timing*> found;
    for (const Timing& t : rows)
      if (was_measured(t) && is_positive(t.seconds.median)) found[t.settings.n] = &t;
    return found;
  };
  const auto before = by_size(change.before), after = by_size(change.after);
  std::vector<Size> found;
  for (const auto& [n, b] : before)
    if (const auto a = after.find(n); a != after.end())
      found.push_back({b, a->second, difference(b->seconds, a->second->seconds)});
  std::vector<Size> sizes = found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].difference.verdict == Verdict::same) continue;
    bool alone = true, apart = true;
    for (const std::size_t k : {i - 1, i + 1}) {
      if (k >= found.size()) continue;
      alone &= found[k].difference.verdict != found[i].difference.verdict && !bears_out(found[k], found[i]);
      apart &= !may_be_alike(found[i], found[k]);
    }
    if (alone && !apart) sizes[i].difference = {};
  }
  return sizes;
}

// Successive sizes with the same verdict.
struct SizeRange {
  Verdict verdict;
  std::vector<int> n;
  double least, most;     // the smallest and the greatest Difference::factor
  const Timing* at_last;  // the times of the variant before the change, at the largest size of the range
};

std::vector<SizeRange> ranges_of(const std::vector<Size>& sizes) {
  std::vector<SizeRange> ranges;
  for (const Size& s : sizes) {
    const auto [verdict, factor] = s.difference;
    if (ranges.empty() || ranges.back().verdict != verdict)
      ranges.push_back({verdict, {}, factor, factor, nullptr});
    SizeRange& range = ranges.back();
    range.n.push_back(s.n());
    range.least = std::min(range.least, factor);
    range.most = std::max(range.most, factor);
    range.at_last = s.before;
  }
  return ranges;
}

// Returns "1.8 × faster", "2 % slower", "3 to 8 % faster" or "up to 1.8 × faster".
std::string amount(const SizeRange& r) {
  const char* word = r.verdict == Verdict::faster ? tr("faster") : tr("slower");
  const bool times = r.most >= 1.195;
  const auto number = [&](double factor) {
    return times ? (factor >= 9.95 ? grouped(std::llround(factor)) : fmt::format("{:.1f}", factor))
                 : fmt::format("{:.0f}", (factor - 1) * 100);
  };
  const std::string low = number(r.least), high = number(r.most);
  const char* unit = times ? "×" : "%";
  if (low == high) return tr("{1} {2} {0}", word, high, unit);
  if (times && r.least < 1.095)
    return tr("up to {most} {unit} {faster}", fmt::arg("most", high), fmt::arg("unit", unit),
              fmt::arg("faster", word));
  return tr("{least} to {most} {unit} {faster}", fmt::arg("least", low), fmt::arg("most", high),
            fmt::arg("unit", unit), fmt::arg("faster", word));
}

class Sentence {
 public:
  Sentence(const Timings& all, const Change& change)
      : all_(all), change_(change), sizes_(sizes_of(change)), ranges_(ranges_of(sizes_)) {}

  // Returns the text about all ranges of sizes. If the greatest difference is a gain, the text names first
  // the gains and then the losses, otherwise the reverse. If the change makes no difference at the largest
  // sizes, the text also says so.
  std::string text() const {
    const std::string here = here_text(), subject = change_.name;
    if (ranges_.empty()) {
      const char* none = tr("no size has been measured both with and without this change.");
      return here.empty() ? fmt::format("{}: {}", subject, none) : fmt::format("{}; {}", here, none);
    }
    const std::string start = here.empty() ? subject : fmt::format("{}{} {}", here, time_here(), subject);
    const Verdict main = most_at_stake(),
                  against = main == Verdict::faster ? Verdict::slower : Verdict::faster;
    const SizeRange& last = ranges_.back();
    if (main == Verdict::same)
      return tr("{change} makes no difference in time {at_any_size}{reason}.", fmt::arg("change", start),
                fmt::arg("at_any_size", where(last, tr("any"))), fmt::arg("reason", reason(last)));
    std::string out =
        tr("{change} is {faster}", fmt::arg("change", start), fmt::arg("faster", amounts(main)));
    const bool both = has(against);
    if (both) out += tr(", but {}", amounts(against));
    if (last.verdict == Verdict::same)
      out += both ? tr(", and makes no difference {}", where(last))
                  : tr(", but makes no difference {}", where(last));
    const Verdict ending = last.verdict == Verdict::same ? Verdict::same : both ? against : main;
    out += (ending == last.verdict ? reason(last) : "") + tr(".");
    return out + beginning();
  }

 private:
  bool counted_wavefronts() const { return change_.wavefronts_before >= 0 && change_.wavefronts_after >= 0; }
  bool removes() const {
    return counted_wavefronts() && change_.wavefronts_after < change_.wavefronts_before;
  }
  bool adds() const { return counted_wavefronts() && change_.wavefronts_after > change_.wavefronts_before; }

  // Returns "Padding removes 1,071 of the run's 1,593 wavefronts at n = 2^14".
  std::string here_text() const {
    const std::string wavefronts = wavefronts_text();
    return wavefronts.empty()
               ? ""
               : tr("{change} {removes_wavefronts} at n = {n}", fmt::arg("change", change_.name),
                    fmt::arg("removes_wavefronts", wavefronts),
                    fmt::arg("n", change_.n < 1024 ? grouped(change_.n) : power_text(change_.n)));
  }
  // Returns the end of a sentence: " and is 1.8 × faster there." This text compares the times that were
  // measured with the n and the block sizes of the recorded runs.
  std::string time_here() const {
    const auto found = std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& s) {
      return s.n() == change_.n && s.before->settings.block == change_.block_before &&
             s.after->settings.block == change_.block_after;
    });
    if (found == sizes_.end()) return tr(". No time was measured for this n and block size.");
    const Verdict verdict = found->difference.verdict;
    const bool expected =
        verdict == Verdict::same ? !removes() && !adds() : removes() == (verdict == Verdict::faster);
    const SizeRange alone{verdict, {}, found->difference.factor, found->difference.factor, nullptr};
    return tr(" {and_or_but} {is_faster} there.", fmt::arg("and_or_but", expected ? tr("and") : tr("but")),
              fmt::arg("is_faster", verdict == Verdict::same ? tr("makes no difference in time")
                                                             : tr("is ") + amount(alone)));
  }

  std::string wavefronts_text() const {
    if (!counted_wavefronts()) return {};
    const auto before = std::llround(change_.wavefronts_before),
               after = std::llround(change_.wavefronts_after);
    if (before == 0 && after == 0) return {};
    if (before == after) return tr("does not change the run's {}", counted(before, "wavefront"));
    if (after < before)
      return tr("removes {} of the run's {}", grouped(before - after), counted(before, "wavefront"));
    return tr("adds {} to the run's {}", grouped(after - before), counted(before, "wavefront"));
  }

  bool has(Verdict v) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const SizeRange& r) { return r.verdict == v; });
  }

  // Returns the verdict of the range with the greatest difference.
  Verdict most_at_stake() const {
    const SizeRange* found = nullptr;
    for (const SizeRange& r : ranges_)
      if (r.verdict != Verdict::same && (!found || r.most > found->most)) found = &r;
    return found ? found->verdict : Verdict::same;
  }

  // Returns "4.0 × faster from 2^10 to 2^12, and 5 % faster from 2^24 on". If more than two ranges of sizes
  // have this verdict, returns only the greatest difference: "up to 4.0 × faster at 9 of 15 sizes".
  std::string amounts(Verdict v) const {
    std::vector<const SizeRange*> told;
    for (const SizeRange& r : ranges_)
      if (r.verdict == v) told.push_back(&r);
    const auto text = [&](const SizeRange& r) { return tr("{0} {1}", amount(r), where(r)); };
    if (told.size() == 1) return text(*told[0]);
    if (told.size() == 2)
      return amount(*told[0]) == amount(*told[1]) ? tr("{0}, and {1}", text(*told[0]), where(*told[1]))
                                                  : tr("{0}, and {1}", text(*told[0]), text(*told[1]));
    std::size_t sizes = 0, all = 0;
    SizeRange most{v, {}, 1, 1, nullptr};
    for (const SizeRange& r : ranges_) all += r.n.size();
    for (const SizeRange* r : told) sizes += r->n.size(), most.most = std::max(most.most, r->most);
    most.least = most.most;
    return tr(
        "up to {faster} at {some} of {all} sizes{and_at_the_largest}", fmt::arg("faster", amount(most)),
        fmt::arg("some", sizes), fmt::arg("all", all),
        fmt::arg("and_at_the_largest", told.back() == &ranges_.back() ? tr(", including the largest") : ""));
  }

  std::string where(const SizeRange& r, const char* every = tr("every")) const {
    const std::string first = power_text(r.n.front()), last = power_text(r.n.back());
    if (r.n.size() == 1) return tr("at ") + first;
    if (&r == &ranges_.back() && ranges_.size() > 1) return tr("from {} on", first);
    if (r.n.size() == 2) return tr("at {} and {}", first, last);
    const std::string range = tr("from {} to {}", first, last);
    return ranges_.size() > 1
               ? range
               : tr("at {every} size {range}", fmt::arg("every", every), fmt::arg("range", range));
  }

  // Returns a sentence that says why the change makes no difference at the smallest sizes. Returns an empty
  // text in these cases:
  // - All sizes form one range.
  // - The change makes a difference at the smallest sizes, or the reason is unknown.
  // - The reason is that the kernel waits for global memory, and this is also the reason at the largest
  //   sizes.
  std::string beginning() const {
    const SizeRange& first = ranges_.front();
    if (ranges_.size() == 1 || first.verdict != Verdict::same || reason(first).empty()) return {};
    if (!reason(ranges_.back()).empty() && waits_for_global_memory(all_, *ranges_.back().at_last) &&
        waits_for_global_memory(all_, *first.at_last))
      return {};
    return tr(" {at_these_sizes} the change makes no difference{reason}.",
              fmt::arg("at_these_sizes", capitalised(where(first))), fmt::arg("reason", reason(first)));
  }

  // Returns why the change makes no difference, or makes the kernel slower, at the largest size of a range:
  // the launch takes most of the time, or the kernel waits for global memory.
  std::string reason(const SizeRange& r) const {
    if (r.verdict == Verdict::faster || r.most >= most_explained) return {};
    const Timing& t = *r.at_last;
    const std::string at =
        ranges_.size() == 1 && r.n.size() > 1 ? tr("at ") + power_text(r.n.back()) : tr("there");
    if (const double launch = launch_share(all_, t); launch >= mostly_launch)
      return tr(": {there} the launch takes {share:.0f} % of the time", fmt::arg("there", at),
                fmt::arg("share", std::min(1.0, launch) * 100));
    if (waits_for_global_memory(all_, t))
      return tr(
          ": {there} the kernel waits for global memory, and moves {share:.0f} % of the bytes that a copy "
          "moves in that time",
          fmt::arg("there", at), fmt::arg("share", share_of_ceiling(all_, t) * 100));
    return {};
  }

  const Timings& all_;
  const Change& change_;
  const std::vector<Size> sizes_;
  const std::vector<SizeRange> ranges_;
};

}  // namespace

Difference difference(const Spread& before, const Spread& after) {
  if (before.count <= 0 || after.count <= 0 || !is_positive(before.median) || !is_positive(after.median))
    return {};
  const double factor = before.median / after.median;
  if (after.upper_quartile < before.lower_quartile && factor >= 1 + least_difference)
    return {Verdict::faster, factor};
  if (after.lower_quartile > before.upper_quartile && 1 / factor >= 1 + least_difference)
    return {Verdict::slower, 1 / factor};
  return {};
}

// Returns whether a kernel waits mostly for global memory. Returns false if the launch takes most of the
// time: for such a small array, even a copy takes hardly longer than a launch.
bool waits_for_global_memory(const Timings& all, const Timing& t) {
  const double share = share_of_ceiling(all, t);
  return launch_share(all, t) < mostly_launch && is_positive(share) && share >= near_ceiling;
}

std::string does_it_matter(const Timings& all, const Change& change) { return Sentence(all, change).text(); }

}  // namespace upsweep
