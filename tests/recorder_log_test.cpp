// Makes logs by hand, in the format of the recorder on a GPU, and converts them to traces. Needs no GPU.
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "machine/gpu/gpu_log.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace recorder_log_test {

// Makes the log of a run with int32 sums and blocks of 64 threads. The text contains the kernels `host` and
// `child`.
class GpuLogReading : public testing::Test {
 protected:
  GpuLogReading() {
    trace.settings.type = Scalar::int32;
    trace.settings.block = 64;
    trace.buffers = {{"in", Cells::elements, 64}, {"out", Cells::elements, 64}};
    trace.grids = {{.kernel = "host", .threads = 64, .shared = {}}};
    begins(0, 0, 1000);
  }
  void begins(unsigned grid, unsigned block, std::uint64_t time) {
    log.runs.push_back({grid, block, 3, 1, time, time + 10});
  }
  // Appends an event whose lanes have different addresses and values. Returns the origin of these values: 1 +
  // the event's index.
  Origin add(Kind kind, unsigned warp, unsigned step, unsigned mask, Origin left = 0, Origin right = 0,
             unsigned grid = 0, unsigned block = 0, unsigned parts = 1) {
    LogEvent e{};
    e.kind = static_cast<unsigned char>(kind);
    e.buffer = kind == Kind::global_store;
    e.width = static_cast<unsigned char>(has_lanes(kind) ? 4 * (is_atomic(kind) ? 1 : parts) : 0);
    e.parts = static_cast<unsigned char>(parts);
    e.grid = static_cast<unsigned short>(grid);
    e.block = block;
    e.warp = static_cast<unsigned short>(warp);
    e.step = step;
    e.line = static_cast<unsigned short>(10 + step);
    e.mask = mask;
    e.first = log.pool.size();
    e.clock = clock;
    const bool two = kind == Kind::operation, addressed = !two;
    const bool given = is_store(kind) || is_atomic(kind) || kind == Kind::shuffle || two;
    const unsigned entries = static_cast<unsigned>(std::popcount(mask)) * parts;
    const LogShape shape = log_shape(entries, 4, addressed, given, two);
    if (has_lanes(kind)) log.pool.resize(e.first + shape.words);
    unsigned entry = 0;
    for (unsigned lane = 0; has_lanes(kind) && lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (unsigned part = 0; part < parts; ++part, ++entry) {
        const std::int64_t address = 4 * (lane * parts + part);
        std::uint32_t* data = log.pool.data() + e.first;
        if (addressed) std::memcpy(data + shape.addresses + 2 * entry, &address, 8);
        if (given) data[shape.left + entry] = left;
        if (two) data[shape.right + entry] = right;
        data[shape.values + entry] = 1000 * static_cast<unsigned>(log.events.size()) + lane + 100 * part;
      }
    }
    log.events.push_back(e);
    log.state.next += 1ull << log_pool_bits;
    return static_cast<Origin>(log.events.size());
  }
  void count(unsigned grid, unsigned step, unsigned line, unsigned kind, std::uint64_t requests,
             std::uint64_t lanes = 0, std::uint64_t units = 0, std::uint64_t ideal = 0) {
    const auto key = std::uint64_t{grid + 1} << 48 | std::uint64_t{step} << 24 | line << 8 | kind;
    log.counts.push_back({key, requests, lanes, units, ideal});
  }
  void label(unsigned step, Phase phase, std::uint64_t stride, unsigned grid = 0) {
    const auto number = std::find(std::begin(phase_names), std::end(phase_names), phase.name());
    count(grid, step, 0, log_step, 1 + (number - std::begin(phase_names)), stride);
  }
  void read() { read_log(log, {"host", "child"}, trace); }

  GpuLog log;
  Trace trace;
  unsigned clock = 1000;  // the clock of the next event
};

TEST_F(GpuLogReading, EntriesComeInCanonicalOrderAndOriginsFollow) {
  const Origin second_load = add(Kind::shared_load, 1, 0, 0x3);
  const Origin first_load = add(Kind::shared_load, 0, 0, 0x80000001);
  const Origin later = add(Kind::operation, 1, 1, 0x1, second_load, 0);
  add(Kind::shared_store, 0, 0, 0x80000001, first_load);
  add(Kind::global_store, 1, 1, 0x1, later);
  count(0, 1, 0, log_step, 0);
  read();

  ASSERT_EQ(trace.events.size(), 5u);
  const auto event = [&](std::size_t i) {
    return std::tuple(trace.events[i].kind, trace.events[i].step, trace.events[i].warp);
  };
  EXPECT_EQ(event(0), std::tuple(Kind::shared_load, 0u, 0));
  EXPECT_EQ(event(1), std::tuple(Kind::shared_store, 0u, 0));
  EXPECT_EQ(event(2), std::tuple(Kind::shared_load, 0u, 1));
  EXPECT_EQ(event(3), std::tuple(Kind::operation, 1u, 1));
  EXPECT_EQ(event(4), std::tuple(Kind::global_store, 1u, 1));
  EXPECT_EQ(trace.lanes[trace.events[1].first].left, 1u);  // event 1 stores the value that event 0 loaded
  EXPECT_EQ(trace.lanes[trace.events[3].first].left, 3u);
  EXPECT_EQ(trace.lanes[trace.events[4].first].left, 4u);
  EXPECT_EQ(trace.events[4].buffer, 1);
  EXPECT_EQ(trace.events[4].line, 11);
  EXPECT_EQ(trace.events[0].time, 1u);  // event 0 was issued as the second event
  EXPECT_EQ(trace.events[2].time, 0u);
}

TEST_F(GpuLogReading, TheClockStartsWithTheFirstBlockAndNeverRunsBack) {
  log.runs.clear();
  begins(0, 0, 0x1'ffff'ff00);  // the low 32 bits of the clock overflow soon
  const unsigned began = 0xffff'ff00;
  const std::vector<std::pair<unsigned, unsigned>> events = {
      {1, began + 32}, {0, began + 64}, {1, began + 50}, {0, began + 512}, {1, began - 1}};
  for (const auto& [warp, at] : events) {
    clock = at;
    add(Kind::global_load, warp, 0, 1);
  }
  read();
  std::vector<std::uint32_t> by_time(events.size());
  for (std::size_t i = 0; i < trace.events.size(); ++i) by_time[trace.events[i].time] = trace.clock[i];
  EXPECT_EQ(by_time, (std::vector<std::uint32_t>{32, 64, 64, 512, 512}));
}

TEST_F(GpuLogReading, TheClockEndsAtItsGreatestNumber) {
  for (unsigned i = 0; i < 5; ++i) {
    clock = 1000 + i * 0x4000'0000u;  // the fifth event comes 2^32 ns after the first event
    add(Kind::global_load, 0, 0, 1);
  }
  read();
  EXPECT_EQ(trace.clock, (std::vector<std::uint32_t>{0, 0x4000'0000, 0x8000'0000, 0xc000'0000, UINT32_MAX}));
}

TEST_F(GpuLogReading, AValueOfTwoBytesBeginsWithAWordOfItsOwn) {
  trace.settings.type = Scalar::float16;
  add(Kind::global_load, 0, 0, 0x7);
  log.events[0].width = 2;
  const LogShape shape = log_shape(3, 2, true, false, false);
  for (unsigned i = 0; i < 3; ++i)
    log.pool[shape.values + i] = 0xdead3c00u + i;  // the upper 16 bits are arbitrary
  read();
  ASSERT_EQ(trace.values.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(trace.values[i], (Value{0x3c00u + i, 0, 0, 0}));
}

TEST_F(GpuLogReading, BlocksAndGridsComeOneAfterAnother) {
  trace.grids.push_back({.kernel = "host", .blocks = 2, .threads = 64, .shared = {}});
  begins(1, 1, 2000);
  begins(1, 0, 2050);
  add(Kind::global_load, 0, 0, 1, 0, 0, 1, 1);
  add(Kind::global_load, 0, 1, 1, 0, 0, 1, 0);
  add(Kind::global_load, 0, 0, 1, 0, 0, 0, 0);
  count(0, 2, 0, log_step, 0);
  count(1, 1, 0, log_step, 0);
  read();
  ASSERT_EQ(trace.grids.size(), 2u);
  EXPECT_EQ(trace.grids[0].steps, 3u);
  EXPECT_EQ(trace.grids[1].first_step, 3u);
  EXPECT_EQ(trace.grids[1].steps, 2u);
  ASSERT_EQ(trace.events.size(), 3u);
  EXPECT_EQ(trace.events[0].grid, 0);
  EXPECT_EQ(trace.events[1].block, 0u);
  EXPECT_EQ(trace.events[1].step, 4u);
  EXPECT_EQ(trace.events[2].block, 1u);
  EXPECT_EQ(trace.events[2].step, 3u);
  EXPECT_EQ(trace.runs,
            (std::vector<BlockRun>{
                {0, 3, 0, true, 0, 10}, {1, 3, 0, true, 1050, 1060}, {1, 3, 1, true, 1000, 1010}}));
}

TEST_F(GpuLogReading, ChildGridsFollowTheirHostsInTheOrderInWhichTheyBegan) {
  trace.grids.push_back({.kernel = "host", .threads = 64, .shared = {}});
  log.grids = {{},
               {},
               {0, 0, 1, 4, 32},
               {2, 1, 1, 1, 16},
               {0, 0, 1, 5, 32},
               {0, ~0u, 1, 6, 32}};  // the last grid never began
  begins(1, 0, 9000);
  begins(2, 0, 3000);
  begins(3, 0, 4000);
  begins(4, 0, 2000);
  add(Kind::launch, 0, 0, 0x3);
  log.pool[0] = 4, log.pool[2] = 2;  // the child grids of the two lanes
  add(Kind::launch, 0, 0, 0x1, 0, 0, 2, 0);
  log.pool[static_cast<std::size_t>(log.events[1].first)] = 3;
  read();
  ASSERT_EQ(trace.grids.size(), 5u);
  const auto grid = [&](std::size_t i) {
    const Grid& g = trace.grids[i];
    return std::tuple(g.kernel, g.blocks, g.parent, g.depth, g.parent_event);
  };
  EXPECT_EQ(grid(0), std::tuple("host", 1, -1, 0, Grid::none));
  EXPECT_EQ(grid(1), std::tuple("child", 5, 0, 1, 0u));
  EXPECT_EQ(grid(2), std::tuple("child", 4, 0, 1, 0u));
  EXPECT_EQ(grid(3), std::tuple("child", 1, 2, 2, 1u));
  EXPECT_EQ(grid(4), std::tuple("host", 1, -1, 0, Grid::none));
  EXPECT_EQ(trace.lanes[0].address, 1);
  EXPECT_EQ(trace.lanes[1].address, 2);
  EXPECT_EQ(trace.lanes[2].address, 3);
}

TEST_F(GpuLogReading, OnlyActiveLanesTakeRoomAndBarriersTakeNone) {
  add(Kind::shared_load, 0, 0, 0x80000010);
  add(Kind::barrier, 0, 0, 0xffffffff);
  add(Kind::shared_load, 0, 1, 0x2);
  read();
  ASSERT_EQ(trace.lanes.size(), 3u);
  ASSERT_EQ(trace.values.size(), 3u);
  EXPECT_EQ(trace.lanes[0].address, 16);
  EXPECT_EQ(trace.values[1], (Value{31, 0, 0, 0}));
  EXPECT_EQ(trace.events[1].first, 2u);
  EXPECT_EQ(trace.events[1].width, 0);
  EXPECT_EQ(trace.values[2], (Value{2001, 0, 0, 0}));
}

TEST_F(GpuLogReading, PartsLieTogetherAndOriginsKeepThem) {
  const Origin four = add(Kind::global_load, 0, 0, 0x6, 0, 0, 0, 0, 4);
  add(Kind::shared_store, 0, 0, 0x6, four | 3u << origin_part_shift);
  add(Kind::shared_atomic, 0, 0, 0x1, four, 0, 0, 0, 2);
  read();
  EXPECT_EQ(trace.events[0].width, 16);
  EXPECT_EQ(trace.events[0].parts, 4);
  EXPECT_EQ(trace.lanes[entry_of(trace.events[0], 2, 1)].address, 4 * 9);
  EXPECT_EQ(trace.values[entry_of(trace.events[0], 2, 1)], (Value{102, 0, 0, 0}));
  EXPECT_EQ(trace.lanes[trace.events[1].first].left, origin_of(0, 3));
  EXPECT_EQ(trace.events[2].width, 4);
  EXPECT_EQ(trace.values[trace.events[2].first + 1], (Value{2100, 0, 0, 0}));
}

TEST_F(GpuLogReading, WhatWasDroppedIsCountedAndHasNoOrigin) {
  add(Kind::shared_store, 0, 0, 0x1, 77);
  add(Kind::shared_store, 0, 0, 0x1);
  log.events.back().kind = 0xff;  // the event began, but the pool was full
  add(Kind::shared_store, 0, 0, 0x1, 2);
  log.state.next += 74ull << log_pool_bits;
  read();
  EXPECT_EQ(trace.dropped, 75u);
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.lanes[0].left, 0u);
  EXPECT_EQ(trace.lanes[1].left, 0u);
}

TEST_F(GpuLogReading, AStepWithoutALabelContinuesTheOneBefore) {
  label(3, Phase::clear, 0);
  count(0, 2, 0, log_step, 0);
  label(0, Phase::load, 0);
  label(1, Phase::up_sweep, 4);
  read();
  EXPECT_EQ(
      trace.steps,
      (std::vector<Step>{{Phase::load, 0}, {Phase::up_sweep, 4}, {Phase::up_sweep, 4}, {Phase::clear, 0}}));
}

TEST_F(GpuLogReading, PhasesOfTheKernelsOwnAreFoundInItsText) {
  trace.text = "step(\"split\");\nstep(\"scatter_2\", 4);\n";
  count(0, 0, 0, log_step, log_phase("split", 5));
  count(0, 1, 0, log_step, log_phase("scatter_2", 9), 4);
  count(0, 2, 0, log_step, log_phase("lost", 4));
  read();
  EXPECT_EQ(trace.steps, (std::vector<Step>{{"split", 0}, {"scatter_2", 4}, {"unknown", 0}}));
}

TEST_F(GpuLogReading, TotalsComeByStepLineAndKind) {
  trace.grids.push_back({.kernel = "host", .threads = 64, .shared = {}});
  begins(1, 0, 2000);
  count(0, 1, 0, log_step, 0);
  count(1, 0, 12, 2, 5, 160, 20, 10);
  count(0, 1, 12, 0, 7, 224, 9, 8);
  count(0, 1, 11, 4, 3, 96);
  read();
  EXPECT_EQ(trace.counts, (std::vector<Count>{{1, 11, Kind::operation, 0, 3, 96, 0, 0},
                                              {1, 12, Kind::shared_load, 0, 7, 224, 9, 8},
                                              {2, 12, Kind::global_load, 0, 5, 160, 20, 10}}));
}

TEST_F(GpuLogReading, SnapshotsShowOnlyWhatWasStored) {
  trace.grids[0].shared = {
      .elements = 4, .cells_per_buffer = 4, .cell = {0, 1, 2, 3}, .more = {}, .bytes = 16, .name = {}};
  add(Kind::shared_store, 0, 0, 0x5);
  add(Kind::shared_store, 0, 2, 0x2);
  count(0, 3, 0, log_step, 0);
  const std::size_t first = log.pool.size();
  log.pool.resize(first + 8, 0xcdcdcdcd);
  log.pool[first] = 7, log.pool[first + 2] = 9;
  log.pool[first + 4] = 7, log.pool[first + 5] = 8, log.pool[first + 6] = 9;
  log.snapshots = {{0, 0, 3, 0, first + 4}, {0, 0, 1, 0, first}};
  read();
  ASSERT_EQ(trace.snapshots.size(), 2u);
  EXPECT_EQ(trace.snapshots[0].step, 1u);
  EXPECT_EQ(trace.snapshots[0].bytes,
            (std::vector<std::uint8_t>{7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(trace.snapshots[1].step, 3u);
  EXPECT_EQ(trace.snapshots[1].bytes,
            (std::vector<std::uint8_t>{7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(GpuLogReading, ARegionIsKnownByTheByteWhereItsViewBegins) {
  trace.grids[0].shared.more = {{"sums", Cells::elements, 64, 4}, {"last", Cells::words, 80, 1}};
  for (const unsigned base : {0u, 64u, 80u}) {
    add(Kind::shared_load, 0, 0, 0x1);
    log.events.back().base = base;
  }
  read();
  for (std::uint8_t i = 0; i < 3; ++i) EXPECT_EQ(trace.events[i].buffer, i);
}

TEST_F(GpuLogReading, AStoppedRunSaysWhoWasFoundWhere) {
  log.state.want_stop = stop_hopeless;
  for (unsigned t = 32; t < 64; ++t) log.stops.push_back({0, 0, t, 20, stopped_at_barrier});
  log.stops.push_back({0, 0, 3, 17, stopped_in_loop});
  log.stops.push_back({0, 0, 4, 16, stopped_behind_lanes});
  read();
  EXPECT_EQ(in_words(trace.stopped),
            "Deadlock: the running threads wait for something that can no longer happen. In block 0, threads "
            "32 to 63 wait at the barrier of line 20. In block 0, thread 3 waits in the loop of line 17.");
}

// The recorder counts events in 28 bits. If there are more events, the log must be refused.
TEST_F(GpuLogReading, MoreEventsThanCanBeCountedAreRefused) {
  add(Kind::global_load, 0, 0, 1);
  log.state.overflowed = 1;
  try {
    read();
    FAIL();
  } catch (const WorkError& e) {
    EXPECT_EQ(in_words(e),
              "This run makes more than 268,435,455 warp requests, too many to record on a GPU. Choose "
              "a smaller n.");
  }
  log.state.overflowed = 0;
  read();
  EXPECT_EQ(trace.events.size(), 1u);
}

TEST_F(GpuLogReading, AnEndlessLoopIsNamed) {
  log.state.want_stop = stop_endless;
  log.stops = {{0, 2, 5, 20, stopped_at_barrier}, {0, 2, 7, 23, stopped_for_trips}};
  read();
  EXPECT_EQ(trace.stopped.kind, Stop::round_limit);
  EXPECT_EQ(in_words(trace.stopped),
            "The run was stopped: thread 7 of block 2 was in the loop of line 23 for too long. "
            "--rounds raises the limit.");
}

}  // namespace recorder_log_test
}  // namespace upsweep
