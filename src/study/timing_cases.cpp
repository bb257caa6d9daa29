#include "study/timing_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "measure/sweep.hpp"
#include "scene/charts/chart_axes.hpp"
#include "study/timing_choice.hpp"
#include "words/does_it_matter.hpp"

namespace upsweep {
namespace {

// Returns the settings of the measured rows of an algorithm. Each variant is returned with its largest size.
std::vector<Settings> measured_of(const Timings& all, const Algorithm& a) {
  std::vector<Settings> found;
  for (const Timing& t : all.rows) {
    if (t.contender != Contender::kernel || t.name != a.name || t.seconds.count == 0) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Settings& s) {
      return s.type == t.settings.type && s.op == t.settings.op &&
             variant_name(s) == variant_name(t.settings);
    });
    if (same == found.end()) found.push_back(t.settings);
    else if (same->n < t.settings.n) *same = t.settings;
  }
  return found;
}

// Returns whether two settings compute the same result and differ in exactly one choice.
bool are_comparable(const Algorithm& a, const Settings& one, const Settings& other) {
  if (one.type != other.type || one.op != other.op || result_of(a, one) != result_of(a, other)) return false;
  return std::count_if(a.choices.begin(), a.choices.end(), [&](const Choice& c) {
           return chosen(a, one, c.name) != chosen(a, other, c.name);
         }) == 1;
}

struct Pick {
  TimingCases cases;
  std::pair<bool, double> pays{};  // the rank of cases.pays, see consider()
  // The rank of cases.hidden: first, true if the change affects bank conflicts; second, the share of the
  // sizes at which the times are equal; third, the result of share_of_ceiling().
  std::tuple<bool, double, double> hidden{};
};

void consider(Pick& pick, const Timings& all, const Settings& one, const Settings& other) {
  const Pair pair = pair_of(one, other);
  const int n = std::min(one.n, other.n);
  int sizes = 0, alike = 0;
  for (const Timing& b : rows_of(all, pair.before))
    if (const Timing* a = row_at(all, pair.after, b.settings.n); a && b.seconds.count > 0) {
      sizes++;
      alike += difference(b.seconds, a->seconds).verdict == Verdict::same;
    }
  const Timing *b = row_at(all, pair.before, n), *a = row_at(all, pair.after, n);
  if (!a || !b) return;
  const Difference d = difference(b->seconds, a->seconds);
  const bool known = a->excess_wavefronts >= 0 && b->excess_wavefronts >= 0;
  const auto picked = [&](const std::string& outcome) {
    const bool conflicts_later = known && a->excess_wavefronts > b->excess_wavefronts;
    const Timing &first = conflicts_later ? *a : *b, &second = conflicts_later ? *b : *a;
    return TimingCase{first.settings, second.settings,
                      tr("{}, {}: {} at {}", pair.change, b->name, outcome, power_text(n))};
  };
  const std::pair pays(a->settings.choice("layout") != b->settings.choice("layout"), d.factor);
  if (known && a->excess_wavefronts < b->excess_wavefronts && d.verdict == Verdict::faster &&
      pays > pick.pays) {
    pick.pays = pays;
    pick.cases.pays = picked(tr("{:.1f} × faster", d.factor));
  }
  const std::tuple hidden(known && a->excess_wavefronts != b->excess_wavefronts,
                          static_cast<double>(alike) / sizes, share_of_ceiling(all, *b));
  if (d.verdict == Verdict::same && waits_for_global_memory(all, *b) && hidden > pick.hidden) {
    pick.hidden = hidden;
    pick.cases.hidden = picked(tr("no difference"));
  }
}

}  // namespace

TimingCases cases_of(const Timings& all) {
  Pick pick;
  for (const Algorithm& a : algorithms()) {
    if (a.is_broken()) continue;
    const std::vector<Settings> measured = measured_of(all, a);
    for (std::size_t i = 0; i < measured.size(); ++i)
      for (std::size_t k = i + 1; k < measured.size(); ++k)
        if (are_comparable(a, measured[i], measured[k])) consider(pick, all, measured[i], measured[k]);
  }
  return pick.cases;
}

}  // namespace upsweep
