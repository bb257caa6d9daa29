// Tests the emulator's own rules: blocks that run at the same time, grids that start grids, schedules, and
// runs that never end.
#include "machine/emulator/emulator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/hazards.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "support/emulated_runs.hpp"
#include "support/long_tests.hpp"
#include "support/sentence.hpp"
#include "trace/consistency.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace emulator_test {

// Returns settings for small runs. To save time, returns only every fifth one by default, and others for the
// next algorithm.
std::vector<Settings> some_settings(const Algorithm& a) {
  std::vector<Settings> all;
  for (const int n : {1, 33, 200, 700})
    for (const int block : {32, 64, 128}) {
      Settings s{.algorithm = a.name, .n = n, .block = block, .type = Scalar::int32};
      s.grid = 3;
      const bool is_valid = sentence<RequestError>([&] { validate(s); }).empty();
      if (is_valid) all.push_back(s);
    }
  if (tries_everything() || all.size() < 5) return all;
  auto index = &a - algorithms().data();
  std::erase_if(all, [&](const Settings&) { return index++ % 5 != 0; });
  return all;
}

// On every schedule, every correct kernel must give the correct result, and each event must read the values
// that earlier events wrote.
TEST(Recordings, TellOneStoryOnEverySchedule) {
  Emulator emulator;
  std::mt19937 random(3);
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.family == "bug") continue;
    for (const Settings& s : some_settings(a))
      for (const Way& way : every_way) {
        SCOPED_TRACE(fmt::format("{}, n {}, block {}, {}", a.name, s.n, s.block, way.name));
        RecordOptions options = way.options;
        if (options.schedule != 0) options.schedule = random();
        const std::vector<Value> input = seeded_data(s, random());
        const Trace trace = emulator.record(s, input, options);
        ASSERT_FALSE(trace.stopped);
        ASSERT_FALSE(check(s, input, trace.output));
        Replay replay(trace);
        const auto out = static_cast<std::uint8_t>(trace.roles().first_output());
        const std::size_t size = result_of(a, s).is_part ? trace.more_outputs[0][0][0] : trace.output.size();
        for (std::size_t i = 0; i < size; ++i)
          ASSERT_EQ(replay.global(out).at(static_cast<std::int64_t>(4 * i)), trace.output[i]);
        expect_order(trace);
        expect_origins(trace);
        if (testing::Test::HasFailure()) return;
      }
  }
}

TEST(Recordings, CountTheSameWhateverIsInFocus) {
  Emulator emulator;
  for (const Algorithm& a : cuda_algorithms())
    for (const Settings& s : some_settings(a)) {
      SCOPED_TRACE(fmt::format("{}, n {}, block {}", a.name, s.n, s.block));
      const std::vector<Value> input = seeded_data(s, 4);
      const Trace all = emulator.record(s, input, {.blocks = UINT32_MAX});
      const Trace one = emulator.record(s, input, {.first_block = 1, .blocks = 1});
      EXPECT_EQ(all.counts, one.counts);
      EXPECT_EQ(all.steps, one.steps);
      EXPECT_EQ(all.grids.size(), one.grids.size());
      EXPECT_EQ(all.output, one.output);
      std::vector<Count> counted;
      std::map<std::tuple<std::uint32_t, std::uint16_t, Kind, std::uint8_t>, Count> by_site;
      for (const Event& e : all.events) {
        Count& c = by_site[{e.step, e.line, e.kind, e.detail}];
        c.step = e.step, c.line = e.line, c.kind = e.kind, c.detail = e.detail;
        ++c.requests;
        c.lanes += static_cast<std::uint64_t>(std::popcount(e.mask));
        if (!is_load(e.kind) && !is_store(e.kind)) continue;
        c.units += static_cast<std::uint64_t>(is_shared(e.kind) ? bank_cost(all, e).wavefronts
                                                                : sector_cost(all, e).sectors);
        c.ideal += static_cast<std::uint64_t>(is_shared(e.kind) ? bank_cost(all, e).groups
                                                                : sector_cost(all, e).ideal);
      }
      for (const auto& [site, count] : by_site) counted.push_back(count);
      EXPECT_EQ(all.counts, counted);

      // The recording contains all events of the block in focus. From other blocks, the recording contains
      // only events that show how blocks wait for each other.
      const auto of_block = [](const Trace& t, std::uint32_t block) {
        std::vector<Event> events;
        for (Event e : t.events) {
          if (e.block != block) continue;
          e.first = e.time = 0;
          events.push_back(e);
        }
        return events;
      };
      EXPECT_EQ(of_block(all, 1), of_block(one, 1));
      for (const Event& e : one.events)
        if (e.block != 1) {
          EXPECT_TRUE((e.flags & is_volatile) != 0 || is_atomic(e.kind) || e.kind == Kind::fence);
        }
      for (const BlockRun& run : one.runs) EXPECT_EQ(run.in_focus, run.block == 1);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(Recordings, TakeTheSameSeedForTheSameRun) {
  Emulator emulator, other;
  for (const char* name : {"scan_decoupled_lookback", "reduce_nested", "bug_two_barriers_needed"}) {
    Settings s{.algorithm = name, .n = 500, .block = 512, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 1);
    std::set<std::size_t> different;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Trace a = emulator.record(s, input, {.schedule = seed}),
                  b = other.record(s, input, {.schedule = seed});
      ASSERT_TRUE(a.events == b.events && a.lanes == b.lanes && a.values == b.values);
      std::size_t hash = 0;
      for (const Event& e : a.events) hash = hash * 31 + e.time * 7 + e.warp;
      different.insert(hash);
    }
    EXPECT_EQ(different.size(), 6u) << name;
  }
}

// A race changes the result on some schedules. If the race is between lanes of one warp, the result changes
// only without lockstep.
TEST(Schedules, ShowWhatARaceDoes) {
  Emulator emulator;
  const auto wrong = [&](const char* name, int n, int block, bool lockstep) {
    const Settings s{.algorithm = name, .n = n, .block = block, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 7);
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 24; ++seed)
      if (check(s, input, emulator.record(s, input, {.schedule = seed, .lockstep = lockstep}).output))
        ++count;
    return count;
  };
  EXPECT_GT(wrong("bug_two_barriers_needed", 256, 256, true), 12);
  EXPECT_GT(wrong("bug_volatile_warp", 64, 32, false), 6);
  EXPECT_EQ(wrong("bug_volatile_warp", 64, 32, true), 0);
  EXPECT_EQ(wrong("scan_hillis_steele", 256, 256, false), 0);
}

TEST(Schedules, TilesLookBackWhileOthersAreInFlight) {
  Emulator emulator;
  Settings s{.algorithm = "scan_decoupled_lookback", .n = 1500, .block = 32, .type = Scalar::int32};
  const std::vector<Value> input = seeded_data(s, 7);
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Trace trace = emulator.record(s, input, {.blocks = UINT32_MAX, .schedule = seed});
    ASSERT_FALSE(check(s, input, trace.output));
    int at_once = 0;
    for (const BlockRun& run : trace.runs) {
      EXPECT_LT(run.begin, run.end);
      at_once =
          std::max(at_once, static_cast<int>(std::ranges::count_if(trace.runs, [&](const BlockRun& other) {
                     return other.begin <= run.begin && run.begin < other.end;
                   })));
    }
    EXPECT_EQ(at_once, 16) << seed;
  }
}

TEST(Children, BeginAndEndInTheirOrder) {
  const Algorithm a = test_kernel("children");
  for (const Way& way : every_way) {
    SCOPED_TRACE(way.name);
    const int n = 40;
    const Settings s{.algorithm = a.name, .n = n, .block = 32, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 1);
    const Trace trace = Emulator().record(a, *test_kernels(a.name), s, input, way.options);
    ASSERT_FALSE(trace.stopped);
    EXPECT_EQ(trace.output, input);
    Replay replay(trace);
    std::map<int, unsigned> came;
    for (const auto& [address, value] : replay.global(2)) came[static_cast<int>(address / 4)] = value[0];
    ASSERT_EQ(came.size(), static_cast<std::size_t>(n - 1));
    const std::function<unsigned(int)> last_of = [&](int k) {
      if (k >= n) return 0u;
      return std::max({came[k], last_of(2 * k), last_of(2 * k + 1)});
    };
    for (int k = 1; k < n; ++k) {
      if (2 * k < n) { EXPECT_GT(came[2 * k], came[k]); }
      if (2 * k + 1 < n) { EXPECT_GT(came[2 * k + 1], last_of(2 * k)); }
    }
    // The host launches two grids: one starts the tree of child grids, and the other copies the array. The
    // recording must name the parent of each child grid.
    ASSERT_EQ(trace.grids.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(trace.grids.back().kernel, "copy");
    int children = 0;
    for (std::size_t g = 0; g < trace.grids.size(); ++g) {
      const Grid& grid = trace.grids[g];
      if (grid.parent < 0) {
        EXPECT_EQ(grid.depth, 0);
        EXPECT_EQ(grid.parent_event, Grid::none);
        continue;
      }
      ++children;
      EXPECT_EQ(grid.kernel, "children");
      ASSERT_LT(grid.parent, static_cast<int>(g));
      EXPECT_EQ(grid.depth, trace.grids[static_cast<std::size_t>(grid.parent)].depth + 1);
      const Event& started = trace.events.at(grid.parent_event);
      ASSERT_EQ(started.kind, Kind::launch);
      EXPECT_EQ(started.grid, grid.parent);
      EXPECT_EQ(trace.lanes[started.first].address, static_cast<std::int64_t>(g));
      EXPECT_EQ(grid.threads, static_cast<ChildLaunch>(started.detail) == ChildLaunch::tail ? 64 : 32);
    }
    EXPECT_EQ(children, n - 2);
    expect_order(trace);
  }
}

struct StopCase {
  const char *kernel, *says;
};
const StopCase stops[] = {
    {"loops_alone",
     "The loop of line 19 never ends, because the loop does not change the values that its condition reads. "
     "Thread 0 of block 0"},
    {"loops_at_barriers",
     "The loop of line 28 never ends, because the loop does not change the values that its condition reads. "
     "Thread 0 of block 0"},
    {"waits_for_nobody",
     "Deadlock: in line 39, thread 3 of block 0 waits for a value that no thread will write"},
    {"spins_without_pause",
     "Deadlock: in line 47, thread 0 of block 0 waits for a value that no thread will write"},
    {"parts_of_a_warp_apart",
     "Deadlock: in line 64, thread 0 of block 0 waits for lanes of its warp. But thread 16 waits in line 65, "
     "at the barrier of the block."},
    {"warps_at_different_things",
     "Deadlock: in line 73, thread 0 of block 0 waits for lanes of its warp. But thread 16 waits in line "
     "75."},
};

TEST(Stops, EndARunWhoseFoursDoNotBeginTogether) {
  const Algorithm a = test_kernel("between_fours");
  const Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
  const Trace trace = Emulator().record(a, *test_kernels(a.name), s, seeded_data(s, 1));
  EXPECT_EQ(trace.stopped.kind, Stop::misaligned);
  EXPECT_EQ(trace.stopped.places[0].line, 20u);
  const Hazards h = hazards(trace);  // regression test: this run was reported as an endless loop
  EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(), [](const HazardFinding& f) {
    return f.kind == Hazard::misaligned && f.party.line == 20;
  }));
  EXPECT_TRUE(std::none_of(h.findings.begin(), h.findings.end(),
                           [](const HazardFinding& f) { return f.kind == Hazard::endless_loop; }));
  EXPECT_EQ(in_words(trace.stopped),
            "Line 20: thread 0 of block 0 accesses 4 elements at once, from element 0 on. On a GPU, the "
            "address of such an access must be a multiple of the size of the access.");
}

TEST(Stops, EndEveryRunThatNeverEndsWithASentence) {
  for (const StopCase& stop : stops)
    for (const Way& way : every_way) {
      SCOPED_TRACE(fmt::format("{} {}", stop.kernel, way.name));
      const Algorithm a = test_kernel("stops", stop.kernel);
      Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
      s.grid = 1;
      Emulator emulator;
      const std::vector<Value> input = seeded_data(s, 1);
      const Trace trace = emulator.record(a, *test_kernels(a.name), s, input, way.options);
      // On other schedules, the sentence may name another thread. Therefore the test compares only the first
      // 9 characters of the sentence.
      const std::string says = way.options.schedule == 0 ? stop.says : std::string(stop.says).substr(0, 9);
      EXPECT_EQ(in_words(trace.stopped).substr(0, says.size()), says);
      EXPECT_TRUE(trace.stopped);
      // The events before the stop must be in the recording.
      int stores = 0;
      for (const Event& e : trace.events) stores += e.kind == Kind::global_store && e.buffer == 1;
      EXPECT_GE(stores, 1);
      expect_order(trace);
      EXPECT_THROW(emulator.run(a, *test_kernels(a.name), s, input), WorkError);
      // After a stopped run, the emulator must still work.
      const Settings next{.n = 64, .block = 32, .type = Scalar::int32};
      EXPECT_FALSE(check(next, input, emulator.run(next, input)));
    }
}

// In this kernel, blocks wait for later blocks. If there are too many blocks to run at the same time, the
// last blocks never start. The emulator must then stop the run and give this reason.
TEST(Stops, NameBlocksThatCannotStart) {
  const Algorithm a = test_kernel("stops", "waits_for_a_later_block");
  Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
  const std::vector<Value> input = seeded_data(s, 1);
  s.grid = 40;
  for (const Way& way : every_way)
    if (&way != &every_way[1] || tries_everything())  // by default leaves out the way in the middle
      EXPECT_FALSE(Emulator().record(a, *test_kernels(a.name), s, input, way.options).stopped) << way.name;
  s.grid = 600;
  const Trace trace = Emulator().record(a, *test_kernels(a.name), s, input);
  EXPECT_EQ(trace.stopped.kind, Stop::not_resident);
  EXPECT_EQ(in_words(trace.stopped),
            "The running blocks wait for blocks that have not started, but only 512 blocks can run at the "
            "same time.");
  const Hazards h = hazards(trace);
  const auto found = std::find_if(h.findings.begin(), h.findings.end(),
                                  [](const HazardFinding& f) { return f.kind == Hazard::deadlock; });
  ASSERT_NE(found, h.findings.end());
  EXPECT_EQ(found->advice, Advice::fewer_blocks);
}

TEST(Outside, ReadsZerosWritesNothingAndGoesOn) {
  const Algorithm a = test_kernel("outside");
  const int n = 64;
  const Settings s{.algorithm = a.name, .n = n, .block = n, .type = Scalar::int32};
  std::vector<Value> input(n);
  for (std::size_t i = 0; i < n; ++i) input[i] = {static_cast<std::uint32_t>(i + 1)};
  for (const Way& way : every_way) {
    SCOPED_TRACE(way.name);
    const Trace trace = Emulator().record(a, *test_kernels(a.name), s, input, way.options);
    ASSERT_FALSE(trace.stopped);
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(trace.output[i][0], i) << i;
    for (const Event& e : trace.events) {
      if (!is_access(e.kind)) continue;
      const std::int64_t size = is_shared(e.kind) ? 4 * (n + 4) : 4 * n;
      bool outside = false;
      for_each_lane(e, [&](int, std::uint32_t entry) {
        const std::int64_t address = trace.lanes[entry].address;
        const bool lane_outside = address < 0 || address + 4 > size;
        outside = outside || lane_outside;
        if (lane_outside && is_load(e.kind)) { EXPECT_EQ(trace.values[entry], Value{}); }
      });
      EXPECT_EQ((e.flags & is_outside) != 0, outside) << "line " << e.line;
    }
  }
  EXPECT_EQ(Emulator().run(a, *test_kernels(a.name), s, input),
            Emulator().record(a, *test_kernels(a.name), s, input).output);
}

TEST(Barriers, CanBeTakenOut) {
  const Algorithm& a = algorithm("scan_blelloch");
  for (const int line : barrier_lines(a)) {
    Settings s{.algorithm = a.name, .n = 512, .block = 256, .type = Scalar::int32};
    const std::vector<Value> input = seeded_data(s, 2);
    const auto barriers = [&](const Trace& t) {
      return std::ranges::count_if(t.events,
                                   [&](const Event& e) { return e.kind == Kind::barrier && e.line == line; });
    };
    EXPECT_GT(barriers(Emulator().record(s, input)), 0);
    s.without_barrier = line;
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Trace t = Emulator().record(s, input, {.schedule = seed});
      EXPECT_EQ(barriers(t), 0);
      wrong += t.output != oracle(s, input);
    }
    EXPECT_GT(wrong, 0) << line;
  }
}

// If a barrier is removed from scan_decoupled_lookback, the run may be stopped before all blocks have begun
// and ended. The recording must be consistent nevertheless.
TEST(Barriers, TakenOutLeaveARecordingWithoutContradiction) {
  int stopped = 0;
  for (const int line : barrier_lines(algorithm("scan_decoupled_lookback"))) {
    const Settings s{.algorithm = "scan_decoupled_lookback", .n = 700, .block = 32, .without_barrier = line};
    for (std::uint64_t seed = 0; seed <= 4; ++seed) {
      const Trace t = Emulator().record(s, seeded_data(s, 2), {.schedule = seed});
      EXPECT_EQ(in_words(contradiction(t)), "") << line << ", schedule " << seed;
      stopped += static_cast<bool>(t.stopped);
    }
  }
  EXPECT_GT(stopped, 0);
}

}  // namespace emulator_test
}  // namespace upsweep
