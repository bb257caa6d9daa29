// The emulator's own rules: what warps do together, blocks side by side, grids that start grids, schedules,
// runs that never end.
#include "machine/emulator/emulator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "analysis/banks.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/hazards.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "support/source_file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// A kernel of tests/kernels; what stands in its text for KERNEL is replaced.
Algorithm test_kernel(const std::string& name, const std::string& kernel = "") {
  const std::string file = "tests/kernels/" + name + ".cuh";
  std::string text = source_file(file);
  if (const auto at = text.find("KERNEL"); at != text.npos) text.replace(at, 6, kernel);
  // The opening comment's rule that a file has a kernel of its own name holds for the catalogue.
  return parse_kernel(name, file, text);
}

std::vector<Value> words_of(const std::vector<std::uint32_t>& words) {
  std::vector<Value> values;
  for (const std::uint32_t w : words) values.push_back({w});
  return values;
}

// What every memory holds in the end if the events happen in the order of their times; adds a failure where a
// read value is not what is there.
class Replay {
 public:
  explicit Replay(const Trace& trace) : trace_(trace) {
    std::vector<std::size_t> order(trace.events.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return trace.events[i].time; });
    for (std::size_t i = 1; i < order.size(); ++i)
      EXPECT_NE(trace.events[order[i - 1]].time, trace.events[order[i]].time);
    for (const std::size_t i : order) event(trace.events[i]);
  }

  // The words and elements that stores and atomics left, by byte address.
  using Memory = std::map<std::int64_t, Value>;
  Memory& of(const Event& e) { return is_global(e.kind) ? global_[e.buffer] : shared_[{e.grid, e.block}]; }
  const Memory& global(std::uint8_t buffer) { return global_[buffer]; }

 private:
  void event(const Event& e) {
    if (!is_access(e.kind) || testing::Test::HasFailure()) return;
    Memory& memory = of(e);
    std::uint32_t entry = e.first;
    for (std::uint32_t rest = e.mask; rest != 0; rest &= rest - 1) {
      if (is_atomic(e.kind)) {
        read(e, memory, entry);
        memory[trace_.lanes[entry].address] = trace_.values[entry + 1];
        entry += 2;
        continue;
      }
      for (int p = 0; p < e.parts; ++p, ++entry) {
        if (is_load(e.kind)) read(e, memory, entry);
        else memory[trace_.lanes[entry].address] = trace_.values[entry];
      }
    }
  }
  void read(const Event& e, Memory& memory, std::uint32_t entry) {
    const auto there = memory.find(trace_.lanes[entry].address);
    if (there == memory.end()) return;  // the input, or what nobody wrote
    EXPECT_EQ(there->second, trace_.values[entry])
        << "line " << e.line << ", block " << e.block << ", warp " << e.warp << ", byte " << there->first;
  }

  const Trace& trace_;
  std::map<std::uint8_t, Memory> global_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, Memory> shared_;
};

// The interpreter of tests/kernels/interpreter.cuh, one warp at a time, in lockstep.
struct Interpreted {
  std::vector<std::uint32_t> x, word;
  std::array<std::uint32_t, 8> counters{};

  Interpreted(const std::vector<std::uint32_t>& program, int blocks, int threads) {
    for (int b = 0; b < blocks; ++b) {
      std::array<std::uint32_t, 8> marks{};
      const std::size_t first = x.size();
      for (int t = 0; t < threads; ++t) {
        const auto me = static_cast<std::uint32_t>(b * threads + t);
        x.push_back(program[me % program.size()]);
        word.push_back(me);
      }
      for (int w = 0; w < threads / 32; ++w)
        warp(program, w, first + 32 * static_cast<std::size_t>(w), marks);
      for (std::size_t me = first; me < x.size(); ++me) word[me] += marks[me & 7];
    }
  }

  void warp(const std::vector<std::uint32_t>& program, int w, std::size_t first,
            std::array<std::uint32_t, 8>& marks) {
    std::uint32_t* const xs = &x[first];
    std::uint32_t* const words = &word[first];
    for (const std::uint32_t instruction : program) {
      const int code = static_cast<int>(instruction), what = code & 15, skip = code >> 9 & 7;
      const std::uint32_t k = static_cast<std::uint32_t>(code) >> 4 & 31;
      std::uint32_t mask = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (skip == 0 || (lane * 5 + w + skip) % (skip + 1) != 0) mask |= 1u << lane;
      const std::vector<std::uint32_t> x_before(xs, xs + 32), words_before(words, words + 32);
      const auto there = [&](std::uint32_t lane) { return (mask >> lane & 1) != 0; };
      const auto x_of = [&](std::uint32_t lane) { return there(lane) ? x_before[lane] : 0; };
      std::uint32_t ballot = 0, sum = 0;
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (!there(l)) continue;
        sum += words_before[l];
        const std::uint32_t v = words_before[l];
        if (what == 5 ? (v >> (k & 7) & 1) != 0 : what == 6 ? v % 64 == k : v % 8 != (k & 7))
          ballot |= 1u << l;
      }
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (!there(l)) continue;
        switch (what) {
          case 0: xs[l] = x_of((k + l) & 31); break;
          case 1: xs[l] += l >= k ? x_of(l - k) : x_before[l]; break;
          case 2: xs[l] += l + k < 32 ? x_of(l + k) : x_before[l]; break;
          case 3: xs[l] = x_of(l ^ k); break;
          case 4: words[l] = (there(l ^ k) ? words_before[l ^ k] : 0) + 1; break;
          case 5: words[l] ^= ballot; break;
          case 6: words[l] = 2 * words[l] + (ballot != 0); break;
          case 7: words[l] = 2 * words[l] + (ballot == mask); break;
          case 8: words[l] += sum; break;
          case 9: {
            std::uint32_t from = (l + 1 + k) & 31;
            while (!there(from)) from = (from + 1) & 31;
            xs[l] += x_before[from];
            break;
          }
          case 10: counters[k & 7] += words[l] & 15; break;
          case 11: marks[k & 7] = std::max(marks[k & 7], words[l] & 255); break;
          case 12: ++counters[0]; break;
          default: break;
        }
      }
    }
  }
};

std::vector<std::uint32_t> random_program(std::mt19937& random, int length) {
  std::vector<std::uint32_t> program;
  for (int i = 0; i < length; ++i) program.push_back(static_cast<std::uint32_t>(random() >> 4));
  return program;
}

struct Chosen {
  RecordOptions options;
  const char* name;
};
const Chosen every_way[] = {
    {{}, "in turn"}, {{.schedule = 1}, "apart"}, {{.schedule = 12, .lockstep = true}, "in lockstep"}};

TEST(Interpreter, WarpsDoTogetherWhatTheyWouldInLockstep) {
  const Algorithm a = test_kernel("interpreter");
  std::mt19937 random(21);
  Emulator emulator;
  for (int i = 0; i < 60; ++i) {
    const int length = 1 + static_cast<int>(random() % 60), blocks = 1 + static_cast<int>(random() % 5);
    const int threads = 32 * (1 + static_cast<int>(random() % 3));
    const auto program = random_program(random, length);
    Settings s{.algorithm = a.name, .n = length, .block = threads, .type = Scalar::int32};
    s.grid = blocks;
    const Interpreted expected(program, blocks, threads);
    for (const Chosen& way : every_way) {
      SCOPED_TRACE(fmt::format("program {}, {} blocks of {}, {}", i, blocks, threads, way.name));
      RecordOptions options = way.options;
      if (options.schedule != 0) options.schedule = random();
      const Trace trace = emulator.record(a, *test_kernels(a.name), s, words_of(program), options);
      ASSERT_FALSE(trace.stopped);
      Replay replay(trace);
      for (std::size_t t = 0; t < expected.x.size(); ++t) {
        const auto at = static_cast<std::int64_t>(4 * t);
        ASSERT_EQ(replay.global(2).at(at)[0], expected.x[t]) << "thread " << t;
        ASSERT_EQ(replay.global(3).at(at)[0], expected.word[t]) << "thread " << t;
      }
      for (const auto& [address, value] : replay.global(4))
        ASSERT_EQ(value[0], expected.counters[static_cast<std::size_t>(address / 4)]);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Events stand in canonical order, and those of one warp and step in the order of time.
void expect_order(const Trace& trace) {
  for (std::size_t i = 1; i < trace.events.size(); ++i) {
    const Event &a = trace.events[i - 1], &b = trace.events[i];
    const auto key = [](const Event& e) { return std::tuple(e.grid, e.block, e.step, e.warp); };
    ASSERT_LE(key(a), key(b)) << i;
    if (key(a) == key(b)) { ASSERT_LT(a.time, b.time) << i; }
  }
  std::uint32_t step = 0;
  for (const Grid& g : trace.grids) {
    ASSERT_EQ(g.first_step, step);
    step += g.steps;
  }
  ASSERT_EQ(step, trace.steps.size());
  for (const Event& e : trace.events) {
    ASSERT_GE(e.step, trace.grids[e.grid].first_step);
    ASSERT_LT(e.step, trace.grids[e.grid].first_step + trace.grids[e.grid].steps);
  }
}

// What a value came from is the event that made it, in the same lane, or where a shuffle took it, in the lane
// it came from.
void expect_origins(const Trace& trace) {
  for (const Event& e : trace.events) {
    if (!is_store(e.kind) && e.kind != Kind::shuffle) continue;
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      const Lane& l = trace.lanes[entry];
      if (l.left == 0) return;
      const Event& from = trace.events.at(origin_event(l.left));
      const bool took = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add;
      const int in = took ? static_cast<int>(l.address) : lane;
      ASSERT_NE(from.mask >> in & 1, 0u);
      ASSERT_EQ(from.warp, e.warp);
      ASSERT_EQ(from.block, e.block);
      const std::uint32_t source = entry_of(from, in, origin_part(l.left));
      if (e.kind == Kind::shuffle && !took) return;
      for (int w = 0; w < trace.element_bytes() / 4; ++w)  // without a message's mark
        ASSERT_EQ(trace.values[source][static_cast<std::size_t>(w)],
                  trace.values[entry][static_cast<std::size_t>(w)]);
    });
  }
}

std::vector<Settings> some_settings(const Algorithm& a) {
  std::vector<Settings> all;
  for (const int n : {1, 33, 200, 700})
    for (const int block : {32, 64, 128}) {
      Settings s{.algorithm = a.name, .n = n, .block = block, .type = Scalar::int32};
      s.grid = 3;
      try {
        validate(s);
        all.push_back(s);
      } catch (const RequestError&) {}
    }
  return all;
}

// For every correct kernel, however its threads take turns: the answer is right, and its events in the order
// of time read what was written.
TEST(Recordings, TellOneStoryOnEverySchedule) {
  Emulator emulator;
  std::mt19937 random(3);
  for (const Algorithm& a : algorithms()) {
    if (a.family == "bug") continue;
    for (const Settings& s : some_settings(a))
      for (const Chosen& way : every_way) {
        SCOPED_TRACE(fmt::format("{}, n {}, block {}, {}", a.name, s.n, s.block, way.name));
        RecordOptions options = way.options;
        if (options.schedule != 0) options.schedule = random();
        const std::vector<Value> input = seeded_data(s, random());
        const Trace trace = emulator.record(s, input, options);
        ASSERT_FALSE(trace.stopped);
        ASSERT_FALSE(check(s, input, trace.output));
        Replay replay(trace);
        for (std::size_t i = 0; i < trace.output.size(); ++i)
          ASSERT_EQ(replay.global(1).at(static_cast<std::int64_t>(4 * i)), trace.output[i]);
        expect_order(trace);
        expect_origins(trace);
        if (testing::Test::HasFailure()) return;
      }
  }
}

TEST(Recordings, CountTheSameWhateverIsInFocus) {
  Emulator emulator;
  for (const Algorithm& a : algorithms())
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

      // The block in focus is there in full, of the others what tells how they wait.
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

// A race changes the answer on some schedules; which ones, lockstep decides where the race is between lanes
// of a warp.
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
  for (const Chosen& way : every_way) {
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
    // One grid for each, the one that copies, and who started whom.
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
    {"loops_alone", "Line 19: thread 0 of block 0 has gone round this loop"},
    {"loops_at_barriers", "Line 28: thread 0 of block 0 has gone round this loop"},
    {"waits_for_nobody",
     "Deadlock: in line 39, thread 3 of block 0 waits for a value that no thread will write"},
    {"spins_without_pause",
     "Deadlock: in line 47, thread 0 of block 0 waits for a value that no thread will write"},
    {"waits_for_a_later_block",
     "Deadlock: in line 55, thread 0 of block 0 waits for a value that no thread will write"},
    {"parts_of_a_warp_apart",
     "Deadlock: in line 64, thread 0 of block 0 waits for lanes of its warp, but thread 16 waits in line 65 "
     "at the "
     "barrier of the block."},
    {"warps_at_different_things",
     "Deadlock: in line 73, thread 0 of block 0 waits for lanes of its warp, but thread 16 waits in line "
     "75."},
};

TEST(Stops, EndARunWhoseFoursDoNotBeginTogether) {
  const Algorithm a = test_kernel("between_fours");
  const Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
  const Trace trace = Emulator().record(a, *test_kernels(a.name), s, seeded_data(s, 1));
  EXPECT_EQ(trace.stopped.kind, Stop::misaligned);
  EXPECT_EQ(trace.stopped.places[0].line, 20u);
  const Hazards h = hazards(trace);  // it was once called an endless loop
  EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(), [](const HazardFinding& f) {
    return f.kind == Hazard::misaligned && f.party.line == 20;
  }));
  EXPECT_TRUE(std::none_of(h.findings.begin(), h.findings.end(),
                           [](const HazardFinding& f) { return f.kind == Hazard::endless_loop; }));
  EXPECT_EQ(
      in_words(trace.stopped),
      "Line 20: thread 0 of block 0 accesses 4 elements at once from element 0 on. On a GPU, the address of "
      "such an access must be a multiple of its size.");
}

TEST(Stops, EndEveryRunThatNeverEndsWithASentence) {
  for (const StopCase& stop : stops)
    for (const Chosen& way : every_way) {
      SCOPED_TRACE(fmt::format("{} {}", stop.kernel, way.name));
      const Algorithm a = test_kernel("stops", stop.kernel);
      Settings s{.algorithm = a.name, .n = 64, .block = 64, .type = Scalar::int32};
      s.grid = std::string(stop.kernel) == "waits_for_a_later_block" ? 20 : 1;
      Emulator emulator;
      const std::vector<Value> input = seeded_data(s, 1);
      const Trace trace = emulator.record(a, *test_kernels(a.name), s, input, way.options);
      // By a schedule it may be another thread that is seen first.
      const std::string says = way.options.schedule == 0 ? stop.says : std::string(stop.says).substr(0, 9);
      EXPECT_EQ(in_words(trace.stopped).substr(0, says.size()), says);
      EXPECT_TRUE(trace.stopped);
      // What was recorded until then is there.
      int stores = 0;
      for (const Event& e : trace.events) stores += e.kind == Kind::global_store && e.buffer == 1;
      EXPECT_GE(stores, 1);
      expect_order(trace);
      EXPECT_THROW(emulator.run(a, *test_kernels(a.name), s, input), WorkError);
      // The emulator goes on working.
      const Settings next{.n = 64, .block = 32, .type = Scalar::int32};
      EXPECT_FALSE(check(next, input, emulator.run(next, input)));
    }
}

TEST(Outside, ReadsZerosWritesNothingAndGoesOn) {
  const Algorithm a = test_kernel("outside");
  const int n = 64;
  const Settings s{.algorithm = a.name, .n = n, .block = n, .type = Scalar::int32};
  std::vector<Value> input(n);
  for (std::size_t i = 0; i < n; ++i) input[i] = {static_cast<std::uint32_t>(i + 1)};
  for (const Chosen& way : every_way) {
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

}  // namespace
}  // namespace upsweep
