// Tests the speaker's notes, and compares pictures of views in a presentation with golden files.
#include "panels/notes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "export/export.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "words/kernel_comment.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace notes_test {

// --- the notes

TEST(Notes, SayWhatIsNowAndNextAndHowLongItTook) {
  Session s(start(64));
  s.go_to(3);
  const Scene notes = notes_scene(s, light_theme(), 960, 600, 754);
  expect_words_fit(notes, {960, 600});
  EXPECT_TRUE(says(notes, "12:34"));
  EXPECT_TRUE(says(notes, "step 4 of 15"));
  const KernelComment comment = read_comment(s.recording().trace.text);
  std::string all;
  for (const TextShape& t : texts(notes)) all += t.text + " ";
  Place next = s.cursor();
  ++next.step;
  for (const std::string& part : {sentences(s.recording(), s.cursor())[1], sentences(s.recording(), next)[1],
                                  comment.idea, comment.watch})
    EXPECT_NE(all.find(part.substr(0, 40)), std::string::npos) << part;
  s.last();
  EXPECT_TRUE(says(notes_scene(s, light_theme(), 960, 600, 3700), "1:01:40"));
  EXPECT_TRUE(says(notes_scene(s, light_theme(), 960, 600, 0), "This is the last step."));
}

TEST(Notes, TellTheSpeakerWhatIsWrong) {
  for (const Algorithm& a : cuda_algorithms()) {
    if (!a.is_broken() || a.many_blocks) continue;
    Session::Start begin = start(64, a.name);
    begin.settings.block = smallest_block(a, begin.settings);
    Session s(std::move(begin));
    ASSERT_TRUE(s.cursor().hides_answer);
    s.settle(60);
    for (const Point size : {Point{960, 600}, {1280, 720}, {1920, 1080}}) {
      const Scene notes = notes_scene(s, dark_theme(), size.x, size.y, 5);
      expect_words_fit(notes, size);
      std::string all;
      for (const TextShape& t : texts(notes)) all += t.text + " ";
      EXPECT_NE(all.find("What is wrong here"), std::string::npos) << a.name;
      EXPECT_NE(all.find(s.recording().title.substr(0, 20)), std::string::npos) << a.name;
    }
  }
}

// --- pictures

TEST(PresentationPictures, AreAsCommitted) {
  const Recording r = record("scan_blelloch", 64), small = record("scan_blelloch", 8);
  const auto drawn = [](std::string_view name, const Recording& r, int step, float height,
                        const Theme& theme) {
    return svg(draw_view(view(name), {.recording = r,
                                      .cursor = at_step(step),
                                      .theme = theme,
                                      .width = 800,
                                      .height = height,
                                      .presented = true}));
  };
  expect_as_committed("presented-memory", drawn("memory", r, 3, 150, light_theme()));
  expect_as_committed("presented-warps", drawn("warps", r, 3, 296, dark_theme()));
  expect_as_committed("presented-tree", drawn("tree", small, 3, 296, light_theme()));
  Session s(start(16));
  s.go_to(3);
  Scene notes = notes_scene(s, light_theme(), 960, 600, 65);
  std::erase_if(notes.shapes, [](const Shape& shape) {  // the caption contains today's date
    const auto* text = std::get_if<TextShape>(&shape.what);
    return text && text->text.find("emulator") != std::string::npos;
  });
  expect_as_committed("presented-notes", svg(notes));
}

}  // namespace notes_test
}  // namespace upsweep
