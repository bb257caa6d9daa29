// Compares the time line with slow, separate computations, for every kernel and for random recordings.
#include "analysis/time_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "analysis/memory.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "support/drawn_views.hpp"
#include "support/random_trace.hpp"
#include "trace/value.hpp"
#include "words/time_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace time_line_test {

Trace recorded(const Algorithm& a, int n, int block, std::uint64_t schedule, std::uint32_t focus = UINT32_MAX,
               const std::map<std::string, std::string>& choices = {}) {
  Settings s{.algorithm = a.name, .n = n};
  s.grid = 5;
  fit_kind(a, s);
  for (const auto& [choice, option] : choices) s.choose(choice, option);
  s.block = block > 0 ? block : smallest_block(a, s);
  validate(s);
  RecordOptions options;
  options.blocks = focus;
  options.schedule = schedule;
  return Emulator().record(s, seeded_data(s, 7), options);
}

// A volatile access of one lane to global memory. If `marked` is true, the cell contains a mark, which says
// how far a block has come.
struct Access {
  std::uint32_t event;
  std::uint64_t time;
  int grid, block, buffer;
  std::int64_t cell;
  Kind kind;
  std::uint32_t mark;
  bool marked;
};

std::vector<Access> accesses(const Trace& t) {
  std::vector<Access> all;
  for (std::uint32_t i = 0; i < t.events.size(); ++i) {
    const Event& e = t.events[i];
    if (!is_global(e.kind) || is_atomic(e.kind) || (e.flags & is_volatile) == 0) continue;
    const Cells cells = t.buffers[e.buffer].cells;
    const int bytes = cell_bytes(cells, t.element_bytes());
    const bool marked = is_signal(cells);
    const std::size_t word =
        is_message(cells) ? static_cast<std::size_t>(mark_of_message(cells, t.element_bytes())) : 0;
    for_each_lane(e, [&](int, std::uint32_t at) {
      all.push_back({i, t.clock.empty() ? e.time : t.clock[i], e.grid, static_cast<int>(e.block), e.buffer,
                     t.lanes[at].address / bytes, e.kind, marked ? t.values[at][word] : 0, marked});
    });
  }
  std::stable_sort(all.begin(), all.end(), [&](const Access& a, const Access& b) {
    return t.events[a.event].time < t.events[b.event].time;
  });
  return all;
}

void expect_as_computed_slowly(const Trace& t) {
  const TimeLine line = time_line(t);
  const std::vector<Access> all = accesses(t);
  ASSERT_EQ(line.is_clocked, !t.clock.empty());
  // There is exactly one row for each block that ran or has events.
  std::set<std::pair<int, int>> blocks;
  for (const BlockRun& r : t.runs) blocks.insert({r.grid, static_cast<int>(r.block)});
  for (const Event& e : t.events) blocks.insert({e.grid, static_cast<int>(e.block)});
  ASSERT_EQ(line.rows.size(), blocks.size());
  for (std::uint32_t r = 0; r < line.rows.size(); ++r) {
    EXPECT_EQ(blocks.erase({line.rows[r].grid, line.rows[r].block}), 1u);
    EXPECT_EQ(row_of(line, line.rows[r].grid, line.rows[r].block), r);
  }
  std::uint64_t last = 0;
  for (const TimeLine::Row& row : line.rows) {
    SCOPED_TRACE("grid " + std::to_string(row.grid) + ", block " + std::to_string(row.block));
    last = std::max(last, row.end);
    const auto is_own = [&](const Access& a) { return a.grid == row.grid && a.block == row.block; };
    // The time line must list the block's stores in order. If the grid has marks, which say how far a block
    // has come, the time line must list only the stores of marks.
    const int status = line.protocols[static_cast<std::size_t>(row.grid)].status;
    std::vector<std::uint32_t> stores;
    for (const Access& a : all)
      if (is_own(a) && is_store(a.kind) && (a.marked || status < 0) &&
          (stores.empty() || stores.back() != a.event))
        stores.push_back(a.event);
    ASSERT_EQ(row.published, stores.size());
    for (std::size_t k = 0; k < stores.size(); ++k) EXPECT_EQ(line.published_by(row)[k].event, stores[k]);
    // The expected reads of this block from the cells of another block. If several blocks store to a cell,
    // the cell belongs to the block with the lowest index.
    struct Expected {
      std::set<std::uint32_t> requests;
      std::set<std::int64_t> cells;
      std::uint64_t asked = UINT64_MAX, answered = 0;
      std::uint32_t mark = 0;
    };
    // The key is the buffer, the block to which the cell belongs, and 0. If the cell belongs to no block, the
    // key is the buffer, -1 and the cell.
    std::map<std::tuple<int, int, std::int64_t>, Expected> looks;
    const auto owner = [&](const Access& read) -> const Access* {
      const Access* first = nullptr;
      for (const Access& a : all)
        if (is_store(a.kind) && a.grid == read.grid && a.buffer == read.buffer && a.cell == read.cell &&
            (!first || a.block < first->block))
          first = &a;
      return first;
    };
    std::set<std::int64_t> read_marks;
    for (const Access& a : all) {
      if (!is_own(a) || !is_load(a.kind)) continue;
      const Access* by = owner(a);
      if ((by && by->block == row.block) || (!by && !a.marked)) continue;
      if (!a.marked && read_marks.contains(a.cell)) continue;  // the mark of this value was read earlier
      if (a.marked && !is_message(t.buffers[static_cast<std::size_t>(a.buffer)].cells))
        read_marks.insert(a.cell);
      Expected& e = looks[{a.buffer, by ? by->block : -1, by ? 0 : a.cell}];
      e.requests.insert(a.event);
      e.cells.insert(a.cell);
      e.asked = std::min(e.asked, a.time);
      e.answered = a.time;
      e.mark = a.mark;
    }
    ASSERT_EQ(row.looks, looks.size());
    std::uint64_t answered = 0;
    for (const TimeLine::Look& look : line.looks_of(row)) {
      const bool known = look.target != TimeLine::none;
      const auto e =
          looks.find({look.buffer, known ? line.rows[look.target].block : -1, known ? 0 : look.cell});
      ASSERT_NE(e, looks.end());
      EXPECT_EQ(look.requests, static_cast<int>(e->second.requests.size()));
      EXPECT_EQ(look.cells, static_cast<int>(e->second.cells.size()));
      EXPECT_EQ(look.asked, e->second.asked);
      EXPECT_EQ(look.answered, e->second.answered);
      ASSERT_GT(look.seen, 0u);
      EXPECT_EQ(line.seen_in(look).front().time, look.asked);
      if (look.cells == 1) EXPECT_EQ(line.seen_in(look).back().mark, e->second.mark);
      EXPECT_GE(look.answered, answered);
      answered = look.answered;
    }
    EXPECT_LE(row.begin, row.end);
  }
  EXPECT_EQ(line.end, last);
  EXPECT_TRUE(std::ranges::is_sorted(line.moments, {}, &TimeLine::Moment::time));
  std::size_t moments = 0;
  for (const TimeLine::Row& row : line.rows)
    for (const std::uint32_t m : line.moments_of(row)) {
      EXPECT_EQ(&line.rows[line.moments[m].row], &row);
      ++moments;
    }
  EXPECT_EQ(moments, line.moments.size());

  std::mt19937_64 random(t.events.size());
  for (int k = 0; k < 12; ++k) {
    const std::uint64_t time = k == 0 ? 0 : k == 1 ? line.end : random() % (line.end + 1);
    const BlockProgress p = progress_at(line, time);
    BlockProgress slow;
    for (const TimeLine::Row& row : line.rows) {
      ++slow.all;
      slow.begun += row.is_timed && row.begin <= time;
      slow.ended += row.is_timed && row.end <= time;
      const bool whole = row.whole <= time;
      slow.whole += whole;
      slow.part += !whole && row.part <= time;
    }
    EXPECT_EQ(std::tuple(p.all, p.begun, p.ended, p.whole, p.part),
              std::tuple(slow.all, slow.begun, slow.ended, slow.whole, slow.part));
    std::uint64_t after = UINT64_MAX, before = UINT64_MAX;
    for (const TimeLine::Moment& m : line.moments) {
      if (m.time > time) after = std::min(after, m.time);
      if (m.time < time) before = before == UINT64_MAX ? m.time : std::max(before, m.time);
    }
    EXPECT_EQ(next_time(line, time, +1), after == UINT64_MAX ? time : after);
    EXPECT_EQ(next_time(line, time, -1), before == UINT64_MAX ? time : before);
    const TimeLine::Row& row = line.rows[random() % line.rows.size()];
    const int event = event_at(line, t, row.grid, row.block, time);
    for (std::size_t i = 0; i < t.events.size(); ++i) {
      const Event& e = t.events[i];
      if (e.grid != row.grid || static_cast<int>(e.block) != row.block || line.time_of(t, i) > time) continue;
      ASSERT_GE(event, 0);
      EXPECT_LE(e.time, t.events[static_cast<std::size_t>(event)].time);
    }
  }
}

class TimeLines : public testing::TestWithParam<const Algorithm*> {};

TEST_P(TimeLines, AreAsComputedSlowly) {
  const Algorithm& a = *GetParam();
  int seed = 0;
  for (const int n : {1, 63, 500})
    for (const std::uint64_t schedule : {0, 5}) {
      SCOPED_TRACE(a.name + ", n = " + std::to_string(n));
      Trace t = recorded(a, n, 0, schedule);
      expect_as_computed_slowly(t);
      // Repeats the test with a clock that has long ticks and starts late.
      std::mt19937 random(static_cast<unsigned>(++seed));
      std::vector<std::size_t> order(t.events.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::ranges::sort(order, {}, [&](std::size_t i) { return t.events[i].time; });
      t.clock.resize(t.events.size());
      std::uint32_t now = 100;
      for (const std::size_t i : order) t.clock[i] = (now += random() % 20) / 32 * 32;
      for (BlockRun& run : t.runs) run.begin = 0, run.end = now;
      expect_as_computed_slowly(t);
    }
}

INSTANTIATE_TEST_SUITE_P(All, TimeLines, testing::ValuesIn(correct_algorithms(Language::cuda)),
                         [](const auto& info) { return info.param->name; });

TEST(TimeLine, OfRandomRecordingsIsAsComputedSlowly) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Trace t = RandomTrace(seed).make();
    for (Event& e : t.events)
      if (is_global(e.kind) && e.time % 2 == 0) e.flags |= is_volatile;
    expect_as_computed_slowly(t);
  }
}

// In a scan with look-back, each tile reads all tiles back to the nearest tile with a prefix. The values that
// the tile read and the tile's own sum must add up to the prefix that the tile publishes.
TEST(TimeLine, TheValuesOfALookBackAddUpToThePrefix) {
  int sums = 0;
  for (const std::uint64_t schedule : {0, 1, 2, 3, 9}) {
    const Trace t =
        recorded(algorithm("scan_decoupled_lookback"), 64 * 23 + 5, 64, schedule, 2, {{"items", "1"}});
    const TimeLine line = time_line(t);
    ASSERT_EQ(line.rows.size(), 24u);
    EXPECT_EQ(line.mark_names.at(1), "sum");
    EXPECT_EQ(line.mark_names.at(2), "prefix");
    const auto number = [&](const TimeLine::Held& h) {
      EXPECT_GE(h.buffer, 0);
      return std::bit_cast<float>(h.value[0]);
    };
    for (int tile = 0; tile < 24; ++tile) {
      const TimeLine::Row& row = line.rows[static_cast<std::size_t>(tile)];
      ASSERT_EQ(row.tile, tile);
      EXPECT_LE(row.part, row.whole);
      float read = 0;
      int used = 0;
      for (const TimeLine::Look& look : line.looks_of(row)) {
        if (!look.is_used) continue;
        const TimeLine::Row& target = line.rows[look.target];
        const std::uint32_t mark = line.seen_in(look).back().mark;
        EXPECT_EQ(mark, target.tile == tile - row.looked_back ? 2u : 1u);
        EXPECT_LE(mark == 2 ? target.whole : target.part, look.answered);
        read += number(look.held);
        sums += mark == 1;
        ++used;
      }
      EXPECT_EQ(used, row.looked_back);
      const auto published = line.published_by(row);
      ASSERT_EQ(published.size(), tile == 0 ? 1u : 2u);
      if (tile > 0) EXPECT_FLOAT_EQ(number(published[1].held), read + number(published[0].held));
    }
  }
  EXPECT_GT(sums, 0) << "some tile should have added a sum";
}

TEST(TimeLine, MessagesSayWhichTilesATileUsed) {
  const Trace t = recorded(algorithm("scan_lookback_vectorized"), 256 * 70, 32, 0, 2, {{"rows", "2"}});
  const TimeLine line = time_line(t);
  EXPECT_TRUE(line.protocols[0].one_state);
  for (const TimeLine::Row& row : line.rows)  // a tile uses its group of 32 tiles and the previous group
    EXPECT_EQ(row.looked_back, row.tile == 0 ? 0 : row.tile - std::max(0, row.tile / 32 - 1) * 32)
        << row.tile;
}

TEST(TimeLine, EveryBlockDrawsItsNumber) {
  const TimeLine line = time_line(recorded(algorithm("reduce_single_pass"), 320, 64, 3));
  std::set<int> numbers;
  for (const TimeLine::Row& row : line.rows) {
    numbers.insert(row.number);
    EXPECT_LE(row.whole, row.drawn) << "a block publishes its sum, then it increases the counter";
  }
  EXPECT_EQ(numbers, (std::set{0, 1, 2, 3, 4}));
  EXPECT_EQ(line.protocols[0].status, -1);
}

TEST(TimeLine, ChildGridsBeginAfterTheirLaunch) {
  const Trace t = recorded(algorithm("reduce_nested"), 256, 64, 0);
  const TimeLine line = time_line(t);
  int launches = 0;
  for (const TimeLine::Moment& m : line.moments) launches += m.of == TimeLine::Moment::Of::launch;
  EXPECT_GT(launches, 0);
  for (const TimeLine::Row& row : line.rows) {
    const Grid& grid = t.grids[static_cast<std::size_t>(row.grid)];
    if (grid.parent >= 0 && grid.parent_event != Grid::none)
      EXPECT_GE(row.begin, line.time_of(t, grid.parent_event));
  }
}

// --- the sentences and the picture

TEST(TimeWords, CountTheTilesAtATime) {
  const Recording r = make_recording(
      recorded(algorithm("scan_decoupled_lookback"), 512, 32, 2, UINT32_MAX, {{"items", "1"}}));
  const TimeLine& line = r.time_line();
  EXPECT_EQ(progress_text(r, line.end), "16 tiles know their prefix.");
  bool some = false;
  for (std::uint64_t time = 0; time <= line.end; time += 7) {
    const BlockProgress p = progress_at(line, time);
    const std::string text = progress_text(r, time);
    if (p.whole > 1 && p.part > 1 && p.nothing > 0) {
      some = true;
      EXPECT_EQ(text,
                fmt::format("{} tiles know their prefix, {} know only their sum, {} {} published nothing.",
                            p.whole, p.part, p.nothing, p.nothing == 1 ? "has" : "have"));
    }
  }
  EXPECT_TRUE(some);
  EXPECT_EQ(progress_text(record("scan_blelloch", 64), 1u << 20), "1 block has ended.");
}

// A sentence about a step also describes events that happen later in the step. If there are such events, the
// sentence must say so. Sentences about the whole run must not appear before the run has ended.
TEST(TimeWords, SayWhatHappensLater) {
  std::mt19937_64 random(9);
  int later = 0, over = 0;
  for (const char* name : {"scan_decoupled_lookback", "scan_lookback_vectorized", "reduce_single_pass"}) {
    const Recording r = make_recording(recorded(algorithm(name), 3000, 32, 2));
    const TimeLine& line = r.time_line();
    for (int round = 0; round < 60; ++round) {
      const TimeLine::Row& row = line.rows[random() % line.rows.size()];
      Place place{.block = row.block, .time = static_cast<std::int64_t>(random() % (line.end + 1))};
      const auto now = static_cast<std::uint64_t>(place.time);
      place.step = step_at(line, r.trace, row.grid, row.block, now);
      if (place.step < 0) continue;
      const EventRange range = step_events(r.trace, row.block, place.step);
      bool goes_on = false;
      for (std::size_t i = range.first; i < range.last; ++i) goes_on |= line.time_of(r.trace, i) > now;
      const std::string text = words(r, place);
      EXPECT_EQ(text.find("later in the step") != text.npos, goes_on) << name << ": " << text;
      if (goes_on) EXPECT_EQ(text.find(" looks back over "), text.npos) << text;
      if (now < line.end) EXPECT_EQ(text.find("The run took"), text.npos) << text;
      (goes_on ? later : over) += 1;
    }
    const Place end{.step = static_cast<int>(r.trace.steps.size()) - 1,
                    .time = static_cast<std::int64_t>(line.end)};
    EXPECT_NE(words(r, end).find("The run took"), std::string::npos);
  }
  EXPECT_GT(later, 10);
  EXPECT_GT(over, 10);
}

TEST(TimeWords, RoundTimesAndRates) {
  TimeLine line;
  line.is_clocked = true;
  line.end = 2'000'000;
  EXPECT_EQ(time_of_run_text(line, 612'345), "0.61 of 2.00 ms");
  EXPECT_EQ(span_text(line, 850), "850 ns");
  EXPECT_EQ(span_text(line, 61'234), "61.2 µs");
  EXPECT_EQ(rate_text(line, 1e9 / 10'000), "1/10,000 of its speed");
  line.end = 9'000;
  EXPECT_EQ(time_of_run_text(line, 1'234), "1,234 of 9,000 ns");
  line.is_clocked = false;
  EXPECT_EQ(time_of_run_text(line, 12), "event 12 of 9,000");
  EXPECT_EQ(rate_text(line, 20), "20.0 events/s");
}

}  // namespace time_line_test
}  // namespace upsweep
