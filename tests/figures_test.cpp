// Tests the published figures: golden pictures of made-up numbers, the notes, and the CSV. The figures must
// name algorithms of the catalogue. The option --update writes the golden files again: look at the new files
// before you commit them.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "export/export.hpp"
#include "export/figure_csv.hpp"
#include "measure/sweep.hpp"
#include "scene/charts/figure_charts.hpp"
#include "support/made_up_charts.hpp"
#include "support/made_up_figures.hpp"
#include "support/pictures.hpp"
#include "timing/shipped.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace figures_test {

bool any_says(const std::vector<std::string>& notes, std::string_view part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != note.npos; });
}

std::vector<std::string> notes(const char* name, const Timings& all) {
  return figure_notes(figure(name), rows_of(figure(name), all));
}

Scene drawn(const char* name, const Timings& all, const ChartFrame& frame) {
  return draw_figure(figure(name), rows_of(figure(name), all), frame);
}

// --- golden pictures

TEST(GoldenFigure, IsAsCommitted) {
  const ChartFrame light{light_theme(), 900, 560};
  expect_as_committed("figure-oneflow-ladder", svg(drawn("oneflow-ladder", made_up_oneflow(), light)));
  expect_as_committed("figure-csdn-unrolling", svg(drawn("csdn-unrolling", made_up_csdn(), light)));
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    const std::string ending = theme == &light_theme() ? "-light" : "";
    const ChartFrame frame{*theme, 1280, 720};
    expect_as_committed("figure-gems-39-11" + ending, svg(drawn("gems-39-11", made_up_gems_39_11(), frame)));
    expect_as_committed("figure-gems-table-39-1" + ending,
                        svg(drawn("gems-table-39-1", made_up_gems_table_39_1(), frame)));
  }
}

TEST(Figures, WordsFitAtAnySize) {
  for (const Point size :
       {Point{320, 180}, Point{420, 300}, Point{640, 900}, Point{900, 480}, Point{1920, 1080}}) {
    const ChartFrame frame{light_theme(), size.x, size.y, 2};
    for (const Figure& f : figures()) {
      SCOPED_TRACE(f.name);
      if (f.kind == Figure::Kind::operations) expect_words_fit(draw_figure(f, made_up_counts(), frame), size);
      else expect_words_fit(draw_figure(f, rows_of(f, made_up_figure(f, usual_seconds)), frame), size);
      if (f.kind == Figure::Kind::operations)
        expect_words_fit(draw_figure(f, std::vector<WorkCount>(), frame), size);
      else expect_words_fit(draw_figure(f, rows_of(f, Timings()), frame), size);
    }
  }
}

// --- the list of figures

TEST(Figures, NameWhatTheCatalogueHas) {
  std::set<std::string> names;
  for (const Figure& f : figures()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_TRUE(std::is_sorted(f.sizes.begin(), f.sizes.end()) && !f.sizes.empty()) << f.name;
    std::set<std::string> labels;
    for (const FigureEntry& e : f.entries) {
      SCOPED_TRACE(f.name + ": " + e.label);
      EXPECT_TRUE(labels.insert(e.label).second);
      EXPECT_TRUE(e.published.empty() || e.published.size() == f.sizes.size());
      EXPECT_EQ(e.contender == Contender::part, !e.part.empty());
      if (!is_of_catalogue(e.contender)) continue;
      EXPECT_EQ(e.name, e.settings.algorithm);
      const Algorithm& a = algorithm(e.name);
      Settings s = e.settings;
      s.type = f.type;
      EXPECT_EQ(e.variant, variant_name(s, e.part)) << "the name of the row in `upsweep bench`";
      for (const int n : {f.sizes.front(), std::min(f.sizes.back(), e.most_n)}) {
        s.n = n;
        s.block = std::clamp(smallest_block(a, s), 32, 1024);
        EXPECT_NO_THROW(validate(s));
        if (f.squares) { EXPECT_EQ(data_columns(s) * data_columns(s), n); }
      }
      if (e.most_n < f.sizes.back()) { EXPECT_LE(e.most_n, 4 * 1024); }
    }
    EXPECT_EQ(f.has_operator,
              f.entries.end() != std::ranges::find_if(f.entries,
                                                      [](const FigureEntry& e) {
                                                        return is_of_catalogue(e.contender) &&
                                                               chooses_operator(algorithm(e.name));
                                                      }))
        << f.name;
    const Scene drawn =
        f.kind == Figure::Kind::sweep
            ? draw_figure(f, rows_of(f, made_up_figure(f, usual_seconds)), {dark_theme(), 1600, 900})
            : Scene();
    if (!f.has_operator) { EXPECT_FALSE(says(drawn, std::string(name(f.type)) + " sum")) << f.name; }
    for (const FigureClaim& c : f.claims) {
      EXPECT_LT(std::max(c.faster, c.slower), static_cast<int>(f.entries.size()));
      EXPECT_NE(c.faster, c.slower);
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"gems-39-7", "gems-39-8", "gems-39-11", "gems-table-39-1",
                                          "oneflow-ladder", "csdn-unrolling", "w4-operations", "w4-times"}));
}

// `upsweep figure` draws the rows that measure() returns. There must be a row for every algorithm of the
// figure and for every n of the figure.
TEST(Figures, AreWhollyMeasured) {
  SweepLimits limits;
  limits.device_memory = limits.host_memory = 1ull << 36;
  limits.multiprocessors = 132;
  for (const Figure& f : figures()) {
    if (f.kind == Figure::Kind::operations) continue;
    SweepRequest r;
    r.sizes = f.sizes;
    for (const FigureEntry& e : f.entries)
      if (is_of_catalogue(e.contender)) {
        r.kernels.push_back({e.settings});
        r.kernels.back().settings.type = f.type;
        r.kernels.back().part = e.part;
      }
    Timings planned;
    for (const SweepGroup& group : plan_sweep(r, limits))
      for (const SweepRow& row : group.rows) {
        planned.rows.push_back(row);
        planned.rows.back().seconds = made_up_spread(1e-6);
      }
    const Timings rows = rows_of(f, planned);
    for (const FigureEntry& e : f.entries)
      for (const int n : f.sizes)
        if (n <= e.most_n) {
          const Timing* t = row_at(rows, e, n);
          EXPECT_TRUE(t && !t->missing) << f.name << ": " << e.label << " at " << n;
        }
  }
}

TEST(Figures, AreInTheShippedTimes) {
  for (const Timings& all : shipped_timings()) {
    std::set<std::string> missing;
    for (const Figure& f : figures())
      for (const FigureEntry& e : f.entries) {
        if (f.kind == Figure::Kind::operations) continue;
        const bool has_row = std::ranges::any_of(all.rows, [&](const Timing& t) {
          return t.contender == e.contender && t.name == e.name && t.variant == e.variant &&
                 t.settings.type == f.type && (t.seconds.count > 0 || t.missing);
        });
        if (!has_row) missing.insert(f.name + ": " + e.label);
      }
    EXPECT_EQ(missing, std::set<std::string>()) << all.recorded;
  }
}

TEST(Figures, AnUnknownNameIsASentence) {
  try {
    figure("oneflow-lader");
    FAIL();
  } catch (const RequestError& e) {
    EXPECT_NE(in_words(e).find("did you mean oneflow-ladder?"), std::string::npos) << in_words(e);
  }
}

// --- the sentences about the order of the times

TEST(Figures, ATurnedOrderIsSaid) {
  const auto said = notes("oneflow-ladder", made_up_oneflow());
  EXPECT_TRUE(any_says(said,
                       "The measured times keep the published order in 5 of 7 neighbouring pairs, 1 is "
                       "equally fast"))
      << said[0];
  EXPECT_TRUE(any_says(said,
                       "one is reversed: single pass takes 13.0 µs and warp takes 12.0 µs (published: 39 µs "
                       "and 40 µs)"))
      << said[0];
  const Figure& f = figure("oneflow-ladder");
  const auto as_published = notes("oneflow-ladder", made_up_figure(f, [&](int i, int) {
                                    const auto& p = f.entries[static_cast<std::size_t>(i)].published;
                                    return (p.empty() ? 39.5e-6 : p[0]) * (1 + 1e-3);
                                  }));
  EXPECT_FALSE(any_says(as_published, "turned"));
  EXPECT_FALSE(any_says(as_published, "Missing"));
}

TEST(Figures, FactorsAreComparedWithThePublishedOnes) {
  const auto csdn = notes("csdn-unrolling", made_up_csdn());
  EXPECT_TRUE(any_says(csdn, "unrolled by 2 is 3.42 × as fast as in place; measured: 3.76 ×."));
  EXPECT_TRUE(any_says(csdn,
                       "last warp unrolled is 1.05 × as fast as unrolled by 8; in this measurement, the "
                       "first kernel is slower (0.969 × as fast)."));
  EXPECT_TRUE(says(drawn("csdn-unrolling", made_up_csdn(), {light_theme(), 900, 560}),
                   "1.05 ×, measured 0.969 ×, over unrolled by 8"));
  EXPECT_TRUE(any_says(csdn, "unrolled by 4 is faster than unrolled by 2; this measurement agrees (1.15 ×)."))
      << csdn[1];
  EXPECT_TRUE(any_says(csdn,
                       "Read throughput (the bytes of the array, divided by the time): in place 569 GB/s, "
                       "unrolled by 2 2,137 GB/s"))
      << csdn[4];
  const auto same =
      notes("csdn-unrolling",
            made_up_figure(figure("csdn-unrolling"), [](int i, int) { return i == 4 ? 100.2e-6 : 100e-6; }));
  EXPECT_TRUE(any_says(same, "unrolled by 8; this measurement shows no difference (0.998 ×).")) << same[3];
  const auto gems = notes("gems-39-7", made_up_gems_39_7());
  EXPECT_TRUE(any_says(gems,
                       "best (padded, unrolled, 8 per thread) is up to 20 × as fast as sequential CPU; "
                       "measured: up to 152 × (n = "
                       "64 Mi)."))
      << gems[0];
  EXPECT_TRUE(any_says(gems, "OpenGL"));
}

TEST(Figures, AnOrderOverSizesSaysWhereItHolds) {
  const auto said = notes("gems-39-8", made_up_gems_39_8());
  EXPECT_TRUE(
      any_says(said,
               "faster than no padding; this measurement agrees at 3 of 6 sizes (512 to 2 Ki), up to 1.20 "
               "×; there is no difference "
               "at 64 to 256."))
      << said[0];
  EXPECT_TRUE(any_says(
      said,
      "faster than no unrolling; this measurement agrees at 5 of 6 sizes (128 to 2 Ki), up to 1.10 ×; the "
      "first kernel is slower at 64."))
      << said[1];
  EXPECT_TRUE(any_says(
      said, "faster than many blocks (no padding); this measurement agrees at all 21 sizes, up to 1.36 ×."))
      << said[2];
}

// --- the sentences that explain why the published order does not hold

EntryCounts counted(int entry, int n, std::int64_t operations, std::int64_t wavefronts,
                    std::int64_t sectors) {
  EntryCounts c{entry, n, 3, {}};
  c.totals.operations = operations;
  c.totals.shared_load.wavefronts = wavefronts - 10;
  c.totals.shared_store.wavefronts = 10;
  c.totals.global_load.sectors = sectors;
  return c;
}

TEST(Figures, WhatDoesNotHoldIsExplainedByCounts) {
  const Figure& f = figure("gems-39-7");
  // In the published times, the work-efficient scan (entry 2) and the best scan (entry 3) are faster than the
  // naive scan (entry 1). In these made-up rows, both are slower.
  const Timings rows =
      rows_of(f, made_up_figure(f, [](int i, int n) { return (10 + i) * 1e-6 + n * 1e-12; }));
  const auto unlike = unlike_the_source(f, rows);
  ASSERT_EQ(unlike.size(), 2u);
  EXPECT_EQ(std::tuple(unlike[0].faster, unlike[0].slower), std::tuple(3, 1));
  EXPECT_EQ(std::tuple(unlike[1].faster, unlike[1].slower, unlike[1].n, unlike[1].verdict),
            std::tuple(2, 1, 1 << 16, Verdict::slower));
  EXPECT_FALSE(any_says(figure_notes(f, rows), "The counts at"));
  EXPECT_FALSE(any_says(figure_notes(f, rows, {counted(2, 1 << 16, 1, 20, 1)}), "The counts at"))
      << "only one entry was counted";
  const auto said =
      figure_notes(f, rows, {counted(2, 1 << 16, 8188, 3000, 6144), counted(1, 1 << 16, 40950, 2000, 6100)});
  EXPECT_TRUE(
      any_says(said,
               "The counts at n = 64 Ki: work-efficient (padded) needs fewer operations (8,188 instead "
               "of 40,950); more wavefronts of shared memory (3,000 instead of 2,000); as many sectors of "
               "global memory (6,144) and launches (3) as naive scan. In this measurement, the extra work of "
               "the first kernel takes more time than the kernel saves elsewhere."))
      << fmt::format("{}", fmt::join(said, "\n"));
  EXPECT_TRUE(
      any_says(figure_notes(f, rows, {counted(2, 1 << 16, 100, 30, 60), counted(1, 1 << 16, 200, 40, 90)}),
               "These counts do not explain why"));
}

TEST(Figures, WhatMakesNoDifferenceIsExplainedByCounts) {
  const Figure& f = figure("gems-39-8");
  Timings all = made_up_gems_39_8();
  const Timings rows = rows_of(f, all);
  const auto unlike = unlike_the_source(f, rows);
  ASSERT_EQ(unlike.size(), 2u) << "many blocks are as published";
  EXPECT_EQ(std::tuple(unlike[0].slower, unlike[0].n, unlike[0].verdict), std::tuple(1, 256, Verdict::same));
  EXPECT_EQ(std::tuple(unlike[1].slower, unlike[1].n, unlike[1].verdict), std::tuple(2, 64, Verdict::slower))
      << "opposite orders come before equal times";
  const std::vector<EntryCounts> both = {counted(0, 256, 500, 20, 64), counted(1, 256, 500, 90, 64)};
  all.launch_overhead = made_up_spread(2e-6);
  EXPECT_TRUE(any_says(figure_notes(f, rows_of(f, all), both),
                       "The first kernel's time is 4.00 µs; the launch takes 2.00 µs of this time."));
  all.launch_overhead = made_up_spread(1e-7);
  EXPECT_TRUE(any_says(figure_notes(f, rows_of(f, all), both),
                       "The costs that both kernels share hide the difference."));
}

TEST(Figures, OfALadderNeighboursAreExplained) {
  const Figure& f = figure("oneflow-ladder");
  for (const Unlike& u : unlike_the_source(f, rows_of(f, made_up_oneflow()))) {
    const auto of = [&](int i) { return f.entries[static_cast<std::size_t>(i)]; };
    EXPECT_EQ(of(u.faster).contender, Contender::kernel);
    EXPECT_EQ(of(u.slower).contender, Contender::kernel);
    EXPECT_LE(published(f, of(u.faster), u.n), published(f, of(u.slower), u.n));
    EXPECT_EQ(u.n, 1 << 22);
  }
  EXPECT_EQ(unlike_the_source(f, rows_of(f, made_up_oneflow())).size(), 2u);
}

// --- the sentences about missing rows

TEST(Figures, WhatARecordingLacksIsShownAsMissing) {
  const Figure& f = figure("oneflow-ladder");
  Timings all = made_up_oneflow();
  std::erase_if(all.rows, [](const Timing& t) { return t.name == "reduce_single_pass"; });
  const auto said = notes("oneflow-ladder", all);
  EXPECT_TRUE(any_says(said, "Missing: serial. Left out: 1048576 elements"));
  EXPECT_TRUE(
      any_says(said,
               "Missing: single pass. h200.json has no time of reduce_single_pass for float32 sum with cold "
               "caches and n = 4,194,304."));
  const Timings rows = rows_of(f, all);
  EXPECT_EQ(entries_measured(f, rows), 8);
  EXPECT_TRUE(says(draw_figure(f, rows, {light_theme(), 900, 560}), "single pass"));
  EXPECT_EQ(entries_measured(f, rows_of(f, Timings())), 0);
}

TEST(Figures, WarmTimesAndOthersTypesStandForNothing) {
  Timings all = made_up_csdn();
  all.rows[1].cache = Cache::warm;
  all.rows[2].settings.type = Scalar::float32;
  EXPECT_EQ(entries_measured(figure("csdn-unrolling"), rows_of(figure("csdn-unrolling"), all)), 8);
  EXPECT_TRUE(any_says(notes("csdn-unrolling", all), "Missing: unrolled by 2."));
}

TEST(Figures, AGapOfASweepIsMissingAndAnUnmeasuredSizeIsCounted) {
  Timings all = made_up_gems_39_7();
  std::erase_if(all.rows, [](const Timing& t) {
    return t.settings.n > 1 << 20 || (t.variant.starts_with("double") && t.settings.n == 1 << 14);
  });
  const auto said = notes("gems-39-7", all);
  EXPECT_TRUE(
      any_says(said, "Missing: naive scan at 16 Ki. h200.json has no time of scan_large (double_buffer"));
  EXPECT_TRUE(any_says(said, "Measured: 11 of the 17 sizes from 1 Ki to 64 Mi."));
}

// --- CSV

TEST(Figures, CsvHasEveryRowAndTheNotes) {
  const Figure& f = figure("oneflow-ladder");
  const std::string csv = figure_csv(f, rows_of(f, made_up_oneflow()));
  EXPECT_TRUE(csv.starts_with(
      "# OneFlow's ladder of reductions, NVIDIA H200, recorded 2026-11-20\n# The measured times keep the "
      "published order in 5 of 7 neighbouring pairs"))
      << csv;
  EXPECT_NE(
      csv.find("\nfigure,label,contender,variant,n,type,op,median_us,lower_quartile_us,upper_quartile_us,"
               "runs,published_us,missing\n"),
      std::string::npos);
  EXPECT_NE(
      csv.find("\noneflow-ladder,two-pass,reduce_two_pass_blocked,,4194304,float32,sum,30.6666667,30.36,"
               "31.28,21,92,\n"),
      std::string::npos)
      << csv;
  EXPECT_NE(csv.find("\noneflow-ladder,serial,reduce_serial,,4194304,float32,sum,,,,0,100307,\"Left out: "),
            std::string::npos)
      << csv;
}

TEST(Figures, CsvOfCountsHasTheFormulasBeside) {
  const Figure& f = figure("w4-operations");
  std::vector<WorkCount> counts = made_up_counts();
  std::string csv = figure_csv(f, counts);
  EXPECT_NE(csv.find("\n# All 128 counts equal their formulas.\n"), std::string::npos) << csv;
  EXPECT_NE(
      csv.find(
          "\nw4-operations,reduction,reduce_sequential,1024,1023,1023,10,10,10,10,102.3,102.3,512,512\n"),
      std::string::npos)
      << csv;
  EXPECT_NE(
      csv.find("\nw4-operations,Hillis-Steele,scan_hillis_steele,8,17,17,3,3,3,3,5.66666667,5.66666667,7,\n"),
      std::string::npos)
      << csv;
  counts[0].operations++;
  csv = figure_csv(f, counts);
  EXPECT_NE(csv.find("\n# 127 of 128 counts equal their formulas.\n# reduction at n = 8: 8.00 operations; "
                     "the formula gives 7.00.\n"),
            std::string::npos)
      << csv;
}

}  // namespace figures_test
}  // namespace upsweep
