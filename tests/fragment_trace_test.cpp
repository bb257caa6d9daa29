// Makes recordings from made-up events of fragments. Needs no OpenGL.
#include "machine/shader/fragment_trace.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "analysis/span.hpp"
#include "catalogue/plan.hpp"
#include "trace/consistency.hpp"

namespace upsweep {
namespace fragment_trace_test {

using Kind_of_event = FragmentEvent::Kind;

// The number of texels in each buffer.
constexpr int texels = 200;

// A pass of the OpenGL scan with made-up events. add() appends an event.
struct MadeUp {
  KernelSignature pass{
      "scan", {Parameter::const_elements, Parameter::elements, Parameter::number}, {"from", "to", "stride"}};
  PlannedLaunch launch;
  DrawnEvents drawn;
  Trace trace;

  explicit MadeUp(int fragments, int threads) {
    launch.kernel = "scan";
    launch.blocks = (fragments + threads - 1) / threads;
    launch.threads = threads;
    launch.arguments = {{0, 0}, {1, 0}, {-1, 4}};
    for (auto& events : drawn) events.resize(static_cast<std::size_t>(fragments));
    trace.settings.algorithm = "scan_opengl_hybrid";
    trace.settings.n = texels;
    trace.buffers = {{"in", Cells::elements, texels}, {"out", Cells::elements, texels}};
    trace.text = "line 1\nline 2\nline 3\nline 4\nline 5\n";
    trace.input.resize(texels);
    trace.output.resize(texels);
  }
  int add(int fragment, Kind_of_event kind, int line, int place, std::uint32_t bits, int left = 0,
          int right = 0) {
    for (std::size_t k = 0; k < most_fragment_events; ++k)
      if (FragmentEvent& e = drawn[k][static_cast<std::size_t>(fragment)]; e.kind() == Kind_of_event::none) {
        e = {.what = static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(line) << 8,
             .place = place,
             .bits = bits,
             .origins = static_cast<std::uint32_t>(left | right << 8)};
        return static_cast<int>(k) + 1;
      }
    ADD_FAILURE() << "too many events";
    return 0;
  }
  void make(const RecordOptions& options = {}) {
    FragmentTrace fragments(trace, options);
    fragments.begin_pass(launch, pass);
    fragments.add(drawn, static_cast<std::int64_t>(drawn[0].size()));
    fragments.end_pass();
  }
};

TEST(FragmentTrace, JoinsTheLanesOfAWarpAgainAfterABranch) {
  MadeUp m(40, 64);
  for (int k = 0; k < 40; ++k) {
    const bool odd = k % 2 == 1;
    const int first = m.add(k, Kind_of_event::fetch, odd ? 2 : 3, k, 10);
    const int sum = odd ? first
                        : m.add(k, Kind_of_event::operation, 3, 0, 12,
                                m.add(k, Kind_of_event::fetch, 3, 2 * k, 2), first);
    m.add(k, Kind_of_event::write, 5, k, odd ? 10 : 12, sum);
  }
  m.make();
  const Trace& t = m.trace;
  EXPECT_FALSE(contradiction(t));
  ASSERT_EQ(t.grids.size(), 1u);
  EXPECT_EQ(t.steps.at(0), (Step{Phase::scan, 4}));
  // Warp 0 makes five requests: the odd lanes fetch, the even lanes fetch twice and then add, and all lanes
  // write.
  ASSERT_EQ(t.events.size(), 10u);
  const std::uint32_t odd = 0xAAAAAAAA;
  const std::uint32_t masks[] = {odd, ~odd, ~odd, ~odd, ~0u};
  const int lines[] = {2, 3, 3, 3, 5};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(t.events[i].mask, masks[i]) << i;
    EXPECT_EQ(t.events[i].line, lines[i]) << i;
    EXPECT_EQ(t.events[5 + i].mask, masks[i] & 255) << i;
    EXPECT_EQ(t.events[5 + i].warp, 1) << i;
  }
  // In lane 2, the left operand is the value of the second fetch, and the right operand is the value of the
  // first fetch.
  const Event& sum = t.events[3];
  const Lane& lane = t.lanes[entry_of(sum, 2)];
  EXPECT_EQ(origin_event(lane.left), 2u);
  EXPECT_EQ(origin_event(lane.right), 1u);
  const Event& write = t.events[4];
  EXPECT_EQ(origin_event(t.lanes[entry_of(write, 2)].left), 3u);
  EXPECT_EQ(origin_event(t.lanes[entry_of(write, 3)].left), 0u);
  EXPECT_EQ(t.lanes[entry_of(write, 7)].address, 28);
  EXPECT_EQ(t.values[entry_of(write, 7)][0], 10u);
  EXPECT_EQ(t.span, 1);
  EXPECT_EQ(t.operating, (std::vector<std::uint32_t>{20}));
}

TEST(FragmentTrace, CountsAllBlocksAndRecordsThoseInFocus) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const int threads = 32 * static_cast<int>(1 + random() % 3),
              count = static_cast<int>(1 + random() % texels);
    MadeUp m(count, threads);
    for (int k = 0; k < count; ++k)
      m.add(k, Kind_of_event::write, 4, k, 1, m.add(k, Kind_of_event::fetch, 1, (7 * k) % texels, 1));
    m.make({.first_block = 1, .blocks = 1});
    const Trace& t = m.trace;
    EXPECT_FALSE(contradiction(t));
    ASSERT_EQ(t.counts.size(), 2u);
    EXPECT_EQ(t.counts[0].lanes, static_cast<std::uint64_t>(count));
    EXPECT_EQ(t.counts[0].requests, t.counts[1].requests);
    EXPECT_EQ(t.counts[1].units, static_cast<std::uint64_t>((count + 7) / 8)) << "whole sectors are written";
    EXPECT_GE(t.counts[0].units, t.counts[0].ideal);
    EXPECT_EQ(t.runs.size(), static_cast<std::size_t>(m.launch.blocks));
    int recorded = 0;
    for (const Event& e : t.events) {
      EXPECT_EQ(e.block, 1u);
      recorded += std::popcount(e.mask);
    }
    EXPECT_EQ(recorded, 2 * std::clamp(count - threads, 0, threads));
  }
}

TEST(FragmentTrace, MarksFetchesOutsideAndLostEvents) {
  MadeUp m(2, 32);
  m.add(0, Kind_of_event::fetch, 1, -1, 0);
  m.add(0, Kind_of_event::write, 2, 0, 0, 1);
  m.add(1, Kind_of_event::fetch, 1, texels, 0);
  for (int k = 1; k < most_fragment_events; ++k) m.add(1, Kind_of_event::fetch, 1, 0, 0);
  m.drawn.back()[1].origins |= 0x80000000u;
  m.make();
  EXPECT_FALSE(contradiction(m.trace));
  EXPECT_EQ(m.trace.events.at(0).flags, is_outside);
  EXPECT_EQ(m.trace.events.at(1).flags, 0);
  EXPECT_EQ(m.trace.dropped, 1u);
}

}  // namespace fragment_trace_test
}  // namespace upsweep
