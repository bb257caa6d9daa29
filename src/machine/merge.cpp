#include "machine/merge.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace upsweep {
namespace {

// One warp's lanes, each with the next record that is not yet part of an event.
class Lanes {
 public:
  Lanes(std::span<Thread> threads, const ControlFlow& flow) : threads_(threads), flow_(flow) {}

  // Lanes whose next record belongs to the step.
  std::uint32_t heads(std::uint32_t step) const {
    std::uint32_t mask = 0;
    for (std::size_t l = 0; l < threads_.size(); ++l)
      if (next_[l] < threads_[l].log.size() && threads_[l].log[next_[l]].step == step) mask |= 1u << l;
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

  void emit(std::uint32_t group, std::uint32_t block, std::uint32_t warp, Trace& trace) {
    const Record& one = head(std::countr_zero(group));
    const auto event = static_cast<std::uint32_t>(trace.events.size());
    trace.events.push_back({.kind = one.kind,
                            .width = one.width,
                            .buffer = one.buffer,
                            .warp = static_cast<std::uint16_t>(warp),
                            .line = one.place.line,
                            .block = block,
                            .step = one.step,
                            .mask = group,
                            .first = static_cast<std::uint32_t>(trace.lanes.size())});
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      Thread& thread = threads_[lane];
      const Record& r = thread.log[next_[lane]++];
      const auto origin = [&](Origin o) { return o == 0 ? 0 : thread.event_of[o - 1] + 1; };
      trace.lanes.push_back({r.address, origin(r.left), origin(r.right)});
      trace.values.push_back(r.value);
      thread.event_of.push_back(event);
    }
  }

 private:
  const Record& head(int lane) const {
    return threads_[static_cast<std::size_t>(lane)].log[next_[static_cast<std::size_t>(lane)]];
  }

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
    const auto& log = threads_[static_cast<std::size_t>(lane)].log;
    for (std::size_t i = next_[static_cast<std::size_t>(lane)] + 1; i < log.size(); ++i) {
      if (log[i].node != site.node || log[i].place.line != site.place.line) return false;
      if (same_site(log[i], site)) return true;
    }
    return false;
  }

  std::span<Thread> threads_;
  const ControlFlow& flow_;
  std::array<std::uint32_t, 32> next_{};
};

}  // namespace

void merge(std::span<Thread> threads, std::span<ControlFlow> flows, std::uint32_t block, Trace& trace) {
  std::vector<Lanes> warps;
  std::uint32_t first_step = UINT32_MAX, last_step = 0;
  for (std::size_t w = 0; w < flows.size(); ++w) {
    const auto lanes = threads.subspan(w * 32, std::min<std::size_t>(32, threads.size() - w * 32));
    warps.emplace_back(lanes, flows[w]);
    for (const Thread& t : lanes)
      if (!t.log.empty())
        first_step = std::min(first_step, t.log.front().step),
        last_step = std::max(last_step, t.log.back().step);
  }
  // Most often one step; more where step marks divide what lies between two barriers.
  for (std::uint32_t step = first_step; step <= last_step && first_step != UINT32_MAX; ++step)
    for (std::size_t w = 0; w < warps.size(); ++w)
      while (const std::uint32_t mask = warps[w].heads(step))
        warps[w].emit(warps[w].first_group(mask), block, static_cast<std::uint32_t>(w), trace);
  for (Thread& t : threads) t.log.clear();
}

}  // namespace upsweep
