// Lanes of a warp meet at accesses and at instructions such as shuffles: they wait there until the warp
// decides which lanes go on together. This file makes these decisions and exchanges the lanes' values. This
// file also handles the case that no lane can go on.
#include <algorithm>
#include <bit>
#include <utility>

#include "machine/emulator/emulated_block.hpp"

namespace upsweep {

std::uint32_t Block::next_group(std::size_t w, bool longest_first) {
  Warp& warp = warps_[w];
  std::uint32_t candidates = warp.met;
  while (candidates != 0) {
    const Thread* first = &thread(w, candidates);
    const bool all = stand_together(w, candidates);  // the usual case
    std::uint32_t group = all ? candidates : 0;
    for (std::uint32_t rest = all ? 0 : candidates; rest != 0; rest &= rest - 1) {
      const Thread& t = thread(w, rest);
      auto order = ControlFlow::compare(t.node, t.meeting_place, first->node, first->meeting_place);
      if (order == std::strong_ordering::equal && t.meeting != first->meeting)
        order = std::strong_ordering::greater;  // a different access at the same place in the text
      if (longest_first && order != std::strong_ordering::equal)
        order = t.last_went < first->last_went ? std::strong_ordering::less : std::strong_ordering::greater;
      if (order == std::strong_ordering::less) first = &t, group = 0;
      if (order != std::strong_ordering::greater) group |= rest & -rest;
    }
    if (first->meeting.is_collective()) {
      const std::uint32_t meeting = all_that_meet(w, *first);
      if (meeting == 0) {
        candidates &= ~group;
        continue;
      }
      group = meeting;
      exchange(w, group);
    }
    warp.met &= ~group;
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1)
      thread(w, rest).last_went = launch_->run->clock;
    return group;
  }
  return 0;
}

std::uint32_t Block::next_apart(std::size_t w, Schedule& schedule) {
  Warp& warp = warps_[w];
  std::uint32_t candidates = warp.met | warp.paused;
  std::uint32_t preferred = schedule.takes_over() ? candidates : warp.went & candidates;
  while (candidates != 0) {
    if ((preferred & candidates) == 0) preferred = candidates;
    std::uint32_t from = preferred & candidates;
    for (int skip = schedule.below(std::popcount(from)); skip > 0; --skip) from &= from - 1;
    const Thread& chosen = thread(w, from);
    const std::uint32_t lane = from & -from;
    std::uint32_t group = lane;
    if ((warp.paused & lane) != 0) {
      warp.paused &= ~lane;
    } else if (chosen.meeting.is_collective()) {
      group = all_that_meet(w, chosen);
      if (group == 0) {
        candidates &= ~lane;
        continue;
      }
      exchange(w, group);
    } else if (schedule.below(4) != 0) {
      for (std::uint32_t rest = warp.met; rest != 0; rest &= rest - 1) {
        const Thread& t = thread(w, rest);
        if (t.meeting == chosen.meeting &&
            ControlFlow::compare(t.node, t.meeting_place, chosen.node, chosen.meeting_place) == 0)
          group |= rest & -rest;
      }
      if (schedule.below(4) == 0) group = (group & schedule.bits()) | lane;
    }
    warp.met &= ~group;
    return warp.went = group;
  }
  return 0;
}

std::uint32_t Block::all_that_meet(std::size_t w, const Thread& one) {
  const Warp& warp = warps_[w];
  if (one.meeting.outside()) return 1u << one.lane;  // the mask lacks this lane, so no lane waits for it
  const std::uint32_t needed = (one.meeting_mask | 1u << one.lane) & warp.live;
  for (std::uint32_t rest = needed; rest != 0; rest &= rest - 1) {
    const Thread& t = thread(w, rest);
    if ((warp.met & rest & -rest) == 0 || t.meeting != one.meeting || t.meeting_mask != one.meeting_mask)
      return 0;
  }
  return needed;
}

bool Block::was_passed(std::size_t w, const Thread& one) {
  const auto lanes = lanes_of(w);
  const KernelText* text = launch_->run->text;
  const std::uint32_t there = ~0u >> (32 - lanes.size());
  const int line = one.meeting_place.line;
  for (std::uint32_t rest = one.meeting_mask & there & ~warps_[w].live; rest != 0; rest &= rest - 1) {
    const int last = thread(w, rest).acted;
    if (last > line && (text == nullptr || text->loop_around(line, last) == KernelText::none)) return true;
  }
  return false;
}

void Block::exchange(std::size_t w, std::uint32_t group) {
  const Thread& first = thread(w, group);
  const bool incomplete = was_passed(w, first);
  const auto lanes = lanes_of(w);
  const auto for_each = [&](auto f) {
    for (std::uint32_t rest = group; rest != 0; rest &= rest - 1) f(thread(w, rest));
  };
  for_each([&](Thread& t) { t.incomplete = incomplete; });
  std::uint32_t together = 0, depth = 0;
  if (first.meeting.kind() == Kind::vote) {
    for_each([&](const Thread& t) { together |= t.given[0] << t.lane; });
    const auto how = static_cast<Vote>(first.meeting.detail());
    if (how == Vote::any) together = together != 0;
    if (how == Vote::all) together = together == group;
  } else if (first.meeting.kind() == Kind::warp_barrier) {
    return;
  } else if (static_cast<Shuffle>(first.meeting.detail()) == Shuffle::reduce_add) {
    for_each([&](const Thread& t) {
      together += t.given[0];
      depth = std::max(depth, t.given_depth);
    });
    depth += static_cast<std::uint32_t>(std::bit_width(static_cast<unsigned>(std::popcount(group)) - 1));
    // The values are added in a tree. At the lowest level, every second lane of the group applies the
    // operator. At the higher levels, only some of these lanes apply the operator.
    std::uint32_t pairs = launch_->run->recording ? group : 0;
    for (; std::popcount(pairs) > 1; pairs &= pairs - 1) {
      thread(w, pairs).reach(depth);
      pairs &= pairs - 1;
    }
  } else {
    for_each([&](Thread& t) {
      const int lane = t.lane;
      int from = lane;
      switch (static_cast<Shuffle>(t.meeting.detail())) {
        case Shuffle::index: from = t.parameter & 31; break;
        case Shuffle::up: from = lane - t.parameter; break;
        case Shuffle::down: from = lane + t.parameter; break;
        default: from = lane ^ t.parameter; break;
      }
      if (from < 0 || from > 31)
        from = lane;  // a lane whose source lane is outside the warp gets its own value
      t.taken_from = from;
      // If the lane `from` does not execute the shuffle, the value is undefined on a GPU. On the emulator,
      // the value is zero.
      const bool there = (group >> from & 1) != 0;
      t.taken = there ? lanes[static_cast<std::size_t>(from)].given : Value{};
      t.taken_origin = there ? lanes[static_cast<std::size_t>(from)].given_origin : 0;
      t.taken_depth = there ? lanes[static_cast<std::size_t>(from)].given_depth : 0;
    });
    return;
  }
  for_each([&](Thread& t) {
    t.taken = {together};
    t.taken_from = t.lane;
    t.taken_origin = t.given_origin;
    t.taken_depth = depth;
  });
}

bool Block::stand_together(std::size_t w, std::uint32_t mask) {
  const Thread& first = thread(w, mask);
  bool together = true;
  for (std::uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    const Thread& t = thread(w, rest);
    together &= t.node == first.node && t.meeting_place == first.meeting_place && t.meeting == first.meeting;
  }
  return together;
}

void Block::deadlock() {
  given_up_ = true;
  const auto w = static_cast<std::size_t>(
      std::ranges::find_if(warps_, [](const Warp& warp) { return warp.met != 0; }) - warps_.begin());
  const Warp& warp = warps_[w];
  const Thread& one = thread(w, warp.met);
  // Finds the lanes of the mask that do not wait at any instruction. If there is no such lane, finds a lane
  // of the mask that waits at another instruction.
  std::uint32_t others = one.meeting_mask & warp.live & ~warp.met;
  for (std::uint32_t rest = one.meeting_mask & warp.met; others == 0 && rest != 0; rest &= rest - 1) {
    const Thread& t = thread(w, rest);
    if (t.meeting != one.meeting || t.meeting_mask != one.meeting_mask) others = rest & -rest;
  }
  Stopped& stopped = launch_->run->stopped;
  stopped = {.kind = Stop::deadlock, .places = {one.found(Wait::lanes, one.meeting_place.line)}};
  if (others != 0) {
    const Thread& other = thread(w, others);
    const bool at_barrier = (warp.waiting >> other.lane & 1) != 0;
    stopped.places.push_back(at_barrier ? other.found(Wait::barrier, other.barrier_place.line)
                                        : other.found(Wait::lanes, other.meeting_place.line));
  }
  throw RunStopped();
}

}  // namespace upsweep
