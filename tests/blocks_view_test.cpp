// Tests the view "Blocks": the picture at a chosen time, whether all words fit, and how the mouse and the
// keys change the time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "analysis/time_line.hpp"
#include "export/export.hpp"
#include "panels/chrome.hpp"
#include "panels/keys.hpp"
#include "scene/views/views.hpp"
#include "study/shipped.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "words/time_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace blocks_view_test {

// Returns a recording in which tiles look back over several other tiles.
Recording look_back() {
  Settings s{.algorithm = "scan_decoupled_lookback", .n = 512};
  s.block = 32;
  s.choose("items", "1");
  validate(s);
  RecordOptions options;
  options.schedule = 2;
  return make_recording(Emulator().record(s, seeded_data(s, 3), options));
}

Cursor at_time(const Recording& r, std::uint64_t time, int block = 0) {
  Cursor c;
  c.block = block;
  c.time = static_cast<std::int64_t>(time);
  c.step = std::max(0, step_at(r.time_line(), r.trace, 0, block, time));
  return c;
}

// Returns the time when the block of this row has read all values that it uses from other blocks.
std::uint64_t busy_time(const Recording& r, std::uint32_t row) {
  const TimeLine& line = r.time_line();
  std::uint64_t time = 0;
  for (const TimeLine::Look& look : line.looks_of(line.rows[row]))
    if (look.is_used) time = std::max(time, look.answered);
  return time;
}

// Returns the row whose block looked back over the most tiles.
std::uint32_t farthest(const TimeLine& line) {
  std::uint32_t best = 0;
  for (std::uint32_t r = 0; r < line.rows.size(); ++r)
    if (line.rows[r].looked_back > line.rows[best].looked_back) best = r;
  return best;
}

int triangles(const Scene& scene) {
  int count = 0;
  for (const Shape& s : scene.shapes) count += std::holds_alternative<TriangleShape>(s.what);
  return count;
}

struct KernelRun {
  const char* algorithm;
  int n, block;
};
constexpr KernelRun runs[] = {{"scan_decoupled_lookback", 512, 32},
                              {"scan_lookback_vectorized", 9000, 32},
                              {"stream_compaction_look_back", 9000, 32},
                              {"reduce_single_pass", 512, 32},
                              {"reduce_atomic", 512, 32},
                              {"reduce_nested", 256, 32},
                              {"nested_hello", 64, 32},
                              {"scan_large", 700, 32},
                              {"reduce_vectorized", 2048, 32},
                              {"radix_sort_one_sweep", 3000, 384},
                              {"scan_blelloch", 64, 0}};

TEST(BlocksView, WordsFitAtAnyTimeAndSize) {
  std::mt19937_64 random(4);
  for (const KernelRun& run : runs) {
    const Recording r = record(run.algorithm, run.n, {}, 3, run.block);
    const TimeLine& line = r.time_line();
    for (const Point size :
         {Point{500, 90}, Point{640, 200}, Point{900, 300}, Point{1272, 520}, Point{1900, 1000}})
      for (int k = 0; k < 4; ++k) {
        const TimeLine::Row& row = line.rows[random() % line.rows.size()];
        Cursor c;
        c.step = static_cast<int>(r.trace.grids[static_cast<std::size_t>(row.grid)].first_step);
        c.block = row.block;
        if (k > 0) c.time = static_cast<std::int64_t>(random() % (line.end + 1));
        SCOPED_TRACE(
            fmt::format("{}, {} x {}, time {}, block {}", run.algorithm, size.x, size.y, c.time, c.block));
        const Scene scene = draw("blocks", r, c, size.x, size.y, k % 2 ? dark_theme() : light_theme());
        expect_words_fit(scene, size);
      }
  }
}

// The view must show the row of the cursor's block, even if the view has far too little space for all rows.
TEST(BlocksView, ShowsTheCursorsBlock) {
  Trace t = record("scan_large", 200, {}, 3, 32).trace;
  t.grids.resize(1);
  t.grids[0].blocks = 10000;
  t.events.clear(), t.lanes.clear(), t.values.clear(), t.snapshots.clear(), t.counts.clear(), t.runs.clear();
  t.steps.resize(t.grids[0].steps);
  for (std::uint32_t block = 0; block < 10000; ++block)
    t.runs.push_back({0, static_cast<std::uint16_t>(block % 132), block, true, block, block + 500});
  const Recording r = make_recording(std::move(t));
  for (const int block : {0, 1, 17, 40, 41, 5000, 9998, 9999}) {
    Cursor c;
    c.block = block;
    const Scene scene = draw("blocks", r, c, 900, 400);
    EXPECT_TRUE(says(scene, fmt::format("block {}", block))) << block;
    bool found = false;
    for (const Scene::Target& target : scene.targets)
      if (const auto* id = as<BlockId>(target.id)) found = found || id->block == block;
    EXPECT_TRUE(found) << block;
    EXPECT_LT(scene.targets.size(), 100u);
  }
}

TEST(BlocksView, ShowsWhatATileReadAsAListAndAsArrows) {
  const Recording r = look_back();
  const TimeLine& line = r.time_line();
  const std::uint32_t index = farthest(line);
  const TimeLine::Row& row = line.rows[index];
  ASSERT_GT(row.looked_back, 1);
  const std::uint64_t then = busy_time(r, index);
  const Scene before = draw("blocks", r, at_time(r, row.begin, row.block), 1272, 520),
              after = draw("blocks", r, at_time(r, then, row.block), 1272, 520);
  EXPECT_GE(triangles(after), triangles(before) + row.looked_back);
  EXPECT_TRUE(says(after, fmt::format("Tile {} looks back", row.tile)));
  for (const TimeLine::Look& look : line.looks_of(row))
    if (look.is_used) {
      EXPECT_TRUE(says(after, "+ " + held_text(r, look.held)));
      EXPECT_TRUE(says(after, marked_value_text(r, look.buffer, line.seen_in(look).back().mark, look.held)));
    }
  EXPECT_TRUE(says(before, "has not read any other tile yet"));
  EXPECT_TRUE(says(after, "How far each tile looked back"));
  const std::string text = words(r, at_time(r, then, row.block));
  EXPECT_NE(text.find(progress_text(r, then)), text.npos);
  EXPECT_NE(text.find(fmt::format("Tile {} has read {} tile", row.tile, row.looked_back)), text.npos);
}

// The view shows a run at one time, which a vertical line marks. Everything to the right of this line is in
// the future, so the view must draw only outlines there. A pale fill colour could look like the colour of
// another state.
TEST(BlocksView, TheFutureIsOnlyAnOutline) {
  std::mt19937_64 random(8);
  int outlines = 0;
  for (const KernelRun& run : runs) {
    const Recording r = record(run.algorithm, run.n, {}, 3, run.block);
    const TimeLine& line = r.time_line();
    for (int k = 0; k < 8; ++k) {
      const Theme& theme = theme_of(k % 2 != 0, k % 4 >= 2);
      const std::uint64_t time = line.end / 8 + random() % (line.end * 7 / 8 + 1);
      const Scene scene = draw("blocks", r, at_time(r, time), k < 4 ? 846 : 1272, k < 4 ? 476 : 520, theme);
      float right = 0;
      for (const Scene::Target& target : scene.targets)
        if (is<SliderId>(target.id)) right = std::max(right, target.box.x + target.box.w);
      // The line at the shown time is the only box with this width and colour.
      const RectShape* now = nullptr;
      for (const Shape& s : scene.shapes)
        if (const auto* box = std::get_if<RectShape>(&s.what);
            !now && box && box->box.w == 1.5f && box->fill == theme.text && box->box.h > 18)
          now = box;
      ASSERT_TRUE(now) << run.algorithm;
      for (const Shape& s : scene.shapes) {
        const auto* box = std::get_if<RectShape>(&s.what);
        if (!box || box->box.y < now->box.y || box->box.x <= now->box.x + 1.5f || box->box.w <= 2 ||
            box->box.x + box->box.w > right + 1 || box->fill == theme.background)
          continue;
        EXPECT_EQ(box->fill.a, 0) << run.algorithm << ", " << theme_name(theme.dark, k % 4 >= 2);
        EXPECT_EQ(box->stroke, theme.ghost_text);
        ++outlines;
      }
    }
  }
  EXPECT_GT(outlines, 500);
}

// A recording from a file cannot run again, so the tooltip of a block must not promise a new recording.
TEST(BlocksView, PromisesARecordingOnlyIfTheRunCanBeRecorded) {
  Settings s{.algorithm = "scan_decoupled_lookback", .n = 512, .block = 32};
  validate(s);
  Recording r = make_recording(Emulator().record(s, seeded_data(s, 3), {.blocks = 3}));
  const auto promises = [](const Recording& recording) {
    int count = 0;
    for (const TimeLine::Row& row : recording.time_line().rows)
      for (const std::string& line : tip_of({recording, Cursor()}, BlockId{0, row.grid, row.block}))
        count += line.find("click the block's name") != std::string::npos;
    return count;
  };
  EXPECT_EQ(promises(r), 16 - 3);
  r.is_opened = true;
  EXPECT_EQ(promises(r), 0);
  Session session(start(64));
  EXPECT_FALSE(session.recording().is_opened);
  session.open("scan_decoupled_lookback");
  ASSERT_TRUE(session.shows_opened());
  EXPECT_TRUE(session.recording().is_opened);
}

TEST(BlocksView, ListsAtomicsInTheirOrder) {
  const Recording r = record("reduce_atomic", 512, {}, 3, 32);
  const Scene scene = draw("blocks", r, at_time(r, r.time_line().end), 1272, 520);
  EXPECT_TRUE(says(scene, "Atomics, in their order"));
  EXPECT_TRUE(says(scene, "→"));
}

TEST(BlocksView, DraggingMovesTheTimeAndAClickAlsoChoosesTheBlock) {
  Session s(start(512, "scan_decoupled_lookback"));
  s.set_block(32);
  const TimeLine& line = s.recording().time_line();
  ASSERT_EQ(line.rows.size(), 16u);
  const auto at = [&](int row, int place) { return SliderId{time_view, row, place}; };
  s.click(at(9, 500));
  EXPECT_EQ(s.cursor().time, static_cast<std::int64_t>(line.end / 2));
  EXPECT_EQ(s.cursor().block, line.rows[9].block);
  const auto drag = view("blocks").drag({s.recording(), s.cursor()}, at(2, 0), at(2, 250));
  s.carry_out_click(drag);
  EXPECT_EQ(s.cursor().time, static_cast<std::int64_t>(line.end / 4));
  EXPECT_EQ(s.cursor().block, line.rows[9].block) << "dragging keeps the block";
  const int step = step_at(line, s.recording().trace, 0, s.cursor().block, line.end / 4);
  if (step >= 0) EXPECT_EQ(s.cursor().step, step);
  s.undo();
  s.undo();
  EXPECT_EQ(s.cursor().time, -1);
  s.go_to(3);
  EXPECT_EQ(s.cursor().time, -1) << "a step has its own time";
}

TEST(BlocksView, KeysMoveThroughTheTimeIfItIsLarge) {
  Session s(start(512, "scan_decoupled_lookback"));
  s.set_block(32);
  const auto press = [&](Action a) { perform(s, {a, 0}); };
  EXPECT_FALSE(s.moves_in_time());
  s.apply({.view = "blocks"});
  ASSERT_TRUE(s.moves_in_time());
  press(Action::first);
  EXPECT_EQ(s.time(), 0);
  std::set<std::int64_t> times;
  const auto end = static_cast<std::int64_t>(s.recording().time_line().end);
  while (s.time() < end && times.size() < 100000) {
    press(Action::stride_forward);
    EXPECT_TRUE(times.insert(s.time()).second) << "each key goes to a later time";
  }
  std::set<std::int64_t> expected;
  for (const TimeLine::Moment& m : s.recording().time_line().moments)
    if (m.time > 0) expected.insert(static_cast<std::int64_t>(m.time));
  EXPECT_EQ(times, expected);
  press(Action::stride_back);
  EXPECT_EQ(s.time(), *std::prev(expected.end(), 2));
  press(Action::block_forward);
  EXPECT_TRUE(says(status_panel(s, light_theme(), 300, 120, {-1, -1}).scene, "event"));
  const Request now = s.state();
  EXPECT_EQ(now.time, s.cursor().time);
  press(Action::phase_back);
  EXPECT_EQ(s.cursor().time, -1);
  s.apply(now);
  EXPECT_EQ(s.cursor().time, now.time);
  EXPECT_EQ(read_request(to_json(now)), now);
}

TEST(BlocksView, PlayingTakesTheSameTimeForEveryRun) {
  Session s(start(512, "scan_decoupled_lookback"));
  s.apply({.view = "blocks"});
  ASSERT_TRUE(s.moves_in_time());
  s.first();
  s.toggle_playing();
  const auto end = static_cast<double>(s.recording().time_line().end);
  for (int frame = 0; frame < 600; ++frame) s.tick(1.0 / 60);
  EXPECT_NEAR(static_cast<double>(s.time()), end / 2, 2);
  EXPECT_GT(s.next_tick_in(), 0);
  EXPECT_LT(s.next_tick_in(), 0.02);
  for (int frame = 0; frame < 610; ++frame) s.tick(1.0 / 60);
  EXPECT_FALSE(s.playing());
  EXPECT_EQ(s.time(), static_cast<std::int64_t>(end));
}

// The window plays a GPU's recording with the times that the GPU measured, slowed down by one factor. The
// factor must be 1, 2 or 5 times a power of ten, and playing must take about 8 to 20 seconds.
TEST(BlocksView, ARecordedRunPlaysInItsOwnTime) {
  int clocked = 0;
  for (const Shipped& each : shipped_recordings()) {
    Session s(start(64));
    s.open(each.name);
    s.apply({.view = "blocks"});
    if (!s.moves_in_time() || !s.recording().time_line().is_clocked) continue;
    ++clocked;
    const double factor = 1e9 / s.time_rate(), power = std::pow(10, std::floor(std::log10(factor) + 1e-9));
    const double digit = factor / power;
    EXPECT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6)
        << factor;
    const double whole = static_cast<double>(s.recording().time_line().end) / s.time_rate();
    EXPECT_GE(whole, 7.9);
    EXPECT_LE(whole, 20.1);
    EXPECT_TRUE(says(transport_panel(s, light_theme(), 232, 120, {-1, -1}).scene, "1/"));
    // At the end of the run, all blocks must have begun and ended, and every tile must have published its
    // result.
    const BlockProgress p = progress_at(s.recording().time_line(), s.recording().time_line().end);
    EXPECT_EQ(p.begun, p.all);
    EXPECT_EQ(p.ended, p.all);
    EXPECT_EQ(p.nothing, 0) << each.name;
  }
  EXPECT_GT(clocked, 10);
}

class BlocksGolden : public testing::TestWithParam<bool> {};

TEST_P(BlocksGolden, IsAsCommitted) {
  const bool dark = GetParam();
  const Theme& theme = dark ? dark_theme() : light_theme();
  const char* const name = dark ? "dark" : "light";
  {
    const Recording r = look_back();
    const std::uint32_t row = farthest(r.time_line());
    expect_as_committed(fmt::format("blocks-time-{}", name),
                        svg(draw("blocks", r, at_time(r, busy_time(r, row), r.time_line().rows[row].block),
                                 1272, 520, theme)));
  }
  {
    const Recording r = record("reduce_atomic", 512, {}, 3, 32);
    expect_as_committed(fmt::format("blocks-atomic-{}", name),
                        svg(draw("blocks", r, at_time(r, r.time_line().end / 2, 1), 1000, 360, theme)));
  }
  {
    const Recording r = record("reduce_nested", 128, {}, 3, 32);
    expect_as_committed(fmt::format("blocks-launches-{}", name),
                        svg(draw("blocks", r, at_time(r, r.time_line().end / 2), 1000, 360, theme)));
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, BlocksGolden, testing::Bool(),
                         [](const auto& info) { return info.param ? "dark" : "light"; });

}  // namespace blocks_view_test
}  // namespace upsweep
