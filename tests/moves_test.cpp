// Tests analysis/moves.hpp, which finds the places to which elements of the input move: loops over the input
// must give the same places. Also tests the view "Moves".
#include "analysis/moves.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "analysis/count_rows.hpp"
#include "catalogue/element_order.hpp"
#include "catalogue/ladder.hpp"
#include "emulated/test_kernels.hpp"
#include "support/drawn_views.hpp"
#include "support/emulated_runs.hpp"
#include "support/pictures.hpp"
#include "support/value_of.hpp"

namespace upsweep {
namespace moves_test {

constexpr RecordOptions all_blocks{.blocks = UINT32_MAX};
using Indices = std::vector<std::uint32_t>;

Indices sources(const Moves& m) {
  Indices from;
  for (const Moves::Arrival& a : m.output) from.push_back(a.from);
  return from;
}

std::int64_t crossings(const Indices& from) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t k = i + 1; k < from.size(); ++k) count += from[i] > from[k];
  return count;
}

// Expects that from[i] is the source of output i, and that all members of Moves agree with `from`.
void expect_moves(const Trace& trace, const Indices& from) {
  const Moves m = moves(trace);
  Indices found = sources(m);
  ASSERT_GE(found.size(), from.size());
  for (std::size_t i = from.size(); i < found.size(); ++i) EXPECT_EQ(found[i], Moves::none);
  found.resize(from.size());
  ASSERT_EQ(found, from);
  EXPECT_EQ(m.arrived, std::ssize(from));
  EXPECT_EQ(m.crossings, crossings(from));
  ASSERT_EQ(m.place.size(), trace.input.size());
  for (std::size_t i = 0; i < m.place.size(); ++i) {
    const auto at = std::find(from.begin(), from.end(), static_cast<std::uint32_t>(i));
    EXPECT_EQ(m.place[i], at == from.end() ? Moves::none : static_cast<std::uint32_t>(at - from.begin()));
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Event& e = trace.events[m.output[i].event];
    EXPECT_EQ(e.kind, Kind::global_store);
    EXPECT_TRUE(e.mask >> m.output[i].lane & 1);
    const std::uint32_t entry = entry_at(trace, e, m.output[i].lane, static_cast<std::int64_t>(4 * i));
    ASSERT_NE(entry, Moves::none);
    EXPECT_EQ(m.element[entry], from[i]);
  }
  ASSERT_EQ(m.arrived_after.size(), trace.steps.size());
  EXPECT_TRUE(std::is_sorted(m.arrived_after.begin(), m.arrived_after.end()));
  EXPECT_EQ(m.arrived_after.back(), m.arrived);
}

TEST(Moves, OfACompactionAreTheKeptElementsInOrder) {
  std::mt19937 random(1);
  Emulator emulator;
  for (const Algorithm* a : rungs_of("stream_compaction"))
    for (const int n : {1, 2, 33, 257, 1031})
      for (const int kept_of_4 : {0, 2, 4}) {
        Settings s{.algorithm = a->name, .n = n, .block = 64, .type = Scalar::int32};
        fit_kind(*a, s);
        SCOPED_TRACE(fmt::format("{}, n = {}, {} of 4", a->name, n, kept_of_4));
        std::vector<std::int32_t> numbers(static_cast<std::size_t>(n));
        for (auto& x : numbers) x = static_cast<int>(random() % 4) < kept_of_4 ? 7 : -7;
        Indices kept;
        for (std::size_t i = 0; i < numbers.size(); ++i)
          if (numbers[i] > 0) kept.push_back(static_cast<std::uint32_t>(i));
        expect_moves(emulator.record(s, values_of(numbers), all_blocks), kept);
        if (HasFailure()) return;
      }
}

TEST(Moves, OfASortAreStable) {
  std::mt19937 random(2);
  Emulator emulator;
  for (const Algorithm* a : rungs_of("radix_sort"))
    for (const int n : {1, 33, 200})
      for (const Way& way : every_way) {
        Settings s{
            .algorithm = a->name, .n = n, .block = std::max(64, a->least_threads), .type = Scalar::int32};
        SCOPED_TRACE(fmt::format("{}, n = {}, {}", a->name, n, way.name));
        std::vector<std::int32_t> numbers(static_cast<std::size_t>(n));
        for (auto& x : numbers) x = static_cast<std::int32_t>(random() % 9) - 4;
        Indices from(numbers.size());
        std::iota(from.begin(), from.end(), 0u);
        std::stable_sort(from.begin(), from.end(), [&](auto i, auto k) { return numbers[i] < numbers[k]; });
        RecordOptions options = way.options;
        options.blocks = UINT32_MAX;
        expect_moves(emulator.record(s, values_of(numbers), options), from);
        if (HasFailure()) return;
      }
}

TEST(Moves, OfATransposeGoFromRowsToColumns) {
  const Algorithm a = test_kernel("transpose");
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 70}, {37, 1}, {33, 41}, {64, 32}}) {
    Settings s{.algorithm = "transpose", .n = rows * columns, .block = 256, .type = Scalar::int32};
    s.columns = columns;
    s.choices["row_cells"] = "33";
    Indices from;
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row) from.push_back(static_cast<std::uint32_t>(row * columns + column));
    expect_moves(Emulator().record(a, *test_kernels("transpose"), s, seeded_data(s, 7), all_blocks), from);
  }
}

// If only some blocks are recorded, some arrows are missing. No arrow may be wrong, even if keys are equal
// and launches use two buffers in turn.
TEST(Moves, AreRightIfOnlySomeBlocksAreRecorded) {
  std::mt19937 random(3);
  Emulator emulator;
  for (const char* ladder : {"stream_compaction", "radix_sort"})
    for (const Algorithm* a : rungs_of(ladder)) {
      Settings s{
          .algorithm = a->name, .n = 3000, .block = std::max(32, a->least_threads), .type = Scalar::int32};
      fit_kind(*a, s);
      std::vector<std::int32_t> numbers(static_cast<std::size_t>(s.n));
      for (auto& x : numbers) x = static_cast<std::int32_t>(random() % 9) - 4;
      const std::vector<Value> input = values_of(numbers);
      const Indices all = sources(moves(emulator.record(s, input, all_blocks)));
      for (const std::uint32_t block : {0u, 1u, 3u}) {
        SCOPED_TRACE(fmt::format("{}, block {}", a->name, block));
        const Moves some = moves(emulator.record(s, input, {.first_block = block, .blocks = 1}));
        for (std::size_t i = 0; i < all.size(); ++i)
          if (some.output[i].known()) { ASSERT_EQ(some.output[i].from, all[i]) << i; }
        const bool one_launch_moves = a->ladder == "stream_compaction";
        if (one_launch_moves && block < 2) { EXPECT_GT(some.arrived, 0); }
        if (one_launch_moves || block > 0) { EXPECT_LT(some.arrived, std::ssize(all) / 2); }
      }
    }
}

TEST(Moves, LeaveOutComputedValues) {
  const Recording r = record("reduce_sequential", 64);
  EXPECT_EQ(r.moves().arrived, 0);
  EXPECT_FALSE(r.only_moves);
  EXPECT_FALSE(has_something(view_index("moves"), r));
  EXPECT_TRUE(says(draw("moves", r, at_step(0), 900, 300), "This run computes new values"));
}

// --- the view

int heads(const Scene& scene) {
  return static_cast<int>(std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape& s) {
    return std::holds_alternative<TriangleShape>(s.what);
  }));
}

TEST(MovesView, HasAnArrowForEveryKeptElement) {
  for (const Algorithm* a : rungs_of("stream_compaction")) {
    const Recording r = record(a->name, 16);
    const auto kept = static_cast<int>(r.trace.more_outputs[0][0][0]);
    const int last = static_cast<int>(r.trace.steps.size()) - 1;
    const Scene first = draw("moves", r, at_step(0), 900, 340),
                end = draw("moves", r, at_step(last), 900, 340);
    EXPECT_EQ(heads(first), 0) << "no place is known yet";
    EXPECT_EQ(heads(end), kept);
    EXPECT_TRUE(says(end, fmt::format("{} of 16 elements kept", kept)));
    EXPECT_FALSE(says(first, "elements kept"));
    EXPECT_FALSE(says(first, "Order kept"));
    EXPECT_TRUE(says(first, fmt::format("0 of {} elements arrived", kept)));
    EXPECT_TRUE(says(end, fmt::format("{} of {} elements arrived", kept, kept)));
    const auto said = texts(end);
    EXPECT_EQ(std::ranges::count_if(
                  said, [](const TextShape& t) { return t.text.find("rder kept") != t.text.npos; }),
              1);
    EXPECT_TRUE(view("moves").comes_first(r));
  }
}

// The view must draw an element's arrow only after a step has stored the element's place in the output.
TEST(MovesView, DrawsAnArrowOnlyIfThePlaceIsKnown) {
  const Recording r = record("stream_compaction", 27);
  const Moves& m = r.moves();
  const int output = r.trace.roles().first_output();
  int places = -1, pale = 0;
  for (std::size_t b = 0; b < r.trace.buffers.size(); ++b)
    if (r.trace.buffers[b].name == "places") places = static_cast<int>(b);
  ASSERT_GE(places, 0);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
    int known = 0, there = 0;
    for (std::size_t i = 0; i < m.output.size(); ++i) {
      if (!m.output[i].known()) continue;
      const auto& stored = r.global(output, step).cells[i];
      const auto& place = r.global(places, step).cells[m.output[i].from];
      there += stored.known && stored.writer > 0;
      known += (stored.known && stored.writer > 0) || (place.known && place.value[0] == i);
    }
    pale += known > there;
    EXPECT_EQ(heads(draw("moves", r, at_step(step), 900, 340)), known) << "step " << step;
  }
  EXPECT_GT(pale, 0) << "places are known before the elements move";
  for (const Algorithm* a : rungs_of("stream_compaction")) {
    const Recording other = record(a->name, 700, {}, 3, 128);
    for (const Moves::Arrival& arrival : other.moves().output)
      if (arrival.known()) {
        EXPECT_GE(arrival.known_from, 0) << a->name;
        EXPECT_LE(arrival.known_from, static_cast<int>(other.trace.events[arrival.event].step)) << a->name;
      }
  }
}

// If a step stores the flag 0 for an element, the analysis must count the element as dropped.
TEST(Moves, KnowWhichElementsAFlagDrops) {
  for (const char* name : {"stream_compaction", "stream_compaction_gather_search"})
    for (const int n : {1, 27, 150, 700}) {
      const Recording r = record(name, n, {}, 3, 64);
      const Moves& m = r.moves();
      ASSERT_EQ(m.dropped_in.size(), r.trace.input.size());
      for (std::size_t i = 0; i < m.dropped_in.size(); ++i) {
        EXPECT_EQ(m.dropped_in[i] >= 0, m.place[i] == Moves::none) << name << ", element " << i;
        if (m.dropped_in[i] >= 0) {
          EXPECT_EQ(r.trace.steps[static_cast<std::size_t>(m.dropped_in[i])].phase, Phase::flag);
        }
      }
    }
  const Recording sort = record("radix_sort", 150);
  for (const int dropped : sort.moves().dropped_in) EXPECT_EQ(dropped, -1);
}

// Below the input, the view shows the flags and the counts of kept elements after they have been computed.
TEST(MovesView, ShowsFlagsAndCountsAsFarAsTheyAreComputed) {
  for (const int n : {1, 27, 64, 150}) {
    const Recording r = record("stream_compaction", n, {}, 3, 32);
    const Trace& t = r.trace;
    std::vector<std::uint32_t> flags, places;
    for (std::int64_t i = 0; i < n; ++i) {
      places.push_back(std::accumulate(flags.begin(), flags.end(), 0u));
      flags.push_back(r.moves().place[static_cast<std::size_t>(i)] != Moves::none);
    }
    const auto row_after = [&](int step, std::string_view name) {
      for (const CountRow& row : count_rows(r, step))
        if (row.name == name) return row.counts;
      return std::vector<std::optional<std::uint32_t>>();
    };
    bool seen = false;  // whether the scan in shared memory was seen
    for (int step = 0; step < static_cast<int>(t.steps.size()); ++step) {
      const Step& s = t.steps[static_cast<std::size_t>(step)];
      const auto now = row_after(step, "flags"), scan = row_after(step, "temp");
      ASSERT_EQ(now.size(), flags.size());
      for (std::size_t i = 0; i < flags.size(); ++i) {
        EXPECT_EQ(now[i], flags[i]);
        if (!scan.empty() && s.phase == Phase::load && scan[i]) { EXPECT_EQ(scan[i], flags[i]); }
        // After the last step of the down-sweep, the tile's scan is complete.
        if (n <= 64 && !scan.empty() && s.phase == Phase::down_sweep && s.stride == 1) {
          EXPECT_EQ(scan[i], places[i]);
          seen = true;
        }
      }
      if (name(s.phase) == "scatter") { EXPECT_TRUE(scan.empty()); }
    }
    EXPECT_EQ(seen, n <= 64);
    EXPECT_TRUE(row_after(0, "places").empty());
    const auto stored = row_after(static_cast<int>(t.steps.size()) - 1, "places");
    ASSERT_EQ(stored.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(stored[i], places[i] - places[i / 64 * 64]);
  }
  EXPECT_TRUE(count_rows(record("scan_blelloch", 64), 3).empty());
}

// Returns the number of texts plus the number of coloured cells in the row with this name.
std::size_t shown_in_row(const Scene& scene, std::string_view row) {
  const std::vector<TextShape> all = texts(scene);
  const auto name = std::ranges::find(all, row, &TextShape::text);
  if (name == all.end()) return 0;
  const auto same_row = [&](float y) { return std::abs(y - name->at.y) < 4; };
  std::size_t count = 0;
  for (const TextShape& t : all) count += same_row(t.at.y) && t.text != row;
  for (const Shape& s : scene.shapes)
    if (const auto* grid = std::get_if<GridShape>(&s.what); grid && same_row(grid->box.y + grid->box.h / 2))
      count += grid->colours.size();
  return count;
}

// The rows of flags and places must stay in the view until the end, even if another row has long numbers.
TEST(MovesView, KeepsTheRowsOfFlagsAndPlacesUntilTheEnd) {
  for (const int n : {20, 64, 100, 128, 150, 300, 1000}) {
    const Recording r = record("stream_compaction", n, {}, 3, 32);
    bool has_places = false;
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const Scene scene = draw("moves", r, at_step(step), 760, 340);
      for (const CountRow& row : count_rows(r, step)) has_places = has_places || row.name == "places";
      EXPECT_GE(shown_in_row(scene, "flags"), std::min(n, 600) + 0u) << n << ", " << step;
      EXPECT_EQ(shown_in_row(scene, "places") >= 8, has_places) << n << ", " << step;
      expect_words_fit(scene, {760, 340});
    }
    const auto end = at_end(r);
    EXPECT_EQ(shown_in_row(draw("moves", r, end, 760, 340), "goes to") >= 8, n > 64) << n;
  }
}

// The element under the mouse must highlight a lane only if the cursor's block stores this element.
TEST(MovesView, AnElementLightsTheLaneThatStoresItOnlyInItsBlock) {
  const Recording r = record("stream_compaction", 150, {}, 3, 32);
  const Cursor last = at_end(r);
  const Scene scene = draw("moves", r, last, 1200, 340);
  std::set<int> blocks;
  for (const Scene::Target& t : scene.targets) {
    const auto* id = as<ElementId>(t.id);
    if (!id || id->by.event < 0) continue;
    const Event& e = r.trace.events[static_cast<std::size_t>(id->by.event)];
    blocks.insert(static_cast<int>(e.block));
    Cursor cursor = last;
    cursor.hover = t.id;
    const auto quiet = draw("warps", r, last, 760, 200).shapes.size();
    EXPECT_EQ(draw("warps", r, cursor, 760, 200).shapes.size(), quiet + (e.block == 0)) << id->input;
    const std::string tip = tip_of({r, cursor}, t.id).back();
    EXPECT_TRUE(tip.ends_with(
        fmt::format("thread {} of block {}, line {}", e.warp * 32 + id->by.lane, e.block, e.line)))
        << tip;
  }
  EXPECT_GE(blocks.size(), 3u);
}

// The view may draw an element as dropped only if its flag is 0, or if all kept elements have arrows.
TEST(MovesView, ColoursOnlyElementsAsDroppedThatARunDrops) {
  const Theme& theme = light_theme();
  const Colour dropped = mix(theme.background, theme.ghost_text, 0.45f);
  const auto has_dropped = [&](const Recording& r) {
    const int last = static_cast<int>(r.trace.steps.size()) - 1;
    return std::ranges::any_of(draw("moves", r, at_step(last), 2400, 340, theme).shapes, [&](const Shape& s) {
      if (const auto* box = std::get_if<RectShape>(&s.what)) return box->stroke == dropped;
      const auto* strip = std::get_if<GridShape>(&s.what);
      return strip && std::ranges::find(strip->colours, dropped) != strip->colours.end();
    });
  };
  Emulator emulator;
  for (const char* name : {"stream_compaction_fused", "stream_compaction_look_back", "radix_sort"}) {
    const Algorithm& a = algorithm(name);
    Settings s{.algorithm = name, .n = 3000, .block = std::max(32, a.least_threads), .type = Scalar::int32};
    fit_kind(a, s);
    const std::vector<Value> input = seeded_data(s, 4);
    const Recording some = make_recording(emulator.record(s, input, {.first_block = 1, .blocks = 1}));
    EXPECT_FALSE(has_dropped(some)) << name;
    EXPECT_EQ(has_dropped(make_recording(emulator.record(s, input, all_blocks))), some.result == "selection")
        << name;
  }
}

// The sentence in the view must say how many of the drawn arrows cross.
TEST(MovesView, SaysHowManyArrowsCross) {
  const Recording r = record("radix_sort", 16);
  const Scene scene = draw("moves", r, at_end(r), 900, 340);
  ASSERT_GT(r.moves().crossings, 0);
  EXPECT_FALSE(says(scene, "rder kept"));
  EXPECT_TRUE(says(scene, fmt::format("{} of 120 pairs of arrows cross", r.moves().crossings)));
}

TEST(MovesView, HasFewShapesForManyElements) {
  const Recording small = record("stream_compaction_look_back", 1000),
                  large = record("stream_compaction_look_back", 100'000, {}, 3, 128);
  for (const Recording* r : {&small, &large}) {
    const Scene scene = draw("moves", *r, at_step(0), 1272, 400);
    EXPECT_LT(scene.shapes.size(), 6000u);
    expect_words_fit(scene, {1272, 400});
  }
}

TEST(MovesView, AnElementLightsUpAndLeadsToItsStep) {
  const Recording r = record("stream_compaction", 16);
  const int last = static_cast<int>(r.trace.steps.size()) - 1;
  const Moves& m = r.moves();
  const std::uint32_t input = m.output[0].from;
  const Scene scene = draw("moves", r, at_step(last), 900, 340);
  const auto target = std::find_if(scene.targets.begin(), scene.targets.end(), [&](const Scene::Target& t) {
    const auto* id = as<ElementId>(t.id);
    return id && id->input == static_cast<int>(input);
  });
  ASSERT_NE(target, scene.targets.end());
  Cursor cursor = at_step(last);
  cursor.hover = target->id;
  EXPECT_GT(draw("moves", r, cursor, 900, 340).shapes.size(), scene.shapes.size());
  EXPECT_TRUE(says(draw("moves", r, cursor, 900, 340), fmt::format("in[{}] = ", input)));
  const Event& e = r.trace.events[m.output[0].event];
  EXPECT_EQ(click_on({r, cursor}, target->id),
            Click(GoToBlock{static_cast<int>(e.step), static_cast<int>(e.block)}));
  const Lines tip = tip_of({r, cursor}, target->id);
  ASSERT_GE(tip.size(), 3u);
  EXPECT_EQ(tip[1], "At the end, this element is out[0].");
}

}  // namespace moves_test
}  // namespace upsweep
