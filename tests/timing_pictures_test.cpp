// Draws the panels around the charts of times. Compares the pictures with golden SVGs, and checks that the
// words fit. The option --update writes the golden files again: look at the new files before you commit them.
#include <gtest/gtest.h>

#include "export/export.hpp"
#include "panels/timing_header.hpp"
#include "support/made_up_timings.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace timing_pictures_test {

TimingModel model_of(int sources) {
  TimingModel::Start start;
  start.recorded.clear();
  const char* devices[] = {"NVIDIA H200", "NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090"};
  for (int i = 0; i < sources; i++) {
    Timings t = made_up_timings();
    t.device = devices[i % 3];
    t.program = "0.1.0";
    start.recorded.push_back(source_of("recording " + std::to_string(i), t));
  }
  start.measure = [](const SweepRequest&, const auto&, std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Timings();
  };
  return TimingModel(std::move(start));
}

Comparison comparison() {
  const Timings all = made_up_timings();
  Comparison c;
  c.run = "the whole run, n = 64";
  for (const Timing& t : all.rows)
    if (t.name == "scan_blelloch" && t.settings.n == 1 << 28)
      (t.variant.empty() ? c.now : c.compared).row = t;
  c.now.row->excess_wavefronts = 315'187'800;
  c.compared.row->excess_wavefronts = 0;
  c.now.line = 0;
  c.compared.line = 1;
  c.now.name = "no padding";
  c.cases = {
      TimingCase{{}, {}, "Padding, scan_large: 1.5 × faster at 2^28"},
      TimingCase{{}, {}, "In flight 2 instead of in flight 1, reduce_vectorized: no difference at 2^28"}};
  c.shown_case = 0;
  c.now.cost = SharedCost{1593, 1071};
  c.compared.name = "pad32";
  c.compared.cost = SharedCost{522, 0};
  c.sentence =
      "Padding removes 1,071 of the run's 1,593 wavefronts and is 1.8 × faster at 2^14, but 2 % slower from "
      "2^24 on: there the kernel moves 82 % of what a copy moves in that time and waits for global memory.";
  return c;
}

TEST(GoldenTiming, HeaderIsAsCommitted) {
  TimingModel three = model_of(3);
  three.show(1);
  three.chart = TimingChart::roofline;
  expect_as_committed("timing-header-three",
                      svg(timing_header({three, "", false, true}, light_theme(), 1266, {-1, -1}).scene));
}

TEST(GoldenTiming, ComparisonIsAsCommitted) {
  expect_as_committed("timing-comparison-wide",
                      svg(comparison_panel(comparison(), light_theme(), 1266, {-1, -1}).scene));
}

// A run on OpenGL has no shared memory and therefore no wavefronts.
TEST(TimingComparison, TexturesHaveNoBanks) {
  Comparison c = comparison();
  c.now.cost = c.compared.cost = SharedCost{};
  EXPECT_TRUE(says(comparison_panel(c, light_theme(), 1266, {-1, -1}).scene, "no conflicts"));
  c.has_banks = false;
  const Scene scene = comparison_panel(c, light_theme(), 1266, {-1, -1}).scene;
  EXPECT_FALSE(says(scene, "0 wavefronts") || says(scene, "no conflicts"));
  EXPECT_TRUE(says(scene, "textures have no banks"));
}

// The header has two lines. The upper line lists the sources of the times. The date of the measurement and
// the driver of the device must appear exactly once in these two lines.
TEST(TimingHeader, NamesDeviceAndDateOnce) {
  for (const int count : {1, 3}) {
    const TimingModel model = model_of(count);
    for (const float width : {700.0f, 1266.0f, 1900.0f}) {
      std::size_t dates = 0, drivers = 0;
      const std::string day = model.source()->timings->date.substr(0, 10);
      for (const TextShape& t :
           texts(timing_header({model, "", false, true}, light_theme(), width, {-1, -1}).scene)) {
        dates += t.face == Face::bold || t.at.y > 60 ? t.text.find(day) != std::string::npos : 0;
        drivers += t.text.find("driver ") != std::string::npos;
      }
      EXPECT_EQ(dates, 1u) << count << ", " << width;
      EXPECT_EQ(drivers, 1u) << count << ", " << width;
    }
  }
}

TEST(TimingHeader, FitsWhileSomethingIsMeasured) {
  TimingModel model = model_of(1);
  Settings s;
  model.measure(algorithm(s.algorithm), {s, {}});
  expect_words_fit(timing_header({model, ""}, dark_theme(), 640, {600, 20}).scene,
                   {640, timing_header_height});
}

TEST(TimingHeader, TellsSourcesThatAreAlikeApartByTheirNames) {
  TimingModel::Start start;
  start.recorded = {source_of("nvidia-h200", made_up_timings()), source_of("mine.json", made_up_timings())};
  const Panel header = timing_header({TimingModel(std::move(start)), ""}, dark_theme(), 848, {-1, -1});
  EXPECT_TRUE(says(header.scene, "nvidia-h200"));
  EXPECT_TRUE(says(header.scene, "mine.json"));
}

TEST(AnyTiming, WordsFitAtAnyWidth) {
  for (const int sources : {0, 1, 3, 9}) {
    TimingModel model = model_of(sources);
    for (const float width : {320.0f, 430.0f, 500.0f, 640.0f, 848.0f, 1266.0f, 2400.0f})
      for (int shown = 0; shown < std::max(1, sources); shown++) {
        model.show(shown);
        const std::string note(shown % 2 * 300, 'x');
        const Panel header = timing_header({model, note}, dark_theme(), width, {-1, -1});
        expect_words_fit(header.scene, {width, timing_header_height});
        const Panel compared = comparison_panel(comparison(), dark_theme(), width, {-1, -1});
        expect_words_fit(compared.scene, {width, comparison_height(comparison(), width)});
        for (const Panel* panel : {&header, &compared})
          for (const Button& b : panel->buttons) EXPECT_LE(b.box.x + b.box.w, width) << b.tip;
      }
  }
}

// The panel must be as high as its sentence needs, so that there is no gap between the sentence and the
// examples.
TEST(ComparisonPanel, IsAsHighAsItsSentence) {
  const std::string words = comparison().sentence + " " + comparison().sentence;
  for (const float width : {320.0f, 640.0f, 1266.0f})
    for (std::size_t length = 0; length < words.size(); length += 23) {
      Comparison c = comparison();
      c.sentence = words.substr(0, words.find(' ', length));
      const Panel panel = comparison_panel(c, dark_theme(), width, {-1, -1});
      EXPECT_EQ(panel.scene.height, comparison_height(c, width));
      EXPECT_LE(panel.scene.height, most_comparison_height(width));
      float last = 0, see = 0;
      for (const TextShape& t : texts(panel.scene)) (t.text == "See" ? see : last) = t.at.y;
      for (const TextShape& t : texts(panel.scene))
        if (t.at.y < see) last = std::max(last, t.at.y);
      EXPECT_LT(see - last, 28) << c.sentence;
      expect_words_fit(panel.scene, {width, panel.scene.height});
    }
}

TEST(ComparisonPanel, NamesBothNumbersOfWavefronts) {
  for (const float width : {320.0f, 400.0f, 500.0f, 640.0f, 1266.0f}) {
    const Scene scene = comparison_panel(comparison(), dark_theme(), width, {-1, -1}).scene;
    EXPECT_TRUE(says(scene, "1,593 wavefr")) << width;
    EXPECT_FALSE(says(scene, "1,071 of 1,593 excess")) << width;
  }
}

}  // namespace timing_pictures_test
}  // namespace upsweep
