// Tests recordings that are consistent, although no run would write them: each recording has far too many
// items of one kind, for example events. Upsweep must refuse the recording, or show it within limits of time
// and memory.
//
// With `./test --long`, a recording has as many items as a file of 1 MB can hold. By default, a recording has
// a sixteenth of these items, but the limit of time is only halved, because CI's computer may be slow.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "support/long_tests.hpp"
#include "support/look_at.hpp"
#include "trace/body.hpp"
#include "trace/consistency.hpp"
#include "trace/rows.hpp"

namespace upsweep {
namespace absurd_recording_test {

const bool whole = tries_everything();
const int share = whole ? 1 : 16;

constexpr std::uint32_t everyone = ~0u;

// Makes a recording of one launch with one step and no events. Each test adds items to this recording.
class Absurd {
 public:
  explicit Absurd(int threads = 32, int blocks = 1) {
    t.settings.n = 1;
    t.input = t.output = {Value{1}};
    t.buffers = {{"in", Cells::elements, 1},
                 {"out", Cells::elements, 1},
                 {"many", Cells::elements, 1 << 30},
                 {"words", Cells::words, 1 << 20}};
    t.text = "// Absurd\n";
    t.steps = {{Phase::load, 0}};
    t.grids[0].blocks = blocks;
    t.grids[0].threads = threads;
    t.grids[0].steps = 1;
    for (int i = 0; i < 999; ++i) t.text += "\n";
  }

  static constexpr std::uint64_t memory = most_memory_in(1 << 20);
  // Returns how many events fit into `memory`, divided by `share`. `memory` is the limit for a file of 1 MB.
  // Each event has `entries` lane entries, and takes `more` additional bytes of memory.
  static int events(std::size_t entries, std::size_t more = 0) {
    return static_cast<int>(memory / (sizeof(Event) + entries * (sizeof(Lane) + sizeof(Value)) + more)) /
           share;
  }

  Event& event(Kind kind, std::uint32_t mask = 1, int buffer = 0) {
    Event e{};
    e.kind = kind;
    e.width = static_cast<std::uint8_t>(4);
    e.buffer = static_cast<std::uint8_t>(buffer);
    e.parts = is_atomic(kind) ? 2 : 1;
    e.line = 1;
    e.mask = mask;
    e.grid = static_cast<std::uint16_t>(t.grids.size() - 1);
    e.step = static_cast<std::uint32_t>(t.steps.size() - 1);
    e.first = static_cast<std::uint32_t>(t.lanes.size());
    e.time = static_cast<std::uint32_t>(t.events.size());
    t.lanes.resize(t.lanes.size() + entries(e));
    t.values.resize(t.lanes.size());
    return t.events.emplace_back(e);
  }
  Lane& lane() { return t.lanes.back(); }
  Origin last() const { return origin_of(static_cast<std::uint32_t>(t.events.size() - 1)); }
  void run_of_block(int block, std::uint16_t sm = 0) {
    const auto at = static_cast<std::uint64_t>(block);
    t.runs.push_back({static_cast<std::uint16_t>(t.grids.size() - 1), sm, static_cast<std::uint32_t>(block),
                      true, at, at + 1});
  }
  void shared_cells(int cells) {
    SharedShape& s = t.grids.back().shared;
    s.elements = s.cells_per_buffer = cells;
    s.cell.resize(static_cast<std::size_t>(cells));
    for (int c = 0; c < cells; ++c) s.cell[static_cast<std::size_t>(c)] = static_cast<std::uint32_t>(c);
    s.bytes = static_cast<std::uint32_t>(4 * cells);
  }

  Trace t;
};

// If `refused` is true, expects that Upsweep refuses the recording. Otherwise, expects that every command
// takes little time and memory.
//
// A command checks and analyses the recording, searches for hazards, and then does one more task, for example
// draws a view. Therefore the measured time of each task includes the checks, the analysis and the search.
void expect_bounded(Trace t, bool refused = false) {
  double begin = cpu_seconds();
  const double longest = 2 * sanitizers_cost / (whole ? 1 : 2);
  const long peak = peak_megabytes();
  const Message why = contradiction(t);
  EXPECT_EQ(static_cast<bool>(why), refused) << in_words(why);
  const char* part = "checks";
  double first_parts = 0;  // seconds
  const auto ended = [&](const char* next) {
    const double now = cpu_seconds(), took = now - begin;
    EXPECT_LT(took, longest) << part;
    if (std::getenv("UPSWEEP_TIMES"))
      std::printf("  %-10s %.3f s with what every command does, %ld MB more\n", part, took,
                  peak_megabytes() - peak);
    if (part == std::string_view("hazards")) first_parts = took;
    if (first_parts > 0) begin = now - first_parts;
    part = next;
  };
  const int last = static_cast<int>(t.steps.size()) - 1;
  if (!why)
    look_at(
        std::move(t), last, [](std::size_t) { return 0u; }, ended);
  ended("");
  EXPECT_LT(peak_megabytes(), peak + 500);
}

TEST(Absurd, ManyLaunchesOneOutOfTheOther) {
  Absurd a;
  a.t.steps.clear();
  a.t.grids.clear();
  for (int i = 0; i < std::min(65536, Absurd::events(1, 300)); ++i) {
    Grid g;
    g.kernel = "again";
    g.threads = 32;
    g.first_step = static_cast<std::uint32_t>(i);
    g.steps = 1;
    g.parent = i - 1;
    g.depth = i;
    if (i > 0) g.parent_event = static_cast<std::uint32_t>(i - 1);
    a.t.steps.push_back({Phase::launch, 0});
    a.t.grids.push_back(g);
    a.event(Kind::launch).detail = static_cast<std::uint8_t>(i % 2);
    a.lane().address = i + 1;
  }
  a.lane().address = -1;
  expect_bounded(a.t);
}

TEST(Absurd, ManySteps) {
  Absurd a(1024);
  a.t.text += "\n";
  const int count = static_cast<int>(most_steps_in(1 << 20)) / share;
  a.t.grids[0].steps = static_cast<std::uint32_t>(count);
  a.t.steps.resize(static_cast<std::size_t>(count), {Phase::scan, 1});
  for (int i = 0; i < count; ++i)
    a.t.counts.push_back({.step = static_cast<std::uint32_t>(i),
                          .line = 1,
                          .kind = Kind::barrier,
                          .requests = 1,
                          .lanes = 32});
  a.event(Kind::barrier, everyone).step = 0;
  expect_bounded(a.t);
}

TEST(Absurd, ManyBlocksWithOneEventEach) {
  for (const bool refused : {false, true}) {
    Absurd a(1024);
    const int count = refused ? 200000 : std::min(Absurd::events(1, sizeof(BlockRun)), 60000);
    a.t.grids[0].blocks = count;
    for (int b = 0; b < count; ++b) {
      a.event(Kind::global_store, 1, 2).block = static_cast<std::uint32_t>(b);
      a.lane().address = 4 * b;
      a.run_of_block(b, static_cast<std::uint16_t>(b));
    }
    expect_bounded(a.t, refused);
  }
}

TEST(Absurd, ManyLaunchesOfOne) {
  for (const bool refused : {false, true}) {
    Absurd a;
    a.event(Kind::launch).detail = static_cast<std::uint8_t>(ChildLaunch::fire_and_forget);
    a.lane().address = 1;
    for (int i = 1; i < (refused ? 20000 : 5000); ++i) {
      Grid g;
      g.kernel = "child";
      g.threads = 32;
      g.first_step = static_cast<std::uint32_t>(i);
      g.steps = 1;
      g.parent = 0;
      g.depth = 1;
      if (i == 1) g.parent_event = 0;
      a.t.steps.push_back({Phase::launch, 0});
      a.t.grids.push_back(g);
      a.event(Kind::global_store, 1, 2).flags = is_volatile;
    }
    expect_bounded(a.t, refused);
  }
}

TEST(Absurd, OneThreadThatAddsAndStoresAgainAndAgain) {
  Absurd a;
  a.shared_cells(57 << 10);
  Origin sum = 0;
  for (int i = 0, count = Absurd::events(1) / 3; i < count; ++i) {
    a.event(Kind::global_load, 1, 2);
    a.lane().address = 4 * i;
    const Origin loaded = a.last();
    a.event(Kind::operation);
    a.lane() = {0, sum, loaded};
    sum = a.last();
    a.event(i % 2 ? Kind::global_store : Kind::shared_store, 1, i % 2 ? 2 : 0);
    a.lane() = {i % 2 ? 4 * (i + (1 << 24)) : i % (57 << 10) * 4, sum, 0};
  }
  expect_bounded(a.t);
}

TEST(Absurd, AnOperationOfWhichAllLanesTakePart) {
  Absurd a;
  Origin sum = 0;
  for (int i = 0, count = Absurd::events(32); i < count; ++i) {
    a.event(i % 2 ? Kind::shuffle : Kind::operation, everyone).detail =
        static_cast<std::uint8_t>(i % 2 ? i % 5 : 0);
    for (int l = 0; l < 32; ++l)
      a.t.lanes[a.t.events.back().first + static_cast<std::uint32_t>(l)] = {(l + 1) % 32, sum,
                                                                            i % 2 ? 0 : sum};
    sum = a.last();
  }
  a.event(Kind::global_store, 1, 1);
  a.lane().left = sum;
  expect_bounded(a.t);
}

TEST(Absurd, EveryLineRacesWithEveryOther) {
  Absurd a(1024);
  const int count = Absurd::events(1);
  for (int w = 0; w < 32; ++w)
    for (int i = 0; i < count / 32; ++i) {
      Event& e = a.event(Kind::global_store, 1, 2);
      e.warp = static_cast<std::uint16_t>(w);
      e.line = static_cast<std::uint16_t>(1 + (i * 37 + w * 11) % 1000);
      e.time = static_cast<std::uint32_t>(i * 32 + w);
    }
  expect_bounded(a.t);
}

TEST(Absurd, EveryBlockMeetsEveryOther) {
  Absurd a;
  const int count = Absurd::events(1, sizeof(BlockRun));
  a.t.grids[0].blocks = count;
  for (int b = 0; b < count; ++b) {
    if (b % 2 == 0) {
      a.event(Kind::fence).detail = 1;
    } else {
      Event& e = a.event(b % 4 == 1 ? Kind::global_atomic : Kind::global_load, 1, 3);
      e.flags = is_volatile;
    }
    a.t.events.back().block = static_cast<std::uint32_t>(b / 2);
    if (b % 2 == 0) a.run_of_block(b / 2);
  }
  a.t.grids[0].blocks = (count + 1) / 2;
  expect_bounded(a.t);
}

TEST(Absurd, MessagesThatAllBlocksSend) {
  Absurd a;
  const int count = Absurd::events(1, sizeof(BlockRun)) / 2;
  a.t.grids[0].blocks = count;
  for (int b = 0; b < count; ++b)
    for (const bool load : {false, true}) {
      Event& e = a.event(load ? Kind::global_load : Kind::global_store, 1, 3);
      e.flags = is_volatile;
      e.block = static_cast<std::uint32_t>(b);
      a.lane().address = 4 * (load ? b / 2 : b % (1 << 20));
      a.t.values.back()[0] = static_cast<std::uint32_t>(b);
      if (!load) a.run_of_block(b);
    }
  expect_bounded(a.t);
}

TEST(Absurd, AllOfSharedMemoryInManyRegions) {
  Absurd a(1024);
  SharedShape& s = a.t.grids[0].shared;
  s.bytes = 228 << 10;
  for (std::uint32_t r = 0; r < 255; ++r)
    s.more.push_back(
        {fmt::format("region_{}", r), r % 2 ? Cells::words : Cells::elements, 912 * r, 228, 1, 4});
  for (int i = 0; i < 1000; ++i) {
    Event& e = a.event(Kind::shared_store, 1, 1 + i % 255);
    a.lane().address = 912 * (i % 255) + i % 228 * 4;
    e.warp = static_cast<std::uint16_t>(i / 32);
  }
  expect_bounded(a.t);
  s.more[100].first = 0;
  expect_bounded(a.t, true);
}

TEST(Absurd, ManyRuns) {
  Absurd a;
  const int count = static_cast<int>(Absurd::memory / sizeof(BlockRun)) / share;
  a.t.grids[0].blocks = INT32_MAX;
  for (int b = 0; b < count; ++b) a.run_of_block(b, static_cast<std::uint16_t>(b * 7));
  a.event(Kind::barrier);
  expect_bounded(a.t);
}

TEST(Absurd, ManyTotalsOnManyLines) {
  Absurd a;
  a.t.text.assign((64 << 10) - 2, '\n');
  const int count = static_cast<int>(Absurd::memory / sizeof(Count)) / share;
  for (int i = 0; i < std::min(count, 13 * 64000); ++i)
    a.t.counts.push_back({.step = 0,
                          .line = static_cast<std::uint16_t>(1 + i / 13),
                          .kind = static_cast<Kind>(i % 13),
                          .requests = 1});
  for (int i = 0; i < Absurd::events(2) / 4; ++i) {
    a.event(Kind::global_atomic, 1, 2);
    a.t.events.back().line = static_cast<std::uint16_t>(1 + i * 7919 % 60000);
  }
  expect_bounded(a.t);
}

TEST(Absurd, ManySnapshotsOfNothing) {
  Absurd a;
  a.t.snapshots.resize(Absurd::memory / (sizeof(Snapshot) + 16) / static_cast<std::size_t>(share));
  a.event(Kind::barrier);
  expect_bounded(a.t);
}

TEST(Absurd, ManyPlacesWhereThreadsWait) {
  Absurd a;
  a.t.stopped.kind = Stop::deadlock;
  for (int i = 0; i < 1000000 / share; ++i)
    a.t.stopped.places.push_back({static_cast<Wait>(i % 7),
                                  static_cast<std::uint32_t>(i % 1000),
                                  0,
                                  static_cast<std::uint32_t>(i),
                                  {1, 2}});
  a.event(Kind::barrier);
  expect_bounded(a.t);
}

// Tests absurd fields in the opening comment of the kernel's text.
TEST(Absurd, HeadersThatPromiseTooMuch) {
  for (const char* line :
       {"// Launches    for pass < 2000000000 { absurd<<<n, block>>>(in, out, n); }",
        "// Launches    absurd<<<1 << 30, 1 << 20>>>(in, out, n)",
        "// Steps       ((((((((((((((((((((((((((((((((((((((((n))))))))))))))))))))))))))))))))))))))))",
        "// Names       a = n / 0, b = a * a, c = b << 99", "// Shared      temp: 1 << 62",
        "// Buffers     sums: 1 << 62"}) {
    Absurd a;
    a.t.settings.n = 1 << 20;
    a.t.input.resize(1 << 20);
    a.t.buffers[0].count = 1 << 20;
    a.t.text = fmt::format(
        "// Absurd\n// Idea        It is.\n// Gives       inclusive scan\n// Elements    any\n// Variants    "
        "none\n// Blocks      any\n"
        "// Steps       n\n// Operations  n\n// Watch       It.\n// Source      None.\n{}\n__global__ void "
        "absurd() {{}}\n",
        line);
    a.event(Kind::barrier);
    expect_bounded(a.t);
  }
}

}  // namespace absurd_recording_test
}  // namespace upsweep
