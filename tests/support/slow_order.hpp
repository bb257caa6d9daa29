// Computes happens-before in a recording slowly, with whole sets of accesses. The analysis keeps only
// counters instead of these sets.
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/happens_before.hpp"

namespace upsweep {

inline constexpr int threads = 64, most_events = 160;
using AccessSet = std::bitset<32 * most_events>;  // one bit for each lane of each event: 32 * event + lane

// An agent is a thread or, in lockstep, a whole warp. A block that is not recorded in full (out of focus) is
// one agent. Thread t of block b is agent 64 b + t.
//
// For each agent, this class keeps the set of accesses that happened before the agent's next access, by the
// rules of happens_before.hpp.
class SlowOrder {
 public:
  SlowOrder(const Trace& trace, WarpModel model) : trace_(trace), model_(model) {}

  // Call this function before the accesses of an event are examined, and call ends() afterwards.
  void begins(std::uint32_t event) {
    const Event& e = trace_.events[event];
    for_lanes(e, [&](int lane) {
      if (waiting_.contains(place_of(e, lane))) release(e);
    });
    if (e.grid != grid_) {  // the host starts a launch after the earlier launches have ended
      grid_ = e.grid;
      before_grid_ = done_;
    }
  }
  // Returns true if the access of `earlier_lane` in the event `earlier` happened before the access of `lane`
  // in `event`.
  bool ordered(std::uint32_t earlier, int earlier_lane, std::uint32_t event, int lane) {
    const Event &a = trace_.events[earlier], &b = trace_.events[event];
    const int of = agent(a, earlier_lane), by = agent(b, lane);
    const std::size_t what = 32 * earlier + static_cast<std::size_t>(earlier_lane);
    return of == by || before_grid_[what] || agents_[by].knows[what];
  }
  void ends(std::uint32_t event) {
    const Event& e = trace_.events[event];
    switch (e.kind) {
      case Kind::barrier: for_lanes(e, [&](int lane) { waiting_.insert(place_of(e, lane)); }); break;
      case Kind::warp_barrier:
        if (model_ == WarpModel::independent && focus(e)) meet(event);
        break;
      case Kind::fence:
        for_lanes(e, [&](int lane) { fence(agents_[agent(e, lane)], e.detail, event, e, lane); });
        break;
      default:
        if (is_store(e.kind))
          for_lanes(e, [&](int lane) {
            Agent& a = agents_[agent(e, lane)];
            a.dirty[0] = true;
            if (is_global(e.kind)) a.dirty[1] = true;
          });
        if (is_atomic(e.kind) || (e.flags & is_volatile) != 0) tell(e);
    }
    for_lanes(e, [&](int lane) {
      const std::size_t what = 32 * event + static_cast<std::size_t>(lane);
      done_[what] = true;
      if (focus(e)) agents_[agent(e, lane)].knows[what] = true;
    });
  }

 private:
  struct Agent {
    AccessSet knows, released[2], seen[2];
    bool has_released[2] = {}, dirty[2] = {};
  };
  struct Told {
    Value value;
    int block;
    AccessSet told[2];
  };

  template <class F>
  static void for_lanes(const Event& e, F f) {
    for (int lane = 0; lane < 32; ++lane)
      if ((e.mask >> lane & 1) != 0) f(lane);
  }
  bool focus(const Event& e) const {
    for (const BlockRun& run : trace_.runs)
      if (run.grid == e.grid && run.block == e.block) return run.in_focus;
    return true;
  }
  int first_place(const Event& e) const { return 1024 * e.grid + threads * static_cast<int>(e.block); }
  int place_of(const Event& e, int lane) const { return first_place(e) + e.warp * 32 + lane; }
  int agent(const Event& e, int lane) const {
    if (!focus(e)) return first_place(e);
    return model_ == WarpModel::lockstep ? place_of(e, 0) : place_of(e, lane);
  }

  // Lets all threads of a block continue after a barrier. In these recordings, every thread of the block
  // reaches each barrier.
  void release(const Event& e) {
    AccessSet knows, block, released[2];
    bool has[2] = {}, dirty = false;
    std::set<int> who;
    for (int t = 0; t < threads; ++t) {
      waiting_.erase(first_place(e) + t);
      Event lane_of = e;
      lane_of.warp = static_cast<std::uint16_t>(t / 32);
      who.insert(agent(lane_of, t % 32));
    }
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i)
      if (trace_.events[i].grid == e.grid && trace_.events[i].block == e.block)
        for (std::size_t what = 32 * i; what < 32 * i + 32; ++what) block[what] = done_[what];
    for (const int a : who) {
      knows |= agents_[a].knows | agents_[a].seen[0];
      agents_[a].seen[0].reset();
      dirty = dirty || agents_[a].dirty[1];
      for (int s = 0; s < 2; ++s) {
        released[s] |= agents_[a].released[s];
        has[s] = has[s] || agents_[a].has_released[s];
      }
    }
    if (has[0]) released[0] |= block;
    if (has[1] && !dirty) released[1] |= block;
    for (const int a : who) {
      agents_[a].knows = knows | block;
      for (int s = 0; s < 2; ++s) {
        agents_[a].released[s] = released[s];
        agents_[a].has_released[s] = has[s];
      }
    }
  }

  void meet(std::uint32_t event) {
    const Event& e = trace_.events[event];
    AccessSet knows, released[2], clean[2];
    bool has[2] = {};
    for_lanes(e, [&](int lane) {
      const Agent& a = agents_[agent(e, lane)];
      knows |= a.knows;
      for (int s = 0; s < 2; ++s) {
        has[s] = has[s] || a.has_released[s];
        released[s] |= a.released[s];
        if (!a.dirty[s]) clean[s] |= own_past(e, lane);
      }
    });
    for_lanes(e, [&](int lane) {
      Agent& a = agents_[agent(e, lane)];
      a.knows = knows;
      for (int s = 0; s < 2; ++s) {
        if (!has[s]) continue;
        a.has_released[s] = true;
        a.released[s] = released[s] | clean[s];
      }
    });
  }
  // Returns the accesses that this lane has made itself.
  AccessSet own_past(const Event& e, int lane) const {
    AccessSet past;
    for (std::uint32_t i = 0; i < trace_.events.size(); ++i) {
      const Event& other = trace_.events[i];
      const std::size_t what = 32 * i + static_cast<std::size_t>(lane);
      if (other.grid == e.grid && other.block == e.block && other.warp == e.warp) past[what] = done_[what];
    }
    return past;
  }

  void fence(Agent& a, int scope, std::uint32_t event, const Event& e, int lane) {
    for (int s = 0; s <= scope; ++s) {
      a.knows |= a.seen[s];
      a.seen[s].reset();
    }
    for (int s = 0; s <= scope; ++s) {
      a.released[s] = a.knows;
      a.has_released[s] = true;
      a.dirty[s] = false;
      if (focus(e)) a.released[s][32 * event + static_cast<std::size_t>(lane)] = true;
    }
  }

  const Told* told(const std::pair<int, std::int64_t>& place, const Value& value) const {
    const auto found = told_.find(place);
    if (found == told_.end()) return nullptr;
    for (auto t = found->second.rbegin(); t != found->second.rend(); ++t)
      if (t->value == value) return &*t;
    return nullptr;
  }
  void tell(const Event& e) {
    for_lanes(e, [&](int lane) {
      Agent& a = agents_[agent(e, lane)];
      const std::uint32_t entry = entry_of(e, lane);
      const int memory = is_shared(e.kind) ? 256 + first_place(e) : e.buffer, block = first_place(e);
      const std::pair place(memory, trace_.lanes[entry].address);
      if (!is_store(e.kind))
        if (const Told* t = told(place, trace_.values[entry])) {
          a.seen[1] |= t->told[1];
          if (t->block == block) a.seen[0] |= t->told[0];
        }
      if (is_load(e.kind)) return;
      Told now{trace_.values[is_atomic(e.kind) ? entry + 1 : entry], block, {a.released[0], a.released[1]}};
      if (is_atomic(e.kind))
        if (const Told* t = told(place, trace_.values[entry])) {
          now.told[1] |= t->told[1];
          now.told[0] |= t->told[t->block == block ? 0 : 1];
        }
      told_[place].push_back(now);
    });
  }

  const Trace& trace_;
  const WarpModel model_;
  int grid_ = 0;
  std::map<int, Agent> agents_;
  std::map<std::pair<int, std::int64_t>, std::vector<Told>> told_;
  std::set<int> waiting_;
  AccessSet done_, before_grid_;
};

}  // namespace upsweep
