// Tests `upsweep render` with animations, captions and the whole window.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "picture/read_picture.hpp"
#include "support/command_line.hpp"
#include "support/decoded_animations.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace render_animations_cli_test {

class Animations : public CommandLine {
 protected:
  int steps_of(const std::string& arguments) const {
    return static_cast<int>(run_json("upsweep trace " + arguments + " --json")["steps"].size());
  }
  DecodedAnimation gif(const std::string& name) const { return decoded_gif(content(folder_ / name)); }
  Picture png(const std::string& name) const {
    return with_channels(read_picture((folder_ / name).string()), 3);
  }
  std::size_t files_with(const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_))
      count += entry.path().string().ends_with(ending) || entry.path().string().ends_with(".part");
    return count;
  }
};

// Returns the share of pixels that differ by more than `tolerance` in at least one channel.
double differing(const Picture& a, const Picture& b, int tolerance) {
  if (a.rows != b.rows || a.columns != b.columns) return 1;
  std::size_t count = 0;
  for (std::size_t at = 0; at < a.values.size(); at += 3)
    count += std::abs(a.values[at] - b.values[at]) > tolerance ||
             std::abs(a.values[at + 1] - b.values[at + 1]) > tolerance ||
             std::abs(a.values[at + 2] - b.values[at + 2]) > tolerance;
  return static_cast<double>(count) / static_cast<double>(a.values.size() / 3);
}

TEST_F(Animations, AGifShowsThePictureOfEachStep) {
  const std::string kernel = "scan_blelloch --n 32 --machine emulated",
                    render = "upsweep render " + kernel + " --view memory --caption --size 801x333 ";
  const int steps = steps_of(kernel);
  EXPECT_EQ(run(render + "--steps all --speed 4 -o a.gif").exit_code, 0);
  const DecodedAnimation all = gif("a.gif");
  EXPECT_EQ(all.width, 801);
  EXPECT_EQ(all.height, 333);
  ASSERT_EQ(static_cast<int>(all.pictures.size()), steps);
  EXPECT_NEAR(all.begins.back(), 0.25 * (steps - 1), 0.006);
  EXPECT_NEAR(all.seconds, 0.25 * (steps + 2), 0.006) << "the last step stays three times as long";
  for (const int step : {1, 2, steps}) {
    EXPECT_EQ(run(fmt::format("{} --step {} -o one.png", render, step)).exit_code, 0);
    const Picture one = png("one.png"), &shown = all.pictures[static_cast<std::size_t>(step - 1)];
    EXPECT_LT(differing(one, shown, 0), 0.02) << step;
    EXPECT_EQ(differing(one, shown, 24), 0) << step;
  }
  EXPECT_EQ(run(render + "--steps 3-5 -o part.gif").exit_code, 0);
  EXPECT_EQ(gif("part.gif").pictures.size(), 3u);
}

TEST_F(Animations, ACaptionNamesTheRunAndTheStep) {
  const std::string render =
      "upsweep render scan_blelloch --n 64 --layout pad32 --machine emulated --view tree --theme dark ";
  run(render + "--caption --step 5 -o a.svg");
  const std::string with = content(folder_ / "a.svg");
  for (const char* part :
       {"Blelloch scan · n = 64 · 32 threads · pad32 · the emulator", "step 5 of 15: up-sweep, stride 8"})
    EXPECT_NE(with.find(part), std::string::npos) << part;
  run(render + "--step 5 -o b.svg");
  EXPECT_EQ(content(folder_ / "b.svg").find("step 5 of 15"), std::string::npos);
  run("upsweep render scan_blelloch --n 64 --machine emulated --compare layout=pad32 --view banks --caption "
      "--step 2 "
      "-o c.svg");
  for (const char* part : {"B: pad32", "step 2 of 15"})
    EXPECT_NE(content(folder_ / "c.svg").find(part), std::string::npos) << part;
}

TEST_F(Animations, TheWholeWindowInEveryFormat) {
  const std::string kernel = "scan_blelloch --n 8 --machine emulated",
                    render = "upsweep render " + kernel + " --view window --size 1000x600 ";
  const int steps = steps_of(kernel);
  EXPECT_EQ(run(render + "--steps all -o a.gif").exit_code, 0);
  const DecodedAnimation all = gif("a.gif");
  ASSERT_EQ(static_cast<int>(all.pictures.size()), steps);
  run(render + "--step 3 -o one.png");
  EXPECT_LT(differing(png("one.png"), all.pictures[2], 24), 0.001);
  run(render + "--step 3 -o one.svg");
  const std::string drawn = content(folder_ / "one.svg");
  for (const char* part :
       {"Blelloch scan · n = 8", "Shared memory", "Source", fmt::format("step 3 of {}", steps).c_str()})
    EXPECT_NE(drawn.find(part), std::string::npos) << part;
  EXPECT_EQ(run(render + "--step 3 -o one.pdf").exit_code, 0);
  EXPECT_TRUE(content(folder_ / "one.pdf").starts_with("%PDF"));
  EXPECT_EQ(run(render + "--compare layout=pad32 --steps 1-2 -o b.png").exit_code, 0);
  EXPECT_NE(content(folder_ / "b-1.png"), content(folder_ / "b-2.png"));
  expect_refusal(render + "--caption -o a.png", "leave out --caption");
}

TEST_F(Animations, AComparisonMoves) {
  const std::string runs = "scan_blelloch --n 32 --machine emulated ";
  const auto pairs = static_cast<std::size_t>(
      run_json("upsweep compare " + runs + "--with layout=pad32 --json")["steps"].size());
  EXPECT_EQ(
      run("upsweep render " + runs + "--compare layout=pad32 --view banks --steps all --caption -o a.gif")
          .exit_code,
      0);
  const DecodedAnimation all = gif("a.gif");
  ASSERT_EQ(all.pictures.size(), pairs);
  for (std::size_t k = 1; k < pairs; ++k)
    EXPECT_GT(differing(all.pictures[k - 1], all.pictures[k], 0), 0) << k;
}

TEST_F(Animations, WhatCannotBeWrittenIsRefusedAtTheStart) {
  const std::string render = "upsweep render scan_blelloch --n 64 --machine emulated --view tree ";
  expect_refusal(render + "-o a.gif", "give --steps");
  expect_refusal(render + "--steps all -o a.mp4", ".gif, .webm");
  expect_refusal(render + "--steps all --speed 2 -o a.pdf", "--speed is only for .gif and .webm");
  for (const char* speed : {"0", "-1", "51", "0.01", "nan", "fast", "1e9", "inf"})
    expect_refusal(render + "--steps all -o a.gif --speed=" + speed, "--speed takes 0.1 to 50");
  for (const char* size : {"32768x1", "16384x16384", "8192x4096"})
    expect_refusal(render + "--steps all -o a.gif --size " + size, "too large");
  expect_refusal(render + "--steps all -o none/a.gif", "No such file", 1);
  fs::create_directory(folder_ / "b.gif");
  expect_refusal(render + "--steps all -o b.gif", "directory", 1);
  run("touch c.gif; chmod a-w c.gif");
  expect_refusal(render + "--steps all -o c.gif", "Permission denied", 1);
  run("ln -s /dev/full d.gif");
  expect_refusal(render + "--steps all -o d.gif", "No space left", 1);
  run("ulimit -f 16; trap '' XFSZ; upsweep render scan_blelloch --n 64 --machine emulated --view window "
      "--steps all -o e.gif");
  EXPECT_EQ(files_with("e.gif"), 0u) << "half a file is left";
  EXPECT_EQ(files_with("a.gif"), 0u);
}

TEST_F(Animations, AFullDiskIsRefusedAtTheStart) {
  const Ran ran =
      run("mkdir full && unshare -m bash -c 'mount -t tmpfs -o size=4k none full && dd if=/dev/zero "
          "of=full/file bs=4k "
          "count=9 2>/dev/null; time \"$0\" render scan_blelloch --n 64 --view tree --steps all -o "
          "full/a.gif; ls full >listed' "
          "'" UPSWEEP_BINARY "'");
  if (ran.err.find("unshare") != std::string::npos || ran.err.find("mount") != std::string::npos)
    GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_NE(ran.err.find("No space left"), std::string::npos) << ran.err;
  EXPECT_EQ(content(folder_ / "listed"), "file\n");
}

TEST_F(Animations, AnInterruptedExportLeavesNoFile) {
  const Ran ran = run("set -m; ( exec '" UPSWEEP_BINARY
                      "' render scan_blelloch --n 1024 --machine emulated --view window --steps all -o a.gif "
                      ") & sleep 0.7; kill -INT $!; wait $!");
  // On a fast machine, the export may end before the signal arrives.
  if (ran.exit_code == 0) GTEST_SKIP() << "the export was too fast";
  EXPECT_EQ(files_with("a.gif"), 0u) << ran.err;
}

// The command in the README must draw the animation that the README shows. Some pixels may differ, for
// example where the date is drawn.
TEST_F(Animations, TheReadmeOpensWithOneThatItsCommandDraws) {
  const std::string readme = content(UPSWEEP_SOURCE_DIR "/README.md");
  const auto begin = readme.find("`./run render "), end = readme.find('`', begin + 1);
  ASSERT_NE(end, std::string::npos);
  std::string command = readme.substr(begin + 7, end - begin - 7);
  std::ranges::replace(command, '\n', ' ');
  const auto file = command.find(" -o docs/scan.gif");
  ASSERT_NE(file, std::string::npos) << command;
  EXPECT_NE(readme.find("(docs/scan.gif)"), std::string::npos);
  ASSERT_EQ(run("upsweep " + command.substr(0, file) + " -o scan.gif").exit_code, 0) << command;
  const std::string bytes = content(UPSWEEP_SOURCE_DIR "/docs/scan.gif");
  EXPECT_LE(bytes.size(), 1'500'000u);
  const DecodedAnimation kept = decoded_gif(bytes), now = gif("scan.gif");
  EXPECT_EQ(kept.width, now.width);
  EXPECT_EQ(kept.height, now.height);
  EXPECT_EQ(kept.begins, now.begins);
  ASSERT_EQ(kept.pictures.size(), now.pictures.size());
  for (std::size_t k = 0; k < now.pictures.size(); ++k)
    EXPECT_LT(differing(kept.pictures[k], now.pictures[k], 48), 0.1)
        << "step " << k + 1 << " looks different: run the README's command again";
}

// Tests every algorithm. The algorithms are divided into six test cases, so that several cases can run at the
// same time.
class EveryAlgorithm : public Animations, public testing::WithParamInterface<int> {};

TEST_P(EveryAlgorithm, HasAPictureOfEachStep) {
  static constexpr const char* formats[] = {"gif", "svg", "pdf", "webm"};
  int index = 0;
  for (const Algorithm& a : algorithms()) {
    const int at = index++;
    if (at % 6 != GetParam()) continue;
    const std::string format = formats[at / 6 % 4];
    SCOPED_TRACE(fmt::format("{} {}", a.name, format));
    const std::string run_of = fmt::format("{} --n {}{}", a.name, tries_everything() ? 20 : 10,
                                           a.language == Language::cuda ? " --machine emulated" : "");
    const Ran ran = run(fmt::format(
        "upsweep render {} --view words --size 160x100 --steps all --caption -o a.{}", run_of, format));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const int steps = steps_of(run_of);
    if (format == "gif") EXPECT_EQ(static_cast<int>(gif("a.gif").pictures.size()), steps);
    if (format == "svg") EXPECT_EQ(static_cast<int>(files_with(".svg")), steps);
#ifdef UPSWEEP_READS_WEBM
    if (format == "webm")
      EXPECT_EQ(static_cast<int>(decoded_webm(content(folder_ / "a.webm")).pictures.size()), steps);
#endif
    run("rm -f a-*.svg");
  }
}
INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithm, testing::Range(0, 6));

}  // namespace render_animations_cli_test
}  // namespace upsweep
