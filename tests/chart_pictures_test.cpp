// Draws the charts of made-up timings. Compares some pictures with golden SVGs, and checks properties that
// must hold for all timings and all sizes of the picture. The option --update writes the golden files again:
// look at the new files before you commit them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "export/export.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/paint.hpp"
#include "support/made_up_charts.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace chart_pictures_test {

// --- golden pictures

struct Golden {
  const char* file;
  std::function<Scene(const ChartFrame&)> draw;
  float width, height;
  bool dark = true;
  int hover = -1;
};

std::vector<Golden> goldens() {
  const Timings usual = made_up_timings(), gaps = with_gaps(), live = made_up_timings(usual_contenders(), 8);
  const auto ladder = [](const ChartFrame& f) { return draw_ladder(oneflow(), f); };
  const auto roofline = [=](const ChartFrame& f) {
    return draw_roofline(roofline_of(usual, 1 << 22).roofline, f);
  };
  return {
      {"chart-sweep-live", [=](const ChartFrame& f) { return sweep(live, f); }, 900, 480},
      {"chart-ladder-light", ladder, 1272, 420, false, 3},
      {"chart-full-size",
       [=](const ChartFrame& f) {
         const int chosen = row_of(gaps, "scan_decoupled_lookback", 1 << 20);
         return draw_ladder(at_full_size(gaps, 1 << 29, Cache::cold, chosen).ladder, f);
       },
       620, 240},
      {"chart-roofline", roofline, 900, 480},
  };
}

TEST(GoldenChart, IsAsCommitted) {
  for (const Golden& g : goldens()) {
    const std::string drawn =
        svg(g.draw({g.dark ? dark_theme() : light_theme(), g.width, g.height, g.hover}));
    expect_as_committed(g.file, drawn);
  }
}

TEST(GoldenPictures, ADifferenceNamesTheFirstLineAndCountsTheOthers) {
  EXPECT_EQ(difference("a\nb\nc\n", "a\nB\nC\nd\n"),
            "3 lines differ, first line 2, character 1\n  before:    a\n  committed: b\n  drawn now: B");
  const std::string long_line(500, 'x');
  EXPECT_EQ(difference(long_line, long_line + "y"),
            "1 line differs: line 1, character 501\n  before:    \n  committed: ..." + std::string(60, 'x') +
                "\n  drawn now: ..." + std::string(60, 'x') + "y");
  EXPECT_EQ(difference("a", ""),
            "1 line differs: line 1, character 1\n  before:    \n  committed: a\n"
            "  drawn now: (no such line)");
}

// --- properties of charts with any timings at any size

const Point sizes[] = {{320, 180}, {400, 240},  {500, 300},   {620, 200},
                       {900, 480}, {1272, 420}, {1920, 1080}, {3840, 2160}};

void keeps_inside_without_overlap(const Scene& scene, Point size) {
  expect_words_fit(scene, size);
  const auto inside = [&](Point p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && p.x >= -1 && p.x <= size.x + 1 && p.y >= -1 &&
           p.y <= size.y + 1;
  };
  for (const Shape& s : scene.shapes) {
    if (const auto* l = std::get_if<LineShape>(&s.what)) {
      ASSERT_TRUE(inside(l->from) && inside(l->to));
    } else if (const auto* t = std::get_if<TriangleShape>(&s.what)) {
      ASSERT_TRUE(inside(t->a) && inside(t->b) && inside(t->c));
    } else if (const auto* r = std::get_if<RectShape>(&s.what)) {
      ASSERT_TRUE(inside({r->box.x, r->box.y}) && inside({r->box.x + r->box.w, r->box.y + r->box.h}));
      ASSERT_TRUE(r->box.w >= 0 && r->box.h >= 0);
    }
  }
  for (const Scene::Target& t : scene.targets) ASSERT_TRUE(is<TimeId>(t.id));
}

// Makes random numbers. Most of these numbers are possible times. Some are impossible times, for example -1
// or NaN.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double number(bool absurd) {
    const double absurdities[] = {0,
                                  -1,
                                  1e-300,
                                  1e300,
                                  std::numeric_limits<double>::infinity(),
                                  -1e30,
                                  std::numeric_limits<double>::quiet_NaN(),
                                  1e-12,
                                  1e12};
    if (absurd && below(3) == 0) return absurdities[below(static_cast<int>(std::size(absurdities)))];
    return std::pow(10, -7 + 0.01 * below(500));
  }
  Spread spread(bool absurd) {
    if (absurd) return {number(true), number(true), number(true), number(true), number(true), below(4)};
    return made_up_spread(number(false), 0.001 * below(600));
  }
  std::string name() {
    static const char* names[] = {
        "a", "scan_blelloch",       "reduce_vectorized_with_a_name_that_no_column_holds", "并行扫描",
        "",  "cub::DeviceRadixSort"};
    return names[below(static_cast<int>(std::size(names)))] + std::string(below(3) == 0 ? "_b" : "");
  }

 private:
  std::mt19937 random_;
};

Timings random_timings(Dice& dice, bool absurd) {
  Timings all;
  if (dice.below(2)) all.device = "NVIDIA H200";
  if (dice.below(2)) all.recorded = "h200.json", all.date = "2026-11-20T10:00:00Z";
  all.launch_overhead = dice.spread(absurd);
  all.memory_bandwidth = dice.number(absurd) * 1e15;
  const int rows = dice.below(4) == 0 ? dice.below(3) : dice.below(220);
  for (int i = 0; i < rows; i++) {
    const int n =
        absurd && dice.below(4) == 0 ? dice.below(3) * 1'000'000'000 - 5 : 1 << (10 + dice.below(21));
    Timing t = made_up_timing(static_cast<Contender>(dice.below(4)), dice.name(),
                              dice.below(3) ? "" : "pad32", n, 1);
    t.settings.type = static_cast<Scalar>(dice.below(6) == 0 ? dice.below(4) : 2);
    t.cache = dice.below(3) ? Cache::cold : Cache::warm;
    t.seconds = dice.spread(absurd);
    if (absurd) t.bytes = dice.number(true);
    if (dice.below(8) == 0)
      t = missing_timing(t.contender, t.name, n, "this size needs 9 GiB more than the device has");
    all.rows.push_back(t);
  }
  return all;
}

class AnyChart : public testing::TestWithParam<int> {};

TEST_P(AnyChart, KeepsInsideItsPictureWithoutOverlap) {
  Dice dice(static_cast<unsigned>(GetParam()));
  const bool absurd = GetParam() % 2 == 1;
  const Timings all = random_timings(dice, absurd);
  const int rows = static_cast<int>(all.rows.size());
  Ladder ladder{
      .title = "A ladder", .what = "sum", .here = "NVIDIA H200", .published_by = dice.name(), .rungs = {}};
  for (int i = dice.below(16); i > 0; i--)
    ladder.rungs.push_back({dice.name(), dice.spread(absurd), dice.below(2) ? dice.number(absurd) : 0,
                            dice.below(2) ? "the device is out of memory" : "", dice.below(5) == 0});
  Roofline roofline =
      roofline_of(all, rows > 0 ? all.rows[static_cast<std::size_t>(dice.below(rows))].settings.n : 64)
          .roofline;
  for (int i = dice.below(6); i > 0; i--)
    roofline.points.push_back({dice.name(), dice.number(absurd) * 1e6, dice.number(absurd) * 1e16, ""});
  for (int i = dice.below(4); i > 0; i--)
    roofline.roofs.push_back(
        {dice.name(), dice.below(2) ? dice.number(absurd) * 1e18 : 0, dice.number(absurd) * 1e17});
  for (const Point size : sizes)
    for (const int hover : {-1, 0, dice.below(rows + 1)})
      for (const Measure m : {Measure::bandwidth, Measure::time, Measure::share}) {
        SCOPED_TRACE(fmt::format("{} rows, {} x {}, hover {}, measure {}", rows, size.x, size.y, hover,
                                 static_cast<int>(m)));
        const ChartFrame frame{light_theme(), size.x, size.y, hover};
        std::vector<int> pinned;
        for (int i = dice.below(8); i > 0; i--) pinned.push_back(dice.below(rows + 2) - 1);
        keeps_inside_without_overlap(
            draw_size_sweep({all, m, dice.below(4) ? Cache::cold : Cache::warm, pinned}, frame), size);
        if (m != Measure::bandwidth) continue;
        keeps_inside_without_overlap(draw_ladder(ladder, frame), size);
        keeps_inside_without_overlap(draw_ladder(at_full_size(all, 1 << 20).ladder, frame), size);
        keeps_inside_without_overlap(draw_roofline(roofline, frame), size);
        if (HasFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(Charts, AnyChart, testing::Range(0, 60));

// The names of some kernels begin alike. So a short name must keep its end, too.
TEST(CutNames, OfTwoKernelsDiffer) {
  const std::string one = "summed_area_table, channels=3",
                    other = "summed_area_table_single_pass, channels=3";
  for (float room = 120; room < 320; room += 5) {
    const std::string a = cut_name(one, 12, Face::regular, room),
                      b = cut_name(other, 12, Face::regular, room);
    EXPECT_NE(a, b) << room;
    for (const std::string& name : {a, b}) {
      EXPECT_LE(text_width(name, 12, Face::regular), room);
      EXPECT_TRUE(name.ends_with(", channels=3")) << name;
    }
  }
  EXPECT_EQ(cut_name(one, 12, Face::regular, 1000), one);
  for (const char* text : {"", ", pad32", "a, pad32", "ab, pad32"})  // a file of times can contain such names
    for (float room = 0; room < 80; room += 3)
      EXPECT_LE(text_width(cut_name(text, 12, Face::regular, room), 12, Face::regular),
                std::max(room, 12.0f));
}

// Draws timings as the window does: with a hovered or a pinned point, with gaps, and with more contenders
// than colours.
TEST(AnyChartAtAll, OfUsualTimingsKeepsInsideItsPicture) {
  for (const Timings& all : {made_up_timings(), with_gaps(), made_up_timings(many_contenders())}) {
    const std::vector<int> pinned = {row_of(all, "scan_decoupled_lookback", 1 << 24),
                                     row_of(all, "scan_blelloch", 1 << 16)};
    for (const Point size : sizes)
      for (const Measure m : {Measure::bandwidth, Measure::time, Measure::share})
        for (const int hover : {-1, pinned[1]})
          keeps_inside_without_overlap(sweep(all, {light_theme(), size.x, size.y, hover}, m, pinned), size);
  }
}

TEST(AnyChartAtAll, SurvivesAnySize) {
  const Timings all = with_gaps();
  for (float w = 0; w < 330; w += 37)
    for (float h = 0; h < 200; h += 23) {
      const ChartFrame frame{dark_theme(), w, h, 3};
      EXPECT_EQ(sweep(all, frame, Measure::time, {3, 8}).width, w);
      EXPECT_EQ(draw_ladder(oneflow(), frame).height, h);
      EXPECT_EQ(draw_roofline(roofline_of(all, 1 << 20).roofline, frame).width, w);
    }
}

TEST(AnyChartAtAll, SaysCalmlyThatNothingWasMeasuredYet) {
  const ChartFrame frame{dark_theme(), 620, 300};
  const char* sentence = "Nothing was measured yet.";
  EXPECT_TRUE(says(sweep({}, frame), sentence));
  EXPECT_TRUE(
      says(draw_ladder({.title = "Ladder", .what = "", .here = "", .published_by = "", .rungs = {}}, frame),
           sentence));
  EXPECT_TRUE(says(draw_roofline({}, frame), sentence));
  EXPECT_TRUE(says(draw_roofline(roofline_of({}, 1024).roofline, frame), sentence));
}

}  // namespace chart_pictures_test
}  // namespace upsweep
