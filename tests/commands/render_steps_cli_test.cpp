// Tests pictures of several steps: numbered files, and one PDF with several pages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "support/command_line.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace render_steps_cli_test {

int pages_of(const std::string& pdf) {
  int pages = 0;
  for (std::size_t at = 0; (at = pdf.find("/Type /Page", at)) != pdf.npos; ++at)
    pages += pdf.at(at + std::string("/Type /Page").size()) != 's';
  return pages;
}

TEST_F(CommandLine, EachStepIsThePictureOfThisStep) {
  const std::string render = "upsweep render scan_blelloch --n 64 --machine emulated --view banks ";
  const int steps = static_cast<int>(
      run_json("upsweep trace scan_blelloch --n 64 --machine emulated --json")["steps"].size());
  ASSERT_GE(steps, 10);
  for (const char* ending : {"png", "svg"}) {
    EXPECT_EQ(run(fmt::format("{} --steps all -o all.{}", render, ending)).exit_code, 0);
    for (const int step : {1, 7, steps}) {
      run(fmt::format("{} --step {} -o one.{}", render, step, ending));
      EXPECT_EQ(content(folder_ / fmt::format("all-{:02}.{}", step, ending)),
                content(folder_ / fmt::format("one.{}", ending)))
          << step;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / fmt::format("all-{:02}.{}", steps + 1, ending)));
    EXPECT_FALSE(std::filesystem::exists(folder_ / fmt::format("all.{}", ending)));
  }
  EXPECT_EQ(run(render + "--steps 3-5 -o part.svg").exit_code, 0);
  for (int step = 1; step <= steps; ++step)
    EXPECT_EQ(std::filesystem::exists(folder_ / fmt::format("part-{:02}.svg", step)), step >= 3 && step <= 5);
}

TEST_F(CommandLine, StepsArePagesOfAPdf) {
  const int each = tries_everything() ? 5 : 10;  // because drawing all algorithms would take 20 s
  int index = 0;
  for (const Algorithm& a : algorithms()) {
    if (index++ % each != 0 || a.language != Language::cuda) continue;
    const int steps = static_cast<int>(
        run_json(fmt::format("upsweep trace {} --n 20 --machine emulated --json", a.name))["steps"].size());
    EXPECT_EQ(
        run(fmt::format("upsweep render {} --n 20 --machine emulated --view memory --steps all -o a.pdf",
                        a.name))
            .exit_code,
        0);
    EXPECT_EQ(pages_of(content(folder_ / "a.pdf")), steps) << a.name;
  }
}

TEST_F(CommandLine, RefusesStepsThatDoNotExist) {
  const std::string render = "upsweep render reduce_sequential --n 8 --view tree -o a.svg --steps ";
  for (const char* steps : {"0-2", "3-2", "1-99", "some", "2-", "-2", "1-2-3", "''"})
    expect_refusal(render + steps, "--steps takes the word all, or a range");
  expect_refusal(render + "all --step 2", "leave out --step");
}

// If two runs are compared, a PDF must have one page for each pair of steps. The command must refuse steps
// that do not exist, and must refuse the option --request.
TEST_F(CommandLine, ComparesTwoRunsInAPicture) {
  const std::string runs = "scan_hillis_steele --n 32 --machine emulated ";
  const auto pairs = static_cast<int>(
      run_json("upsweep compare " + runs + "--with algorithm=scan_warp_shuffle --json")["steps"].size());
  const std::string render =
      "upsweep render " + runs + "--compare algorithm=scan_warp_shuffle --view memory ";
  EXPECT_EQ(run(render + "--steps all -o a.pdf").exit_code, 0);
  EXPECT_EQ(pages_of(content(folder_ / "a.pdf")), pairs);
  EXPECT_EQ(run(render + fmt::format("--step {} -o a.svg", pairs)).exit_code, 0);
  EXPECT_NE(content(folder_ / "a.svg").find("Warp shuffle scan"), std::string::npos);
  expect_refusal(render + fmt::format("--step {} -o a.svg", pairs + 1), "There is no step");
  expect_refusal(render + "--request 1 -o a.svg", "leave out --request or --compare");
  expect_refusal("upsweep render " + runs + "--compare nonsense --view memory -o a.svg", "KEY=VALUE");
}

}  // namespace render_steps_cli_test
}  // namespace upsweep
