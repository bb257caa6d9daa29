#include "scene/does_it_matter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "scene/chart_axes.hpp"
#include "scene/names.hpp"

namespace upsweep {
namespace {

constexpr double least_difference = 0.01;
// From these shares on what bounds a kernel is named; the number stands beside it.
constexpr double near_ceiling = 0.6, mostly_launch = 0.5;

// Of a kernel's time what an empty one takes; 0 where that is not known.
double launch_share(const Timings& all, const Timing& t) {
  const double share = all.launch_overhead.median / t.seconds.median;
  return all.launch_overhead.count > 0 && is_positive(share) ? share : 0;
}

// Neighbouring sizes with one verdict.
struct Run {
  Verdict verdict;
  int first, last;        // n
  double least, most;     // factors
  const Timing* at_last;  // the slower choice: the one before the change
};

std::vector<Run> runs_of(const Change& change) {
  const auto by_size = [](std::span<const Timing> rows) {
    std::map<int, const Timing*> found;
    for (const Timing& t : rows)
      if (t.seconds.count > 0 && is_positive(t.seconds.median)) found[t.settings.n] = &t;
    return found;
  };
  const auto before = by_size(change.before), after = by_size(change.after);
  std::vector<Run> runs;
  for (const auto& [n, b] : before) {
    const auto a = after.find(n);
    if (a == after.end()) continue;
    const Difference d = difference(b->seconds, a->second->seconds);
    if (runs.empty() || runs.back().verdict != d.verdict)
      runs.push_back({d.verdict, n, n, d.factor, d.factor, b});
    Run& run = runs.back();
    run.last = n;
    run.least = std::min(run.least, d.factor);
    run.most = std::max(run.most, d.factor);
    run.at_last = b;
  }
  return runs;
}

// "1.8 × faster", "2 % slower", "3 to 8 % faster", "up to 1.8 × faster".
std::string amount(const Run& r) {
  const char* word = r.verdict == Verdict::faster ? "faster" : "slower";
  const bool times = r.most >= 1.195;
  const auto number = [&](double factor) {
    return times ? (factor >= 9.95 ? grouped(std::llround(factor)) : fmt::format("{:.1f}", factor))
                 : fmt::format("{:.0f}", (factor - 1) * 100);
  };
  const std::string low = number(r.least), high = number(r.most);
  const char* unit = times ? "×" : "%";
  if (low == high) return fmt::format("{} {} {}", high, unit, word);
  if (times && r.least < 1.095) return fmt::format("up to {} {} {}", high, unit, word);
  return fmt::format("{} to {} {} {}", low, high, unit, word);
}

class Sentence {
 public:
  Sentence(const Timings& all, const Change& change) : all_(all), change_(change), runs_(runs_of(change)) {}

  std::string text() const {
    const std::string wavefronts = wavefronts_text(), subject = change_.name;
    if (runs_.empty())
      return wavefronts.empty()
                 ? fmt::format("{}: no size was measured both with and without it yet.", subject)
                 : fmt::format("{} {}; no size was measured both with and without it yet.", subject,
                               wavefronts);
    const std::string start = wavefronts.empty() ? subject : fmt::format("{} {}", subject, wavefronts);
    const Run* main = largest();
    if (!main) {
      const char* link = wavefronts.empty() ? "" : removes() ? " but" : " and";
      return fmt::format("{}{} makes no difference in time {}{}.", start, link, where(runs_.back(), "any"),
                         reason(runs_.back()));
    }
    const Run& last = runs_.back();
    std::string out = fmt::format("{}{} is {} {}", start,
                                  wavefronts.empty() ? ""
                                  : expected(*main)  ? " and"
                                                     : " but",
                                  amount(*main), where(*main));
    // What speaks against it anywhere is said, and what holds for large arrays.
    const Run* against = largest(main->verdict);
    if (against) out += fmt::format(", but {} {}", amount(*against), where(*against));
    const Run* told = against ? against : main;
    if (last.verdict == Verdict::same)
      out += fmt::format("{} no different {}", against ? ", and" : ", but", where(last));
    else if (&last != main && &last != against) out += fmt::format(", and {} {}", amount(last), where(last));
    else if (&last != told) return out + ".";  // a reason would seem to be of what was said last
    out += reason(last) + ".";
    // The same reason is not given twice.
    const bool both_wait = !reason(last).empty() && waits_for_global_memory(all_, *last.at_last) &&
                           waits_for_global_memory(all_, *runs_.front().at_last);
    if (runs_.size() > 1 && runs_.front().verdict == Verdict::same && !reason(runs_.front()).empty() &&
        !both_wait)
      out += fmt::format(" {} it makes no difference{}.", capitalised(where(runs_.front())),
                         reason(runs_.front()));
    return out;
  }

 private:
  bool counted_wavefronts() const { return change_.wavefronts_before >= 0 && change_.wavefronts_after >= 0; }
  bool removes() const {
    return counted_wavefronts() && change_.wavefronts_after < change_.wavefronts_before;
  }
  // Fewer wavefronts and less time, or more and more, go together with "and".
  bool expected(const Run& r) const { return removes() == (r.verdict == Verdict::faster); }

  std::string wavefronts_text() const {
    if (!counted_wavefronts()) return {};
    const auto before = std::llround(change_.wavefronts_before),
               after = std::llround(change_.wavefronts_after);
    if (before == after)
      return fmt::format("leaves the {} of a block as they are", counted(before, "wavefront"));
    if (after < before)
      return fmt::format("removes {} of {} of a block", grouped(before - after),
                         counted(before, "wavefront"));
    return fmt::format("adds {} to the {} of a block", grouped(after - before), counted(before, "wavefront"));
  }

  // The run with the largest factor among those that count and have another verdict.
  const Run* largest(Verdict but = Verdict::same) const {
    const Run* found = nullptr;
    for (const Run& r : runs_)
      if (r.verdict != Verdict::same && r.verdict != but && (!found || r.most > found->most)) found = &r;
    return found;
  }

  std::string where(const Run& r, const char* every = "every") const {
    if (r.first == r.last) return "at " + power_text(r.first);
    if (&r == &runs_.back() && runs_.size() > 1) return fmt::format("from {} on", power_text(r.first));
    const std::string range = fmt::format("from {} to {}", power_text(r.first), power_text(r.last));
    return runs_.size() > 1 ? range : fmt::format("at {} size {}", every, range);
  }

  // Why it makes no difference, or a bad one, at the largest size of a run: what bounds the kernel there.
  std::string reason(const Run& r) const {
    if (r.verdict == Verdict::faster) return {};
    const Timing& t = *r.at_last;
    const std::string at = runs_.size() == 1 && r.first != r.last ? "at " + power_text(r.last) : "there";
    if (const double launch = launch_share(all_, t); launch >= mostly_launch)
      return fmt::format(": {} {:.0f} % of the time is the launch", at, std::min(1.0, launch) * 100);
    if (waits_for_global_memory(all_, t))
      return fmt::format(
          ": {} the kernel moves {:.0f} % of what a copy moves in that time and waits for global memory", at,
          share_of_ceiling(all_, t) * 100);
    return {};
  }

  const Timings& all_;
  const Change& change_;
  const std::vector<Run> runs_;
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

// A small copy is hardly more than a launch either: that comes first.
bool waits_for_global_memory(const Timings& all, const Timing& t) {
  const double share = share_of_ceiling(all, t);
  return launch_share(all, t) < mostly_launch && is_positive(share) && share >= near_ceiling;
}

std::string does_it_matter(const Timings& all, const Change& change) { return Sentence(all, change).text(); }

}  // namespace upsweep
