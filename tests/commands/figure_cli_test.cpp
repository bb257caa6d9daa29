// Tests `upsweep figure` on the command line. These tests need no GPU.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "export/figure_csv.hpp"
#include "scene/charts/figure_charts.hpp"
#include "support/command_line.hpp"
#include "support/made_up_figures.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace figure_cli_test {

class FigureCommandLine : public CommandLine {
 protected:
  FigureCommandLine() { write("h200.json", to_json(as_published(), in_words)); }

  // Returns times that put the entries of the figure in the same order as the published times. With any other
  // order, the command would take seconds: it would record a run of 4 Mi elements to explain the difference.
  static Timings as_published() {
    const Figure& f = figure("oneflow-ladder");
    Timings all = made_up_figure(f, [&](int i, int) {
      const double seconds = published(f, f.entries[static_cast<std::size_t>(i)], f.sizes.front());
      return std::pow((seconds > 0 ? seconds : 39.5e-6) * 1e3, 3.0);
    });
    all.rows.front() = made_up_oneflow().rows.front();  // this entry lacks a measurement
    return all;
  }
};

TEST_F(FigureCommandLine, ListsEveryFigureWithItsSource) {
  const Ran ran = run("upsweep figure --list");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const Figure& f : figures()) {
    EXPECT_NE(ran.out.find("\n" + f.name + " "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(f.source + "\n"), std::string::npos) << ran.out;
    EXPECT_NE(content(UPSWEEP_SOURCE_DIR "/docs/command-line/figure.md").find(f.name), std::string::npos)
        << f.name;
  }
}

TEST_F(FigureCommandLine, ARecordingIsDrawnInEveryFormat) {
  std::set<std::string> pictures;
  for (const char* theme : {"light", "dark"}) {
    const Ran ran =
        run(fmt::format("upsweep figure oneflow-ladder --timings h200.json --theme {} -o x.svg", theme));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_NE(ran.out.find("keep the published order in 7 of 7 neighbouring pairs"), std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("Missing: serial."), std::string::npos) << ran.out;
    pictures.insert(content(folder_ / "x.svg"));
    EXPECT_NE(content(folder_ / "x.svg").find("one atomic per thread"), std::string::npos);
  }
  EXPECT_EQ(pictures.size(), 2u);
  const std::string line = "upsweep figure oneflow-ladder --timings h200.json --size 640x360 -o ";
  EXPECT_EQ(run(line + "x.pdf").exit_code, 0);
  EXPECT_TRUE(content(folder_ / "x.pdf").starts_with("%PDF-"));
  EXPECT_EQ(run(line + "x.png").exit_code, 0);
  EXPECT_EQ(content(folder_ / "x.png").substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\x68", 8))
      << "640 x 360";
  EXPECT_EQ(run(line + "x.csv").exit_code, 0);
  const Figure& f = figure("oneflow-ladder");
  EXPECT_EQ(content(folder_ / "x.csv"),
            figure_csv(f, rows_of(f, timings_from_json(to_json(as_published(), in_words), "h200.json"))));
}

// If the times are not in the published order, the command records runs with the settings of the measured
// rows. The command then explains the order by the counts of these runs.
TEST_F(FigureCommandLine, WhatDoesNotHoldIsCounted) {
  write("gems.json", to_json(made_up_gems_39_8(), in_words));
  const Ran ran = run("upsweep figure gems-39-8 --timings gems.json -o x.csv");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("The counts at n = 256: best (padded, unrolled) needs fewer wavefronts of shared "
                         "memory ("),
            std::string::npos)
      << ran.out;
  EXPECT_NE(content(folder_ / "x.csv").find("\n# The counts at n = 256: "), std::string::npos);
}

TEST_F(FigureCommandLine, OperationsAreCountedWithoutAGpu) {
  const Ran ran = run("CUDA_VISIBLE_DEVICES= upsweep figure w4-operations -o x.csv");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("All 128 counts equal their formulas."), std::string::npos) << ran.out;
  const std::string csv = content(folder_ / "x.csv");
  for (const char* row : {"reduction,reduce_sequential,1024,1023,1023,10,10,10,10,102.3,102.3,512,512\n",
                          "Hillis-Steele,scan_hillis_steele,1024,9217,9217,10,10,10,10,921.7,921.7,1023,",
                          "Brent-Kung,scan_brent_kung,1024,2036,2036,19,19,"})
    EXPECT_NE(csv.find(row), std::string::npos) << csv;
  EXPECT_EQ(run("upsweep figure w4-operations -o x.svg").exit_code, 0);
}

TEST_F(FigureCommandLine, WithoutAGpuASentenceSaysWhatToDo) {
  const std::string line = "CUDA_VISIBLE_DEVICES= upsweep figure ";
  // The command needs no file if the times for this figure come with the program.
  if (const Ran ran = run(line + "csdn-unrolling -o x.svg"); ran.exit_code != 0) {
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("Give --timings FILE"), std::string::npos) << ran.err;
    EXPECT_FALSE(fs::exists(folder_ / "x.svg"));
  }
  expect_refusal(line + "csdn-unrolling -o x.json", "No GPU can be used");
  expect_refusal(line + "all -o x.json", "No GPU can be used");
}

TEST_F(FigureCommandLine, MistakesAreSentences) {
  expect_refusal("upsweep figure", "oneflow-ladder");
  expect_refusal("upsweep figure oneflow-lader -o x.svg", "did you mean oneflow-ladder?");
  expect_refusal("upsweep figure oneflow-ladder", "-o oneflow-ladder.svg");
  expect_refusal("upsweep figure oneflow-ladder -o x.gif", ".csv");
  expect_refusal("upsweep figure oneflow-ladder -o x", ".svg");
  expect_refusal("upsweep figure oneflow-ladder -o x.svg --theme blue", "light");
  expect_refusal("upsweep figure oneflow-ladder -o x.svg --size 10", "--size");
  expect_refusal("upsweep figure oneflow-ladder -o x.svg --timings nowhere.json", "nowhere.json");
  expect_refusal("upsweep figure csdn-unrolling -o x.svg --timings h200.json", "reduce_unrolled (fold=8)");
  expect_refusal("upsweep figure oneflow-ladder -o x.json --timings h200.json",
                 "already contains measured times");
  expect_refusal("upsweep figure w4-operations -o x.svg --timings h200.json", "shows counts, not times");
  expect_refusal("upsweep figure w4-operations -o x.json", "shows counts, not times");
  expect_refusal("upsweep figure all -o x.svg", "several figures");
  expect_refusal("upsweep figure all", "-o");
  expect_refusal("upsweep figure oneflow-ladder --list", "--list");
  expect_refusal("upsweep figure oneflow-ladder csdn-unrolling -o x.svg", "csdn-unrolling");
  expect_refusal("upsweep figure oneflow-ladder --timings h200.json -o nowhere/x.svg", "nowhere/x.svg", 1);
}

}  // namespace figure_cli_test
}  // namespace upsweep
