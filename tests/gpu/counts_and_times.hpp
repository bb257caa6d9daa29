// Checks the totals and the times of a GPU's recording.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns true if every run of these settings must give the same recording, because nothing depends on the
// order of blocks and warps.
inline bool is_deterministic(const Trace& t) {
  std::vector<int> children(t.grids.size());  // number of children of each grid
  for (const Grid& g : t.grids)
    if (g.parent >= 0 && ++children[static_cast<std::size_t>(g.parent)] > 1) return false;
  if (std::all_of(t.grids.begin(), t.grids.end(),
                  [](const Grid& g) { return g.blocks == 1 && g.warps() == 1; }))
    return true;
  return std::none_of(t.events.begin(), t.events.end(), [](const Event& e) {
    return is_atomic(e.kind) || (e.kind == Kind::global_load && (e.flags & is_volatile) != 0);
  });
}

// Returns the totals that are equal in every run. Leaves out steps of the look-back, because the number of
// polls varies. Adds up the counts of a line over all steps, because grids may begin in any order.
inline std::vector<Count> steady_counts(const Trace& t) {
  std::map<std::tuple<std::uint16_t, Kind>, Count> all;
  for (const Count& c : t.counts) {
    if (t.steps[c.step].phase == Phase::look_back) continue;
    Count& sum = all.try_emplace({c.line, c.kind}, Count{.line = c.line, .kind = c.kind}).first->second;
    sum.requests += c.requests, sum.lanes += c.lanes, sum.units += c.units, sum.ideal += c.ideal;
  }
  std::vector<Count> list;
  for (const auto& [key, c] : all) list.push_back(c);
  return list;
}

// Computes the totals from the events. Requires that all blocks are recorded in full.
inline std::vector<Count> counts_of_events(const Trace& t) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, Kind, std::uint8_t>, Count> all;
  for (const Event& e : t.events) {
    Count& c = all[{e.step, e.line, e.kind, e.detail}];
    c.step = e.step, c.line = e.line, c.kind = e.kind, c.detail = e.detail;
    c.requests += 1;
    c.lanes += static_cast<std::uint64_t>(std::popcount(e.mask));
    if (e.kind == Kind::shared_load || e.kind == Kind::shared_store) {
      const BankCost cost = bank_cost(t, e);
      c.units += static_cast<std::uint64_t>(cost.wavefronts);
      c.ideal += static_cast<std::uint64_t>(cost.groups);
    } else if (e.kind == Kind::global_load || e.kind == Kind::global_store) {
      const SectorCost cost = sector_cost(t, e);
      c.units += static_cast<std::uint64_t>(cost.sectors);
      c.ideal += static_cast<std::uint64_t>(cost.ideal);
    }
  }
  std::vector<Count> list;
  for (const auto& [key, c] : all) list.push_back(c);
  return list;
}

// Returns the first difference between two lists of totals, or an empty string if the lists are equal.
inline std::string difference(const std::vector<Count>& a, const std::vector<Count>& b) {
  const auto text = [](const Count& c) {
    return fmt::format("step {} line {} kind {} detail {}: {} requests, {} lanes, {} units, {} ideal", c.step,
                       c.line, static_cast<int>(c.kind), c.detail, c.requests, c.lanes, c.units, c.ideal);
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || !(a[i] == b[i]))
      return fmt::format("{} | {}", i < a.size() ? text(a[i]) : "none", i < b.size() ? text(b[i]) : "none");
  return "";
}

// Returns a sentence about the first error in the times of events, or an empty string if there is no error.
// Within a warp, times must increase. In the order of time, every atomic on a word of global memory must read
// the value that the previous atomic or store wrote.
inline std::string disorder(const Trace& t) {
  std::vector<std::size_t> order(t.events.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return t.events[a].time < t.events[b].time; });
  std::map<std::tuple<int, std::uint32_t, std::uint16_t>, std::uint32_t> last;  // the last time of each warp
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    const Event& e = t.events[i];
    const auto [at, fresh] = last.try_emplace({e.grid, e.block, e.warp}, e.time);
    if (!fresh && e.time <= std::exchange(at->second, e.time))
      return fmt::format("event {} is issued before the one before it", i);
  }
  std::map<std::pair<int, std::int64_t>, std::pair<Value, std::size_t>> words;
  for (const std::size_t i : order) {
    const Event& e = t.events[i];
    if (!is_global(e.kind) || t.buffers[e.buffer].cells != Cells::words) continue;
    if (e.kind == Kind::global_atomic) {
      // The lanes of one atomic request may change a word in any order, but each lane must read the value
      // that the previous lane wrote.
      std::map<std::int64_t, std::vector<std::pair<Value, Value>>> steps;
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
        const std::uint32_t entry = entry_of(e, std::countr_zero(m));
        steps[t.lanes[entry].address].emplace_back(t.values[entry], t.values[entry + 1]);
      }
      for (auto& [address, chain] : steps) {
        auto& word = words[{e.buffer, address}];
        while (!chain.empty()) {
          const auto next =
              std::find_if(chain.begin(), chain.end(), [&](const auto& c) { return c.first == word.first; });
          if (next == chain.end())
            return fmt::format("atomic event {} saw {:x}, but the word holds {:x} since event {}", i,
                               chain.front().first[0], word.first[0], word.second);
          word = {next->second, i};
          chain.erase(next);
        }
      }
    } else {
      for_each_lane(e, [&](int, std::uint32_t entry) {
        if (e.kind == Kind::global_store) words[{e.buffer, t.lanes[entry].address}] = {t.values[entry], i};
      });
    }
  }
  return "";
}

}  // namespace upsweep
