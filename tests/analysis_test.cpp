// Tests analyses that have no separate test file. The recordings are made by hand, so that the correct
// results are obvious.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/coalescing.hpp"
#include "analysis/facts.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/work.hpp"
#include "support/made_up_traces.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace analysis_test {

const auto same = [](int lane) { return lane; };

TEST(Facts, UpSweepTotals) {
  const Trace trace = up_sweep();
  const Facts f = facts(trace);
  EXPECT_EQ(f.totals.operations, 7);
  EXPECT_EQ(f.totals.shared_load.requests, 2 * 3 + 2);
  EXPECT_EQ(f.totals.shared_store.requests, 2 + 3 + 1);
  EXPECT_EQ(f.totals.shared_load.excess, 0);
  EXPECT_EQ(f.totals.global_load.requests, 2);
  EXPECT_EQ(f.totals.global_load.sectors, 2);
  EXPECT_EQ(f.totals.global_load.ideal_sectors, 2);
  EXPECT_EQ(f.totals.global_store.requests, 2);
  ASSERT_EQ(f.steps.size(), 6u);
  const int active[] = {4, 4, 2, 1, 1, 4};
  for (int s = 0; s < 6; ++s) {
    EXPECT_EQ(f.steps[s].active_lanes, active[s]) << s;
    EXPECT_EQ(f.steps[s].working_warps, 1) << s;
    EXPECT_EQ(f.steps[s].lost_lanes, 4 - active[s]) << s;
    EXPECT_EQ(f.steps[s].diverged_warps, active[s] < 4) << s;
    EXPECT_EQ(f.steps[s].max_degree, 1) << s;
  }
  ASSERT_EQ(f.lines.size(), 7u);
  EXPECT_EQ(f.lines[2].line, 20);
  EXPECT_EQ(f.lines[2].active_lanes, 4 + 2 + 1);
  EXPECT_EQ(f.lines[4].totals.operations, 7) << "the operator stands on the store's line";
  const auto in_step = line_facts(trace, 2);
  ASSERT_EQ(in_step.size(), 3u);
  EXPECT_EQ(in_step[0].active_lanes, 2);
}

TEST(Work, CountsStepsWithOperations) {
  const Work w = work(up_sweep());
  EXPECT_EQ(w.operations, 7);
  EXPECT_EQ(w.steps, 3);
  EXPECT_EQ(w.peak, 4);
  EXPECT_EQ(w.span, 3);
  EXPECT_DOUBLE_EQ(w.average().value_or(0), 7.0 / 3);
  EXPECT_FALSE(work(Trace{}).average());
}

TEST(Memory, UpSweepCellByCell) {
  const Trace trace = up_sweep();
  const auto before = memory_at(trace, 0, 0, 0);
  ASSERT_EQ(before.size(), 9u);
  EXPECT_EQ(before[4].element, -1) << "the pad cell";
  EXPECT_EQ(before[5].element, 4);
  for (const Cell& c : before) EXPECT_FALSE(c.known);

  const auto after = memory_at(trace, 0, 0, step_events(trace, 0, 2).last);
  EXPECT_EQ(after[3].value[0], 0xfu);
  EXPECT_EQ(after[8].value[0], 0xf0u);
  EXPECT_FALSE(after[4].known);
  EXPECT_EQ(after[8].writer_thread, 1);
  EXPECT_EQ(trace.events[after[8].writer - 1].kind, Kind::shared_store);
  EXPECT_EQ(trace.events[after[8].writer - 1].step, 2u);
  EXPECT_EQ(after[0].writer_thread, 0) << "known from the load step, before the last snapshot";

  const auto end = memory_at(trace, 0, 0, trace.events.size());
  EXPECT_EQ(end[8].value[0], 0u);
  EXPECT_TRUE(end[8].known) << "a stored zero is not an empty cell";
}

TEST(Memory, SnapshotsFillWhatWasDropped) {
  Trace trace = up_sweep();
  for (Event& e : trace.events)
    if (e.kind == Kind::shared_store && e.step == 1) e.kind = Kind::barrier;  // hides the store
  const auto after = memory_at(trace, 0, 0, step_events(trace, 0, 2).last);
  EXPECT_EQ(after[1].value[0], 3u);
}

TEST(Memory, IncoherenceIsFoundAndTold) {
  EXPECT_EQ(incoherence(up_sweep()), std::nullopt);

  Trace load = up_sweep();
  for (const Event& e : load.events)
    if (e.kind == Kind::shared_load && e.step == 2) {
      load.values[entry_of(e, 1)][0] = 99;
      break;
    }
  EXPECT_EQ(in_words(incoherence(load).value()),
            "Block 0, step 2, line 20, warp 0, lane 1: the load returned 99 at byte address 24, but the "
            "earlier stores leave 48 there.");

  Trace snapshot = up_sweep();
  snapshot.snapshots[1].bytes[4] = 77;
  EXPECT_EQ(in_words(incoherence(snapshot).value()),
            "Block 0: the snapshot of step 2 holds 77 at byte address 4, but the earlier stores "
            "leave 3 there.");
}

TEST(Memory, LoadsThatAnotherWarpStoresToAreNotJudged) {
  TraceBuilder b(64, 64);
  b.step(Phase::load);
  for (const int w : {0, 1}) {
    b.warp(w);
    b.store(
        ~0u, [=](int lane) { return 32 * w + lane; }, 0, 5 + w);
    b.barrier(~0u);
  }
  b.step(Phase::scan, 1);
  b.warp(0);
  b.load(1, [](int) { return 32; });  // may load 6, or the 9 that warp 1 stores
  b.warp(1);
  b.store(
      1, [](int) { return 32; }, 0, 9);
  Trace trace = b.trace;
  EXPECT_EQ(incoherence(trace), std::nullopt);
  for (const Event& e : trace.events)
    if (e.kind == Kind::shared_load) trace.values[e.first][0] = 9;
  EXPECT_EQ(incoherence(trace), std::nullopt);
}

TEST(Lanes, DivergedMaskedWaitingAbsent) {
  TraceBuilder b(70, 70);
  b.step(Phase::load);
  for (const int w : {0, 1, 2}) {
    b.warp(w);
    b.store(
        w == 2 ? 0x3fu : ~0u, [=](int lane) { return 32 * w + lane; }, 0, 1);
    b.barrier(w == 2 ? 0x3fu : ~0u);
  }
  b.step(Phase::reduce, 1);
  b.warp(0);
  b.load(0x00ff00ffu, same);
  b.load(0xf0000000u, same);
  b.barrier(~0u);
  b.warp(1);
  b.barrier(~0u);
  b.warp(2);
  b.load(0x3fu, same);
  b.barrier(0x3fu);
  b.step(Phase::store);
  const auto warps = warp_lanes(b.trace, 0, 1);
  ASSERT_EQ(warps.size(), 3u);
  EXPECT_TRUE(warps[0].diverged);
  EXPECT_EQ(warps[0].lanes[0], LaneState::working);
  EXPECT_EQ(warps[0].lanes[8], LaneState::masked);
  EXPECT_EQ(warps[0].lanes[31], LaneState::working);
  EXPECT_FALSE(warps[1].diverged);
  EXPECT_EQ(warps[1].lanes[0], LaneState::waiting);
  EXPECT_FALSE(warps[2].diverged) << "all lanes of this warp are active";
  EXPECT_EQ(warps[2].lanes[5], LaneState::working);
  EXPECT_EQ(warps[2].lanes[6], LaneState::absent);
  const StepFacts step = facts(b.trace).steps[1];
  EXPECT_EQ(step.active_lanes, 16 + 4 + 6);
  EXPECT_EQ(step.working_warps, 2);
  EXPECT_EQ(step.diverged_warps, 1);
  EXPECT_EQ(step.lost_lanes, 12);
  for (const auto& w : warp_lanes(b.trace, 0, 2))
    for (const auto lane : w.lanes)
      EXPECT_TRUE(lane == LaneState::exited || lane == LaneState::absent) << "there is no barrier to wait at";
}

TEST(Facts, OfBlocksOutOfFocusComeFromTheCounts) {
  TraceBuilder b(4, 4);
  for (const int block : {0, 1}) {
    b.block(block);
    b.step(Phase::load);
    b.line(5);
    b.store(0xf, same, b.read_input(0xf, same, same));
    b.line(6);
    b.fence(0xf);
  }
  Trace trace = b.trace;
  // The recording has all events of block 0, but not of the other 99 blocks. The counts include all blocks.
  trace.grids[0].blocks = 100;
  trace.runs = {{0, 0, 0, true, 0, 1}, {0, 0, 1, false, 0, 1}};
  std::erase_if(trace.events, [](const Event& e) { return e.block == 1 && e.kind != Kind::fence; });
  trace.counts = {{0, 5, Kind::shared_store, 0, 100, 400, 150, 100},
                  {0, 5, Kind::global_load, 0, 100, 400, 100, 100},
                  {0, 6, Kind::fence, 0, 100, 400}};
  const Facts f = facts(trace);
  EXPECT_EQ(f.totals.shared_store.requests, 100);
  EXPECT_EQ(f.totals.shared_store.excess, 50);
  EXPECT_EQ(f.totals.global_load.sectors, 100);
  EXPECT_EQ(f.totals.fences, 100);
  EXPECT_EQ(f.steps[0].active_lanes, 4) << "only the lanes of the block in focus";
  EXPECT_EQ(f.steps[0].max_degree, 1);
  ASSERT_EQ(f.lines.size(), 1u) << "a fence is no work";
  EXPECT_EQ(line_facts(trace, 0).at(0).totals.shared_store.wavefronts, 150);
  EXPECT_EQ(focus_of(trace, 0), (std::vector{0}));
  EXPECT_EQ(incoherence(trace), std::nullopt);
}

TEST(Lanes, BarriersAndFencesAreNoWork) {
  TraceBuilder b(32, 32);
  b.step(Phase::load);
  b.load(0xff, same);
  b.fence(~0u);
  b.warp_barrier(~0u);
  b.ballot(0x1ff, same);
  const auto warps = warp_lanes(b.trace, 0, 0);
  EXPECT_EQ(warps[0].lanes[8], LaneState::working) << "a vote is work";
  EXPECT_EQ(warps[0].lanes[9], LaneState::masked);
  EXPECT_EQ(facts(b.trace).totals.vote.lanes, 9);
  EXPECT_EQ(facts(b.trace).totals.warp_barriers, 1);
}

// In one step, the second warp does nothing and does not wait at a barrier. In the next step, lanes 0 to 7 of
// this warp work. Therefore these lanes must not count as exited in the first of the two steps.
TEST(Lanes, AWarpThatWorksLaterHasNotExited) {
  TraceBuilder b(64, 64);
  b.step(Phase::load);
  b.load(~0u, same);
  b.step(Phase::store);
  b.warp(1);
  b.load(0xff, same);
  const auto warps = warp_lanes(b.trace, 0, 0);
  EXPECT_EQ(warps[1].lanes[7], LaneState::masked);
  EXPECT_EQ(warps[1].lanes[8], LaneState::exited);
}

TEST(Lanes, EarlyExit) {
  TraceBuilder b(8, 8);
  b.step(Phase::load);
  b.store(0x0f, same, 0, 1);  // lanes 4 to 7 return at once
  b.barrier(0x0f);
  b.step(Phase::reduce, 1);
  b.load(0x0c, same);  // lanes 2 and 3 return after this load
  b.barrier(0x03);
  b.step(Phase::store);
  b.write_output(0x01, same, b.load(0x01, same));
  const auto lane = [&](int step, int l) { return warp_lanes(b.trace, 0, step)[0].lanes[l]; };
  EXPECT_EQ(lane(0, 0), LaneState::working);
  EXPECT_EQ(lane(0, 4), LaneState::exited);
  EXPECT_EQ(lane(1, 0), LaneState::masked);
  EXPECT_EQ(lane(1, 3), LaneState::working);
  EXPECT_EQ(lane(2, 0), LaneState::working);
  EXPECT_EQ(lane(2, 1), LaneState::masked) << "it arrived at the last barrier";
  EXPECT_EQ(lane(2, 2), LaneState::exited);
  EXPECT_EQ(lane(2, 8), LaneState::absent);
  EXPECT_FALSE(warp_lanes(b.trace, 0, 0)[0].diverged);
  const Facts f = facts(b.trace);
  EXPECT_EQ(f.steps[0].lost_lanes, 0) << "a lane that has exited is not lost";
  EXPECT_EQ(f.steps[1].lost_lanes, 2);
  EXPECT_EQ(f.steps[2].lost_lanes, 1);
}

TEST(Lanes, WithoutBarriersEveryThreadIsAlive) {
  TraceBuilder b(40, 40);
  b.step(Phase::load);
  b.store(0xf, same, 0, 1);
  const auto warps = warp_lanes(b.trace, 0, 0);
  EXPECT_EQ(warps[0].lanes[31], LaneState::masked);
  EXPECT_EQ(warps[1].lanes[7], LaneState::exited) << "there is no barrier to wait at";
  EXPECT_EQ(warps[1].lanes[8], LaneState::absent);
}

TEST(Coalescing, SectorsAgainstIdeal) {
  std::mt19937 random(5);
  for (int i = 0; i < 5000; ++i) {
    Trace trace;
    const int width = 4 << random() % 3, span = 1 + random() % 300;
    const auto mask = static_cast<std::uint32_t>(random());
    Event e{};
    e.kind = Kind::global_load;
    e.width = static_cast<std::uint8_t>(width);
    e.mask = mask;
    trace.events = {e};
    std::set<std::uint32_t> bytes, sectors;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
      const auto address = static_cast<std::uint32_t>(random() % span * width);
      trace.lanes.push_back({address, 0, 0});
      for (int b = 0; b < width; ++b) bytes.insert(address + b), sectors.insert((address + b) / sector_bytes);
    }
    const SectorCost cost = sector_cost(trace, trace.events[0]);
    ASSERT_EQ(cost.sectors, static_cast<int>(sectors.size()));
    ASSERT_EQ(cost.ideal, static_cast<int>((bytes.size() + 31) / 32));
  }
}

}  // namespace analysis_test
}  // namespace upsweep
