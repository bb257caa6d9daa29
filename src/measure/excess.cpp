#include "measure/excess.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"

namespace upsweep {
namespace {

// The largest number of elements in a recorded run. Such a recording takes some milliseconds.
constexpr int most_recorded = 1 << 15;
constexpr int sizes = 4;  // how many sizes are recorded

std::size_t host_launch(const Trace& trace, std::uint32_t step) {
  const Grid* grid = &trace.grid_of(step);
  while (grid->parent >= 0) grid = &trace.grids[static_cast<std::size_t>(grid->parent)];
  return static_cast<std::size_t>(grid - trace.grids.data());
}

bool has_excess(Kind kind) { return kind == Kind::shared_load || kind == Kind::shared_store; }

}  // namespace

std::optional<std::vector<ExcessWavefronts::Launched>> ExcessWavefronts::recorded(const Settings& s) {
  std::vector<Launched> all = recorded(s, 1);
  // If the kernel moves elements, its bank conflicts can depend on the data. So this function records a
  // second run with other data, and predicts nothing if the counts differ.
  if (result_of(algorithm(s.algorithm), s).moved && recorded(s, 2) != all) return {};
  return all;
}

std::vector<ExcessWavefronts::Launched> ExcessWavefronts::recorded(const Settings& s, unsigned seed) {
  RecordOptions counts_alone;
  counts_alone.blocks = 0;
  const Trace trace = emulator_.record(s, seeded_data(s, seed), counts_alone);
  if (trace.stopped) throw WorkError(stop_message(trace.stopped));
  std::vector<Launched> all;
  for (const Grid& g : trace.grids) all.push_back({g.kernel, g.blocks, g.threads, 0});
  for (const Count& c : trace.counts)
    if (has_excess(c.kind)) all[host_launch(trace, c.step)].excess += static_cast<double>(c.units - c.ideal);
  std::size_t i = 0;
  std::erase_if(all, [&](const Launched&) { return trace.grids[i++].parent >= 0; });
  return all;
}

ExcessWavefronts::PerBlock ExcessWavefronts::per_block(const Settings& s) {
  Settings small = s;
  small.n = 0;
  for (const auto& [settings, known] : known_)
    if (settings == small) return known;
  const Settings key = small;
  const bool strides = algorithm(s.algorithm).uses_grid;
  int n = s.n;
  while (n > most_recorded) n /= 2;
  PerBlock found;
  for (int i = 0; i < sizes; ++i, n /= 2) {
    small.n = n;
    if (strides)
      // The first run has one block that does much work. Later runs have more blocks, each with less work.
      small.grid = std::min(s.grid, 1 << i);
    validate(small);
    const auto launches = recorded(small);
    if (!launches) {
      found.clear();
      break;
    }
    for (const Launched& l : *launches) {
      const double each = l.excess / l.blocks;
      const auto [at, fresh] = found.try_emplace({l.kernel, l.threads}, each);
      if (!fresh && at->second != each) at->second = std::nan("");
    }
  }
  std::erase_if(found, [](const auto& each) { return std::isnan(each.second); });
  known_.emplace_back(key, found);
  return found;
}

double ExcessWavefronts::of(const Settings& s) {
  try {
    double all = 0;
    if (s.n <= most_recorded) {
      const auto launches = recorded(s);
      if (!launches) return -1;
      for (const Launched& l : *launches) all += l.excess;
      return all;
    }
    const PerBlock each = per_block(s);
    for (const PlannedLaunch& l : plan(s).launches) {
      const auto found = each.find({l.kernel, l.threads});
      if (found == each.end()) return -1;
      all += l.blocks * found->second;
    }
    return all;
  } catch (const std::exception&) {
    return -1;  // this program lacks the kernel, or cannot record it with these settings
  }
}

void predict_excess(Timings& timings) {
  ExcessWavefronts excess;
  std::vector<Settings> unknown;  // with n = 0: variants without a prediction at some size
  for (Timing& t : timings.rows) {
    if (t.contender != Contender::kernel || t.seconds.count == 0 || t.excess_wavefronts >= 0) continue;
    Settings variant = t.settings;
    variant.n = 0;
    // Leaves out this row, because each try records several runs.
    if (std::ranges::find(unknown, variant) != unknown.end()) continue;
    t.excess_wavefronts = excess.of(t.settings);
    if (t.excess_wavefronts < 0) unknown.push_back(variant);
  }
}

}  // namespace upsweep
