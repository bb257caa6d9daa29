// Tests published figures that split the time of a run into parts. A part consists of one or more launches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "export/figure_csv.hpp"
#include "measure/bench_data.hpp"
#include "measure/excess.hpp"
#include "measure/sweep.hpp"
#include "scene/charts/figure_charts.hpp"
#include "study/timing_choice.hpp"
#include "support/made_up_figures.hpp"
#include "support/pictures.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace figure_parts_test {

const SweepLimits h200{std::uint64_t{139} << 30, std::uint64_t{60} << 30, 132, {}, {}};

std::vector<std::string> notes_of(const Timings& all) {
  const Figure& f = figure("gems-table-39-1");
  return figure_notes(f, rows_of(f, all));
}

bool any_says(const std::vector<std::string>& notes, std::string_view part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != note.npos; });
}

TEST(Parts, AreRowsOfTheirOwn) {
  Candidate whole, part;
  whole.settings.algorithm = "summed_area_table";
  whole.settings.choices = {{"channels", "3"}};
  part = whole;
  part.part = {"deinterleave", "interleave"};
  SweepRequest r;
  r.kernels = {whole, part};
  r.sizes = {512 * 512, 512 * 1024};
  for (const SweepGroup& group : plan_sweep(r, h200)) {
    std::vector<std::string> rows;
    for (const SweepRow& t : group.rows) {
      rows.push_back(t.name + ": " + t.variant);
      EXPECT_EQ(t.part, t.contender == Contender::part ? part.part : std::vector<std::string>());
      EXPECT_EQ(t.bytes > 0, t.contender != Contender::part) << rows.back();
      EXPECT_FALSE(t.missing) << in_words(t.missing);
    }
    EXPECT_EQ(rows, (std::vector<std::string>{"cudaMemcpy: ", "cudaMemcpy: 24 bytes an element",
                                              "summed_area_table: channels=3",
                                              "summed_area_table: channels=3, deinterleave + interleave"}));
    EXPECT_EQ(bytes_needed(group.rows[3]), bytes_needed(group.rows[2]))
        << "a part is timed within a whole run";
  }
}

TEST(Parts, AreMadeOfLaunches) {
  Settings s;
  s.algorithm = "summed_area_table";
  s.n = 512 * 512;
  s.choices = {{"channels", "3"}};
  EXPECT_EQ(launches_of(plan(s), {"interleave", "deinterleave"}),
            (std::vector<bool>{true, false, false, false, false, true}));
  EXPECT_EQ(launches_of(plan(s), {"transpose"}), (std::vector<bool>{false, false, true, false, true, false}));
  EXPECT_EQ(launches_of(plan(s), {"scan_rows"}), (std::vector<bool>{false, true, false, true, false, false}));
  EXPECT_EQ(launches_of(plan(s), {}), std::vector<bool>(6));
  // With one channel, no launch interleaves channels.
  Candidate c;
  c.settings = s;
  c.settings.choices.clear();
  c.part = {"interleave"};
  SweepRequest r;
  r.kernels = {c};
  r.sizes = {s.n};
  const std::vector<SweepGroup> groups = plan_sweep(r, h200);
  for (const SweepRow& t : groups.at(0).rows)
    EXPECT_EQ(in_words(t.missing),
              t.contender == Contender::part
                  ? "This run has no launch of interleave: choose kernels that this run launches."
                  : "");
}

// Each launch of a run belongs to exactly one part. Therefore the sum of the parts can be compared with the
// time of the whole run.
TEST(Parts, OfAFigureHaveEachLaunchOnce) {
  int runs = 0;
  for (const Figure& f : figures())
    for (const FigureEntry& whole : f.entries)
      for (const int n : f.sizes) {
        if (whole.contender != Contender::kernel) continue;
        SCOPED_TRACE(fmt::format("{}: {} at {}", f.name, whole.label, n));
        Settings s = whole.settings;
        s.n = n;
        s.type = f.type;
        std::vector<int> parts_with_launch;
        for (const FigureEntry& e : f.entries) {
          if (e.contender != Contender::part || e.settings != whole.settings) continue;
          const std::vector<bool> own = launches_of(plan(s), e.part);
          parts_with_launch.resize(own.size());
          for (std::size_t i = 0; i < own.size(); i++) parts_with_launch[i] += own[i];
        }
        runs += !parts_with_launch.empty();
        EXPECT_EQ(parts_with_launch, std::vector<int>(parts_with_launch.size(), 1));
      }
  EXPECT_EQ(runs, 2) << "the summed-area table at two sizes";
}

TEST(Parts, AreComparedWithTheWholeRunAtEachSize) {
  const Figure& f = figure("gems-table-39-1");
  const Timings all = made_up_gems_table_39_1();
  const auto said = notes_of(all);
  EXPECT_EQ(
      said[0],
      "The measured times keep the published order in 4 of 6 neighbouring pairs, and 2 are reversed: "
      "at 512 × 512, transpose takes 10.5 µs and (de)interleave takes 9.00 µs (published: 230 µs and 440 "
      "µs); "
      "at 1,024 × 1,024, transpose takes 22.1 µs and (de)interleave takes 18.9 µs (published: 840 µs and 960 "
      "µs).");
  EXPECT_EQ(said[1],
            "At n = 512 × 512, the parts take 35.5 µs together, and the whole run takes 38.0 µs "
            "(published: 1,640 µs and 1,640 µs).");
  EXPECT_EQ(said[2],
            "At n = 1,024 × 1,024, the parts take 74.5 µs together, and the whole run takes 79.8 µs "
            "(published: 3,500 µs and 3,500 µs).");
  EXPECT_TRUE(unlike_the_source(f, rows_of(f, all)).empty()) << "parts are not counted";
  const Scene scene = draw_figure(f, rows_of(f, all), {light_theme(), 1280, 720});
  for (const FigureEntry& e : f.entries) {
    EXPECT_TRUE(says(scene, "512 × 512: " + e.label));
    EXPECT_TRUE(says(scene, "1,024 × 1,024: " + e.label));
  }
  EXPECT_NE(figure_csv(f, rows_of(f, all))
                .find("\ngems-table-39-1,(de)interleave,summed_area_table,\"channels=3, deinterleave + "
                      "interleave\",1048576,float32,sum,18.9,"),
            std::string::npos);

  // If the time of one part is missing, the sum of the parts is unknown.
  Timings fewer = all;
  std::erase_if(fewer.rows,
                [](const Timing& t) { return t.variant.ends_with("transpose") && t.settings.n > 1 << 18; });
  EXPECT_TRUE(any_says(notes_of(fewer), "At n = 512 × 512, the parts take"));
  EXPECT_FALSE(any_says(notes_of(fewer), "At n = 1,024 × 1,024, the parts take"));
  EXPECT_TRUE(any_says(notes_of(fewer), "Missing: transpose at 1,024 × 1,024. h200.json has no time"));
}

// The window must be able to read a file that also contains the times of parts of runs. The window must show
// only times of whole runs, and no prediction for a part.
TEST(Parts, DoNotStandForTheWholeRun) {
  Timings all = made_up_gems_table_39_1();
  all = timings_from_json(to_json(all, in_words), "h200.json");
  EXPECT_EQ(all.rows.size(), 10u);
  EXPECT_EQ(std::ranges::count(all.rows, Contender::part, &Timing::contender), 6);
  Timings small = all;
  for (Timing& t : small.rows) t.settings.n = 64 * 64;
  predict_excess(small);
  for (const Timing& t : small.rows)
    if (t.name == "summed_area_table") {
      EXPECT_EQ(t.excess_wavefronts >= 0, t.contender == Contender::kernel) << t.variant;
    }
  Chosen chosen;
  chosen.now = figure("gems-table-39-1").entries[3].settings;
  const Selection sweep = rows_for_sweep(all, chosen);
  ASSERT_EQ(sweep.rows.size(), 2u);
  for (const Timing& t : sweep.timings.rows) EXPECT_EQ(t.contender, Contender::kernel);
  for (const Timing& t : rows_for_bars(all, chosen, 1 << 20, 100).timings.rows)
    EXPECT_EQ(t.contender, Contender::kernel) << t.variant;
}

// The figure gems-39-11 states how many additions its first two kernels make for each element. The first
// kernel makes about log2(n), and the second kernel makes 3.
TEST(CompactionFigure, TheGatherSearchAddsALogarithmMoreOften) {
  const Figure& f = figure("gems-39-11");
  for (const int n : f.sizes) {
    const auto additions = [&](int entry) {
      Settings s = f.entries[static_cast<std::size_t>(entry)].settings;
      s.n = n;
      s.block = 1024;
      return applications(algorithm(s.algorithm), s) / n;
    };
    EXPECT_GT(additions(0), std::log2(n) - 1) << n;
    EXPECT_LT(additions(0), std::log2(n)) << n;
    if (n >= 1 << 14) { EXPECT_NEAR(additions(1), 3, 0.3) << n; }
  }
  Settings s = f.entries[0].settings;
  EXPECT_EQ(selection_data(s).kept, 0.5);
}

}  // namespace figure_parts_test
}  // namespace upsweep
