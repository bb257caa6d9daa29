// Tests pictures with depth of field. Other threads draw these pictures for the window, on a GPU or on the
// CPU. This test makes up the GPU, because some computers have no GPU.
#include "study/lens_drawing.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "picture/small_scene.hpp"
#include "scene/views/image_look.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace lens_drawing_test {

std::shared_ptr<const LensScene> scene_of(int rows, int columns) {
  SmallScene small = small_scene(rows, columns);
  return std::make_shared<const LensScene>(
      LensScene{DepthOfField(small.colour, std::move(small.depth)), rows, columns, false});
}

// Returns the frame that the made-up GPU draws.
LensFrame made_up_frame(const LensScene& scene, const Lens& lens) {
  return {scene.field.seen_through(lens), "A GPU", 0.5, {}};
}
LensDrawing::Opener made_up_gpu() {
  return [] {
    return [](const LensDrawing::Scene& scene, const Lens& lens) { return made_up_frame(*scene, lens); };
  };
}

// Requests a frame several times, and waits each time. Returns the newest frame.
std::shared_ptr<const LensFrame> settled(LensDrawing& drawing, const LensDrawing::Scene& scene,
                                         const Lens& lens, bool on_gpu = true) {
  for (int i = 0; i < 4; ++i) {
    drawing.frame(scene, lens, on_gpu);
    drawing.wait(60);
  }
  return drawing.frame(scene, lens, on_gpu);
}

TEST(LensDrawing, TheGpuDrawsIfItMay) {
  const auto scene = scene_of(30, 40);
  std::atomic<int> woken = 0;
  LensDrawing drawing(made_up_gpu(), [&] { ++woken; });
  for (const bool on_gpu : {false, true, false})
    for (const float focus : {3.f, 9.f}) {
      const Lens lens = lens_for(40, focus);
      const auto frame = settled(drawing, scene, lens, on_gpu);
      EXPECT_EQ(frame->picture, scene->field.seen_through(lens));
      EXPECT_EQ(frame->gpu, on_gpu ? "A GPU" : "");
      EXPECT_EQ(frame->gpu_error, "");
      EXPECT_GT(frame->seconds, 0);
      EXPECT_EQ(drawing.frame(scene, lens, on_gpu), frame) << "it is not drawn again";
    }
  EXPECT_GT(woken, 5);
}

TEST(LensDrawing, UntilTheGpuIsReadyTheCpuDraws) {
  const auto scene = scene_of(20, 50);
  std::latch ready(1);
  LensDrawing drawing(
      [&] {
        ready.wait();
        return made_up_gpu()();
      },
      {});
  for (const float focus : {3.f, 5.f, 7.f}) {
    const Lens lens = lens_for(50, focus);
    std::shared_ptr<const LensFrame> frame;
    while (!frame || frame->picture != scene->field.seen_through(lens)) {
      frame = drawing.frame(scene, lens, true);
      std::this_thread::yield();
    }
    EXPECT_EQ(frame->gpu, "");
  }
  ready.count_down();
  EXPECT_EQ(settled(drawing, scene, lens_for(50, 7), true)->gpu, "A GPU");
}

TEST(LensDrawing, AnotherSceneBeginsWithoutPixels) {
  const auto one = scene_of(20, 50), other = scene_of(21, 50);
  LensDrawing drawing(made_up_gpu(), {});
  const Lens lens = lens_for(50, 3);
  EXPECT_EQ(drawing.frame(one, lens, false)->picture.rows, 0);
  EXPECT_EQ(settled(drawing, one, lens, false)->picture.rows, 20);
  EXPECT_EQ(drawing.frame(other, lens, false)->picture.rows, 0);
  EXPECT_EQ(settled(drawing, other, lens, false)->picture.rows, 21);
}

TEST(LensDrawing, AnErrorOfTheGpuIsReportedAndTheCpuDraws) {
  const auto scene = scene_of(20, 50);
  const auto failing = [](int frames) {
    return [frames]() -> LensDrawing::Draw {
      if (frames == 0) throw RequestError(say::use_the_emulator(say::no_gpu_found()));
      return [left = frames](const LensDrawing::Scene& of, const Lens& lens) mutable -> LensFrame {
        if (left-- == 0) throw WorkError("The GPU is on fire.");
        return made_up_frame(*of, lens);
      };
    };
  };
  for (const int frames : {0, 2}) {
    LensDrawing drawing(failing(frames), {});
    for (int i = 0; i < 5; ++i) {
      const Lens lens = lens_for(50, static_cast<float>(i));
      const auto frame = settled(drawing, scene, lens);
      EXPECT_EQ(frame->picture, scene->field.seen_through(lens));
      EXPECT_EQ(frame->gpu, i < frames ? "A GPU" : "");
      const bool has_failed = frames > 0 && i >= frames;
      EXPECT_EQ(frame->gpu_error, has_failed ? "The GPU is on fire." : "") << "a missing GPU is no error";
    }
    EXPECT_EQ(settled(drawing, scene, lens_for(50, 1), false)->gpu_error, "") << "no GPU was asked for";
  }
}

// Each movement of the mouse requests another frame. Nevertheless, the window must show frames while the user
// drags the focus.
TEST(LensDrawing, DraggingShowsFrames) {
  const auto scene = scene_of(96, 128);
  LensDrawing drawing(made_up_gpu(), {});
  int shown = 0;
  std::shared_ptr<const LensFrame> last;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int i = 0; shown < 10 && std::chrono::steady_clock::now() < end; ++i) {
    const auto frame = drawing.frame(scene, lens_for(128, 2 + 0.001f * static_cast<float>(i % 9000)), true);
    shown += frame != last;
    last = frame;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_EQ(shown, 10);
}

// --- the session and the view

Session::Start with_table(MachineChoice machine, LensDrawing::Opener open) {
  Session::Start s = start(12 * 20, "summed_area_table");
  s.settings.columns = 20;
  s.machine = machine;
  s.open = [](MachineChoice) { return std::make_unique<Emulator>(); };
  s.open_lens = std::move(open);
  return s;
}

bool mentions(const Session& session, const std::shared_ptr<const LensFrame>& frame, std::string_view words) {
  const Scene scene =
      draw_view(views()[static_cast<std::size_t>(view_index("image"))], {.recording = session.recording(),
                                                                         .cursor = session.cursor(),
                                                                         .theme = dark_theme(),
                                                                         .width = 1400,
                                                                         .height = 700,
                                                                         .lens_frame = frame.get()});
  std::string all;
  for (const TextShape& text : texts(scene)) all += text.text + " ";
  return all.find(words) != all.npos;
}

TEST(LensDrawing, TheViewSaysWhoDrewTheFrame) {
  for (const MachineChoice machine : {MachineChoice::automatic, MachineChoice::emulated}) {
    Session s(with_table(machine, made_up_gpu()));
    s.settle(60);
    EXPECT_EQ(s.lens_frame(), nullptr) << "this picture is not shown";
    s.apply({.made = "depth_of_field", .focus = 6.0f});
    EXPECT_FALSE(mentions(s, s.lens_frame(), "Drawn by")) << "nothing is drawn yet";
    for (int i = 0; i < 3; ++i) s.settle(60), s.lens_frame();
    const auto frame = s.lens_frame();
    EXPECT_EQ(frame->picture, made_picture(s.recording().table(), s.cursor().image));
    const bool on_gpu = machine == MachineChoice::automatic;
    EXPECT_EQ(mentions(s, frame, "Drawn by A GPU in 500 ms, including the time for the table."), on_gpu);
    EXPECT_EQ(mentions(s, frame, "Drawn by the CPU in"), !on_gpu);
    EXPECT_FALSE(mentions(s, nullptr, "Drawn by")) << "a file says no time";
  }
}

TEST(LensDrawing, TheViewSaysWhyTheGpuDrewNothing) {
  Session s(
      with_table(MachineChoice::automatic, []() -> LensDrawing::Draw { throw WorkError("It is on fire."); }));
  s.apply({.made = "depth_of_field"});
  for (int i = 0; i < 3; ++i) s.lens_frame(), s.settle(60);
  EXPECT_TRUE(mentions(s, s.lens_frame(), "It is on fire."));
  EXPECT_TRUE(mentions(s, s.lens_frame(), "Drawn by the CPU in"));
}

}  // namespace lens_drawing_test
}  // namespace upsweep
