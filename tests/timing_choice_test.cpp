// Tests which timings the window compares, and which measured rows it shows.
#include <gtest/gtest.h>

#include <set>

#include "catalogue/ladder.hpp"
#include "measure/sweep.hpp"
#include "panels/timing_panel.hpp"
#include "scene/charts/sweep_series.hpp"
#include "study/shipped.hpp"
#include "support/long_tests.hpp"
#include "support/timed_session.hpp"
#include "timing/shipped.hpp"

namespace upsweep {
namespace timing_choice_test {

TEST(Compared, OfAPaddedKernelIsTheUnpaddedOneAndViceVersa) {
  Session s(timed({}));
  EXPECT_EQ(s.chosen_times().compared->choice("layout"), "pad32");
  for (const char* padded : {"pad32", "pad16"}) {
    s.set_choice("layout", padded);
    EXPECT_EQ(s.chosen_times().compared->choice("layout"), "none");
  }
  s.swap_compared();
  EXPECT_EQ(s.settings().choice("layout"), "none");
  EXPECT_EQ(s.chosen_times().compared->choice("layout"), "pad16")
      << "compared with the variant that was shown before";
  s.swap_compared();
  EXPECT_EQ(s.settings().choice("layout"), "pad16");
  EXPECT_EQ(s.error(), "");
}

TEST(Compared, IsAnyVariantAndSwapsBack) {
  int index = 0;
  for (const Algorithm* a : correct_algorithms()) {
    if (index++ % 2 != 0 && !tries_everything()) continue;  // because all algorithms would take long
    Session s(timed({}, {}, "scan_blelloch"));
    s.set_algorithm(a->name);
    if (!s.error().empty()) continue;  // this algorithm needs other data
    const Chosen first = s.chosen_times();
    const std::size_t choices = comparable_with(*a, s.settings()).size();
    EXPECT_EQ(first.compared.has_value(), choices > 0) << a->name;
    s.swap_compared();
    EXPECT_EQ(s.error().empty(), choices > 0) << a->name << ": " << s.error();
    if (!first.compared || !s.error().empty()) continue;
    EXPECT_EQ(variant_name(s.settings()), variant_name(*first.compared)) << a->name;
    EXPECT_NE(name_beside(first.now, *first.compared), name_beside(*first.compared, first.now)) << a->name;
    s.swap_compared();
    EXPECT_EQ(variant_name(s.settings()), variant_name(first.now)) << a->name;
    for (std::size_t i = 0; i < choices && choices > 1; i++) s.next_compared();
    EXPECT_EQ(s.error(), "") << a->name;
  }
}

// Each rung of a ladder mends a weakness of the previous rung. So the two rungs are compared first. The first
// rung is compared with the second rung.
TEST(Compared, ARungIsComparedWithThePreviousRungFirst) {
  int ladders = 0;
  for (const Algorithm& a : algorithms()) {
    if (a.ladder.empty()) continue;
    const std::vector<const Algorithm*> rungs = rungs_of(a.ladder);
    const auto place = std::ranges::find(rungs, &a) - rungs.begin();
    Settings s{.algorithm = a.name, .n = 64};
    fit_kind(a, s);
    const std::vector<Settings> all = comparable_with(a, s);
    ASSERT_FALSE(all.empty()) << a.name;
    EXPECT_EQ(all.front().algorithm, rungs[static_cast<std::size_t>(place == 0 ? 1 : place - 1)]->name);
    ladders++;
  }
  EXPECT_GT(ladders, 8);
}

TEST(Compared, CostsWhatItsOwnRecordingSays) {
  Session s(timed({}));
  s.set_n(1024);
  const auto costs_of = [&] {
    s.follow_compared();
    tick_until(s, [&] { return s.compared_facts().compared_cost().has_value(); });
    return std::pair(*s.compared_facts().shown_cost(), *s.compared_facts().compared_cost());
  };
  const auto [plain, padded] = costs_of();
  const Totals& totals = s.recording().facts.totals;
  EXPECT_EQ(plain.wavefronts, totals.shared_load.wavefronts + totals.shared_store.wavefronts);
  EXPECT_EQ(plain.excess, totals.shared_load.excess + totals.shared_store.excess);
  EXPECT_GT(plain.excess, padded.excess);
  s.swap_compared();
  const auto [now, compared] = costs_of();
  EXPECT_EQ(now, padded);
  EXPECT_EQ(compared, plain);
}

// The comparison must count the wavefronts of all launches and all blocks, as `upsweep trace` and the profile
// do.
TEST(Compared, CostsAsManyWavefrontsAsTheProfileShows) {
  for (const auto& [name, n] : {std::pair("stream_compaction", 20),
                                {"stream_compaction", 128},
                                {"radix_sort", 16},
                                {"scan_large", 300},
                                {"summed_area_table", 48}}) {
    Session s(timed({}));
    s.set_algorithm(name);
    s.set_n(n);
    s.settle(60);
    s.follow_compared();
    if (s.chosen_times().compared)
      tick_until(s, [&] { return s.compared_facts().compared_cost().has_value(); });
    std::int64_t wavefronts = 0, excess = 0;
    for (const StepFacts& step : s.recording().facts.steps)
      for (const SharedTotals& t : {step.totals.shared_load, step.totals.shared_store})
        wavefronts += t.wavefronts, excess += t.excess;
    EXPECT_GT(wavefronts, 0) << name;
    EXPECT_EQ(s.compared_facts().shown_cost(), (SharedCost{wavefronts, excess})) << name;
    if (!s.chosen_times().compared) continue;
    const SharedCost compared = *s.compared_facts().compared_cost();
    s.swap_compared();
    s.settle(60);
    const Totals& swapped = s.recording().facts.totals;
    EXPECT_EQ(compared.wavefronts, swapped.shared_load.wavefronts + swapped.shared_store.wavefronts) << name;
  }
}

TEST(Compared, DoesItMatterIsTheSameWhicheverIsOnTheScreen) {
  Session s(timed({source_of("one", recorded())}));
  const std::string sentence = matter_sentence(*s.timing.source()->timings, s.chosen_times(), 93, 53);
  EXPECT_TRUE(sentence.starts_with("Padding removes 40 of the run's 93 wavefronts at n = ")) << sentence;
  s.swap_compared();
  EXPECT_EQ(matter_sentence(*s.timing.source()->timings, s.chosen_times(), 53, 93), sentence);
}

TEST(Compared, ThatWasNotRecordedIsNamed) {
  Session s(timed({source_of("one", recorded())}));
  s.set_choice("layout", "pad16");
  EXPECT_EQ(
      matter_sentence(*s.timing.source()->timings, s.chosen_times(), 1, 2),
      "scan_blelloch with pad16 was not measured. The most similar measured choices: no padding; pad32.");
  s.set_type(Scalar::int32);
  EXPECT_EQ(why_not_there(*s.timing.source()->timings, s.settings()),
            "There are no times of scan_blelloch for int32 sum yet. Press S to measure these times.");
  s.toggle_barrier();
  EXPECT_EQ(why_not_there(*s.timing.source()->timings, s.settings()),
            "Times are not shown while a barrier is missing: a wrong kernel's speed means nothing.");
}

TEST(Compared, IsOneThatTheShownTimesHave) {
  Timings all = recorded();
  for (Timing& t : all.rows)
    if (t.variant == "pad32") {
      t.variant = "pad16";
      t.settings.choose("layout", "pad16");
    }
  Session s(timed({source_of("one", recorded()), source_of("other", all)}));
  EXPECT_EQ(s.chosen_times().compared->choice("layout"), "pad32");
  s.next_timings();
  EXPECT_EQ(s.chosen_times().compared->choice("layout"), "pad16");
}

TEST(Compared, IsComparedAtTheLargestSizeThatBothHave) {
  Timings all = recorded();
  std::erase_if(all.rows, [](const Timing& t) { return t.variant == "pad32" && t.settings.n > 1 << 20; });
  const Settings plain, padded{.choices = {{"layout", "pad32"}}}, other{.choices = {{"layout", "pad16"}}};
  EXPECT_EQ(largest_row(all, plain, padded)->settings.n, 1 << 20);
  EXPECT_EQ(largest_row(all, padded, plain)->settings.n, 1 << 20);
  EXPECT_EQ(largest_row(all, plain, other)->settings.n, 1 << 30) << "its own largest size";
  EXPECT_FALSE(largest_row(all, other, plain));
}

TEST(Compared, IsFoundOrNotForWhateverIsOpened) {
  Session s(timed({source_of("one", recorded())}));
  TimingPanel panel;
  for (const Shipped& each : shipped_recordings()) {
    s.open(each.name);
    ASSERT_TRUE(s.shows_opened()) << each.name << ": " << s.error();
    for (const TimingChart chart : {TimingChart::sweep, TimingChart::full_size, TimingChart::roofline}) {
      s.timing.chart = chart;
      panel.lay_out(s, dark_theme(), {0, 56, 1266, 856}, true, {600, 300});
      EXPECT_FALSE(panel.places().empty()) << each.name;
    }
    s.settle(60);
    ASSERT_TRUE(s.compared_facts().shown_cost()) << each.name;
    EXPECT_GE(s.compared_facts().shown_cost()->wavefronts, s.compared_facts().shown_cost()->excess)
        << each.name;
  }
  panel.lay_out(s, dark_theme(), {}, false, {-1, -1});
  EXPECT_TRUE(panel.places().empty());
}

std::set<std::string> curves_of(const Selection& s, const std::string& kernel) {
  std::set<std::string> variants;
  for (const Timing& t : s.timings.rows)
    if (t.name == kernel) variants.insert(t.variant);
  return variants;
}

TEST(Selection, TimesOfWhatSuitsASizeAreNotThoseOfTheFirstChoices) {
  const Timings& all = shipped_timings().front();
  Settings s{.algorithm = "scan_lookback_vectorized"};
  ASSERT_EQ(chosen(algorithm(s.algorithm), s, "rows"), "2");
  ASSERT_NE(row_at(all, s, 1 << 16), nullptr);
  EXPECT_EQ(row_at(all, s, 1 << 28), nullptr);
  const Selection sweep = rows_for_sweep(all, {s, {}});
  EXPECT_EQ(curves_of(sweep, s.algorithm), std::set<std::string>{"tuned for each n"});
  EXPECT_EQ(sweep.chosen, -1) << "other rows replace those of the chosen kernel";
  EXPECT_EQ(full_size(all, {s, {}}), 1 << 30);
  EXPECT_EQ(why_not_there(all, s), "");
  Settings four = s;
  four.choices["rows"] = "4";
  const Selection beside = rows_for_sweep(all, {s, four});
  EXPECT_EQ(beside.timings.rows[static_cast<std::size_t>(beside.kept[0])].variant, "tuned for each n")
      << "the first colour is that of the chosen kernel";
  s.choices["rows"] = "8";  // not recommended for 64 elements
  EXPECT_GE(rows_for_sweep(all, {s, {}}).chosen, 0);
  ASSERT_NE(row_at(all, s, 1 << 28), nullptr);
  EXPECT_EQ(row_at(all, s, 1 << 28)->settings.choices.at("rows"), "8");
  EXPECT_EQ(why_not_there(all, s), "");
}

// In these timings, the variant with rows=26 and ahead=140 has several names: "rows=26", "ahead=140", and,
// for large n, also the empty name. The rows with these names must become one curve.
TEST(Selection, TheSameChoicesByAnotherNameAreTheSameCurve) {
  const Timings& all = shipped_timings().front();
  const Settings s{.algorithm = "scan_lookback_vectorized", .choices = {{"rows", "26"}, {"ahead", "140"}}};
  const Selection sweep = rows_for_sweep(all, {s, {}});
  ASSERT_GE(sweep.chosen, 0);
  EXPECT_EQ(curves_of(sweep, s.algorithm), std::set<std::string>{"ahead=140 rows=26"});
  EXPECT_EQ(why_not_there(all, s), "");
  std::set<int> sizes;
  for (const Timing& t : rows_of(all, s)) {
    EXPECT_TRUE(sizes.insert(t.settings.n).second) << t.settings.n << " is there twice";
    EXPECT_EQ(t.settings.choices.at("rows"), "26");
    EXPECT_EQ(t.settings.choices.at("ahead"), "140");
  }
  EXPECT_GE(sizes.size(), 19u);
  const Selection bars = rows_for_bars(all, {s, {}}, 1 << 28, 100);
  std::set<Who> once;
  for (const Timing& t : bars.timings.rows) EXPECT_TRUE(once.insert(who(t)).second) << t.variant << " twice";
  EXPECT_TRUE(curves_of(bars, s.algorithm).contains("ahead=140 rows=26"));
}

TEST(Selection, EveryVariantHasACurveOrASentence) {
  const Timings& all = shipped_timings().front();
  for (const Algorithm* a : correct_algorithms()) {
    Settings first{.algorithm = a->name, .n = 64};
    std::vector<Settings> variants = comparable_with(*a, first);
    variants.push_back(first);
    for (const Settings& s : variants) {
      const Selection sweep = rows_for_sweep(all, {s, {}});
      const bool has_curve = sweep.chosen >= 0 || (!rows_of(all, s).empty() && !sweep.kept.empty());
      EXPECT_EQ(why_not_there(all, s).empty(), has_curve && full_size(all, {s, {}}) > 0)
          << a->name << " " << variant_name(s) << ": " << why_not_there(all, s);
    }
  }
}

TEST(Selection, KnowsThePeersOfRecordingsThatAreThereAlready) {
  for (const Timings& all : shipped_timings())
    for (const Timing& t : all.rows)
      if (t.contender == Contender::library || t.contender == Contender::processor) {
        EXPECT_TRUE(peer_of(t)) << t.name << " " << t.variant;
      }
}

TEST(Selection, HasTheChosenKernelItsComparedVariantAndItsPeersAlone) {
  Timings all = recorded(many_contenders());
  Session s(timed({}));
  const Selection sweep = rows_for_sweep(all, s.chosen_times());
  std::set<std::string> names;
  for (const Timing& t : sweep.timings.rows) names.insert(t.name);
  EXPECT_EQ(names,
            (std::set<std::string>{"cudaMemcpy", "scan_blelloch", "cub::DeviceScan", "std::inclusive_scan"}));
  EXPECT_EQ(sweep.timings.rows.at(static_cast<std::size_t>(sweep.chosen)).variant, "");
  // The chosen row has the first colour, and the compared variant has the second colour. The comparison below
  // the chart uses the same colours.
  std::vector<std::string> kernels;
  for (const SweepSeries& each : sweep_series(sweep.timings, Cache::cold, Measure::bandwidth))
    if (each.contender == Contender::kernel) kernels.push_back(each.label);
  EXPECT_EQ(kernels, (std::vector<std::string>{"scan_blelloch", "scan_blelloch, pad32"}));
  for (std::size_t i = 0; i < sweep.rows.size(); i++)
    EXPECT_EQ(sweep.timings.rows[i], all.rows.at(static_cast<std::size_t>(sweep.rows[i])));

  // These rows must not be shown: CUB's selection and sorting compute other results than a scan, and Upsweep
  // does not know DeviceHistogram.
  for (const char* name : {"cub::DeviceSelect", "cub::DeviceRadixSort", "cub::DeviceHistogram"})
    all.rows.push_back(made_up_timing(Contender::library, name, "", 1 << 20, 1e-5));
  EXPECT_EQ(rows_for_sweep(all, s.chosen_times()).rows, sweep.rows);

  const int n = full_size(all, s.chosen_times());
  EXPECT_EQ(n, 1 << 30);
  for (const int most : {0, 6, 8, 100}) {
    const Selection bars = rows_for_bars(all, s.chosen_times(), n, most);
    EXPECT_GE(bars.chosen, 0);
    EXPECT_LE(static_cast<int>(bars.rows.size()), std::max(most, 5));
    for (const Timing& t : bars.timings.rows) EXPECT_FALSE(t.name.starts_with("reduce")) << t.name;
  }
}

// The panel draws its charts only if something has changed. The theme is such a thing.
TEST(TimingPanel, IsDrawnAgainWithAnotherTheme) {
  Session s(timed({source_of("one", recorded())}));
  TimingPanel panel;
  const auto drawings = [&](const Theme& theme) {
    panel.lay_out(s, theme, {0, 0, 700, 700}, false, {-1, -1});
    std::vector<int> numbers;
    panel.for_each_scene([&](const Scene&, float, float, int number) {
      if (number > 0) numbers.push_back(number);
    });
    return numbers;
  };
  const auto dark = drawings(dark_theme());
  EXPECT_EQ(drawings(dark_theme()), dark);
  EXPECT_NE(drawings(dark_contrast_theme()), dark);
}

}  // namespace timing_choice_test
}  // namespace upsweep
