// Tests that the window can save a chart of times.
#include "panels/chart_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "export/export.hpp"
#include "panels/timing_panel.hpp"
#include "support/timed_session.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace chart_file_test {

namespace fs = std::filesystem;

class ChartFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  const fs::path folder_ =
      fs::temp_directory_path() / fmt::format("upsweep-charts-{}", Clock::now().time_since_epoch().count());
};

TEST_F(ChartFile, IsThePictureOfTheShownChart) {
  Session s(timed({source_of("one", recorded())}));
  const auto save = [&] { return save_chart(s.timing, s.chosen_times(), light_theme(), folder_); };
  EXPECT_EQ(save(), fmt::format("The chart was saved as {}/upsweep-sweep-scan_blelloch.svg and as "
                                "upsweep-sweep-scan_blelloch.pdf.",
                                folder_.string()));
  const std::string sweep = content("upsweep-sweep-scan_blelloch.svg");
  EXPECT_EQ(
      sweep,
      svg(timing_picture(s.timing, s.chosen_times(), TimingChart::sweep, light_theme(), 960, 540).scene));
  EXPECT_TRUE(content("upsweep-sweep-scan_blelloch.pdf").starts_with("%PDF"));
  s.timing.chart = TimingChart::full_size;
  s.timing.hover = 3;
  save();
  EXPECT_EQ(s.timing.hover, 3);
  s.timing.hover = -1;
  EXPECT_EQ(
      content("upsweep-full-size-scan_blelloch.svg"),
      svg(timing_picture(s.timing, s.chosen_times(), TimingChart::full_size, light_theme(), 960, 540).scene))
      << "the mouse does not change the file";
}

TEST_F(ChartFile, TakesNothingsPlace) {
  Session s(timed({source_of("one", recorded())}));
  std::ofstream(folder_ / "upsweep-sweep-scan_blelloch.svg") << "mine";
  std::ofstream(folder_ / "upsweep-sweep-scan_blelloch-2.pdf") << "mine, too";
  for (int i = 0; i < 2; i++) save_chart(s.timing, s.chosen_times(), dark_theme(), folder_);
  EXPECT_EQ(content("upsweep-sweep-scan_blelloch.svg"), "mine");
  EXPECT_EQ(content("upsweep-sweep-scan_blelloch-2.pdf"), "mine, too");
  EXPECT_FALSE(fs::exists(folder_ / "upsweep-sweep-scan_blelloch-2.svg"));
  for (const char* name : {"upsweep-sweep-scan_blelloch-3", "upsweep-sweep-scan_blelloch-4"})
    EXPECT_TRUE(fs::exists(folder_ / (std::string(name) + ".svg")) &&
                fs::exists(folder_ / (std::string(name) + ".pdf")))
        << name;
}

TEST_F(ChartFile, WhatGoesWrongIsASentence) {
  Session none(timed({}));
  EXPECT_THROW(save_chart(none.timing, none.chosen_times(), dark_theme(), folder_), RequestError);
  Session s(timed({source_of("one", recorded())}));
  try {
    save_chart(s.timing, s.chosen_times(), dark_theme(), folder_ / "nowhere");
    FAIL();
  } catch (const WorkError& e) {
    EXPECT_NE(in_words(e).find("nowhere/upsweep-sweep-scan_blelloch.svg could not be written"),
              std::string::npos)
        << in_words(e);
  }
}

}  // namespace chart_file_test
}  // namespace upsweep
