// Tests slow recordings. The thread of the window must never wait, the window shows a smaller recording in
// the meantime, and the user can cancel everything.
#include <gtest/gtest.h>

#include "panels/chrome.hpp"
#include "scene/theme.hpp"
#include "support/gated_session.hpp"

namespace upsweep {
namespace slow_recording_test {

// `large` is the n of a slow recording. `many_numbers` is the number of typed numbers. Because
// ThreadSanitizer makes the program 100 times as slow, both numbers are smaller with ThreadSanitizer.
#ifdef __SANITIZE_THREAD__
constexpr int large = 1 << 14, many_numbers = 5'000;
#else
constexpr int large = 1 << 20, many_numbers = 40'000;
#endif
// The recordings of this algorithm are quick, because it has one thread. If a recording takes long, the
// session keeps the previous recording, and then an undo waits for nothing.
constexpr const char* quick = "scan_sequential";

TEST(SlowRecording, ASmallerOneStandsInAndTheRealOneFollows) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  s.go_to(3);
  EXPECT_EQ(s.set_n(large), Answer::begun);
  EXPECT_EQ(s.settings().n, large);
  EXPECT_EQ(s.recording().trace.settings.n, 512) << "the earlier picture is still shown";
  EXPECT_FALSE(s.progress()) << "at first no progress is shown";
  tick_until(s, [&] { return s.recording().trace.settings.n != 512; });
  const Settings shown = s.recording().trace.settings;
  EXPECT_EQ(shown.algorithm, "scan_large");
  EXPECT_LE(shown.n, 4096);
  EXPECT_GT(shown.n, 512);
  tick_until(s, [&] { return s.progress() && s.progress()->share > 0.2; });
  EXPECT_EQ(s.progress()->n, large);
  EXPECT_EQ(s.progress()->shown_n, shown.n);
  EXPECT_GT(s.next_tick_in(), 0) << "tick() must be called again";
  EXPECT_TRUE(s.step_by(+1)) << "the smaller recording can be stepped through";
  gate.open = true;
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, large);
  EXPECT_FALSE(s.progress());
  EXPECT_LT(s.next_tick_in(), 0);
  EXPECT_EQ(s.banner().text, "");
}

TEST(SlowRecording, CancellingBringsBackWhatWasThere) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  s.go_to(4);
  const auto recording = s.shared_recording();
  const Cursor cursor = s.cursor();
  const Settings settings = s.settings();
  for (const bool early : {true, false}) {
    SCOPED_TRACE(early);
    s.set_n(1 << 22);
    s.set_type(Scalar::int32);
    s.set_data({DataSource::Kind::seed, 17, {}});
    if (!early) {
      tick_until(s, [&] { return s.shared_recording() != recording; });
      s.step_by(2);
    }
    EXPECT_TRUE(s.cancel());
    EXPECT_FALSE(s.cancel()) << "no recording is left to cancel";
    EXPECT_FALSE(s.recording_under_way());
    EXPECT_EQ(s.shared_recording(), recording);
    EXPECT_EQ(s.cursor(), cursor);
    EXPECT_EQ(s.settings(), settings);
    EXPECT_EQ(s.data().seed, 3u);
    s.settle(1);
    EXPECT_EQ(s.shared_recording(), recording) << "a cancelled recording does not arrive later";
  }
  EXPECT_NE(s.set_n(600), Answer::refused);
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 600);
}

TEST(SlowRecording, TheFirstPictureDoesNotWaitEither) {
  Gate gate;
  Session::Start begin = impatient(gated(gate));
  begin.settings.n = large;
  begin.patience = 0.001;
  Session s(begin);
  EXPECT_TRUE(s.recording_under_way());
  EXPECT_LE(s.recording().trace.settings.n, 4096);
  EXPECT_EQ(s.settings().n, large);
  gate.open = true;
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, large);

  gate.open = false;
  Session other(begin);
  EXPECT_TRUE(other.cancel());
  EXPECT_EQ(other.settings(), other.recording().trace.settings) << "the smaller run stays";
}

TEST(SlowRecording, ClosingCancelsIt) {
  Gate gate;
  {
    Session s(impatient(gated(gate)));
    s.settle(60);
    s.set_n(1 << 22);
    while (gate.waiting == 0) std::this_thread::sleep_for(1ms);
  }
  EXPECT_FALSE(gate.open) << "the session did not wait for the recording";
}

TEST(SlowRecording, EscapeAndTheButtonCancelIt) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  for (const bool by_key : {true, false}) {
    s.set_n(1 << 20);
    tick_until(s, [&] { return s.progress().has_value(); });
    EXPECT_EQ(s.chosen_times().now.n, s.recording().trace.settings.n) << "the times belong to the shown run";
    for (const float width : {120.0f, 200.0f})
      for (const float height : {100.0f, 112.0f}) {
        const Panel panel = status_panel(s, dark_theme(), width, height, {-1, -1});
        ASSERT_EQ(panel.buttons.size(), 1u);
        EXPECT_EQ(panel.buttons[0].command.action, Action::cancel);
        bool names_n = false;
        for (const Shape& shape : panel.scene.shapes)
          if (const auto* text = std::get_if<TextShape>(&shape.what)) {
            names_n = names_n || text->text.find("1,048,576") != std::string::npos;
            EXPECT_LE(text_width(text->text, text->size, text->face), width) << text->text;
          }
        EXPECT_TRUE(names_n);
      }
    if (by_key) {
      perform(s, {Action::escape, 0});
    } else {
      const Panel panel = status_panel(s, light_theme(), 200, 112, {-1, -1});
      perform(s, panel.buttons[0].command);
    }
    EXPECT_FALSE(s.recording_under_way());
    EXPECT_EQ(s.settings().n, 512);
  }
}

TEST(SlowRecording, CountersWaitForIt) {
  Gate gate;
  std::atomic<int> counted = 0;
  Session::Start begin = impatient(gated(gate));
  begin.count = [&](const Trace& trace, Job&) {
    ++counted;
    return predicted(trace, {});
  };
  Session s(begin);
  s.settle(60);
  s.set_n(1 << 20);
  while (gate.waiting == 0) std::this_thread::sleep_for(1ms);
  s.toggle_counters();
  s.tick(0);
  EXPECT_NE(s.line_counters()->predicted_only.find("wait until the recording ends"), std::string::npos);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(counted, 0);
  s.cancel();
  tick_until(s, [&] { return counted == 1; });
}

TEST(SlowRecording, GivenNumbersThatAreManyAreReadElsewhere) {
  Session::Start begin = start();
  begin.moment = 0;
  Session s(begin);
  const std::string spaces(80'000 / many_numbers - 1, ' ');  // the text has 80,000 characters
  std::string many;
  for (int i = 0; i < many_numbers; ++i) many += std::to_string(i % 10) + spaces;
  s.set_algorithm("scan_large");
  s.settle(60);
  EXPECT_EQ(s.set_data({DataSource::Kind::typed, 3, many}), Answer::begun);
  s.settle(60);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().n, many_numbers);
  EXPECT_EQ(s.recording().trace.input.size(), static_cast<std::size_t>(many_numbers));
  // The text contains a mistake, which the other thread may find before or after the end of this call. In
  // both cases, the call must not return `shown`.
  EXPECT_NE(s.set_data({DataSource::Kind::typed, 3, many + "three"}), Answer::shown);
  s.settle(60);
  EXPECT_NE(s.error().find("three"), std::string::npos);
  EXPECT_EQ(s.settings().n, many_numbers);
  EXPECT_EQ(s.recording().trace.settings.n, many_numbers);
}

TEST(SlowRecording, UndoAndRedoWaitForItAndForgetNothing) {
  Gate gate;
  gate.open = true;
  Session s(impatient(gated(gate, 0, quick)));
  s.settle(60);
  s.go_to(3);
  s.set_n(600);
  s.settle(60);
  s.go_to(5);
  s.set_n(700);
  s.settle(60);
  ASSERT_TRUE(s.undo());
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 600);
  EXPECT_EQ(s.cursor().step, 5);
  ASSERT_TRUE(s.redo()) << "the arrival of a recording is no intention";
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 700);

  // If the user cancels an undo, the state must be the same as before the undo.
  gate.open = false;
  ASSERT_TRUE(s.undo());
  ASSERT_TRUE(s.cancel());
  EXPECT_EQ(s.settings().n, 700);
  EXPECT_FALSE(s.redo());
  gate.open = true;
  for (const int n : {600, 512}) {
    while (s.settings().n != n) ASSERT_TRUE(s.undo());
    s.settle(60);
    EXPECT_EQ(s.recording().trace.settings.n, n);
  }
}

// A session that has recorded a run of 512 elements and then a run of each of these sizes. If a test closes
// the gate, further recordings wait at the gate.
struct SeveralRecorded {
  explicit SeveralRecorded(const std::vector<int>& sizes) {
    s.settle(60);
    for (const int n : sizes) {
      s.set_n(n);
      s.settle(60);
    }
  }
  Gate gate{.open = true};
  Session s{impatient(gated(gate, 0, quick))};
};

// Undoes one request for each size in `sizes`. After each undo, expects that the window shows this size.
void expect_undos(Session& s, const std::vector<int>& sizes) {
  for (const int n : sizes) {
    ASSERT_TRUE(s.undo());
    s.settle(60);
    EXPECT_EQ(s.recording().trace.settings.n, n);
  }
}

// While an undo waits for its recording, the user may change something else. If the user then cancels the
// recording, this change must stay.
TEST(SlowRecording, AnUndoThatIsCancelledKeepsWhatWasDoneMeanwhile) {
  SeveralRecorded recorded({600, 700});
  Session& s = recorded.s;
  const bool dark = s.looks.dark;
  recorded.gate.open = false;
  ASSERT_TRUE(s.undo());
  s.apply({.dark = !dark});
  ASSERT_TRUE(s.cancel());
  EXPECT_EQ(s.settings().n, 700);
  EXPECT_EQ(s.looks.dark, !dark);
  ASSERT_TRUE(s.undo());
  EXPECT_EQ(s.looks.dark, dark);
  EXPECT_EQ(s.settings().n, 700);
  recorded.gate.open = true;
  expect_undos(s, {600, 512});
}

TEST(SlowRecording, SeveralUndosThatAreCancelledForgetNothing) {
  SeveralRecorded recorded({600, 700, 800});
  Session& s = recorded.s;
  for (int undos = 1; undos <= 3; ++undos) {
    SCOPED_TRACE(undos);
    recorded.gate.open = false;
    for (int i = 0; i < undos; ++i) ASSERT_TRUE(s.undo());
    ASSERT_TRUE(s.cancel());
    EXPECT_EQ(s.settings().n, 800);
    EXPECT_FALSE(s.redo());
    recorded.gate.open = true;
    expect_undos(s, {700, 600, 512});
    while (s.redo()) s.settle(60);
    EXPECT_EQ(s.recording().trace.settings.n, 800);
  }
}

// The user may move to another step while a recording is running. If the new recording does not have this
// step, the window must show the last step of the new recording.
TEST(SlowRecording, AStepTakenMeanwhileIsBroughtToTheNearest) {
  Gate gate;
  gate.open = true;
  Session s(impatient(gated(gate, 0)));
  s.settle(60);
  gate.open = false;
  s.set_n(8);
  s.last();
  const int far = s.cursor().step;
  gate.open = true;
  s.settle(60);
  EXPECT_LT(s.step_count(), far + 1);
  s.apply({.dark = !s.looks.dark});
  s.first();
  for (int ways = 0; s.undo(); ++ways) {
    ASSERT_LT(ways, 10);
    EXPECT_EQ(s.error(), "");
    s.settle(60);
  }
  EXPECT_EQ(s.settings().n, 512);
}

}  // namespace slow_recording_test
}  // namespace upsweep
