// Draws the views of real recordings. Compares some pictures with golden SVGs, and checks properties that
// must hold for every recording and every size of the picture. The option --update writes the golden files
// again: look at the new files before you commit them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>

#include "export/export.hpp"
#include "study/line_counting.hpp"
#include "support/any_id.hpp"
#include "support/drawn_views.hpp"
#include "support/made_up_counters.hpp"
#include "support/pictures.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace view_pictures_test {

// --- golden pictures

struct Golden {
  const char* file;
  const char* view;
  const char* algorithm;
  int n, step;
  float width, height;
  bool dark = true;
  const char* layout = "none";
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  int threads = 0, block = 0;  // threads of a block; index of the block that is shown
  int without_barrier = 0;     // number of the removed barrier, counted from 1; 0 removes none
};

void PrintTo(const Golden& g, std::ostream* out) { *out << g.file; }

class GoldenPicture : public testing::TestWithParam<Golden> {};

TEST_P(GoldenPicture, IsAsCommitted) {
  const Golden g = GetParam();
  Settings s;
  s.choose("layout", g.layout);
  s.type = g.type;
  s.op = g.op;
  if (g.without_barrier > 0)
    s.without_barrier =
        barrier_lines(algorithm(g.algorithm)).at(static_cast<std::size_t>(g.without_barrier) - 1);
  const Recording r = record(g.algorithm, g.n, s, 3, g.threads);
  Cursor cursor = at_step(g.step);
  cursor.block = g.block;
  const std::string drawn =
      svg(draw(g.view, r, cursor, g.width, g.height, g.dark ? dark_theme() : light_theme()));
  expect_as_committed(g.file, drawn);
}

INSTANTIATE_TEST_SUITE_P(
    Views, GoldenPicture,
    testing::Values(Golden{"tree-light", "tree", "scan_brent_kung", 16, 2, 900, 480, false},
                    Golden{"banks", "banks", "scan_blelloch", 64, 3, 1272, 130},
                    Golden{"warps", "warps", "scan_blelloch", 64, 3, 1272, 110},
                    Golden{"profile-light", "profile", "scan_blelloch", 64, 3, 900, 200, false},
                    Golden{"work", "work", "scan_blelloch", 64, 3, 620, 380},
                    Golden{"words", "words", "scan_blelloch", 64, 3, 1272, 64},
                    Golden{"registers-xor", "registers", "reduce_shuffle", 64, 1, 900, 260, false, "none",
                           Scalar::int32, Operator::sum, 64},
                    Golden{"global-coalesced", "global", "scan_vector4", 128, 0, 900, 180, false, "none",
                           Scalar::float32, Operator::sum, 32},
                    Golden{"blocks-lookback", "blocks", "scan_decoupled_lookback", 512, 14, 1272, 520, true,
                           "none", Scalar::int32, Operator::sum, 32, 5},
                    Golden{"launches", "launches", "reduce_nested", 128, 4, 1272, 420, true, "none",
                           Scalar::int32, Operator::sum, 32},
                    Golden{"memory-regions", "memory", "scan_decoupled_lookback", 512, 14, 1272, 200, true,
                           "none", Scalar::int32, Operator::sum, 32, 5},
                    Golden{"moves-light", "moves", "stream_compaction", 16, 17, 840, 330, false, "none",
                           Scalar::int32, Operator::sum, 32},
                    Golden{"keys", "keys", "radix_sort", 16, 16, 1000, 340, true, "none", Scalar::int32,
                           Operator::sum, 32},
                    Golden{"source-without-barrier", "source", "scan_hillis_steele", 64, 2, 620, 360, true,
                           "none", Scalar::int32, Operator::sum, 64, 0, 1}),
    [](const auto& info) {
      std::string name = info.param.file;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(GoldenCounters, OfTheHardwareAreAsCommitted) {
  const Recording r = record("scan_blelloch", 64);
  const LineCounters same = line_counters(as_predicted(r.trace)),
                     other = line_counters(with_more_wavefronts(r.trace, 4));
  const auto drawn = [&](const LineCounters& c, const Theme& theme, float width) {
    return svg(draw_view(view("source"), {r, at_step(10), theme, width, 360, &c},
                         {.button = true, .pressed = true}));
  };
  EXPECT_NE(drawn(same, light_theme(), 440), drawn(other, light_theme(), 440));
  expect_as_committed("source-counters-different", drawn(other, dark_theme(), 720));
}

// --- properties of every recording at every size

struct Case {
  const char* algorithm;
  int n;
  const char* layout = "none";
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  int threads = 0, block = 0;
};

const Case cases[] = {{"scan_blelloch", 1},
                      {"scan_blelloch", 64},
                      {"scan_blelloch", 100, "pad32", Scalar::float64},
                      {"scan_blelloch", 101, "pad32", Scalar::float16},
                      {"scan_vector4", 200, "none", Scalar::float16, Operator::affine},
                      {"reduce_single_pass", 77, "none", Scalar::float16, Operator::min, 32, 1},
                      {"scan_double_buffer", 33, "none", Scalar::int64},
                      {"scan_blelloch", 1000, "pad32x2", Scalar::int32, Operator::affine},
                      {"scan_blelloch", 2048},
                      {"scan_hillis_steele", 2},
                      {"scan_hillis_steele", 1024},
                      {"scan_double_buffer", 33, "none", Scalar::float64, Operator::affine},
                      {"scan_brent_kung", 300, "none", Scalar::uint32, Operator::max},
                      {"reduce_interleaved", 8, "none", Scalar::float32, Operator::product},
                      {"reduce_sequential", 2000, "none", Scalar::float64, Operator::min},
                      {"reduce_serial", 300},
                      {"reduce_atomic", 200, "none", Scalar::int32, Operator::max, 32, 1},
                      {"reduce_shuffle", 1000, "none", Scalar::float64, Operator::sum, 64, 2},
                      {"reduce_nested", 256, "none", Scalar::float32, Operator::sum, 32, 1},
                      {"nested_hello", 64},
                      {"reduce_vectorized", 3000, "none", Scalar::uint32, Operator::sum, 32, 1},
                      {"scan_per_output", 100, "none", Scalar::float32, Operator::sum, 32, 3},
                      {"scan_vector4", 200, "pad32", Scalar::float64},
                      {"scan_large", 700, "none", Scalar::int32, Operator::affine, 32, 7},
                      {"scan_decoupled_lookback", 600, "none", Scalar::float32, Operator::sum, 32, 11},
                      {"scan_large", 64 * 80, "none", Scalar::int32, Operator::sum, 32, 79},
                      {"stream_compaction", 16},
                      {"stream_compaction_look_back", 700, "none", Scalar::int32, Operator::sum, 32, 1},
                      {"radix_sort", 150, "none", Scalar::float32, Operator::sum, 32, 1},
                      {"radix_sort_digits", 20, "none", Scalar::int32}};

Recording record(const Case& c) {
  Settings s;
  s.choose("layout", c.layout);
  s.type = c.type;
  s.op = c.op;
  return record(c.algorithm, c.n, s, 11, c.threads);
}

class EveryRecording : public testing::TestWithParam<int> {};

TEST_P(EveryRecording, KeepsInsideItsPictureWithoutOverlap) {
  const Case& c = cases[GetParam()];
  const Recording r = record(c);
  const int steps = static_cast<int>(r.trace.steps.size());
  for (const View& v : views())
    for (const Point size : {Point{500, 90}, Point{640, 200}, Point{1272, 160}, Point{1272, 420},
                             Point{900, 700}, Point{2400, 1200}})
      for (const int step : {0, 1, steps / 2, steps - 1}) {
        if ((std::string_view(v.name) == "work" || std::string_view(v.name) == "hazards") && size.y < 200)
          continue;  // these views are tables and need more height
        Cursor cursor = at_step(std::min(step, steps - 1));
        cursor.block = std::min(c.block, r.trace.grid_of(static_cast<std::uint32_t>(cursor.step)).blocks - 1);
        const Scene scene = draw_view(v, {r, cursor, light_theme(), size.x, size.y});
        SCOPED_TRACE(fmt::format("{} of {}, n = {}, step {}, {} x {}", v.name, c.algorithm, c.n, cursor.step,
                                 size.x, size.y));
        expect_words_fit(scene, size);
      }
}

TEST_P(EveryRecording, SaysEveryStepInSentences) {
  const Recording r = record(cases[GetParam()]);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step++) {
    Cursor cursor = at_step(step);
    cursor.block =
        std::min(cases[GetParam()].block, r.trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
    const std::string text = words(r, cursor);
    SCOPED_TRACE(text);
    EXPECT_EQ(text.back(), '.');
    for (const char* wrong : {"  ", "..", " ,", "1 threads", " 1 requests", " 1 wavefronts", " 1 lanes are",
                              "1 warps", "Thread 0 each", "[]", "-1]"})
      EXPECT_EQ(text.find(wrong), std::string::npos) << wrong;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[0])));
  }
}

INSTANTIATE_TEST_SUITE_P(Views, EveryRecording, testing::Range(0, static_cast<int>(std::size(cases))));

TEST(Views, SurviveAnyHoverAndAnySize) {
  std::mt19937 random(5);
  const auto any = [&] { return static_cast<int>(random() % 3000) - 100; };
  for (const Case& c : cases) {
    const Recording r = record(c);
    for (int round = 0; round < 40; round++)
      for (const View& v : views()) {
        Cursor cursor = at_step(static_cast<int>(random() % r.trace.steps.size()));
        cursor.request = any();
        cursor.first_element = any();
        cursor.element_count = any();
        cursor.first_line = any();
        cursor.block = static_cast<int>(random() % 90);
        cursor.hover = any_id(random);
        const auto w = static_cast<float>(random() % 900), h = static_cast<float>(random() % 500);
        const Scene scene = draw_view(v, {r, cursor, dark_theme(), w, h});
        EXPECT_EQ(scene.width, w);
        EXPECT_EQ(scene.height, h);
        const Id id = any_id(random);
        for (const std::string& line : tip_of({r, cursor}, id)) EXPECT_FALSE(line.empty());
        click_on({r, cursor}, id);
      }
  }
}

}  // namespace view_pictures_test
}  // namespace upsweep
