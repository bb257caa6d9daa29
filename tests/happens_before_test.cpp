// Compares the happens-before analysis with a slow model on random recordings. For each thread, the model
// keeps the set of all accesses that happened before the thread's next access. The analysis keeps only
// counters.
#include "analysis/happens_before.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/hazards.hpp"
#include "support/hazard_script.hpp"
#include "support/slow_order.hpp"

namespace upsweep {
namespace happens_before_test {

// Makes recordings of up to three blocks. The threads read and write cells, set and poll flags, take numbers
// from a counter, use fences, and wait at barriers.
class RandomScript {
 public:
  explicit RandomScript(unsigned seed) : random_(seed) {}
  Trace make() {
    const int blocks = 1 + any(3), warps = threads / 32;
    Script s(blocks, threads);
    std::map<int, int> flags;  // the value of each word
    int counter = 0, line = 0, grid = 0;
    const bool calm = any(2) == 0;  // threads access mainly their own cells
    const int events = calm ? 12 + any(40) : 20 + any(most_events - 30);
    const bool out_of_focus = blocks > 1 && any(3) == 0;
    const int eagerness = any(4);  // a larger value adds more fences and flags
    while (static_cast<int>(s.t.events.size()) < events) {
      const auto block = static_cast<std::uint32_t>(any(blocks));
      const int w = any(warps), lane = any(32), cell = any(6);
      const std::uint32_t some = any(3) == 0 ? all
                                 : any(2)    ? one(lane)
                                             : one(lane) | one(any(32)) | one(any(32));
      const auto cells =
          (any(calm ? 8 : 3) == 0) != calm ? ByLane([=](int l) { return 32 * w + l; }) : at(cell);
      ++line;
      const ByLane fresh = [line](int l) { return 1000 * line + l; };  // no two stores write the same value
      const bool seen_from_outside = out_of_focus && block == 1;
      switch (any(12 + 4 * eagerness)) {
        case 0: s.barriers(block, line); break;
        case 1:
          if (any(8) == 0) grid = s.launch();
          break;
        case 2:
        case 3: s.syncwarp(block, w, any(2) ? all : some, line); break;
        case 4:
        case 5: s.write(block, w, some, line, cells, fresh); break;
        case 6:
        case 7: s.read(block, w, some, line, cells); break;
        case 8:
        case 9:
          if (calm && block != 0) break;
          s.store(any(2) ? Script::out : Script::sums, block, w, some, line, cells, fresh);
          break;
        case 10:
        case 11: s.load(any(2) ? Script::out : Script::sums, block, w, some, line, cells); break;
        default:
          switch (any(5)) {
            case 0:
              s.fence(block, w, any(2) ? all : some, line, any(3) == 0 ? Scope::block : Scope::device);
              break;
            case 1:
              flags[cell] = 1000 * line + lane;
              s.store(Script::flags, block, w, one(lane), line, at(cell), fresh, is_volatile);
              break;
            case 2:
              s.load(Script::flags, block, w, some, line, at(cell), any(8) == 0 ? 0 : flags[cell],
                     is_volatile);
              break;
            case 3:
              s.atomic(Script::flags, block, w, lane, line, 8, counter, counter + 1);
              ++counter;
              break;
            default: s.fence(block, w, one(lane), line);
          }
      }
      if (seen_from_outside) {  // only the flags and fences of this block are recorded
        const Event& e = s.t.events.empty() ? Event{} : s.t.events.back();
        if (e.block == 1 && e.kind != Kind::fence && !is_atomic(e.kind) && (e.flags & is_volatile) == 0)
          drop(s, line);
      }
    }
    Trace trace = s.trace();
    for (int g = 0; g <= grid; ++g)
      for (int b = 0; b < blocks; ++b)
        trace.runs.push_back({.grid = static_cast<std::uint16_t>(g),
                              .block = static_cast<std::uint32_t>(b),
                              .in_focus = !(out_of_focus && b == 1)});
    return trace;
  }

 private:
  int any(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  static void drop(Script& s, int line) {
    while (!s.t.events.empty() && s.t.events.back().line == line) {
      s.t.lanes.resize(s.t.events.back().first);
      s.t.values.resize(s.t.events.back().first);
      s.t.events.pop_back();
    }
  }
  std::mt19937 random_;
};

bool looked_at(const Trace& t, const Event& e) {
  for (const BlockRun& run : t.runs)
    if (run.grid == e.grid && run.block == e.block && !run.in_focus) return false;
  return is_access(e.kind);
}

// Calls f(earlier event, lane of the earlier event, event, lane of the event) for all pairs of accesses in
// the order of issue. Pairs within one event are included. Calls begin(event) before the pairs of an event,
// and end(event) after these pairs.
template <class Begin, class F, class End>
void for_each_pair(const Trace& t, SlowOrder& slow, Begin begin, F f, End end) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t i : issue_order(t)) {
    slow.begins(i);
    begin(i);
    const Event& e = t.events[i];
    if (looked_at(t, e)) {
      seen.push_back(i);
      for (const std::uint32_t other : seen)
        for_each_lane(e, [&](int lane, std::uint32_t) {
          for_each_lane(t.events[other],
                        [&](int other_lane, std::uint32_t) { f(other, other_lane, i, lane); });
        });
    }
    slow.ends(i);
    end(i);
  }
}

class RandomOrder : public testing::TestWithParam<int> {};

TEST_P(RandomOrder, IsThatOfASlowModel) {
  std::size_t pairs = 0, before = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Trace t = RandomScript(100 * static_cast<unsigned>(GetParam()) + seed).make();
    ASSERT_LT(t.events.size(), std::size_t{most_events});
    for (const WarpModel model : {WarpModel::independent, WarpModel::lockstep}) {
      HappensBefore fast(t, model);
      SlowOrder slow(t, model);
      std::vector<Moment> moment(t.events.size());
      Moment now = 0;
      for_each_pair(
          t, slow,
          [&](std::uint32_t i) {
            moment[i] = ++now;
            if (fast.begins(i, now)) fast.release(i);
          },
          [&](std::uint32_t a, int lane_a, std::uint32_t b, int lane_b) {
            if (a == b) return;
            const Event &x = t.events[a], &y = t.events[b];
            const bool is = fast.ordered(fast.block_of(a).index, x.warp * 32 + lane_a, moment[a],
                                         fast.block_of(b), y.warp * 32 + lane_b);
            ++pairs;
            before += is;
            ASSERT_EQ(is, slow.ordered(a, lane_a, b, lane_b))
                << "seed " << seed << ", lockstep " << (model == WarpModel::lockstep) << ": line " << x.line
                << " lane " << lane_a << ", line " << y.line << " lane " << lane_b;
          },
          [&](std::uint32_t i) { fast.ends(i, now); });
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(before, pairs / 20);
  EXPECT_LT(before, pairs - pairs / 20);
}

// The analysis must report exactly the races that the slow model finds.
TEST_P(RandomOrder, HasTheRacesOfASlowModel) {
  int with = 0, without = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Trace t = RandomScript(100 * static_cast<unsigned>(GetParam()) + 50'000 + seed).make();
    SlowOrder slow(t, WarpModel::independent);
    std::set<std::pair<int, int>> races;  // pairs of lines
    const auto nothing = [](std::uint32_t) {};
    for_each_pair(
        t, slow, nothing,
        [&](std::uint32_t a, int lane_a, std::uint32_t b, int lane_b) {
          const Event &x = t.events[a], &y = t.events[b];
          const auto meets = [&](const Event& e) {
            return is_atomic(e.kind) || (t.cells_of(e) != Cells::elements && (e.flags & is_volatile) != 0);
          };
          const bool same_memory =
              is_shared(x.kind) == is_shared(y.kind) &&
              (is_shared(x.kind) ? x.grid == y.grid && x.block == y.block : x.buffer == y.buffer);
          if (!same_memory || t.lanes[entry_of(x, lane_a)].address != t.lanes[entry_of(y, lane_b)].address)
            return;
          if ((is_load(x.kind) && is_load(y.kind)) || (meets(x) && meets(y))) return;
          if (a == b ? lane_a != lane_b : !slow.ordered(a, lane_a, b, lane_b))
            races.insert(std::minmax(x.line, y.line));
        },
        nothing);
    const Hazards h = hazards(t);
    bool any = false;
    for (const HazardFinding& f : h.findings) {
      if (f.kind != Hazard::shared_race && f.kind != Hazard::global_race) continue;
      any = true;
      EXPECT_TRUE(races.contains(std::minmax(f.party.line, f.other.line)))
          << "seed " << seed << ": lines " << f.party.line << " and " << f.other.line;
    }
    EXPECT_EQ(any, !races.empty()) << "seed " << seed;
    (any ? with : without) += 1;
  }
  EXPECT_GT(with, 5);
  EXPECT_GT(without, 5);
}
INSTANTIATE_TEST_SUITE_P(, RandomOrder, testing::Range(0, 8));

}  // namespace happens_before_test
}  // namespace upsweep
