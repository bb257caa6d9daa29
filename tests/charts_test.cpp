// Tests the contents of each kind of chart, and the functions that compute the layout of charts.
#include "scene/charts/charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "scene/charts/chart_axes.hpp"
#include "scene/charts/chart_marks.hpp"
#include "scene/charts/sweep_series.hpp"
#include "support/made_up_charts.hpp"
#include "support/pictures.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace charts_test {

// --- size sweep

TEST(SizeSweepChart, EveryPointIsATargetWhereItIsDrawn) {
  const Timings all = made_up_timings();
  const Scene scene = sweep(all, {dark_theme(), 1272, 520});
  for (int row = 0; row < static_cast<int>(all.rows.size()); row++)
    EXPECT_FALSE(targets(scene, row).empty()) << row;
}

TEST(SizeSweepChart, HoverSaysTheNumbersWithTheirUnits) {
  const Timings all = made_up_timings();
  const int row = row_of(all, "scan_decoupled_lookback", 1 << 20);
  const Scene scene = sweep(all, {dark_theme(), 1272, 520, row});
  EXPECT_TRUE(says(scene, timing_text(all, all.rows[static_cast<std::size_t>(row)])));
  EXPECT_EQ(timing_text(all, all.rows[static_cast<std::size_t>(row)]),
            "scan_decoupled_lookback · 1 Mi · 1,598 GB/s · 5.25 µs (quartiles 5.20 µs – 5.36 µs, 21 runs) · "
            "74.0 % of a copy");
}

TEST(SizeSweepChart, AxesStayWhilePointsArrive) {
  const Timings all = made_up_timings();
  const auto axis = [](const Scene& scene) {
    std::map<std::string, float> places;
    for (const TextShape& t : texts(scene))
      if (t.size == 11) places[t.text] = t.align == Align::centre ? t.at.x : t.at.y;
    return places;
  };
  for (const Measure m : {Measure::bandwidth, Measure::time, Measure::share}) {
    std::map<std::string, float> whole;
    for (std::size_t rows = all.rows.size(); rows > 5; rows = rows * 3 / 4) {
      Timings part = all;
      part.rows.resize(rows);
      const auto now = axis(sweep(part, {dark_theme(), 900, 480}, m));
      if (whole.empty()) whole = now;
      EXPECT_EQ(now, whole) << rows;
    }
  }
}

TEST(SizeSweepChart, AGapSaysWhy) {
  const Timings all = with_gaps();
  const int row = row_of(all, "cub::DeviceScan", 1 << 30);
  const Scene scene = sweep(all, {dark_theme(), 900, 480, row});
  EXPECT_TRUE(says(scene, "cub::DeviceScan · 1 Gi · the device is out of memory"));
  EXPECT_TRUE(says(scene, "1 Gi: the device is out of memory"));
  ASSERT_FALSE(targets(scene, row).empty());
  // The times of the look-back scan have a gap from 256 Ki to 2 Mi elements. No line crosses this gap.
  const Scene::Target left = targets(scene, row_of(all, "scan_decoupled_lookback", 1 << 18)).front(),
                      right = targets(scene, row_of(all, "scan_decoupled_lookback", 1 << 21)).front();
  const float from = left.box.x + 7, to = right.box.x + 7;
  const Colour colour = style_of(Contender::kernel, 0, dark_theme()).colour;
  for (const Shape& s : scene.shapes)
    if (const auto* l = std::get_if<LineShape>(&s.what); l && l->colour == colour && l->width == 2) {
      EXPECT_TRUE(l->to.x <= from + 0.5f || l->from.x >= to - 0.5f) << l->from.x << " " << l->to.x;
    }
}

TEST(SizeSweepChart, PinnedPointsKeepTheirNumbers) {
  const Timings all = made_up_timings();
  const ChartFrame frame{dark_theme(), 1272, 520};
  EXPECT_TRUE(says(sweep(all, frame, Measure::bandwidth, {row_of(all, "scan_blelloch", 1 << 20)}),
                   "1 Mi: 578 GB/s, 14.5 µs"));
  EXPECT_TRUE(says(sweep(all, frame, Measure::share, {row_of(all, "cudaMemcpy", 1 << 20)}), "1 Mi: 100 %, "));
}

TEST(SizeSweepChart, TwelveContendersAreNamedAndToldApart) {
  const Timings all = made_up_timings(many_contenders());
  const Scene scene = sweep(all, {dark_theme(), 1272, 620});
  for (const SweepSeries& s : sweep_series(all, Cache::cold, Measure::time))
    EXPECT_TRUE(says(scene, s.label.substr(0, 20))) << s.label;
  std::set<std::tuple<int, int, int, int>> styles;
  for (int i = 0; i < 12; i++) {
    const MarkStyle s = style_of(Contender::kernel, i, dark_theme());
    styles.insert({s.colour.r, s.colour.g, static_cast<int>(s.mark), static_cast<int>(s.dash)});
  }
  EXPECT_EQ(styles.size(), 12u);
}

TEST(SizeSweepChart, TheOtherCacheIsLeftOut) {
  Timings all = made_up_timings();
  for (Timing& t : all.rows)
    if (t.name == "cub::DeviceScan") t.cache = Cache::warm;
  EXPECT_FALSE(says(sweep(all, {dark_theme(), 900, 480}), "cub::DeviceScan"));
  EXPECT_TRUE(says(draw_size_sweep({.timings = all, .cache = Cache::warm}, {dark_theme(), 900, 480}),
                   "cub::DeviceScan"));
}

TEST(SizeSweepChart, WithoutACopyThereIsNoShareAndItSaysSo) {
  Timings all = made_up_timings();
  std::erase_if(all.rows, [](const Timing& t) { return t.contender == Contender::copy; });
  EXPECT_TRUE(says(sweep(all, {dark_theme(), 900, 480, 3}, Measure::share), "no copy was measured"));
}

TEST(SizeSweepChart, IsMagnifiedToBeReadFromTheLastRow) {
  const Timings all = made_up_timings();
  const Scene small = sweep(all, {dark_theme(), 1280, 720}), large = sweep(all, {dark_theme(), 2560, 1440});
  ASSERT_EQ(small.shapes.size(), large.shapes.size());
  ASSERT_EQ(small.targets.size(), large.targets.size());
  EXPECT_EQ(texts(large)[0].size, 2 * texts(small)[0].size);
  EXPECT_EQ(large.targets[9].box.x, 2 * small.targets[9].box.x);
  EXPECT_EQ(large.width, 2560);
}

// --- ladder

TEST(LadderChart, RungsKeepTheirOrderAndShowBothNumbers) {
  const Scene scene = draw_ladder(oneflow(), {dark_theme(), 900, 320});
  float y = 0;
  for (const Rung& r : oneflow().rungs)
    for (const TextShape& t : texts(scene))
      if (t.text == r.name) {
        EXPECT_GT(t.at.y, y) << r.name;
        y = t.at.y;
      }
  EXPECT_TRUE(says(scene, "8.42 µs"));
  EXPECT_TRUE(says(scene, "118 µs"));
  EXPECT_TRUE(says(scene, "990 µs"));
  EXPECT_TRUE(says(scene, "OneFlow, V100, own scale"));
  EXPECT_EQ(targets(scene, 0).size(), 1u);
}

TEST(LadderChart, BarsAreAsLongAsTheirTimes) {
  const Ladder l = oneflow(false);
  const Scene scene = draw_ladder(l, {dark_theme(), 900, 320});
  std::map<int, float> lengths;
  for (const Shape& s : scene.shapes)
    if (const auto* r = std::get_if<RectShape>(&s.what); r && is<TimeId>(s.id))
      lengths[as<TimeId>(s.id)->row] = r->box.w;
  ASSERT_EQ(lengths.size(), l.rungs.size());
  for (const auto& [i, w] : lengths)
    EXPECT_NEAR(w / lengths[0],
                l.rungs[static_cast<std::size_t>(i)].seconds.median / l.rungs[0].seconds.median, 0.01);
}

TEST(LadderChart, SaysWhyARungIsMissing) {
  Ladder l = oneflow();
  l.rungs[7].seconds = {};
  l.rungs[7].missing = "not built: nvcc was not found";
  EXPECT_TRUE(says(draw_ladder(l, {dark_theme(), 900, 320}), "not built"));
}

TEST(LadderChart, AtFullSizeTheBestComesFirst) {
  const Timings all = with_gaps();
  const AtFullSize made = at_full_size(all, 1 << 30, Cache::cold, row_of(all, "scan_blelloch", 1 << 12));
  ASSERT_EQ(made.ladder.rungs.size(), 6u);
  EXPECT_EQ(made.ladder.rungs[0].name, "copy ceiling");
  EXPECT_EQ(made.ladder.rungs[1].name, "scan_decoupled_lookback");
  EXPECT_EQ(made.ladder.rungs[3].name, "scan_blelloch");
  EXPECT_TRUE(made.ladder.rungs[3].chosen) << "a row of another size was chosen";
  EXPECT_EQ(made.ladder.rungs[5].missing, "the device is out of memory");
  const Scene scene = draw_ladder(made.ladder, {dark_theme(), 620, 240, 1});
  EXPECT_TRUE(says(scene, "3,895 GB/s"));
  EXPECT_TRUE(says(scene, "the device is out of memory"));
  EXPECT_TRUE(at_full_size(all, 77).ladder.rungs.empty());
  EXPECT_EQ(at_full_size(all, 77).ladder.what, "") << "nothing was measured at that size";
}

// The chart has one bar for each rung (method) of the ladder. If there is too little space for all bars, the
// chosen bar and the kept bars (see Rung::kept) stay in the chart. Other bars are left out.
TEST(LadderChart, ShowsTheKeptRungsIfRoomIsShort) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; round++) {
    Ladder l{.title = "Bars", .what = "sum", .here = "here", .published_by = "", .rungs = {}};
    const int count = 8 + static_cast<int>(random() % 20);
    for (int i = 0; i < count; i++) {
      Rung& r = l.rungs.emplace_back();
      r.name = fmt::format("kernel {}", i + 100);
      r.seconds.count = 20;
      r.seconds.median = 1e-6 * (i + 1);
      r.kept = random() % 8 == 0;
    }
    l.rungs[random() % l.rungs.size()].chosen = true;
    const float height = 90 + static_cast<float>(random() % 260);
    const Scene scene = draw_ladder(l, {dark_theme(), 500, height});
    int shown = 0, kept = 0, kept_shown = 0;
    float y = 0;
    for (const Rung& r : l.rungs)
      for (const TextShape& t : texts(scene))
        if (t.text == r.name) {
          shown++, kept_shown += r.kept || r.chosen;
          EXPECT_GT(t.at.y, y) << "not in order";
          y = t.at.y;
        }
    for (const Rung& r : l.rungs) kept += r.kept || r.chosen;
    EXPECT_EQ(kept_shown, std::min(kept, shown)) << height;
    EXPECT_EQ(says(scene, fmt::format("and {} more", count - shown)), shown < count) << height;
    for (const int row : {0, count - 1})  // the target of a bar has the index of the bar
      EXPECT_EQ(targets(scene, row).size(),
                says(scene, l.rungs[static_cast<std::size_t>(row)].name) ? 1u : 0u);
  }
}

// --- roofline

TEST(RooflineChart, CountsOperationsAndBytes) {
  const Timings all = made_up_timings();
  const RooflineOf r = roofline_of(all, 1 << 22);
  ASSERT_EQ(r.roofline.points.size(), 5u) << "all but the copy, which is a roof";
  EXPECT_NEAR(r.roofline.points[0].operations_per_byte, 1.0 / 8, 1e-6);
  const Timing& t = all.rows[static_cast<std::size_t>(r.rows[0])];
  EXPECT_EQ(t.name, "scan_decoupled_lookback");
  EXPECT_NEAR(r.roofline.points[0].operations_per_second, ((1 << 22) - 1) / t.seconds.median, 1);
  ASSERT_EQ(r.roofline.roofs.size(), 3u);
  EXPECT_EQ(r.roofline.roofs[0].name, "copy: 3,413 GB/s");
  EXPECT_EQ(r.roofline.roofs[1].bytes_per_second, 4.8e12);
  EXPECT_NEAR(r.roofline.roofs[2].operations_per_second, (1 << 22) / 1.7e-6, 1e7);
  const Scene scene = draw_roofline(r.roofline, {dark_theme(), 900, 480});
  for (const char* word :
       {"copy: ", "empty kernel: 1.70 µs", "data sheet: 4,800 GB/s", "scan_blelloch, pad32", "1/8"})
    EXPECT_TRUE(says(scene, word)) << word;
}

// --- the functions that lay out charts

TEST(SpreadOut, KeepsOrderDistanceAndBounds) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; round++) {
    std::vector<float> wanted(1 + random() % 12);
    for (float& w : wanted) w = static_cast<float>(random() % 300) - 50;
    std::sort(wanted.begin(), wanted.end());
    const std::vector<float> got = spread_out(wanted, 16, 10, 200);
    ASSERT_EQ(got.size(), wanted.size());
    EXPECT_GE(got.front(), 10 - 0.01f);
    EXPECT_LE(got.back(), 200 + 0.01f);
    for (std::size_t i = 1; i < got.size(); i++) EXPECT_GE(got[i] - got[i - 1], 16 - 0.01f);
  }
  EXPECT_EQ(spread_out({50, 100}, 16, 0, 200), (std::vector<float>{50, 100})) << "rows with room do not move";
  EXPECT_EQ(spread_out({100, 100}, 16, 0, 200), (std::vector<float>{92, 108}))
      << "both rows move equally far";
}

TEST(Ticks, AreNamed) {
  std::string names;
  for (const Tick& t : size_ticks({1 << 10, 1 << 30, 0, 200, true}, 40)) names += t.name + "|";
  EXPECT_EQ(names, "1 Ki|32 Ki|1 Mi|32 Mi|1 Gi|");
  names.clear();
  for (const Tick& t : decade_ticks({1e9, 1e13, 300, 0, true}, 1e9, 16)) names += t.name + "|";
  EXPECT_EQ(names, "1|10|100|1,000|10,000|");
}

TEST(Numbers, HaveThreeFiguresAndAUnit) {
  EXPECT_EQ(time_text(6.8e-6), "6.80 µs");
  EXPECT_EQ(time_text(850e-9), "850 ns");
  EXPECT_EQ(time_text(999.7e-9), "1.00 µs");
  EXPECT_EQ(time_text(1.234e-3), "1.23 ms");
  EXPECT_EQ(bandwidth_text(1.2341e12), "1,234 GB/s");
  EXPECT_EQ(figures_text(0.0123), "0.0123");
  EXPECT_EQ(figures_text(1e12), "1e+12");
  EXPECT_EQ(size_text(48 << 20), "48 Mi");
  EXPECT_EQ(size_text(1000), "1,000");
  EXPECT_EQ(power_text(1 << 20), "2^20");
  EXPECT_EQ(power_text(1000), "1,000");
}

TEST(Quantities, ElementCountsAreReadInEveryFormInWhichTheyAreWritten) {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<std::int64_t>(random() >> random() % 32);
    for (const std::string& text : {std::to_string(n), grouped(n), size_text(static_cast<double>(n))})
      EXPECT_EQ(element_count(text), n) << text;
  }
  for (int power = 0; power < 31; ++power) EXPECT_EQ(element_count(power_text(1 << power)), 1 << power);
  EXPECT_EQ(element_count(" 1Ki "), 1024);
  EXPECT_EQ(element_count("-5"), -5) << "the caller checks the sign";
  for (const char* large : {"99999999999999999999", "2^63", "2^999999999999999999999", "9999999999 Gi"})
    EXPECT_EQ(element_count(large), INT64_MAX) << large;
  for (const char* none :
       {"",     " ",       "many", "1,00", ",100", "1234,567", "1,234,56", "1,,234",      "2^",  "2^-1",
        "-2^3", "1 Mi Ki", "1.5",  "1e",   "Ki",   "1 K",      "0x10",     "64 elements", "3^4", "1 000"})
    EXPECT_EQ(element_count(none), std::nullopt) << none;
}

}  // namespace charts_test
}  // namespace upsweep
