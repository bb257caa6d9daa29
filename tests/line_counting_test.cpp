// Tests how the window shows the hardware's counts for each line. The counters are made up here, because some
// computers have no GPU.
#include "study/line_counting.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "panels/keys.hpp"
#include "study/shipped.hpp"
#include "support/made_up_counters.hpp"
#include "support/pictures.hpp"
#include "support/sanitizers.hpp"
#include "support/timed_session.hpp"

namespace upsweep {
namespace line_counting_test {

Session::Start counting(std::function<Counted(const Trace&)> count,
                        const std::string& algorithm = "scan_blelloch") {
  Session::Start s = timed({}, {}, algorithm);
  s.count = [count = std::move(count)](const Trace& trace, Job&) { return count(trace); };
  return s;
}

void ask_and_wait(Session& s) {
  perform(s, {Action::counters, 0});
  ASSERT_NE(s.line_counters(), nullptr);
  tick_until(s, [&] { return !s.line_counters()->under_way; });
}

Scene source_view(const Session& s, float width, float height) {
  return draw_view(views()[static_cast<std::size_t>(view_index("source"))],
                   {s.recording(), s.cursor(), dark_theme(), width, height, s.line_counters().get()},
                   {.button = true, .pressed = s.line_counters() != nullptr});
}

std::vector<std::string> words_of(const Session& s, float width = 900) {
  const Scene scene = source_view(s, width, 4000);
  std::vector<std::string> all;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.what)) all.push_back(text->text);
  return all;
}

std::ptrdiff_t times(const std::vector<std::string>& words, std::string_view part) {
  return std::count_if(words.begin(), words.end(),
                       [&](const std::string& w) { return w.find(part) != w.npos; });
}

TEST(LineCounting, IsAskedForAndSaysThatAllIsAsPredicted) {
  Session s(counting(as_predicted));
  EXPECT_EQ(s.line_counters(), nullptr);
  EXPECT_EQ(times(words_of(s), "Whole run"), 0);
  ask_and_wait(s);
  EXPECT_EQ(summary(*s.line_counters()),
            "Whole run: on A GPU, the measured counts of every line equal the predicted counts");
  EXPECT_GT(s.line_counters()->entries.size(), 5u);
  EXPECT_EQ(times(words_of(s), "Whole run: on A GPU, the measured"), 1);
  EXPECT_EQ(times(words_of(s), "equal the predicted counts"), 1) << "said once, not on every line";
  perform(s, {Action::counters, 0});
  EXPECT_EQ(s.line_counters(), nullptr);
  EXPECT_EQ(times(words_of(s), "Whole run"), 0);
}

TEST(LineCounting, WhatIsDifferentStandsOnItsLine) {
  Session s(counting([](const Trace& t) { return with_more_wavefronts(t, 4); }));
  ask_and_wait(s);
  const auto& entries = s.line_counters()->entries;
  const auto other = std::find_if(entries.begin(), entries.end(),
                                  [](const auto& e) { return e.agreement == Agreement::different; });
  ASSERT_NE(other, entries.end());
  const auto number = [&](const char* what) {
    return *std::find_if(other->numbers.begin(), other->numbers.end(),
                         [&](const auto& n) { return n.what == what; });
  };
  EXPECT_EQ(number("wavefronts").measured, number("wavefronts").predicted + 4);
  EXPECT_EQ(number("excess wavefronts").measured, number("excess wavefronts").predicted + 4);
  EXPECT_EQ(number("shared lanes").measured, number("shared lanes").predicted);
  const std::string text = difference_text(*other);
  EXPECT_EQ(text, fmt::format("measured {} wavefronts, {} excess wavefronts", number("wavefronts").measured,
                              number("excess wavefronts").measured));
  EXPECT_EQ(times(words_of(s, 1200), text), 1);
  EXPECT_EQ(times(words_of(s), "= measured"), static_cast<std::ptrdiff_t>(entries.size()) - 1);
  EXPECT_NE(
      summary(*s.line_counters()).find(fmt::format("different counts in 1 of {} lines", entries.size())),
      std::string::npos)
      << summary(*s.line_counters());
  const LineId line{.line = other->lines.front()};
  const auto tip = tip_of({s.recording(), s.cursor(), s.line_counters().get()}, line);
  EXPECT_EQ(times(tip, fmt::format("{} wavefronts (predicted: {})", number("wavefronts").measured,
                                   number("wavefronts").predicted)),
            1);
  EXPECT_EQ(times(tip, "shared lanes"), 1);
}

TEST(LineCounting, WhereItCannotBeASentenceSaysWhyAndNothingIsZero) {
  Session s(counting([](const Trace& t) { return predicted(t, plain("There is no GPU here.")); }));
  ask_and_wait(s);
  EXPECT_EQ(summary(*s.line_counters()), "Whole run, predicted only. There is no GPU here.");
  EXPECT_EQ(times(words_of(s), "Whole run, predicted only. There is no GPU here."), 1);
  EXPECT_EQ(times(words_of(s), "measured"), 0);
  EXPECT_GT(times(words_of(s), "wavefr"), 5) << "the predictions are shown";
  EXPECT_TRUE(s.line_counters()->entries.empty());

  Session failing(counting([](const Trace&) -> Counted { throw WorkError("The counters are gone."); }));
  ask_and_wait(failing);
  EXPECT_EQ(summary(*failing.line_counters()), "Whole run, predicted only. The counters are gone.");
  LineCounters long_reason = *failing.line_counters();
  long_reason.predicted_only = "No GPU can be used: the driver is not installed (libcuda.so.1: not found).";
  EXPECT_EQ(brief_summary(long_reason), "Whole run, predicted only. No GPU can be used.");
  EXPECT_EQ(brief_summary(*failing.line_counters()), summary(*failing.line_counters()));

  Session nested(counting([](const Trace& t) {
    Counted c = predicted(t, {});  // CUPTI gives no counts per line for child grids
    c.device = "A GPU";
    return c;
  }));
  ask_and_wait(nested);
  EXPECT_NE(summary(*nested.line_counters()).find("predicted only"), std::string::npos);
}

TEST(LineCounting, IsNotTriedWhereItWouldSayNothing) {
  std::atomic<int> asked = 0;
  const auto count = [&](const Trace& t) {
    asked++;
    return as_predicted(t);
  };
  Session broken(counting(count, "bug_barrier_removed"));
  ask_and_wait(broken);
  EXPECT_NE(summary(*broken.line_counters()).find("predicted only. A broken kernel's counts"),
            std::string::npos);
  Session opened(counting(count));
  opened.open(shipped_recordings().front().name);
  ask_and_wait(opened);
  EXPECT_NE(summary(*opened.line_counters()).find("predicted only. An opened recording"), std::string::npos);
  EXPECT_EQ(asked, 0);
}

TEST(LineCounting, TheWindowGoesOnMeanwhileAndWhatIsNewerWins) {
  std::atomic<bool> let = false;
  std::atomic<int> asked = 0;
  Session s(counting([&](const Trace& t) {
    asked++;
    while (!let) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return as_predicted(t);
  }));
  s.toggle_counters();
  tick_until(s, [&] { return asked == 1; });  // waits until the GPU counts
  EXPECT_TRUE(s.line_counters()->under_way);
  EXPECT_NE(summary(*s.line_counters()).find("are being read"), std::string::npos);
  EXPECT_TRUE(s.step_by(+1));
  s.measure_times();
  EXPECT_NE(s.error().find("counters are being read"), std::string::npos) << s.error();
  s.set_choice("layout", "pad32");
  s.set_n(256);
  s.tick(0);
  let = true;
  tick_until(s, [&] { return !s.line_counters()->under_way; });
  EXPECT_EQ(asked, 2) << "a recording that was replaced meanwhile is not counted";
  EXPECT_EQ(*s.line_counters(), line_counters(as_predicted(s.recording().trace)));
}

TEST(LineCounting, WordsFitAtAnyWidth) {
  for (const std::uint64_t more : {0, 4, 1'000'000}) {
    Session s(counting([=](const Trace& t) { return with_more_wavefronts(t, more); }));
    ask_and_wait(s);
    for (const float width : {300.0f, 360.0f, 440.0f, 620.0f, 900.0f, 1600.0f}) {
      SCOPED_TRACE(width);
      expect_words_fit(source_view(s, width, 4000), {width, 4000});
    }
  }
}

// For wide accesses, the hardware defines the ideal number of wavefronts in another way than Upsweep.
// Therefore excess wavefronts must not be compared.
TEST(LineCounting, LeavesOutWhatTheHardwareCountsOtherwise) {
  Session s(counting(as_predicted));
  if (!can_be_emulated({.type = Scalar::float64})) GTEST_SKIP() << "This build emulates only four bytes.";
  s.set_type(Scalar::float64);
  ask_and_wait(s);
  for (const auto& e : s.line_counters()->entries)
    for (const auto& n : e.numbers) EXPECT_NE(n.what, "excess wavefronts");
}

TEST(LineCounting, LinesThatAreToldApartOnlyInSumSaySo) {
  LineCounters::Entry e{{47, 48}, {{"wavefronts", 8, 9}, {"shared requests", 4, 4}}, Agreement::varies};
  EXPECT_EQ(difference_text(e), "measured on lines 47, 48: 9 wavefronts");
  LineCounters c;
  c.device = "A GPU";
  c.entries = {e};
  EXPECT_EQ(c.of(48), &c.entries[0]);
  EXPECT_EQ(c.of(49), nullptr);
  EXPECT_EQ(summary(c), "Whole run, compared with A GPU's counters: one varies from run to run");
}

}  // namespace line_counting_test
}  // namespace upsweep
