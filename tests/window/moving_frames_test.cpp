// Tests frames in which values move. A step must start the motion, and the motion must end with the picture
// that is drawn without motion. A user who steps fast or drags the timeline must not have to wait.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "scene/motion.hpp"
#include "support/session_start.hpp"
#include "window/frame.hpp"
#include "window/still.hpp"

namespace upsweep {
namespace moving_frames_test {

constexpr int width = 1280, height = 720;
constexpr Chord right{key::right}, left{key::left}, z{key::letter('Z')};

class MovingFrames : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context = std::make_unique<OffscreenContext>(width, height);
    } catch (const WorkError&) { GTEST_SKIP() << "There is no OpenGL here."; }
    Session::Start start;
    start.settings.algorithm = "scan_blelloch";
    start.settings.n = 64;
    start.settings.block = 32;
    start.machine = MachineChoice::emulated;
    start.patience = 1e9;
    session = std::make_unique<Session>(std::move(start));
    frame = std::make_unique<Frame>(*session, nullptr);
    for (int i = 0; i < 3; ++i) draw();
  }
  void draw(std::vector<Chord> keys = {}, double seconds = 0) {
    outcome = frame->draw(width, height, 1, seconds, keys);
  }
  std::unique_ptr<OffscreenContext> context;
  std::unique_ptr<Session> session;
  std::unique_ptr<Frame> frame;
  Frame::Outcome outcome;
};

TEST_F(MovingFrames, AStepMovesValuesAndEndsInTheStillPicture) {
  for (int i = 0; i < 4; ++i) draw({right}), draw({}, 1);
  draw({right});
  EXPECT_TRUE(frame->moves());
  EXPECT_EQ(outcome.again_in, 0) << "the next frame must follow at once";
  const Picture first = context->read();
  draw({}, motion_seconds / 2);
  EXPECT_TRUE(frame->moves());
  EXPECT_NE(context->read().values, first.values);
  draw({}, motion_seconds * 0.6);
  EXPECT_FALSE(frame->moves());
  const Picture end = context->read();
  draw({left});
  EXPECT_FALSE(frame->moves()) << "values do not move backwards";
  draw({z});
  session->dismiss_banner();
  draw({right});
  EXPECT_FALSE(frame->moves());
  draw();
  EXPECT_EQ(context->read().values, end.values);
}

TEST_F(MovingFrames, TheNextKeyIsAnsweredAtOnce) {
  draw({right});
  EXPECT_TRUE(frame->moves());
  draw({right}, 0.05);
  EXPECT_FALSE(frame->moves());
  EXPECT_EQ(session->cursor().step, 2);
  draw({}, 0.05);
  EXPECT_FALSE(frame->moves());
  draw({right, right});
  EXPECT_FALSE(frame->moves()) << "two steps at once";
}

TEST_F(MovingFrames, TheSystemCanAskForLessMotion) {
  session->looks.prefers_still = true;
  draw({right});
  EXPECT_FALSE(frame->moves());
  session->apply({.motion = 1});  // the user's choice has priority over the system's
  draw({right});
  EXPECT_TRUE(frame->moves());
  EXPECT_EQ(session->state().motion, 1);
}

TEST_F(MovingFrames, FastPlayingStandsStill) {
  session->apply({.playing = true, .speed = 16});
  for (int i = 0; i < 8; ++i) {
    draw({}, 0.08);
    EXPECT_FALSE(frame->moves());
  }
  EXPECT_GT(session->cursor().step, 2);
}

TEST(Still, ReadsTheSettingsOfDesktops) {
  const auto folder = std::filesystem::temp_directory_path() / "upsweep-still-test";
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(files_prefer_still(folder));
  std::filesystem::create_directories(folder / "gtk-4.0");
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = 1\n");
  EXPECT_FALSE(files_prefer_still(folder));
  write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n");
  EXPECT_TRUE(files_prefer_still(folder));
  std::filesystem::remove(folder / "gtk-4.0" / "settings.ini");
  write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n");
  EXPECT_FALSE(files_prefer_still(folder));
  write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n");
  EXPECT_TRUE(files_prefer_still(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace moving_frames_test
}  // namespace upsweep
