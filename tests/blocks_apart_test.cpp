// Tests that a recording does not depend on how the emulator runs blocks. The blocks can take turns at each
// barrier, or one or several CPU threads can run the blocks without turns (see apart.hpp). All these
// recordings must be equal, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "emulated/emulated_kernels.hpp"
#include "machine/emulator/apart.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/endless.hpp"
#include "support/long_tests.hpp"
#include "support/sanitizers.hpp"
#include "support/trace_difference.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace blocks_apart_test {

class BlocksApart : public testing::TestWithParam<std::string> {};

std::vector<std::string> all_kernels() {
  std::vector<std::string> names;
  for (const Algorithm& a : cuda_algorithms())
    if (can_be_emulated(first_settings(a))) names.push_back(a.name);
  return names;
}

// Tests runs with few or many blocks, random options, random block sizes and random blocks in focus (blocks
// with all events recorded). The recording must be the same whether CPU threads run the blocks or the blocks
// take turns.
TEST_P(BlocksApart, LeaveTheRecordingOfBlocksThatTakeTurns) {
  const Algorithm& a = algorithm(GetParam());
  std::mt19937 random(std::hash<std::string>()(a.name) & 0xffff);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Emulator turns({.blocks_apart = false}), one({.threads = 1}), two({.threads = 2}), three({.threads = 3});
  const std::vector<Settings> choices = every_choice(a);
  // ThreadSanitizer treats each fiber as a thread and supports at most 8,128 threads. Therefore the blocks
  // are small.
#ifdef __SANITIZE_THREAD__
  constexpr int most_warps = 1;
#else
  constexpr int most_warps = 16;
#endif
  const int wanted = tries_everything() ? 5 : 2, largest = sanitized ? 1000 : 20'000;
  int runs = 0;
  for (int tries = 0; tries < 500 && runs < wanted; ++tries) {
    Settings s = choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
    s.n = 1 + below(tries % 2 == 0 ? largest : 500);
    s.block = 32 * (1 + below(tries % 3 == 0 ? most_warps : 2));
    s.grid = 1 + below(20);
    try {
      validate(s);
    } catch (const RequestError&) { continue; }
    if (cost(a, s) > 1 << 19 || !can_be_emulated(s)) continue;
    SCOPED_TRACE(fmt::format("{}, a grid of {}", describe(s), s.grid));
    const std::vector<Value> input = seeded_data(s, random());
    RecordOptions options;
    options.first_block = static_cast<std::uint32_t>(below(4));
    options.blocks = static_cast<std::uint32_t>(below(10));
    const Trace expected = turns.record(s, input, options);
    // To save time, only one of these emulators is tried by default, and another one for the next kernel.
    auto turn = &a - algorithms().data() + runs;
    for (Emulator* emulator : {&one, &two, &three}) {
      if (turn++ % 3 != 0 && !tries_everything()) continue;
      const Trace trace = emulator->record(s, input, options);
      ASSERT_EQ(difference(expected, trace), "");
      ASSERT_TRUE(expected == trace) << "in times, runs or counts";
    }
    ++runs;
  }
  if (a.least_threads > std::max(2, most_warps) * 32) GTEST_SKIP() << "needs larger blocks";
  EXPECT_GT(runs, 0);
}
INSTANTIATE_TEST_SUITE_P(Kernels, BlocksApart, testing::ValuesIn(all_kernels()),
                         [](const auto& info) { return info.param; });

// Returns true if a block of a grid is in focus in a trace.
bool has_focus(const Trace& t, std::size_t grid, std::uint32_t block) {
  return std::ranges::any_of(
      t.runs, [&](const BlockRun& r) { return r.grid == grid && r.block == block && r.in_focus; });
}

// Returns a line for each event of a block. The line contains all data of the event except the time.
std::vector<std::string> actions_of(const Trace& t, const BlockRun& run) {
  std::vector<std::string> all;
  for (const Event& e : t.events) {
    if (e.grid != run.grid || e.block != run.block) continue;
    all.push_back(fmt::format("{} {} {} {} {} {} {:x}", static_cast<int>(e.kind), e.detail, e.flags, e.line,
                              e.step, e.warp, e.mask));
    if (has_lanes(e.kind))
      for_each_lane(e, [&](int, std::uint32_t i) {
        const Lane& lane = t.lanes[i];
        all.push_back(fmt::format("{} {} {} {}", lane.address, lane.left, lane.right,
                                  exact_text(t.values[i], t.settings, Cells::words)));
      });
  }
  return all;
}

// If the blocks in focus have more events than room_for_focus allows, the last of these blocks lose the
// focus. At least one block of each launch must stay in focus.
//
// The number of CPU threads must not change which blocks stay in focus. The totals and the output must equal
// those of a recording without this limit.
TEST_P(BlocksApart, StayInFocusAsLongAsTheyHaveRoom) {
  const Algorithm& a = algorithm(GetParam());
  std::mt19937 random(std::hash<std::string>()(a.name) & 0xffff);
  constexpr std::uint64_t room = 3000;
  Emulator roomy, turns({.blocks_apart = false, .room_for_focus = room}),
      one({.threads = 1, .room_for_focus = room}), three({.threads = 3, .room_for_focus = room});
#ifdef __SANITIZE_THREAD__
  constexpr int sizes[] = {1000};  // because ThreadSanitizer supports at most 8,128 threads
#else
  constexpr int sizes[] = {1000, 5000};
#endif
  for (const int size : sizes) {
    if (sanitized && size > 1000 && !tries_everything()) continue;
    const int n = is_endless(a) && !tries_everything() ? size / 10 : size;  // because such runs are long
    Settings s{.algorithm = a.name, .n = n};
    fit_kind(a, s);
    s.block = std::max(32, smallest_block(a, s));
    try {
      validate(s);
    } catch (const RequestError&) { continue; }
    if (cost(a, s) > (sanitized ? 1 << 13 : 1 << 19)) continue;
    SCOPED_TRACE(describe(s));
    const std::vector<Value> input = seeded_data(s, random());
    RecordOptions options;
    options.first_block = static_cast<std::uint32_t>(random() % 3);
    const Trace all = roomy.record(s, input, options), expected = turns.record(s, input, options);
    for (Emulator* emulator : {&one, &three}) {
      const Trace trace = emulator->record(s, input, options);
      ASSERT_EQ(difference(expected, trace), "");
      ASSERT_TRUE(expected == trace) << "in times, runs or counts";
    }
    options.blocks = 1;
    const Trace alone = turns.record(s, input, options);
    for (const BlockRun& run : expected.runs)
      if (!run.in_focus) {
        EXPECT_EQ(actions_of(expected, run), actions_of(alone, run)) << run.grid << " " << run.block;
      }
    EXPECT_EQ(expected.counts, all.counts);
    EXPECT_EQ(expected.output, all.output);
    EXPECT_EQ(expected.dropped, 0u);
    EXPECT_LE(expected.events.size(), all.events.size());
    for (std::size_t g = 0; g < expected.grids.size(); ++g) {
      const auto blocks = static_cast<std::uint32_t>(expected.grids[g].blocks);
      std::uint64_t entries = 0, in_focus = 0;
      for (std::uint32_t b = 0; b < blocks; ++b) {
        if (!has_focus(expected, g, b)) continue;
        EXPECT_TRUE(b == options.first_block || has_focus(expected, g, b - 1)) << "a gap before block " << b;
        ++in_focus;
      }
      for (const Event& e : expected.events)
        if (e.grid == g && has_focus(expected, g, e.block))
          entries +=
              1 + (has_lanes(e.kind) ? static_cast<std::uint64_t>(std::popcount(e.mask)) * e.parts : 0);
      EXPECT_EQ(in_focus > 0, has_focus(all, g, options.first_block));
      if (in_focus > 1) EXPECT_LE(entries, room);
    }
  }
}

// The class Focus decides which blocks stay in focus. CPU threads report finished blocks to this class in
// random order, but the decision must not depend on this order.
TEST(Focus, DependsOnlyOnTheSizesOfBlocks) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int run = 0; run < 200; ++run) {
    const std::uint32_t first = below(3), blocks = below(20), room = below(300);
    std::vector<std::uint32_t> sizes(blocks), order(blocks);
    for (std::uint32_t b = 0; b < blocks; ++b) sizes[b] = below(50), order[b] = b;
    std::ranges::shuffle(order, random);
    Focus focus(first, blocks, room);
    for (const std::uint32_t b : order)
      if (focus.has(first + b)) focus.note_end(first + b, sizes[b]);
    std::uint64_t sum = 0;
    bool fits = true;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      sum += sizes[b];
      fits = b == 0 || (fits && sum <= room);
      EXPECT_EQ(focus.has(first + b), fits) << "block " << b << " of " << blocks;
    }
    EXPECT_FALSE(focus.has(first + blocks));
    EXPECT_FALSE(first > 0 && focus.has(first - 1));
  }
}

// Records which CPU threads run a kernel. The members are static because the body of a kernel is a plain
// function.
struct Watched {
  static inline EmulatedKernel::Body body = nullptr;
  static inline std::mutex mutex;
  static inline std::set<std::thread::id> threads;
  static void run(std::span<const GivenArgument> given) {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    body(given);
  }
};

// Checks that the emulator really runs blocks on several threads. Otherwise, the tests above could find no
// error between threads.
TEST(Blocks, RunOnSeveralThreadsOfTheComputer) {
  // The blocks of the first kernel run to their ends without taking turns (run_apart). The blocks of the
  // second kernel exchange values, so each block runs only to its next exchange (run_ahead).
  for (const char* kernel : {"scan_tiles", "scan_decoupled_lookback"}) {
    const Algorithm& a = algorithm(kernel == std::string("scan_tiles") ? "scan_large" : kernel);
    SCOPED_TRACE(kernel);
    Emulated kernels = *emulated_kernels(a.name);
    const auto watched = std::ranges::find(kernels.kernels, kernel, &EmulatedKernel::name);
    ASSERT_NE(watched, kernels.kernels.end());
    EmulatedKernel::Body& of_four_bytes = watched->bodies[1];
    Watched::body = std::exchange(of_four_bytes, &Watched::run);
    const Settings s{.algorithm = a.name, .n = 1 << 14, .block = 32};  // just enough blocks for two threads
    const std::vector<Value> input = seeded_data(s, 1);
    Emulator two({.threads = 2});
    two.record(a, kernels, s, input);  // this run finds out whether blocks exchange values
    std::size_t most = 0;
    // On a busy computer, one thread may run all blocks before the other thread begins. Therefore the test
    // tries again.
    for (int tries = 0; most < 2 && tries < 100; ++tries) {
      Watched::threads.clear();
      two.record(a, kernels, s, input);
      most = std::max(most, Watched::threads.size());
    }
    EXPECT_EQ(most, 2u);
  }
}

Stretch stretch(std::uint32_t block, std::int64_t begin, std::int64_t end, bool store, bool talk = false,
                std::uint8_t buffer = 0) {
  return {.begin = begin, .end = end, .block = block, .buffer = buffer, .store = store, .talk = talk};
}

TEST(Influence, IsAWriteThatAnotherBlockSees) {
  constexpr bool load = false, store = true, talk = true;
  EXPECT_FALSE(influence_each_other({}));
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 8, load), stretch(1, 0, 8, load)}));
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 8, store), stretch(0, 0, 8, load)})) << "one block alone";
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 8, store), stretch(1, 8, 16, store)})) << "side by side";
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 8, store), stretch(1, 0, 8, load, false, 1)}))
      << "two buffers";
  EXPECT_TRUE(influence_each_other({stretch(0, 0, 8, store), stretch(1, 7, 16, store)}));
  EXPECT_TRUE(influence_each_other({stretch(0, 4, 8, store), stretch(1, 0, 5, load)}));
  EXPECT_TRUE(influence_each_other({stretch(1, 0, 100, load), stretch(0, 96, 100, store)}));
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 4, store, talk), stretch(1, 0, 4, store, talk)}));
  EXPECT_FALSE(influence_each_other({stretch(0, 0, 4, store, talk), stretch(1, 0, 4, load, talk)}));
  EXPECT_TRUE(influence_each_other({stretch(0, 0, 4, store, talk), stretch(1, 0, 4, load)}));
  EXPECT_TRUE(influence_each_other({stretch(0, 0, 4, store), stretch(1, 0, 4, load, talk)}));
}

// Compares the result of influence_each_other() with a slow definition, which checks every pair of byte
// ranges that blocks accessed.
TEST(Influence, IsWhatTheSlowDefinitionSays) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return random() % n; };
  int yes = 0;
  for (int run = 0; run < 20'000; ++run) {
    std::vector<Stretch> touched(1 + below(8));
    for (Stretch& s : touched) {
      const auto begin = static_cast<std::int64_t>(below(40));
      s = stretch(below(4), begin, begin + 1 + static_cast<std::int64_t>(below(5)), below(3) == 0,
                  below(2) == 0, static_cast<std::uint8_t>(below(2)));
    }
    bool expected = false;
    const auto overlap = [](const Stretch& x, const Stretch& y) {
      return x.block != y.block && x.buffer == y.buffer && x.begin < y.end && y.begin < x.end;
    };
    for (const Stretch& x : touched)
      for (const Stretch& y : touched)
        expected = expected || (overlap(x, y) && (x.store || y.store) && !(x.talk && y.talk));
    ASSERT_EQ(influence_each_other(touched), expected) << "run " << run;
    yes += expected;
  }
  EXPECT_GT(yes, 2'000);
  EXPECT_LT(yes, 18'000);
}

}  // namespace blocks_apart_test
}  // namespace upsweep
