// A log as the recorder on a GPU writes it, made by hand, read as a trace. Needs no GPU.
#include "machine/gpu_log.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace upsweep {
namespace {

// Two warps of two steps each, whose entries come interleaved; a block of 64 threads over int32 sums.
class GpuLogReading : public testing::Test {
 protected:
  GpuLogReading() {
    trace.settings.type = Scalar::int32;
    trace.settings.block = 64;
    trace.grids = {{.kernel = "test", .threads = 64}};
  }
  // Appends an entry whose lanes have addresses and values of their own; gives its origin.
  unsigned add(Kind kind, unsigned warp, unsigned step, unsigned mask, unsigned left = 0,
               unsigned right = 0) {
    LogEntry e{};
    e.kind = static_cast<unsigned>(kind);
    e.buffer = kind == Kind::global_store;
    e.warp = warp;
    e.step = step;
    e.line = 10 + step;
    e.mask = mask;
    const std::size_t first = log.values.size();
    log.values.resize(first + 32 * 4);
    for (unsigned lane = 0; lane < 32; ++lane) {
      e.address[lane] = 4 * lane;
      e.left[lane] = left;
      e.right[lane] = right;
      const unsigned value = 1000 * static_cast<unsigned>(log.entries.size()) + lane;
      std::memcpy(log.values.data() + first + 4 * lane, &value, 4);
    }
    log.entries.push_back(e);
    return static_cast<unsigned>(log.entries.size());
  }
  GpuLog log;
  Trace trace;
};

TEST_F(GpuLogReading, EntriesComeInCanonicalOrderAndOriginsFollow) {
  const unsigned second_load = add(Kind::shared_load, 1, 0, 0x3);
  const unsigned first_load = add(Kind::shared_load, 0, 0, 0x80000001);
  const unsigned later = add(Kind::operation, 1, 1, 0x1, second_load, 0);
  add(Kind::shared_store, 0, 0, 0x80000001, first_load);
  add(Kind::global_store, 1, 1, 0x1, later);
  log.steps.resize(2);
  read_log(log, trace);

  ASSERT_EQ(trace.events.size(), 5u);
  const auto event = [&](std::size_t i) {
    return std::tuple(trace.events[i].kind, trace.events[i].step, trace.events[i].warp);
  };
  EXPECT_EQ(event(0), std::tuple(Kind::shared_load, 0u, 0));
  EXPECT_EQ(event(1), std::tuple(Kind::shared_store, 0u, 0));
  EXPECT_EQ(event(2), std::tuple(Kind::shared_load, 0u, 1));
  EXPECT_EQ(event(3), std::tuple(Kind::operation, 1u, 1));
  EXPECT_EQ(event(4), std::tuple(Kind::global_store, 1u, 1));
  EXPECT_EQ(trace.lanes[trace.events[1].first].left, 1u);  // the store took what event 0 loaded
  EXPECT_EQ(trace.lanes[trace.events[3].first].left, 3u);
  EXPECT_EQ(trace.lanes[trace.events[4].first].left, 4u);
  EXPECT_EQ(trace.events[4].buffer, 1);
  EXPECT_EQ(trace.events[4].line, 11);
}

TEST_F(GpuLogReading, OnlyActiveLanesTakeRoomAndBarriersTakeNone) {
  add(Kind::shared_load, 0, 0, 0x80000010);
  add(Kind::barrier, 0, 0, 0xffffffff);
  add(Kind::shared_load, 0, 1, 0x2);
  log.steps.resize(2);
  read_log(log, trace);
  ASSERT_EQ(trace.lanes.size(), 3u);
  ASSERT_EQ(trace.values.size(), 3u);
  EXPECT_EQ(trace.lanes[0].address, 16u);
  EXPECT_EQ(trace.values[1], (Value{31, 0, 0, 0}));
  EXPECT_EQ(trace.events[1].first, 2u);
  EXPECT_EQ(trace.events[1].width, 0);
  EXPECT_EQ(trace.values[2], (Value{2001, 0, 0, 0}));
}

TEST_F(GpuLogReading, WhatWasDroppedIsCountedAndHasNoOrigin) {
  add(Kind::shared_store, 0, 0, 0x1, 77);
  log.steps.resize(1);
  log.dropped = 76;
  read_log(log, trace);
  EXPECT_EQ(trace.dropped, 76u);
  EXPECT_EQ(trace.lanes[0].left, 0u);
}

TEST_F(GpuLogReading, AStepWithoutALabelContinuesTheOneBefore) {
  log.steps = {{0, 1, static_cast<unsigned>(Phase::load), 0},
               {64, 1, static_cast<unsigned>(Phase::up_sweep), 4},
               {64, 0, 0, 0},
               {0, 1, static_cast<unsigned>(Phase::clear), 0}};
  read_log(log, trace);
  EXPECT_EQ(
      trace.steps,
      (std::vector<Step>{{Phase::load, 0}, {Phase::up_sweep, 4}, {Phase::up_sweep, 4}, {Phase::clear, 0}}));
}

TEST_F(GpuLogReading, SnapshotsShowOnlyWhatWasStored) {
  add(Kind::shared_store, 0, 0, 0x5);
  add(Kind::shared_store, 0, 2, 0x2);
  log.steps = {
      {0, 1, 0, 0}, {64, 1, 0, 0}, {0, 1, 0, 0}, {64, 1, 0, 0}};  // the third was opened by a mark alone
  log.snapshots.assign(16, 0xcdcdcdcd);                           // four words a step
  log.snapshots[4] = 7, log.snapshots[6] = 9;
  log.snapshots[12] = 7, log.snapshots[13] = 8, log.snapshots[14] = 9;
  read_log(log, trace);
  ASSERT_EQ(trace.snapshots.size(), 2u);
  EXPECT_EQ(trace.snapshots[0].step, 1u);
  EXPECT_EQ(trace.snapshots[0].bytes,
            (std::vector<std::uint8_t>{7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(trace.snapshots[1].step, 3u);
  EXPECT_EQ(trace.snapshots[1].bytes,
            (std::vector<std::uint8_t>{7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace upsweep
