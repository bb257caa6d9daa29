// Tests that a new view requires only one new file and one new line in a list. The view is in this file, and
// the line is in made_up_views.list. The window must show the view.
#define UPSWEEP_VIEWS "support/made_up_views.list"
#include <gtest/gtest.h>

#include <algorithm>

#include "panels/chrome.hpp"
#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "scene/views/views.cpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace {

constexpr int things = 3;

class MadeUpPicture {
 public:
  explicit MadeUpPicture(const ViewInput& in) : p_(in), in_(in) {}
  ViewPicture draw() && {
    p_.title("three things", "and a readout");
    for (int i = 0; i < things; ++i) {
      const Box box{p_.margin + 100 * static_cast<float>(i), p_.top, 90, 20};
      const OwnId id{"made_up", i};
      p_.rect(box, {.fill = in_.cursor.hover == Id(id) ? p_.theme.now : p_.theme.cell}, id);
      p_.target(box, id);
    }
    return std::move(p_).picture();
  }

 private:
  ViewPen p_;
  const ViewInput& in_;
};

ViewPicture draw(const ViewInput& in) { return MadeUpPicture(in).draw(); }

const OwnId* mine(const Id& id) {
  const auto* own = as<OwnId>(id);
  return own && own->view == "made_up" ? own : nullptr;
}

Lines tip(const Reading&, const Id& id) {
  return mine(id) ? Lines{"Thing " + std::to_string(mine(id)->thing)} : Lines();
}

Click click(const Reading&, const Id& id) {
  if (!mine(id)) return {};
  return GoToStep{mine(id)->thing + 1};
}

}  // namespace

const View made_up_view{.name = "made_up",
                        .title = "Made up",
                        .home = Home::memory,
                        .draw = draw,
                        .tip = tip,
                        .click = click,
                        .sees = sees_only<OwnId>};

namespace {

const int made_up = view_index("made_up");

TEST(MadeUpView, HasAKeyThatTheHelpNames) {
  Session s(start(64));
  ASSERT_EQ(made_up, static_cast<int>(views().size()) - 1);
  ASSERT_LT(made_up, most_view_keys);
  perform(s, command_of(chord_of_view(made_up), false));
  EXPECT_EQ(s.looks.chosen, made_up);
  const auto all = bindings();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Binding& b) {
    return b.action == Action::choose_view && b.keys.back() == key_of_view(made_up).back();
  }));
}

TEST(MadeUpView, StandsInItsHomeWithATabBesideItsNeighbours) {
  Session s(start(64));
  const int memory = view_index("memory");
  EXPECT_EQ(shown_view(Home::memory, s.looks, s.recording()), memory);
  const auto others = alternatives_of(memory, s.recording());
  ASSERT_NE(std::find(others.begin(), others.end(), made_up), others.end());
  // The window draws the view's tab, and a click on this tab shows the view.
  const Scene scene = draw_view(views()[static_cast<std::size_t>(memory)],
                                {s.recording(), s.cursor(), dark_theme(), 1272, 200}, {others});
  EXPECT_TRUE(says(scene, "Made up"));
  s.click(ViewId{made_up});
  EXPECT_EQ(shown_view(Home::memory, s.looks, s.recording()), made_up);
  const WindowLayout w = window_layout(1920, 1080, s.looks, preferred_heights_of(s.recording(), s.looks));
  EXPECT_GT(w[Home::memory].h, 0);
}

TEST(MadeUpView, IsDrawnUnderItsTitleAndAnswersForItsThings) {
  Session s(start(64));
  const ViewInput in{s.recording(), s.cursor(), dark_theme(), 900, 200};
  const Scene scene = draw_view(made_up_view, in);
  for (const char* text : {"Made up", "three things", "and a readout"})
    EXPECT_TRUE(says(scene, text)) << text;
  int found = 0;
  for (const Scene::Target& t : scene.targets) {
    const auto* own = as<OwnId>(t.id);
    if (!own) continue;
    EXPECT_EQ(own->thing, found++);
    EXPECT_GE(t.box.y, 40);
    EXPECT_EQ(tip_of({s.recording(), s.cursor()}, t.id), Lines{"Thing " + std::to_string(own->thing)});
    EXPECT_EQ(click_on({s.recording(), s.cursor()}, t.id), Click(GoToStep{own->thing + 1}));
    s.click(t.id);
    EXPECT_EQ(s.cursor().step, own->thing + 1);
  }
  EXPECT_EQ(found, things);
}

TEST(MadeUpView, HasAKeyInTheWindowsCorner) {
  Session s(start(64));
  s.looks.chosen = made_up;
  const WindowLayout w = window_layout(1920, 1080, s.looks, {});
  EXPECT_EQ(w.large_view, made_up);
  const Panel panel = view_keys_panel(s, dark_theme(), w, 1920, 1080, {-1, -1});
  EXPECT_TRUE(std::any_of(panel.buttons.begin(), panel.buttons.end(), [](const Button& b) {
    return b.command.action == Action::choose_view && b.command.argument == made_up;
  }));
}

}  // namespace
}  // namespace upsweep
