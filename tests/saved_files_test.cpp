// Tests the new files that the window saves: the chart of times, and the output of the shown recording.
#include "panels/saved_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "export/export.hpp"
#include "panels/keys.hpp"
#include "panels/timing_panel.hpp"
#include "study/output_csv.hpp"
#include "support/drawn_views.hpp"
#include "support/temporary_folder.hpp"
#include "support/timed_session.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace saved_files_test {

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

TEST(SavedOutput, HasANewNameEachTime) {
  const TemporaryFolder folder;
  const Recording r = record("scan_blelloch", 4);
  const std::string path = (folder / "upsweep-scan_blelloch").string();
  EXPECT_EQ(save_output(r.trace, folder), "The output was saved as " + path + ".csv.");
  EXPECT_EQ(save_output(r.trace, folder), "The output was saved as " + path + "-2.csv.");
  for (const char* end : {".csv", "-2.csv"}) {
    std::ostringstream text;
    text << std::ifstream(path + end).rdbuf();
    EXPECT_EQ(text.str(), "index,out\n0,0\n1,7\n2,14\n3,19\n");
    EXPECT_EQ(text.str(), output_csv(r.trace));
  }
  EXPECT_THROW(save_output(r.trace, folder / "none"), WorkError);
}

TEST(SavedOutput, HasAKey) {
  EXPECT_EQ(command_of({key::letter('S'), key::shift}, false).action, Action::save_output);
  EXPECT_EQ(command_of({key::letter('S'), 0}, false).action, Action::measure);
}

}  // namespace saved_files_test
}  // namespace upsweep
