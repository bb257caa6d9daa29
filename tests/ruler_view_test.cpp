// Tests the view "Ruler" and its numbers: which requests fit, how much capacity is left, and the first
// request that does not fit.
#include <gtest/gtest.h>

#include <random>

#include "analysis/allotment.hpp"
#include "catalogue/ladder.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/value_of.hpp"

namespace upsweep {
namespace ruler_view_test {

Recording recorded(const std::vector<std::uint32_t>& lengths, std::uint64_t capacity,
                   const char* rung = "allocation") {
  Settings s{.algorithm = rung, .n = static_cast<int>(lengths.size()), .block = 32, .type = Scalar::uint32};
  s.choose("capacity", std::to_string(capacity));
  std::vector<Value> input;
  for (const std::uint32_t x : lengths) input.push_back(value_of(x));
  return make_recording(Emulator().record(s, input));
}

Recording preset_run(const char* preset, int n, int capacity, Scalar type = Scalar::int32) {
  Settings s{.algorithm = "allocation", .n = n, .block = 32, .type = type};
  s.choose("capacity", std::to_string(capacity));
  return make_recording(Emulator().record(s, preset_data(s, preset)));
}

TEST(Allotment, SaysWhatFits) {
  std::mt19937 random(1);
  for (const Algorithm* a : rungs_of("allocation"))
    for (const int n : {1, 2, 10, 63, 64, 65, 300})
      for (const std::uint32_t longest : {0u, 1u, 5u, 90u}) {
        std::vector<std::uint32_t> lengths(static_cast<std::size_t>(n));
        std::uint64_t all = 0;
        for (auto& x : lengths) all += x = static_cast<std::uint32_t>(random() % (longest + 1));
        const std::uint64_t capacity = random() % (all + all / 2 + 2);
        const Recording r = recorded(lengths, capacity, a->name.c_str());
        ASSERT_TRUE(r.allotment);
        std::uint64_t end = 0, used = 0;
        std::optional<std::size_t> misfit;
        std::size_t fitting = 0;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
          end += lengths[i];
          if (end <= capacity) ++fitting, used = end;
          else if (!misfit) misfit = i;
        }
        EXPECT_EQ(r.allotment->capacity(), static_cast<double>(capacity));
        EXPECT_EQ(r.allotment->left(), static_cast<double>(capacity - used));
        EXPECT_EQ(r.allotment->total(), static_cast<double>(all));
        EXPECT_EQ(r.allotment->misfit(), misfit);
        EXPECT_EQ(r.allotment->fitting(), fitting);
        EXPECT_FALSE(r.allotment->fits_again());
        for (const double place : {0., 1., 17., static_cast<double>(all)}) {
          std::size_t before = 0;
          while (before < lengths.size() && request_start(r.trace, before) < place) ++before;
          EXPECT_EQ(r.allotment->before(r.trace, place), before) << place;
        }
      }
  EXPECT_FALSE(record("scan_blelloch", 64).allotment);
}

TEST(Allotment, KnowsThatSumsWrap) {
  const Recording r = recorded({1000, 4294967000u, 4}, 2000000000);
  EXPECT_EQ(r.allotment->misfit(), std::optional<std::size_t>(1));
  EXPECT_TRUE(r.allotment->fits_again());
  EXPECT_FALSE(says(draw("ruler", r, at_end(r), 900, 400), "no later request fits"));
  expect_words_fit(draw("ruler", r, at_end(r), 900, 400), {900, 400});
}

TEST(RulerView, TheSausageHas39InchesLeft) {
  const Recording r = preset_run("sausage", 10, 100);
  for (const Point size : {Point{844, 300}, Point{1272, 700}, Point{500, 90}}) {
    const Scene scene = draw("ruler", r, at_end(r), size.x, size.y);
    EXPECT_TRUE(says(scene, "39 inches")) << size.x;
    EXPECT_TRUE(says(scene, "All 10 requests fit")) << size.x;
  }
  const Scene scene = draw("ruler", r, at_end(r), 844, 300);
  for (const char* text : {"capacity 100 inches", "start 17 · length 28", "start 52 · length 0"})
    EXPECT_TRUE(says(scene, text)) << text;
  const auto drawn = [](const Recording& run, float height) {
    return draw("ruler", run, at_end(run), 844, height);
  };
  const Scene misfit = drawn(preset_run("sausage", 10, 50), 300);
  for (const char* text : {"Request 6 needs 3 inches, but only 1 is left.", "no later request fits"})
    EXPECT_TRUE(says(misfit, text)) << text;
  EXPECT_TRUE(says(drawn(recorded({5}, 4), 300), "Request 0 needs 5, but only 4 are left."));
}

TEST(RulerView, KnowsTheUnitsOfPresets) {
  const auto drawn = [](const Recording& r) { return draw("ruler", r, at_end(r), 844, 400); };
  EXPECT_TRUE(says(drawn(preset_run("camp_slots", 24, 100)), "slots"));
  EXPECT_TRUE(says(drawn(preset_run("output_lengths", 50, 400)), "results"));
  EXPECT_FALSE(says(drawn(recorded({3, 5, 2}, 100)), "inch"));
}

TEST(RulerView, IsOfferedOnlyForAllocations) {
  EXPECT_TRUE(view("ruler").has_something(recorded({1, 2}, 5)));
  EXPECT_FALSE(view("ruler").has_something(record("scan_blelloch", 64)));
  EXPECT_TRUE(says(draw("ruler", record("scan_blelloch", 64), {}, 900, 300), "allocates nothing"));
}

TEST(RulerView, WordsFitInEverySize) {
  std::mt19937 random(2);
  for (const int n : {1, 2, 10, 64, 997, 5000})
    for (const std::uint32_t longest : {0u, 5u, 4000000u}) {
      std::vector<std::uint32_t> lengths(static_cast<std::size_t>(n));
      std::uint64_t all = 0;
      for (auto& x : lengths)
        all += x = static_cast<std::uint32_t>(random() % (longest + 1)) / (n > 900 ? 10 : 1);
      for (const std::uint64_t capacity : {std::uint64_t{0}, all / 2, all, 3 * all + 1}) {
        if (capacity > 0xffffffffu) continue;
        const Recording r = recorded(lengths, capacity);
        for (int round = 0; round < 4; ++round) {
          const Point size{static_cast<float>(140 + random() % 1800),
                           static_cast<float>(60 + random() % 900)};
          Cursor cursor = round / 2 == 1 ? at_end(r) : at_step(0);
          if (round % 2 == 1)
            cursor.hover = OwnId{"ruler", static_cast<int>(random() % static_cast<unsigned>(n))};
          SCOPED_TRACE(fmt::format("n {}, capacity {}, {} x {}", n, capacity, size.x, size.y));
          const Scene scene = draw_view(view("ruler"), {r, cursor, light_theme(), size.x, size.y});
          expect_words_fit(scene, size);
          for (const Scene::Target& t : scene.targets) ASSERT_FALSE(tip_of({r, cursor}, t.id).empty());
        }
      }
    }
}

TEST(RulerView, TellsTheRequestUnderTheMouse) {
  const Recording r = preset_run("sausage", 10, 50);
  const Cursor end = at_end(r);
  EXPECT_EQ(tip_of({r, end}, OwnId{"ruler", 5}),
            (Lines{"Request 5", "start 45", "length 4", "end 49", "fits"}));
  EXPECT_EQ(tip_of({r, end}, OwnId{"ruler", 6})[4], "the first request that does not fit");
  EXPECT_EQ(tip_of({r, end}, OwnId{"ruler", 7})[4], "does not fit");
  EXPECT_TRUE(tip_of({r, end}, OwnId{"ruler", 10}).empty());
}

// An allocation computes a start for each request. The view must show a request on the ruler only after a
// step has stored its start. Before all starts are stored, the view must not state the free capacity.
TEST(RulerView, ShowsOnlyStartsThatAreStored) {
  for (const Algorithm* a : rungs_of("allocation")) {
    const Recording r = recorded({3, 5, 2, 7, 28, 4, 3, 0, 8, 1}, 50, a->name.c_str());
    const int steps = static_cast<int>(r.trace.steps.size());
    const int output = r.trace.roles().first_output();
    for (int step = 0; step < steps; ++step) {
      const auto& cells = r.global(output, step).cells;
      const auto known = std::ranges::count_if(cells, &GlobalState::Cell::known);
      const Scene scene = draw("ruler", r, at_step(step), 1272, 500);
      const auto said = texts(scene);
      const auto starts = std::ranges::count_if(said, [](const TextShape& t) {
        return t.text.starts_with("start ") && t.text.find("length") != t.text.npos;
      });
      EXPECT_EQ(starts, known) << a->name << ", step " << step;
      if (known < 10) {
        EXPECT_TRUE(says(scene, fmt::format("{} of 10 starts are stored so far.", known)));
        EXPECT_FALSE(says(scene, " left"));
        for (const TextShape& t : said)
          if (known == 0) { EXPECT_NE(t.colour, dark_theme().conflict) << t.text; }
        EXPECT_EQ(tip_of({r, at_step(step)}, OwnId{"ruler", 9}),
                  (Lines{"Request 9", "length 1", "no start yet"}));
      }
    }
    EXPECT_TRUE(says(draw("ruler", r, at_end(r), 1272, 500), "Request 6 needs"));
  }
}

}  // namespace ruler_view_test
}  // namespace upsweep
