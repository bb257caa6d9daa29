#include "analysis/rounds.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"

namespace upsweep {

Rounds longest_rounds(const Trace& trace, int block, int step) {
  // For each line and kind of event: the number of lanes in each iteration.
  std::map<std::pair<int, Kind>, std::vector<int>> lanes;
  // For each warp, line and kind of event: the number of iterations until now.
  std::map<std::pair<int, std::pair<int, Kind>>, std::size_t> done;
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    if (!is_request(e.kind) || (e.flags & is_volatile) != 0) continue;
    const std::pair<int, Kind> what{e.line, e.kind};
    std::vector<int>& rounds = lanes[what];
    const std::size_t round = done[{e.warp, what}]++;
    if (rounds.size() <= round) rounds.resize(round + 1);
    rounds[round] += std::popcount(e.mask);
  }
  Rounds longest;
  for (const auto& [what, rounds] : lanes)
    if (static_cast<int>(rounds.size()) > std::max(longest.count, 1))
      longest = {what.first, static_cast<int>(rounds.size()), rounds.front(), rounds.back()};
  return longest;
}

LoadsUnderWay loads_under_way(const Trace& trace, int block, int step) {
  struct Thread {
    std::vector<std::uint32_t> pending;  // the loads whose values the thread has not used yet
    int most = 0;
  };
  LoadsUnderWay found;
  std::vector<Thread> threads;  // one per thread of the block
  threads.resize(static_cast<std::size_t>(trace.grid_of(static_cast<std::uint32_t>(step)).threads));
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    if (!has_lanes(e.kind)) continue;
    if (e.kind == Kind::global_load) {
      if ((e.flags & is_volatile) != 0) continue;
      for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
        Thread& t = threads[static_cast<std::size_t>(thread_of(e, std::countr_zero(m)))];
        t.pending.push_back(static_cast<std::uint32_t>(i));
        t.most = std::max(t.most, static_cast<int>(t.pending.size()));
      }
      found.bytes = e.width;
      continue;
    }
    if (is_load(e.kind)) continue;
    for_each_lane(e, [&](int taker, std::uint32_t entry) {
      const Lane& l = trace.lanes[entry];
      const int giver = e.kind == Kind::shuffle ? static_cast<int>(l.address & 31) : taker;
      const auto thread = static_cast<std::size_t>(thread_of(e, giver));
      if (thread >= threads.size()) return;  // a shuffle from a lane that the block does not have
      std::vector<std::uint32_t>& pending = threads[thread].pending;
      for (const Origin o : {l.left, l.right})
        if (o != 0 && std::ranges::find(pending, origin_event(o)) != pending.end()) pending.clear();
    });
  }
  for (const Thread& t : threads) found.most = std::max(found.most, t.most);
  for (const Thread& t : threads) found.all = found.all && (t.most == 0 || t.most == found.most);
  return found;
}

}  // namespace upsweep
