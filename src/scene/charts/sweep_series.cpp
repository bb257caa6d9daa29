#include "scene/charts/sweep_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string settings_text(const Timings& all, const Settings& s) {
  return all.has_operator ? fmt::format("{} {}", name(s.type), name(s.op)) : std::string(name(s.type));
}

bool is_shown(const Timing& t, Cache cache, Measure measure) {
  if (t.settings.n <= 0) return false;
  return t.contender == Contender::processor ? measure != Measure::share : t.cache == cache;
}

}  // namespace

std::string contender_text(const Timing& t) {
  const std::string name = t.contender == Contender::copy ? tr("copy ceiling") : t.name;
  return t.variant.empty() ? name : name + tr(", ") + t.variant;
}

std::string origin_text(const Timings& timings) {
  const std::string& device = timings.device.empty() ? timings.processor : timings.device;
  if (timings.recorded.empty()) return device;
  const std::string date = timings.date.substr(0, 10);
  return tr("{}{}recorded{}{}", device, device.empty() ? "" : tr(", "), date.empty() ? "" : " ", date);
}

std::vector<SweepSeries> sweep_series(const Timings& timings, Cache cache, Measure measure) {
  std::set<std::pair<Scalar, Operator>> kinds;
  for (const Timing& t : timings.rows)
    if (is_shown(t, cache, measure)) kinds.insert({t.settings.type, t.settings.op});
  std::vector<SweepSeries> all;
  std::map<std::tuple<Contender, std::string, Cache>, std::size_t> known;
  std::map<Contender, int> counts;
  for (std::size_t row = 0; row < timings.rows.size(); row++) {
    const Timing& t = timings.rows[row];
    if (!is_shown(t, cache, measure)) continue;
    std::string label = contender_text(t);
    if (kinds.size() > 1) label += tr(", ") + settings_text(timings, t.settings);
    const auto [at, is_new] = known.try_emplace({t.contender, label, t.cache}, all.size());
    if (is_new) all.push_back({t.contender, counts[t.contender]++, label, {}});
    all[at->second].rows[t.settings.n] = static_cast<int>(row);
  }
  return all;
}

std::string common_settings(const Timings& timings, const std::vector<SweepSeries>& series) {
  std::set<std::string> texts;
  for (const SweepSeries& s : series)
    for (const auto& [n, row] : s.rows)
      texts.insert(settings_text(timings, timings.rows[static_cast<std::size_t>(row)].settings));
  return texts.size() == 1 ? *texts.begin() : std::string();
}

Measured measured(const Timings& timings, const Timing& t, Measure measure) {
  const double median = t.seconds.median;
  if (!was_measured(t) || !is_positive(median)) return {};
  double value = median;
  if (measure == Measure::bandwidth) value = t.bytes_per_second();
  if (measure == Measure::share) value = share_of_ceiling(timings, t);
  if (!is_positive(value)) return {};
  // The lower quartile of a rate comes from the upper quartile of the time, because a long time is a low
  // rate.
  const auto of = [&](double quartile, double otherwise) {
    if (!is_positive(quartile)) return otherwise;
    const double scaled = measure == Measure::time ? quartile : value * (median / quartile);
    return is_positive(scaled) ? scaled : otherwise;
  };
  const double one = of(t.seconds.lower_quartile, value), other = of(t.seconds.upper_quartile, value);
  return {value, std::min({value, one, other}), std::max({value, one, other})};
}

std::string missing_text(const Timings& timings, const Timing& t, Measure measure) {
  if (measured(timings, t, measure).value > 0) return {};
  if (t.missing) return in_words(t.missing);
  if (measured(timings, t, Measure::time).value <= 0) return tr("nothing was measured");
  return measure == Measure::share ? tr("no copy was measured for comparison")
                                   : tr("the number of bytes moved is not known");
}

std::vector<std::string> timing_parts(const Timings& all, const Timing& t) {
  std::vector<std::string> parts = {contender_text(t), size_text(t.settings.n)};
  const Spread& s = t.seconds;
  if (measured(all, t, Measure::time).value <= 0) {
    parts.push_back(missing_text(all, t, Measure::time));
    return parts;
  }
  if (is_positive(t.bytes_per_second())) parts.push_back(bandwidth_text(t.bytes_per_second()));
  parts.push_back(tr("{} (quartiles {} – {}, {})", time_text(s.median), time_text(s.lower_quartile),
                     time_text(s.upper_quartile), counted(s.count, "run")));
  const double share = share_of_ceiling(all, t);
  if (t.contender != Contender::copy && t.contender != Contender::processor && is_positive(share))
    parts.push_back(tr("{} % of a copy", figures_text(share * 100)));
  if (t.excess_wavefronts >= 0)
    parts.push_back(tr("{} excess wavefronts of shared memory in the whole run, predicted",
                       grouped(std::llround(t.excess_wavefronts))));
  return parts;
}

std::string timing_text(const Timings& all, const Timing& t) {
  return fmt::format("{}", fmt::join(timing_parts(all, t), " · "));
}

}  // namespace upsweep
