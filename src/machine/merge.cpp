#include "machine/merge.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace upsweep {
namespace {

// One warp's lanes, each with the next record that is not yet part of an event.
class Lanes {
 public:
  Lanes(std::span<Thread> threads, const ControlFlow& flow) : threads_(threads), flow_(flow) {
    for (std::size_t l = 0; l < threads.size(); ++l) {
      next_[l] = threads[l].log.data();
      end_[l] = next_[l] + threads[l].log.size();
    }
  }

  // Lanes whose next record belongs to the step.
  std::uint32_t heads(std::uint32_t step) const {
    std::uint32_t mask = 0;
    for (std::size_t l = 0; l < threads_.size(); ++l)
      if (next_[l] != end_[l] && next_[l]->step == step) mask |= 1u << l;
    return mask;
  }

  // Of the lanes in `mask`, those that issue the warp's next request together.
  std::uint32_t first_group(std::uint32_t mask) const {
    int leader = std::countr_zero(mask);
    std::uint32_t group = 0, same_line = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const Record &mine = head(lane), &best = head(leader);
      if (same_site(mine, best)) {
        group |= 1u << lane;
        continue;
      }
      if (mine.node == best.node && mine.place.line == best.place.line) {
        same_line |= 1u << lane;
        continue;
      }
      if (flow_.compare(mine.node, mine.place, best.node, best.place) < 0)
        leader = lane, group = 1u << lane, same_line = 0;
    }
    if (same_line == 0) return group;
    return first_in_line(group | same_line);
  }

  // Makes an event of the group's next records. Gives the lanes of the group whose next record still belongs
  // to the step.
  std::uint32_t emit(std::uint32_t group, std::uint32_t block, std::uint16_t warp, Trace& trace) {
    const Record& one = head(std::countr_zero(group));
    const auto event = static_cast<std::uint32_t>(trace.events.size());
    const std::uint32_t step = one.step;
    const std::size_t first = trace.lanes.size();
    trace.events.push_back({.kind = one.kind,
                            .width = one.width,
                            .buffer = one.buffer,
                            .warp = warp,
                            .line = one.place.line,
                            .block = block,
                            .step = step,
                            .mask = group,
                            .first = static_cast<std::uint32_t>(first)});
    trace.lanes.resize(first + static_cast<std::size_t>(std::popcount(group)));
    trace.values.resize(trace.lanes.size());
    Lane* lane_out = trace.lanes.data() + first;
    Value* value_out = trace.values.data() + first;
    std::uint32_t more = 0;
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      std::vector<std::uint32_t>& event_of = threads_[lane].event_of;
      const Record& r = *next_[lane]++;
      const auto origin = [&](Origin o) { return o == 0 ? 0 : event_of[o - 1] + 1; };
      *lane_out++ = {r.address, origin(r.left), origin(r.right)};
      *value_out++ = r.value;
      event_of.push_back(event);
      if (next_[lane] != end_[lane] && next_[lane]->step == step) more |= 1u << lane;
    }
    return more;
  }

  // The lanes that wait at a barrier in this step: an event for each place they wait at.
  void emit_barriers(std::uint32_t step, std::uint32_t block, std::uint16_t warp, Trace& trace) const {
    std::uint32_t waiting = 0;
    for (std::size_t l = 0; l < threads_.size(); ++l)
      if (threads_[l].state == Thread::State::at_barrier && threads_[l].step == step) waiting |= 1u << l;
    while (waiting != 0) {
      const Thread* leader = &threads_[static_cast<std::size_t>(std::countr_zero(waiting))];
      std::uint32_t group = 0;
      for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
        const Thread& t = threads_[static_cast<std::size_t>(std::countr_zero(rest))];
        const auto order = t.node == leader->node && t.barrier_place == leader->barrier_place
                               ? std::strong_ordering::equal
                               : flow_.compare(t.node, t.barrier_place, leader->node, leader->barrier_place);
        if (order < 0) leader = &t, group = 0;
        if (order <= 0) group |= 1u << std::countr_zero(rest);
      }
      trace.events.push_back({.kind = Kind::barrier,
                              .width = 0,
                              .buffer = 0,
                              .warp = warp,
                              .line = leader->barrier_place.line,
                              .block = block,
                              .step = step,
                              .mask = group,
                              .first = static_cast<std::uint32_t>(trace.lanes.size())});
      waiting &= ~group;
    }
  }

 private:
  const Record& head(int lane) const { return *next_[static_cast<std::size_t>(lane)]; }

  static bool same_site(const Record& a, const Record& b) {
    return a.node == b.node && a.place == b.place && a.kind == b.kind && a.buffer == b.buffer;
  }

  // Lanes that stand at different accesses of one line: the access that no other lane of them still has
  // before it goes first.
  std::uint32_t first_in_line(std::uint32_t mask) const {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const Record& candidate = head(std::countr_zero(rest));
      std::uint32_t group = 0;
      bool later_elsewhere = false;
      for (std::uint32_t others = mask; others != 0; others &= others - 1) {
        const int lane = std::countr_zero(others);
        if (same_site(head(lane), candidate)) group |= 1u << lane;
        else later_elsewhere = later_elsewhere || comes_later(lane, candidate);
      }
      if (!later_elsewhere) return group;
    }
    return 1u << std::countr_zero(mask);
  }

  bool comes_later(int lane, const Record& site) const {
    for (const Record* r = &head(lane) + 1; r != end_[static_cast<std::size_t>(lane)]; ++r) {
      if (r->node != site.node || r->place.line != site.place.line) return false;
      if (same_site(*r, site)) return true;
    }
    return false;
  }

  std::span<Thread> threads_;
  const ControlFlow& flow_;
  std::array<const Record*, 32> next_{}, end_{};
};

}  // namespace

void merge(std::span<Thread> threads, std::span<Warp> warps, std::uint32_t block, Trace& trace) {
  const auto lanes_of = [&](std::size_t w) {
    return threads.subspan(w * 32, std::min<std::size_t>(32, threads.size() - w * 32));
  };
  // Most often all lies in one step; step marks may divide what lies between two barriers.
  std::uint32_t first_step = UINT32_MAX, last_step = 0;
  for (const Thread& t : threads) {
    if (t.state == Thread::State::finished && t.log.empty()) continue;
    first_step = std::min(first_step, t.log.empty() ? t.step : t.log.front().step);
    last_step = std::max(last_step, t.step);
  }
  std::vector<Lanes> lanes;
  for (std::size_t w = 0; w < warps.size(); ++w) lanes.emplace_back(lanes_of(w), warps[w].flow);
  for (std::uint32_t step = first_step; step <= last_step && first_step != UINT32_MAX; ++step) {
    for (std::size_t w = 0; w < warps.size(); ++w) {
      const auto warp = static_cast<std::uint16_t>(w);
      if (warps[w].pending != 0) {
        std::uint32_t mask = lanes[w].heads(step);
        while (mask != 0) {
          const std::uint32_t group = lanes[w].first_group(mask);
          mask = (mask & ~group) | lanes[w].emit(group, block, warp, trace);
        }
      }
      lanes[w].emit_barriers(step, block, warp, trace);
    }
  }
  for (std::size_t w = 0; w < warps.size(); ++w) {
    if (std::exchange(warps[w].pending, 0) == 0) continue;
    for (Thread& t : lanes_of(w)) t.log.clear();
  }
}

}  // namespace upsweep
